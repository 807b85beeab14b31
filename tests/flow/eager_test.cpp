// SPDX-License-Identifier: GPL-3.0-or-later
// Python eager in a real sandboxed process.
#include "session/python_eager.h"

#include "base/file.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kw {
namespace {

class EagerFlow : public testing::Test {
protected:
    void SetUp() override
    {
        const auto python = test::torchPython();
        if (python.empty())
            GTEST_SKIP() << "no Python with torch (minimal set-up)";
        ::setenv("KERNELWRIGHT_TORCH_PYTHON", python.c_str(), 1);
    }
};

TEST_F(EagerFlow, TimesAModelWithBothAllocatorPolicies)
{
    PythonEager eager(test::modelFolder() / "layer_norm.pt2", false);
    for (const bool keepMemory : {true, false}) {
        const auto seconds = eager.run(keepMemory, {});
        ASSERT_TRUE(seconds) << seconds.error().detail << debugText(seconds.error().message);
        EXPECT_GT(*seconds, 0);
        EXPECT_LT(*seconds, 5);
    }
}

TEST_F(EagerFlow, AModelThatPythonCannotRunIsOneSentence)
{
    const TemporaryFolder folder;
    ASSERT_TRUE(writeFileAtomically(folder.path() / "bad.pt2", "this is no model"));
    std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
    const auto seconds = PythonEager(folder.path() / "bad.pt2", false).run(true, {});
    ASSERT_FALSE(seconds);
    EXPECT_EQ(seconds.error().message.id, "eager.failed");
}

TEST_F(EagerFlow, AStopEndsItAtOnce)
{
    std::stop_source stop;
    stop.request_stop();
    const auto seconds = PythonEager(test::modelFolder() / "layer_norm.pt2", false).run(true, stop.get_token());
    ASSERT_FALSE(seconds);
    EXPECT_EQ(seconds.error().message.id, "judge.stopped");
}

} // namespace
} // namespace kw
