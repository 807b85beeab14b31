// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"

#include "base/unique_fd.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace kw {
namespace {

Error fileError(const char* id, const std::filesystem::path& path, int number)
{
    return Error{Message(id).with("path", path.string()).with("why", std::strerror(number)), {}};
}

} // namespace

Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t limit)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return fileError("file.cannot_open", path, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        return fileError("file.cannot_open", path, errno);
    if (S_ISDIR(status.st_mode))
        return fileError("file.cannot_open", path, EISDIR);
    if (static_cast<std::uintmax_t>(status.st_size) > limit)
        return Error{Message("file.too_large").with("path", path.string()).with("bytes", std::int64_t{status.st_size})
                         .with("limit", static_cast<std::int64_t>(limit)), {}};
    std::string bytes;
    bytes.reserve(static_cast<std::size_t>(status.st_size));
    char buffer[1 << 16];
    for (;;) {
        const ssize_t count = ::read(file.get(), buffer, sizeof buffer);
        if (count == 0)
            return bytes;
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fileError("file.cannot_open", path, errno);
        bytes.append(buffer, static_cast<std::size_t>(count));
        if (bytes.size() > limit)
            return Error{Message("file.too_large").with("path", path.string()).with("bytes", bytes.size())
                             .with("limit", static_cast<std::int64_t>(limit)), {}};
    }
}

Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes)
{
    std::string name = path.string() + ".XXXXXX";
    UniqueFd file(::mkostemp(name.data(), O_CLOEXEC));
    if (!file)
        return fileError("file.cannot_write", path, errno);
    const auto fail = [&](int number) {
        ::unlink(name.c_str());
        return fileError("file.cannot_write", path, number);
    };
    while (!bytes.empty()) {
        const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return fail(errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    if (::fchmod(file.get(), 0644) != 0 || ::fsync(file.get()) != 0)
        return fail(errno);
    file.reset();
    if (::rename(name.c_str(), path.c_str()) != 0)
        return fail(errno);
    return {};
}

TemporaryFolder::TemporaryFolder()
{
    std::string name = (std::filesystem::temp_directory_path() / "kernelwright.XXXXXX").string();
    if (::mkdtemp(name.data()))
        m_path = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept
{
    std::swap(m_path, other.m_path);
    return *this;
}

std::filesystem::path executableFolder()
{
    std::error_code failed;
    const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::filesystem::current_path() : path.parent_path();
}

std::filesystem::path resourceFolder()
{
    if (const char* chosen = std::getenv("KERNELWRIGHT_RESOURCES"))
        return chosen;
    const auto installed = executableFolder().parent_path() / "share/kernelwright";
    return std::filesystem::exists(installed) ? installed : std::filesystem::path(KW_SOURCE_RESOURCES);
}

} // namespace kw
