// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/runtime_folder.h"

#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace kw {

namespace {

Error cannotListen(const std::string& why)
{
    return Error{Message("serve.cannot_listen").with("why", why), {}};
}

} // namespace

Result<std::filesystem::path> runtimeFolder()
{
    const char* given = std::getenv("XDG_RUNTIME_DIR");
    const auto folder = given && *given == '/' ? std::filesystem::path(given) / "kernelwright"
                                               : std::filesystem::path("/tmp/kernelwright-" + std::to_string(::geteuid()));
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return cannotListen(std::strerror(errno));
    struct stat found {};
    if (::lstat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != ::geteuid())
        return cannotListen(folder.string());
    if ((found.st_mode & 077) != 0 && ::chmod(folder.c_str(), 0700) != 0)
        return cannotListen(std::strerror(errno));
    return folder;
}

Result<std::filesystem::path> socketPath(const std::string& sessionId)
{
    KW_TRY(const std::filesystem::path folder, runtimeFolder());
    auto path = folder / (sessionId.substr(0, 16) + ".sock");
    if (path.string().size() >= sizeof(sockaddr_un::sun_path))
        return cannotListen(path.string());
    return path;
}

} // namespace kw
