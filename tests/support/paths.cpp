// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/paths.h"

#include <cstdlib>

namespace kw::test {

namespace {

std::filesystem::path chosen(const char* variable, const char* otherwise)
{
    const char* value = std::getenv(variable);
    return value && *value ? value : otherwise;
}

} // namespace

std::filesystem::path sourceFolder()
{
    return KW_TEST_SOURCE;
}

std::filesystem::path testFile(const std::filesystem::path& relative)
{
    return sourceFolder() / "tests" / relative;
}

std::filesystem::path modelFolder()
{
    return chosen("KW_TEST_MODELS", KW_TEST_MODELS);
}

std::filesystem::path torchPython()
{
    const auto path = chosen("KERNELWRIGHT_TORCH_PYTHON", KW_TEST_PYTHON);
    return std::filesystem::exists(path) ? path : std::filesystem::path{};
}

} // namespace kw::test
