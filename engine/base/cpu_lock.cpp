// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu_lock.h"

#include "base/runtime_folder.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace kw {

namespace {

Error noFolder(const Error& why)
{
    const char* given = std::getenv("XDG_RUNTIME_DIR");
    Message message("lock.no_folder");
    message.with("path", std::string(given && *given ? given : "/tmp"));
    for (const auto& [name, value] : why.message.arguments)
        message.arguments.emplace_back(name, value);
    return Error{std::move(message), why.detail};
}

Result<UniqueFd> lockFile(const std::filesystem::path& path, int operation, const std::stop_token& stop)
{
    const auto failed = [&path] {
        return Error{Message("lock.failed").with("path", path.string()).with("why", std::strerror(errno)), {}};
    };
    UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
        return failed();
    while (::flock(file.get(), operation | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return failed();
        if (stop.stop_requested())
            return error("judge.stopped");
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return file;
}

} // namespace

Result<CpuLock> CpuLock::acquire(Mode mode, std::stop_token stop)
{
    const auto folder = runtimeFolder();
    if (!folder)
        return noFolder(folder.error());
    // Whoever waits keeps the door to itself: a session that measures pair after pair cannot slip in before it again.
    KW_TRY(const UniqueFd door, lockFile(*folder / "cpu.door", LOCK_EX, stop));
    KW_TRY(UniqueFd file, lockFile(*folder / "cpu.lock", mode == Mode::Alone ? LOCK_EX : LOCK_SH, stop));
    return CpuLock(std::move(file));
}

} // namespace kw
