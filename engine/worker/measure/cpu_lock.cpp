// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/measure/cpu_lock.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kw {
namespace {

Error noFolder(const std::filesystem::path& path, const std::string& why)
{
    return Error{Message("lock.no_folder").with("path", path.string()).with("why", why), {}};
}

} // namespace

Result<std::filesystem::path> runtimeFolder()
{
    const char* given = std::getenv("XDG_RUNTIME_DIR");
    const std::filesystem::path folder = given && *given ? std::filesystem::path(given) / "kernelwright"
                                                         : std::filesystem::path("/tmp") / ("kernelwright-" + std::to_string(getuid()));
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return noFolder(folder, std::strerror(errno));
    struct stat status = {};
    if (::lstat(folder.c_str(), &status) != 0)
        return noFolder(folder, std::strerror(errno));
    if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() || (status.st_mode & 077) != 0)
        return noFolder(folder, "it belongs to somebody else or others may enter it");
    return folder;
}

Result<CpuLock> CpuLock::acquire(Mode mode, std::stop_token stop)
{
    KW_TRY(const std::filesystem::path folder, runtimeFolder());
    const std::filesystem::path path = folder / "cpu.lock";
    UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!file)
        return Error{Message("lock.failed").with("path", path.string()).with("why", std::strerror(errno)), {}};
    const int operation = (mode == Mode::Alone ? LOCK_EX : LOCK_SH) | LOCK_NB;
    while (::flock(file.get(), operation) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return Error{Message("lock.failed").with("path", path.string()).with("why", std::strerror(errno)), {}};
        if (stop.stop_requested())
            return error("judge.stopped");
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return CpuLock(std::move(file));
}

} // namespace kw
