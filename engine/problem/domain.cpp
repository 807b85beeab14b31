// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/domain.h"

#include "graph/builder.h"
#include "graph/json_checks.h"
#include "graph/operators.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kw {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double lowestFloat = -3.4028234663852886e38;
constexpr int maximumSteps = 12;

ProvenRange rangeOf(const Graph& model, const std::vector<std::int32_t>& producer, ValueId value, int steps);

ProvenRange shifted(ProvenRange range, double by) { return {range.low + by, range.high + by}; }

ProvenRange scaled(ProvenRange range, double by)
{
    if (by == 0)
        return {0, 0};
    const double a = range.low * by, b = range.high * by;
    return {std::min(a, b), std::max(a, b)};
}

/// What the operator guarantees whatever its input is.
ProvenRange unconditional(std::string_view target)
{
    const auto any = [&](std::initializer_list<std::string_view> names) { return std::find(names.begin(), names.end(), target) != names.end(); };
    if (any({"aten::sigmoid", "aten::hardsigmoid", "aten::softmax.int", "aten::_softmax"}))
        return {0, 1};
    if (any({"aten::tanh", "aten::sin", "aten::cos", "aten::erf"}))
        return {-1, 1};
    if (target == "aten::relu6")
        return {0, 6};
    if (any({"aten::abs", "aten::exp", "aten::exp2", "aten::relu", "aten::sqrt", "aten::rsqrt", "aten::square",
            "aten::softplus", "aten::linalg_vector_norm", "aten::norm.ScalarOpt_dim", "aten::var.correction", "aten::var.dim",
            "aten::std.correction", "aten::std.dim", "aten::mse_loss", "aten::l1_loss"}))
        return {0, infinity};
    if (any({"aten::log_softmax.int", "aten::_log_softmax", "aten::log_sigmoid"}))
        return {-infinity, 0};
    return {-infinity, infinity};
}

ProvenRange clampedRange(const Node& node, ProvenRange inside)
{
    const auto bound = [&](const char* a, const char* b) {
        const auto number = numberOf(findArgument(node, a));
        return number ? number : numberOf(findArgument(node, b));
    };
    if (const auto low = bound("min", "min_val"))
        inside = {std::max(inside.low, *low), std::max(inside.high, *low)};
    if (const auto high = bound("max", "max_val"))
        inside = {std::min(inside.low, *high), std::min(inside.high, *high)};
    return inside;
}

bool keepsRange(OperatorKind kind, std::string_view target)
{
    if (kind == OperatorKind::View || kind == OperatorKind::ListView || kind == OperatorKind::Bookkeeping || kind == OperatorKind::Copy)
        return true;
    return target == "aten::mean.dim" || target == "aten::mean" || target == "aten::amax" || target == "aten::amin"
        || target.starts_with("aten::reflection_pad") || target.starts_with("aten::replication_pad");
}

bool isSquare(const Node& node)
{
    if (node.target == "aten::pow.Tensor_Scalar") {
        const auto exponent = numberOf(findArgument(node, "exponent"));
        return exponent && std::fmod(*exponent, 2) == 0 && *exponent > 0;
    }
    const ValueId self = valueOf(findArgument(node, "self"));
    return node.target == "aten::mul.Tensor" && self != noValue && self == valueOf(findArgument(node, "other"));
}

/// The union over the parts.
ProvenRange joinedRange(const Graph& model, const std::vector<std::int32_t>& producer, const Node& node, int steps)
{
    ProvenRange joined{infinity, -infinity};
    for (const ValueId id : readValues(node)) {
        const ProvenRange part = rangeOf(model, producer, id, steps);
        joined = {std::min(joined.low, part.low), std::max(joined.high, part.high)};
    }
    return joined;
}

ProvenRange rangeOf(const Graph& model, const std::vector<std::int32_t>& producer, ValueId value, int steps)
{
    const ProvenRange unknown{-infinity, infinity};
    const std::int32_t index = producer[static_cast<std::size_t>(value)];
    if (index < 0 || steps == 0)
        return unknown;
    const Node& node = model.nodes[static_cast<std::size_t>(index)];
    const ValueId self = valueOf(findArgument(node, "self"));
    const auto inner = [&] { return self == noValue ? unknown : rangeOf(model, producer, self, steps - 1); };
    if (isSquare(node))
        return {0, infinity};
    if (node.target.starts_with("aten::clamp") || node.target == "aten::hardtanh")
        return clampedRange(node, inner());
    if (const auto number = numberOf(findArgument(node, "other")); number && !findArgument(node, "alpha")) {
        if (node.target == "aten::add.Tensor" || node.target == "aten::add.Scalar")
            return shifted(inner(), *number);
        if (node.target == "aten::sub.Tensor" || node.target == "aten::sub.Scalar")
            return shifted(inner(), -*number);
        if (node.target == "aten::mul.Tensor" || node.target == "aten::mul.Scalar")
            return scaled(inner(), *number);
        if ((node.target == "aten::div.Tensor" || node.target == "aten::div.Scalar") && *number != 0)
            return scaled(inner(), 1 / *number);
    }
    const OperatorKind kind = operatorKind(model, node);
    if (kind == OperatorKind::Concat)
        return joinedRange(model, producer, node, steps - 1);
    if (keepsRange(kind, node.target)) {
        const auto read = readValues(node);
        return read.empty() ? unknown : rangeOf(model, producer, read.front(), steps - 1);
    }
    return unconditional(node.target);
}

InputDomain floatingDomain(ProvenRange proven, const ValueStatistics* statistics)
{
    InputDomain domain;
    const bool captured = statistics && statistics->finite > 0;
    const bool low = std::isfinite(proven.low), high = std::isfinite(proven.high);
    const double magnitude = captured ? std::max(std::abs(statistics->minimum), std::abs(statistics->maximum)) : 1;
    // An open end stays open in practice: tests may go far beyond what was captured.
    const double reach = std::max(1e4, 64 * magnitude);
    domain.bounded = low || high;
    domain.low = low ? proven.low : high ? std::min(-reach, proven.high - 1) : 0;
    domain.high = high ? proven.high : low ? std::max(reach, proven.low + 1) : 0;
    if (captured) {
        domain.mean = statistics->mean;
        domain.deviation = statistics->deviation > 0 ? statistics->deviation : std::max(std::abs(statistics->mean) * 0.1, 1e-3);
    } else if (low && high) {
        domain.mean = (proven.low + proven.high) / 2;
        domain.deviation = std::max((proven.high - proven.low) / 4, 1e-6);
    } else if (domain.bounded) {
        domain.mean = low ? proven.low + 1 : proven.high - 1;
    }
    return domain;
}

} // namespace

ProvenRange provenRange(const Graph& model, ValueId value)
{
    ProvenRange range = rangeOf(model, producers(model), value, maximumSteps);
    if (std::isnan(range.low) || std::isnan(range.high) || range.low > range.high)
        return {-infinity, infinity};
    return range;
}

InputDomain inputDomain(const Graph& model, ValueId value, const ValueStatistics* statistics)
{
    const auto& type = model.values.at(static_cast<std::size_t>(value)).type;
    const DType dtype = type ? type->dtype : DType::Float;
    InputDomain domain;
    if (dtype == DType::Bool) {
        const bool captured = statistics && statistics->finite > 0;
        domain = {DomainKind::Boolean, 0, 1, captured ? std::clamp(statistics->mean, 0.05, 0.95) : 0.5, 0, true};
        return domain;
    }
    if (isInteger(dtype)) {
        const bool captured = statistics && statistics->finite > 0;
        domain = {DomainKind::Integers, captured ? statistics->minimum : 0, captured ? statistics->maximum : 1, 0, 1, true};
        return domain;
    }
    const bool mask = statistics && statistics->veryNegative > 0 && type
        && statistics->zeros + statistics->veryNegative == type->elements();
    if (mask) {
        const double low = statistics->finite > 0 && statistics->minimum <= -1e4 ? statistics->minimum : lowestFloat;
        return {DomainKind::Mask, low, 0, 0, 1, true};
    }
    return floatingDomain(provenRange(model, value), statistics);
}

void to_json(Json& json, const ValueStatistics& statistics)
{
    json = Json{{"value", statistics.value}, {"minimum", numberToJson(statistics.minimum)},
        {"maximum", numberToJson(statistics.maximum)}, {"mean", numberToJson(statistics.mean)},
        {"deviation", numberToJson(statistics.deviation)}, {"largest_ordinary", numberToJson(statistics.largestOrdinary)},
        {"finite", statistics.finite}, {"non_finite", statistics.nonFinite}, {"zeros", statistics.zeros},
        {"very_negative", statistics.veryNegative}};
}

void from_json(const Json& json, ValueStatistics& statistics)
{
    statistics.value = integerFrom<ValueId>(json.at("value"));
    statistics.minimum = numberFrom(json.at("minimum"));
    statistics.maximum = numberFrom(json.at("maximum"));
    statistics.mean = numberFrom(json.at("mean"));
    statistics.deviation = numberFrom(json.at("deviation"));
    statistics.largestOrdinary = numberFrom(json.at("largest_ordinary"));
    statistics.finite = integerFrom<std::int64_t>(json.at("finite"));
    statistics.nonFinite = integerFrom<std::int64_t>(json.at("non_finite"));
    statistics.zeros = integerFrom<std::int64_t>(json.at("zeros"));
    statistics.veryNegative = integerFrom<std::int64_t>(json.at("very_negative"));
}

} // namespace kw
