// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/compare_model.h"

#include "worker/verify/compare_outputs.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

std::vector<double> numbersOf(const HostTensor& tensor)
{
    const std::vector<std::int64_t> offsets = elementOffsets(tensor.type);
    std::vector<double> numbers(offsets.size());
    for (std::size_t i = 0; i < offsets.size(); ++i)
        numbers[i] = elementAt(tensor.storage.data(), tensor.type.dtype, offsets[i]);
    return numbers;
}

bool sameKind(double a, double b)
{
    return std::isnan(a) == std::isnan(b) && std::isinf(a) == std::isinf(b) && (!std::isinf(a) || (a > 0) == (b > 0));
}

OutputComparison compareTensor(const ModelOutput& changed, const ModelOutput& original, const ModelOutput& precise, const ErrorBudget& budget)
{
    OutputComparison result;
    result.name = changed.name;
    const HostTensor& ours = changed.tensor;
    const HostTensor& theirs = original.tensor;
    result.sameType = ours.type.dtype == theirs.type.dtype && ours.type.shape == theirs.type.shape;
    if (!result.sameType)
        return result;
    const Expected expected{{theirs}, {precise.tensor}};
    const ActualOutput actual{changed.name, ours.type, ours.storage.data(), nullptr};
    const OutputResult judged = compareOutput(actual, 0, expected, budget, nullptr, [] { return static_cast<const Condition*>(nullptr); });
    result.passed = judged.passed;
    if (judged.worst) {
        result.maxError = judged.worst->error;
        result.allowedError = judged.worst->allowed;
    }
    const std::vector<double> a = numbersOf(ours), b = numbersOf(theirs);
    result.sameNonFinite = std::equal(a.begin(), a.end(), b.begin(), sameKind);
    result.cosine = cosineSimilarity(ours, theirs);
    result.top1 = topOneAgreement(ours, theirs);
    return result;
}

} // namespace

double cosineSimilarity(const HostTensor& a, const HostTensor& b)
{
    const std::vector<double> left = numbersOf(a), right = numbersOf(b);
    double product = 0, leftSquare = 0, rightSquare = 0;
    for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
        if (!std::isfinite(left[i]) || !std::isfinite(right[i]))
            continue;
        product += left[i] * right[i];
        leftSquare += left[i] * left[i];
        rightSquare += right[i] * right[i];
    }
    if (leftSquare == 0 && rightSquare == 0)
        return 1;
    return leftSquare == 0 || rightSquare == 0 ? 0 : product / std::sqrt(leftSquare * rightSquare);
}

double topOneAgreement(const HostTensor& a, const HostTensor& b)
{
    constexpr std::int64_t fewestScores = 32;
    const auto& shape = a.type.shape;
    if (!isFloating(a.type.dtype) || shape.size() < 2 || shape.back() < fewestScores || a.type.shape != b.type.shape)
        return -1;
    const auto columns = static_cast<std::ptrdiff_t>(shape.back());
    const std::vector<double> left = numbersOf(a), right = numbersOf(b);
    std::int64_t rows = 0, equal = 0;
    for (auto row = std::ptrdiff_t{0}; row < std::ssize(left); row += columns, ++rows) {
        const auto best = [columns, row](const std::vector<double>& numbers) {
            return std::max_element(numbers.begin() + row, numbers.begin() + row + columns) - numbers.begin();
        };
        equal += best(left) == best(right);
    }
    return rows == 0 ? -1 : static_cast<double>(equal) / static_cast<double>(rows);
}

std::vector<OutputComparison> compareModelOutputs(const std::vector<ModelOutput>& changed, const std::vector<ModelOutput>& original,
    const std::vector<ModelOutput>& precise, const ErrorBudget& budget)
{
    std::vector<OutputComparison> results;
    for (std::size_t i = 0; i < original.size(); ++i) {
        if (i >= changed.size() || i >= precise.size() || changed[i].isTensor != original[i].isTensor
            || precise[i].isTensor != original[i].isTensor) {
            OutputComparison missing;
            missing.name = original[i].name;
            missing.sameType = false;
            results.push_back(missing);
        } else if (original[i].isTensor) {
            results.push_back(compareTensor(changed[i], original[i], precise[i], budget));
        } else {
            OutputComparison plain;
            plain.name = original[i].name;
            plain.passed = changed[i].text == original[i].text;
            results.push_back(plain);
        }
    }
    return results;
}

} // namespace kw
