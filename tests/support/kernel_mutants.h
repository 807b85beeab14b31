// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/verdict.h"
#include "support/kernel_texts.h"

#include <string>
#include <vector>

// Wrong kernels: each is an honest one with one piece of text replaced, and must be rejected at that stage for one of
// these reasons. Header only.
namespace kw::test {

enum class Kernel { RmsNorm, Softmax, Gelu };

struct Mutant {
    std::string name;
    Kernel kernel;
    std::string find, replace;
    std::vector<Stage> stages;           ///< where it may be caught
    std::vector<FailureKind> failures;   ///< as what
};

inline const std::string& textOf(Kernel kernel)
{
    return kernel == Kernel::RmsNorm ? rmsNormText : kernel == Kernel::Softmax ? softmaxText : geluText;
}

/// The mutated text; empty when `find` does not occur, which is a mistake of the table.
inline std::string textOf(const Mutant& mutant)
{
    std::string text = textOf(mutant.kernel);
    const auto place = text.find(mutant.find);
    return place == std::string::npos ? std::string() : text.replace(place, mutant.find.size(), mutant.replace);
}

inline std::vector<Mutant> kernelMutants()
{
    using enum FailureKind;
    const auto norm = Kernel::RmsNorm;
    const auto softmax = Kernel::Softmax;
    const auto gelu = Kernel::Gelu;
    const std::vector<Stage> smoke{Stage::Smoke}, shapes{Stage::Shapes}, stability{Stage::Stability};
    return {
        {"tail_of_the_sum", norm, "for (; c < cols; ++c)\n            sum += in[c] * in[c];", ";", shapes, {WrongValue, NonFinite}},
        {"tail_of_the_output", norm, "for (c = 0; c < cols; ++c)\n", "for (c = 0; c < cols / 8 * 8; ++c)\n", shapes, {NotWritten}},
        {"missing_epsilon", norm, " + 1e-6f", "", {Stage::Shapes, Stage::Stability}, {NonFinite, WrongValue}},
        {"wrong_epsilon", norm, "1e-6f", "1e-5f", {Stage::Smoke, Stage::Stability}, {WrongValue}},
        {"weight_ignored", norm, " * weight[c]", "", smoke, {WrongValue}},
        {"wrong_count", norm, "static_cast<float>(cols)", "static_cast<float>(cols - 1)", smoke, {WrongValue}},
        {"wrong_axis", norm, "x + r * cols;\n        float* out", "x + (r ? r - 1 : 0) * cols;\n        float* out", smoke, {WrongValue}},
        {"last_row_left_out", norm, "r < rows; ++r", "r < rows - 1; ++r", smoke, {NotWritten}},
        {"writes_behind_the_end", norm, "for (c = 0; c < cols; ++c)\n", "for (c = 0; c <= cols; ++c)\n", smoke, {Crashed, GuardViolated, WrongValue}},
        {"writes_before_the_start", norm, "float sum = 0;", "out[-1] = 0; float sum = 0;", smoke, {GuardViolated, Crashed, WrongValue, NotWritten}},
        {"reads_behind_the_end", norm, "sum += sums[lane];", "sum += sums[lane] + 0.0f * in[cols + 31];", {Stage::Smoke, Stage::Shapes}, {Crashed}},
        {"writes_its_input", norm, "const float* in = x + r * cols;", "float* in = const_cast<float*>(x) + r * cols; in[0] = in[0] * 1.0f + 0.0f;", smoke, {Crashed, InputChanged}},
        {"hard_coded_columns", norm, "float sums[8] = {};", "cols = 160; float sums[8] = {};", shapes, {Crashed, WrongValue, NonFinite, GuardViolated, NotWritten}},
        {"coarse_accumulation", norm, "sum += in[c] * in[c];\n        const", "sum += in[c] * in[c];\n        { unsigned bits; __builtin_memcpy(&bits, &sum, 4); bits &= 0xffffe000u; __builtin_memcpy(&sum, &bits, 4); }\n        const", smoke, {WrongValue}},
        {"coarse_root", norm, "1.0f / std::sqrt(sum / static_cast<float>(cols) + 1e-6f)", "[&] { const float v = sum / static_cast<float>(cols) + 1e-6f; unsigned i; __builtin_memcpy(&i, &v, 4); i = 0x5f3759dfu - (i >> 1); float g; __builtin_memcpy(&g, &i, 4); return g * (1.5f - 0.5f * v * g * g); }()", smoke, {WrongValue}},
        {"nan_as_wildcard", norm, "out[c] = in[c] * scale * weight[c];", "out[c] = scale < 1e-3f ? NAN : in[c] * scale * weight[c];", stability, {NonFinite}},
        {"nan_swallowed", norm, "out[c] = in[c] * scale * weight[c];", "out[c] = in[c] == in[c] && scale == scale ? in[c] * scale * weight[c] : 0.0f;", stability, {NonFinite}},
        {"constant_output", norm, "out[c] = in[c] * scale * weight[c];", "out[c] = 0.0f;", smoke, {WrongValue}},
        {"adds_to_the_old_output", norm, "out[c] = in[c] * scale * weight[c];", "out[c] += in[c] * scale * weight[c];", smoke, {WrongValue, NonFinite, NotWritten}},
        {"leaves_the_output", norm, "out[c] = in[c] * scale * weight[c];", "if (scale < 0) out[c] = in[c] * scale * weight[c];", smoke, {NotWritten}},
        {"static_counter", norm, "    for (std::int64_t r = 0; r < rows; ++r) {", "    for (std::int64_t r = 0; r < rows; ++r) { static int calls = 0; if (++calls > 1000000) continue;", {Stage::Build}, {ArtifactRefused}},
        {"endless", norm, "float sum = 0;", "float sum = 0; while (in[0] == in[0]) asm volatile(\"\");", smoke, {TimedOut}},
        {"aborts", norm, "float sum = 0;", "float sum = 0; if (cols != 160) __builtin_trap();", shapes, {Crashed}},
        {"small_batches_only", norm, "float sum = 0;", "if (rows > 1000) continue; float sum = 0;", shapes, {NotWritten}},
        {"missing_maximum", softmax, "in[c] - highest", "in[c]", stability, {NonFinite, WrongValue}},
        {"first_as_maximum", softmax, "highest = in[c] > highest ? in[c] : highest;", "highest = in[0];", stability, {NonFinite, WrongValue}},
        {"maximum_of_half", softmax, "for (std::int64_t c = 0; c < cols; ++c)\n            highest", "for (std::int64_t c = 0; c < cols / 2; ++c)\n            highest", {Stage::Shapes, Stage::Stability}, {NonFinite, WrongValue}},
        {"dropped_term", softmax, "sum += out[c];", "if (c % 64 != 63) sum += out[c];", smoke, {WrongValue}},
        {"coarse_exponential", softmax, "std::exp(in[c] - highest)", "[&] { float v = 1.0f + (in[c] - highest) / 65536.0f; for (int i = 0; i < 16; ++i) v *= v; return v; }()", smoke, {WrongValue}},
        {"short_constant", softmax, "std::exp(in[c] - highest)", "std::exp2((in[c] - highest) * 1.4427f)", smoke, {WrongValue}},
        {"tiny_flushed", softmax, "out[c] *= scale;", "out[c] = out[c] * scale < 1e-9f ? 0.0f : out[c] * scale;", stability, {WrongValue}},
        {"tanh_for_erf", gelu, "std::erf(v * 0.70710678118654752f)", "std::tanh(0.7978845608f * (v + 0.044715f * v * v * v))", smoke, {WrongValue}},
        {"bias_left_out", gelu, "x[i] + bias[c]", "x[i]", smoke, {WrongValue}},
        {"bias_by_row", gelu, "bias[c]", "bias[r < cols ? r : 0]", smoke, {WrongValue}},
        {"gate_of_the_neighbour", gelu, "gelu * gate[i]", "gelu * gate[i ^ 1]", {Stage::Smoke, Stage::Shapes}, {WrongValue, Crashed}},
        {"saturates_early", gelu, "y[i] = gelu * gate[i];", "y[i] = (v > 4.0f ? v : gelu) * gate[i];", {Stage::Smoke, Stage::Stability}, {WrongValue}},
        {"half_of_a_constant", gelu, "0.70710678118654752f", "0.7071f", smoke, {WrongValue}},
    };
}

} // namespace kw::test
