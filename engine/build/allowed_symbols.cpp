// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/artifact_check.h"

#include "build/word_list.h"

#include <algorithm>
#include <array>

namespace kw {
namespace {

// libm, without the trailing f or l of the other precisions.
constexpr std::array<std::string_view, 48> mathFunctions{"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt",
    "ceil", "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax",
    "fmin", "fmod", "frexp", "hypot", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb", "lrint",
    "lround", "modf", "nearbyint", "nextafter", "pow", "remainder", "rint", "round", "roundeven", "scalbn", "sin"};
constexpr std::array<std::string_view, 7> moreMathFunctions{"sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc"};
constexpr std::array<std::string_view, 5> memoryFunctions{"memcpy", "memmove", "memset", "memcmp", "_GLOBAL_OFFSET_TABLE_"};
constexpr std::array<std::string_view, 9> threadQueries{"omp_get_thread_num", "omp_get_num_threads", "omp_get_max_threads",
    "omp_get_num_procs", "omp_get_thread_limit", "omp_get_level", "omp_get_team_num", "omp_get_num_teams", "omp_in_parallel"};
// What OpenMP directives compile to. Not the parts for other devices, allocators and clocks.
constexpr std::array<std::string_view, 12> threadPrefixes{"GOMP_parallel", "GOMP_loop_", "GOMP_barrier", "GOMP_critical_",
    "GOMP_atomic_", "GOMP_single_", "GOMP_sections_", "GOMP_ordered_", "GOMP_task", "GOMP_scope_", "GOMP_workshare_",
    "GOMP_doacross_"};
// Arithmetic that the processor lacks, from the compiler's static library.
constexpr std::array<std::string_view, 22> compilerHelpers{"__divti3", "__udivti3", "__modti3", "__umodti3", "__multi3",
    "__divmodti4", "__udivmodti4", "__powisf2", "__powidf2", "__popcountdi2", "__extendhfsf2", "__truncsfhf2", "__truncdfhf2",
    "__extendhfdf2", "__mulsc3", "__muldc3", "__divsc3", "__divdc3", "__floattisf", "__floattidf", "__fixsfti", "__fixdfti"};

bool isMath(std::string_view name) { return contains(mathFunctions, name) || contains(moreMathFunctions, name); }

} // namespace

bool symbolAllowed(std::string_view name)
{
    if (isMath(name) || contains(memoryFunctions, name) || contains(threadQueries, name) || contains(compilerHelpers, name))
        return true;
    if (name.size() > 1 && (name.back() == 'f' || name.back() == 'l') && isMath(name.substr(0, name.size() - 1)))
        return true;
    return std::any_of(threadPrefixes.begin(), threadPrefixes.end(), [&](std::string_view prefix) { return name.starts_with(prefix); });
}

} // namespace kw
