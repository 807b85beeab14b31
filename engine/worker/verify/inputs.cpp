// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/inputs.h"

#include "base/random.h"
#include "measure/budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace kw {
namespace {

using Random = std::mt19937_64;

constexpr std::array<std::string_view, 14> patternNames{"fresh", "negated", "large", "huge", "small", "tiny", "denormal",
    "mixed_scale", "constant_rows", "zeros", "extremes", "infinite", "not_a_number", "patchwork"};

double uniform(Random& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

double clamped(double value, const InputDomain& domain)
{
    return domain.bounded && domain.low <= domain.high ? std::clamp(value, domain.low, domain.high) : value;
}

/// Spread of a floating domain: see makeInputs.
double spread(const InputDomain& domain)
{
    if (domain.bounded)
        return domain.deviation > 0 ? domain.deviation : (domain.high - domain.low) / 4;
    return std::max({domain.deviation, std::abs(domain.mean) / 10, 1e-3});
}

double freshFloat(const InputDomain& domain, Random& random)
{
    if (domain.kind == DomainKind::Uniform)
        return domain.low + uniform(random) * (domain.high - domain.low);
    if (domain.kind == DomainKind::Mask)
        return uniform(random) < 0.75 ? 0 : (domain.low <= -1e4 ? domain.low : -1e9);
    return clamped(domain.mean + spread(domain) * std::normal_distribution<double>()(random), domain);
}

double freshValue(const TensorArgument& argument, Random& random)
{
    const InputDomain& domain = argument.domain;
    if (argument.dtype == DType::Bool || domain.kind == DomainKind::Boolean)
        return uniform(random) < std::clamp(domain.kind == DomainKind::Boolean ? domain.mean : 0.5, 0.1, 0.9);
    if (isInteger(argument.dtype) || domain.kind == DomainKind::Integers) {
        const auto low = static_cast<std::int64_t>(domain.low), high = static_cast<std::int64_t>(domain.high);
        return static_cast<double>(std::uniform_int_distribution<std::int64_t>(low, std::max(low, high))(random));
    }
    return freshFloat(domain, random);
}

bool scalable(const TensorArgument& argument)
{
    return isFloating(argument.dtype) && argument.domain.kind != DomainKind::Mask;
}

double scaleOf(Pattern pattern)
{
    switch (pattern) {
    case Pattern::Negated: return -3;
    case Pattern::Large: return 0x1p20;
    case Pattern::Huge: return 0x1p90;
    case Pattern::Small: return 0x1p-20;
    case Pattern::Tiny: return 0x1p-90;
    default: return 1;
    }
}

double denormal(DType dtype, Random& random)
{
    const double normal = dtype == DType::Double ? std::numeric_limits<double>::min() : double{std::numeric_limits<float>::min()};
    return (uniform(random) * 2 - 1) * normal;
}

double extreme(const TensorArgument& argument, Random& random)
{
    const InputDomain& domain = argument.domain;
    if (argument.dtype == DType::Bool || domain.kind == DomainKind::Boolean)
        return uniform(random) < 0.5;
    if (domain.bounded || domain.kind == DomainKind::Integers || domain.kind == DomainKind::Uniform)
        return uniform(random) < 0.5 ? domain.low : domain.high;
    return freshValue(argument, random);
}

/// What one row of the last dimension has in common.
struct RowPlan {
    Pattern pattern = Pattern::Fresh;
    double scale = 1;
    double constant = 0;
};

constexpr std::array patchable{Pattern::Fresh, Pattern::Negated, Pattern::Large, Pattern::Small, Pattern::Denormal,
    Pattern::ConstantRows, Pattern::Zeros, Pattern::Extremes, Pattern::Huge, Pattern::Tiny};

RowPlan planRow(const TensorArgument& argument, Pattern pattern, Random& random)
{
    RowPlan row;
    row.pattern = pattern == Pattern::Patchwork ? patchable[random() % patchable.size()] : pattern;
    row.scale = row.pattern == Pattern::MixedScale ? std::ldexp(1.0, static_cast<int>(random() % 41) - 20) : scaleOf(row.pattern);
    if (row.pattern == Pattern::ConstantRows)
        row.constant = freshValue(argument, random);
    return row;
}

double patternValue(const TensorArgument& argument, const RowPlan& row, Random& random)
{
    if (row.pattern == Pattern::Extremes)
        return extreme(argument, random);
    if (row.pattern == Pattern::ConstantRows)
        return row.constant;
    const double value = freshValue(argument, random);
    if (!scalable(argument))
        return value;
    if (row.pattern == Pattern::Zeros)
        return clamped(0, argument.domain);
    if (row.pattern == Pattern::Denormal)
        return clamped(denormal(argument.dtype, random), argument.domain);
    return clamped(value * row.scale, argument.domain);
}

void scatterSpecial(HostTensor& tensor, const std::vector<std::int64_t>& offsets, Pattern pattern, Random& random)
{
    const std::size_t count = std::min<std::size_t>(1 + offsets.size() / 512, 8);
    for (std::size_t i = 0; i < count && !offsets.empty(); ++i) {
        const double infinity = i % 2 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
        const double value = pattern == Pattern::Infinite ? infinity : std::numeric_limits<double>::quiet_NaN();
        setElement(tensor.storage.data(), tensor.type.dtype, offsets[random() % offsets.size()], value);
    }
}

HostTensor makeInput(const TensorArgument& argument, TensorType type, Pattern pattern, std::uint64_t seed)
{
    HostTensor tensor(std::move(type));
    Random random(seed);
    const auto offsets = elementOffsets(tensor.type);
    const std::int64_t rowLength = tensor.type.shape.empty() ? 1 : std::max<std::int64_t>(tensor.type.shape.back(), 1);
    const double limit = Spacing(argument.dtype).largestFinite(); // infinite for integers, which saturate
    RowPlan row;
    std::int64_t position = 0;
    for (const std::int64_t offset : offsets) {
        if (position++ % rowLength == 0)
            row = planRow(argument, pattern, random);
        const double value = patternValue(argument, row, random);
        setElement(tensor.storage.data(), tensor.type.dtype, offset, std::clamp(value, -limit, limit));
    }
    const bool special = pattern == Pattern::Infinite || pattern == Pattern::NotANumber;
    if (special && scalable(argument) && !argument.domain.bounded)
        scatterSpecial(tensor, offsets, pattern, random);
    return tensor;
}

/// Weights keep their domain under patterns of magnitude, so that what is tested is the data's magnitude.
Pattern patternFor(const TensorArgument& argument, Pattern pattern)
{
    const bool magnitude = pattern != Pattern::Infinite && pattern != Pattern::NotANumber && pattern != Pattern::Negated;
    return argument.sharedAcrossCalls && magnitude ? Pattern::Fresh : pattern;
}

} // namespace

std::string_view nameOf(Pattern pattern)
{
    return patternNames.at(static_cast<std::size_t>(pattern));
}

TensorType concreteType(const Problem& problem, const TensorArgument& argument, const std::vector<std::int64_t>& dimensions)
{
    TensorType type;
    type.dtype = argument.dtype;
    type.shape = concreteShape(argument.shape, dimensions);
    type.strides = concreteStrides(argument, dimensions, capturedDimensions(problem));
    return type;
}

std::vector<HostTensor> makeInputs(const Problem& problem, const std::vector<std::int64_t>& dimensions, Pattern pattern,
    std::uint64_t seed)
{
    const bool allShared = std::all_of(problem.inputs.begin(), problem.inputs.end(),
        [](const TensorArgument& argument) { return argument.sharedAcrossCalls; });
    std::vector<HostTensor> inputs;
    inputs.reserve(problem.inputs.size());
    for (const TensorArgument& argument : problem.inputs) {
        const Pattern used = allShared ? pattern : patternFor(argument, pattern);
        inputs.push_back(makeInput(argument, concreteType(problem, argument, dimensions), used,
            derivedSeed(seed, "input " + std::to_string(inputs.size()))));
    }
    return inputs;
}

std::vector<HostTensor> nudged(const Problem& problem, const std::vector<HostTensor>& inputs, int ulps, std::uint64_t seed)
{
    std::vector<HostTensor> moved = inputs;
    Random random(seed);
    for (std::size_t i = 0; i < moved.size(); ++i) {
        HostTensor& tensor = moved[i];
        if (!scalable(problem.inputs[i]))
            continue;
        const Spacing spacing(tensor.type.dtype);
        for (const std::int64_t offset : elementOffsets(tensor.type)) {
            const double value = elementAt(tensor.storage.data(), tensor.type.dtype, offset);
            if (!std::isfinite(value))
                continue;
            const double places = static_cast<double>(random() % static_cast<std::uint64_t>(2 * ulps + 1)) - ulps;
            const double step = spacing.at(value) * places;
            setElement(tensor.storage.data(), tensor.type.dtype, offset, clamped(value + step, problem.inputs[i].domain));
        }
    }
    return moved;
}

bool applies(Pattern pattern, const Problem& problem)
{
    return std::any_of(problem.inputs.begin(), problem.inputs.end(), [pattern](const TensorArgument& argument) {
        switch (pattern) {
        case Pattern::Fresh:
        case Pattern::ConstantRows:
        case Pattern::Patchwork: return true;
        case Pattern::Extremes: return !isFloating(argument.dtype) || argument.domain.bounded;
        case Pattern::Infinite:
        case Pattern::NotANumber: return scalable(argument) && !argument.domain.bounded;
        default: return scalable(argument);
        }
    });
}

} // namespace kw
