// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <limits>
#include <numeric>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

ValueId inverseDeviation(Rewriter& r, ValueId variance, double epsilon)
{
    return r.unary("rsqrt", r.binary("add.Tensor", variance, epsilon));
}

struct Normalised {
    ValueId value = noValue, mean = noValue, inverse = noValue;
};

Normalised normalise(Rewriter& r, ValueId self, const Shape& axes, double epsilon)
{
    Normalised result;
    result.mean = r.reduce("mean.dim", self, axes, true);
    const ValueId centred = r.binary("sub.Tensor", self, result.mean);
    const ValueId variance = r.reduce("mean.dim", r.binary("mul.Tensor", centred, centred), axes, true);
    result.inverse = inverseDeviation(r, variance, epsilon);
    result.value = r.binary("mul.Tensor", centred, result.inverse);
    return result;
}

Shape trailingAxes(Rewriter& r, ValueId self)
{
    const auto count = static_cast<std::int64_t>(r.ints("normalized_shape").size());
    if (r.refused() || count < 1 || count > r.rank(self)) {
        r.refuse("a malformed shape of a normalisation");
        return {};
    }
    Shape axes(static_cast<std::size_t>(count));
    std::iota(axes.begin(), axes.end(), r.rank(self) - count);
    return axes;
}

ValueId affine(Rewriter& r, ValueId value, ValueId weight, ValueId bias)
{
    if (weight != noValue)
        value = r.binary("mul.Tensor", value, weight);
    return bias == noValue ? value : r.binary("add.Tensor", value, bias);
}

ValueId optional(Rewriter& r, const char* name) { return r.has(name) ? r.tensor(name) : noValue; }

void layerNorm(Rewriter& r)
{
    const ValueId self = r.tensor("input");
    const Normalised found = normalise(r, self, trailingAxes(r, self), r.number("eps", 1e-5));
    r.bind(affine(r, found.value, optional(r, "weight"), optional(r, "bias")), 0);
    if (r.resultCount() == 3) {
        r.bind(found.mean, 1);
        r.bind(found.inverse, 2);
    }
}

void rmsNorm(Rewriter& r)
{
    const ValueId self = r.tensor("input");
    const Shape axes = trailingAxes(r, self);
    const ValueId square = r.reduce("mean.dim", r.binary("mul.Tensor", self, self), axes, true);
    const ValueId inverse = inverseDeviation(r, square, r.number("eps", std::numeric_limits<float>::epsilon()));
    r.bind(affine(r, r.binary("mul.Tensor", self, inverse), optional(r, "weight"), noValue), 0);
    if (r.resultCount() == 2)
        r.bind(inverse, 1);
}

/// (channels) -> (1, channels, 1, 1 ...)
ValueId perChannel(Rewriter& r, ValueId vector, ValueId self)
{
    if (vector == noValue || r.refused() || r.rank(self) < 2)
        return vector;
    Shape shape(static_cast<std::size_t>(r.rank(self)), 1);
    shape[1] = r.type(vector).elements();
    return r.reshape(vector, shape);
}

/// Groups of channels are normalised together, over them and all positions.
void groupNorm(Rewriter& r)
{
    const ValueId self = r.tensor("input");
    const std::int64_t groups = r.integer(r.node().target == "aten::group_norm" ? "num_groups" : "group", 1);
    if (r.refused() || r.rank(self) < 2 || groups < 1 || r.size(self, 1) % groups != 0)
        return r.refuse("malformed groups");
    Shape shape = r.type(self).shape;
    const Shape full = shape;
    shape[1] /= groups;
    shape.insert(shape.begin() + 1, groups);
    Shape axes(shape.size() - 2);
    std::iota(axes.begin(), axes.end(), 2);
    const Normalised found = normalise(r, r.reshape(self, shape), axes, r.number("eps", 1e-5));
    const ValueId value = r.reshape(found.value, full);
    r.bind(affine(r, value, perChannel(r, optional(r, "weight"), self), perChannel(r, optional(r, "bias"), self)), 0);
    if (r.resultCount() == 3) {
        r.bind(r.reshape(found.mean, r.result(1).shape), 1);
        r.bind(r.reshape(found.inverse, r.result(2).shape), 2);
    }
}

void instanceNorm(Rewriter& r)
{
    const ValueId self = r.tensor("input");
    if (r.refused() || !r.truth("use_input_stats", true) || r.rank(self) < 3)
        return r.refuse("an instance normalisation with stored statistics");
    Shape axes(static_cast<std::size_t>(r.rank(self) - 2));
    std::iota(axes.begin(), axes.end(), 2);
    const Normalised found = normalise(r, self, axes, r.number("eps", 1e-5));
    r.bind(affine(r, found.value, perChannel(r, optional(r, "weight"), self), perChannel(r, optional(r, "bias"), self)), 0);
}

/// As torch does it in evaluation: x * a + b with a and b per channel.
void batchNorm(Rewriter& r)
{
    const ValueId self = r.tensor("input");
    const ValueId mean = optional(r, "running_mean"), variance = optional(r, "running_var");
    if (mean == noValue || variance == noValue || r.truth("training", false) || r.refused() || r.rank(self) < 2)
        return r.refuse("a batch normalisation without stored statistics");
    const ValueId weight = optional(r, "weight"), bias = optional(r, "bias");
    const ValueId inverse = inverseDeviation(r, variance, r.number("eps", 1e-5));
    const ValueId factor = weight == noValue ? inverse : r.binary("mul.Tensor", inverse, weight);
    const ValueId offset = r.binary("mul.Tensor", mean, factor);
    const ValueId shift = bias == noValue ? r.unary("neg", offset) : r.binary("sub.Tensor", bias, offset);
    const ValueId scaled = r.binary("mul.Tensor", self, perChannel(r, factor, self));
    r.bind(r.binary("add.Tensor", scaled, perChannel(r, shift, self)), 0);
}

} // namespace

void addNormalisationRules(RuleTable& table)
{
    table.insert({{"aten::layer_norm", layerNorm}, {"aten::native_layer_norm", layerNorm}, {"aten::rms_norm", rmsNorm},
        {"aten::_fused_rms_norm", rmsNorm}, {"aten::group_norm", groupNorm}, {"aten::native_group_norm", groupNorm},
        {"aten::instance_norm", instanceNorm}, {"aten::batch_norm", batchNorm},
        {"aten::_native_batch_norm_legit_no_training", batchNorm}, {"aten::native_batch_norm", batchNorm}});
}

} // namespace kw
