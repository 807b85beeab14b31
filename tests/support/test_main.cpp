// SPDX-License-Identifier: GPL-3.0-or-later
// The main function of every GoogleTest program: a test never reads or writes the settings, sessions or caches of the person who runs it.
#include "base/file.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace {

void useFolder(const char* variable, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
    setenv(variable, folder.c_str(), 1);
}

} // namespace

int main(int argc, char** argv)
{
    testing::InitGoogleTest(&argc, argv);
    if (testing::GTEST_FLAG(list_tests))
        return RUN_ALL_TESTS();
    const auto python = kw::test::torchPython();
    const kw::TemporaryFolder home;
    useFolder("XDG_RUNTIME_DIR", home.path() / "run");
    useFolder("XDG_CONFIG_HOME", home.path() / "config");
    useFolder("XDG_STATE_HOME", home.path() / "state");
    useFolder("XDG_DATA_HOME", home.path() / "data");
    useFolder("XDG_CACHE_HOME", home.path() / "cache");
    if (!python.empty())
        setenv("KERNELWRIGHT_TORCH_PYTHON", python.c_str(), 1);
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    return RUN_ALL_TESTS();
}
