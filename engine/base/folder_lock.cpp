// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/folder_lock.h"

#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace kw {

namespace {

Error lockFailed(int code)
{
    return Error{Message("lock.folder_failed").with("why", std::string(std::strerror(code))), {}};
}

} // namespace

Result<UniqueFd> lockFolder(const std::filesystem::path& folder)
{
    const auto file = folder / "lock";
    UniqueFd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!lock)
        return lockFailed(errno);
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        const auto owner = readFile(file, 64);
        return Error{Message("lock.held").with("process", owner ? owner.value() : std::string("?")), {}};
    }
    const std::string process = std::to_string(::getpid());
    if (::ftruncate(lock.get(), 0) != 0 || ::pwrite(lock.get(), process.data(), process.size(), 0) < 0)
        return lockFailed(errno);
    return lock;
}

bool canWriteIn(const std::filesystem::path& folder)
{
    return ::access(folder.c_str(), W_OK) == 0;
}

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

} // namespace kw
