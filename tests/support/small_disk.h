// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/file.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace kw::test {

/// A file system of its own that this process alone sees, so that filling it or making it read-only harms nobody.
class SmallDisk {
public:
    explicit SmallDisk(std::filesystem::path place) : m_place(std::move(place)) {}

    /// False where no such file system can be made. Once per process.
    bool mount(const std::string& size)
    {
        const uid_t user = ::getuid();
        const gid_t group = ::getgid();
        if (::unshare(CLONE_NEWNS) != 0) {
            if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
                return false;
            std::ofstream("/proc/self/setgroups") << "deny";
            std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
            std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
        }
        std::filesystem::create_directories(m_place);
        return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0
            && ::mount("kernelwright-test", m_place.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, ("size=" + size).c_str()) == 0;
    }
    bool makeReadOnly() { return ::mount(nullptr, m_place.c_str(), nullptr, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) == 0; }

    const std::filesystem::path& place() const { return m_place; }
    /// Takes what is left; removing the file gives it back.
    std::filesystem::path fill() const
    {
        const std::filesystem::path file = m_place / "ballast";
        std::ofstream out(file, std::ios::binary);
        const std::string block(4096, 'x');
        while (out.write(block.data(), static_cast<std::streamsize>(block.size())) && out.flush())
            ;
        return file;
    }

private:
    std::filesystem::path m_place;
};

/// Runs `body` in a child with a small disk. Skips the test where none can be made; what fails in the child fails here.
inline void onASmallDisk(const std::filesystem::path& place, const std::string& size, const std::function<void(SmallDisk&)>& body)
{
    constexpr int noDisk = 77;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        SmallDisk disk(place);
        if (!disk.mount(size))
            ::_exit(noDisk);
        body(disk);
        std::fflush(nullptr);
        ::_exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == noDisk)
        GTEST_SKIP() << "no file system of its own can be mounted here";
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0) << "see above";
}

} // namespace kw::test
