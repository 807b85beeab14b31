// SPDX-License-Identifier: GPL-3.0-or-later
// A problem file comes from anywhere. What is accepted is valid and survives being written and read again.
#include "problem/problem_file.h"
#include "problem/pytorch_text.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto problem = kw::parseProblem(std::string(reinterpret_cast<const char*>(data), size));
    if (!problem)
        return 0;
    if (!kw::validate(*problem))
        std::abort();
    const std::string text = kw::problemText(*problem);
    const auto again = kw::parseProblem(text);
    if (!again || kw::problemText(*again) != text || kw::problemId(*again) != kw::problemId(*problem))
        std::abort();
    static_cast<void>(kw::pytorchText(*problem));
    return 0;
}
