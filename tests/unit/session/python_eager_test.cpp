// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/python_eager.h"

#include "base/file.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace kw {
namespace {

std::string errorOf(const Result<double>& result) { return result ? "" : result.error().message.id; }

/// Sets an environment variable and puts the old value back.
class Variable {
public:
    Variable(const char* name, const char* value) : m_name(name)
    {
        if (const char* before = std::getenv(name))
            m_before = before;
        ::setenv(name, value, 1);
    }
    ~Variable()
    {
        if (m_before)
            ::setenv(m_name, m_before->c_str(), 1);
        else
            ::unsetenv(m_name);
    }

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

TEST(PythonEager, ReadsTheMedianAndNothingElse)
{
    EXPECT_EQ(*eagerSeconds("{\"seconds\": [0.3, 0.1, 0.2], \"threads\": 2}"), 0.2);
    EXPECT_EQ(errorOf(eagerSeconds("{\"absent\": \"inputs\"}")), "eager.no_inputs");
    // The module's own code may have printed anything.
    for (const char* text : {"", "text", "[]", "{}", "{\"seconds\": []}", "{\"seconds\": [\"1\"]}", "{\"seconds\": [0]}",
             "{\"seconds\": [-1]}", "{\"seconds\": [1e999]}", "{\"seconds\": {\"a\": 1}}"})
        EXPECT_EQ(errorOf(eagerSeconds(text)), "eager.failed") << text;
}

TEST(PythonEager, SaysWhenThereIsNoPython)
{
    {
        const Variable none("KERNELWRIGHT_TORCH_PYTHON", "");
        EXPECT_EQ(errorOf(PythonEager("model.pt2", false).run(true, {})), "eager.no_python");
    }
    const TemporaryFolder folder;
    const auto missing = folder.path() / "bin" / "python";
    const Variable wrong("KERNELWRIGHT_TORCH_PYTHON", missing.c_str());
    const auto python = torchPython();
    ASSERT_FALSE(python);
    EXPECT_EQ(python.error().message.id, "eager.missing");
}

} // namespace
} // namespace kw
