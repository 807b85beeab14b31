// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/cpp_backend.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace kw {
namespace {

// Nothing here changes what a program computes but for the contraction of a product and a sum into one rounding.
constexpr std::array<std::string_view, 31> allowed{"-O1", "-O2", "-O3", "-funroll-loops", "-fno-unroll-loops",
    "-funroll-all-loops", "-ftree-vectorize", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-fno-tree-loop-distribute-patterns",
    "-fno-tree-loop-distribution", "-mprefer-vector-width=128", "-mprefer-vector-width=256", "-mprefer-vector-width=512",
    "-ffp-contract=off", "-ffp-contract=on", "-ffp-contract=fast", "-fprefetch-loop-arrays", "-fno-prefetch-loop-arrays",
    "-fno-strict-aliasing", "-fomit-frame-pointer", "-falign-loops=16", "-falign-loops=32", "-falign-loops=64", "-fno-ivopts",
    "-fno-schedule-insns2", "-fschedule-insns", "-fmodulo-sched", "-fno-gcse", "-fno-inline-small-functions", "-fsplit-loops"};

} // namespace

Result<std::vector<std::string>> allowedFlags(const std::string& flags)
{
    std::vector<std::string> result;
    std::istringstream words(flags);
    for (std::string word; words >> word;) {
        if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
            return Error{Message("build.flag_refused").with("flag", word), {}};
        result.push_back(word);
    }
    return result;
}

} // namespace kw
