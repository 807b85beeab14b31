// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kw {
namespace {

using Axes = std::vector<std::int64_t>;

/// The reduced axes of the call; "dim" may be a number, a list, empty or absent (all).
Axes reducedAxes(Rewriter& r, ValueId self)
{
    return r.refused() ? Axes() : r.axes(r.has("dim") ? r.ints("dim") : Axes(), r.rank(self));
}

void reduction(Rewriter& r, const char* name)
{
    const ValueId self = r.convert(r.tensor("self"), r.result().dtype);
    r.bind(r.reduce(name, self, reducedAxes(r, self), r.truth("keepdim", false)));
}

void sum(Rewriter& r) { reduction(r, "sum.dim_IntList"); }
void mean(Rewriter& r) { reduction(r, "mean.dim"); }
void maximum(Rewriter& r) { reduction(r, "amax"); }
void minimum(Rewriter& r) { reduction(r, "amin"); }

struct Moments {
    ValueId mean = noValue, variance = noValue; ///< axes kept
};

Moments moments(Rewriter& r, ValueId self, const Axes& axes, double correction)
{
    Moments result;
    result.mean = r.reduce("mean.dim", self, axes, true);
    const ValueId centred = r.binary("sub.Tensor", self, result.mean);
    result.variance = r.reduce("mean.dim", r.binary("mul.Tensor", centred, centred), axes, true);
    if (correction == 0 || r.refused())
        return result;
    double count = 1;
    for (const std::int64_t axis : axes) {
        count *= static_cast<double>(r.size(self, axis));
        r.pin(self, axis);
    }
    const double rest = std::max(count - correction, 0.0);
    result.variance = r.binary("mul.Tensor", result.variance, count / rest);
    return result;
}

double correctionOf(const Rewriter& r)
{
    return r.has("correction") ? r.number("correction", 1) : r.truth("unbiased", true) ? 1 : 0;
}

/// Without the kept axes, when the call does not keep them.
ValueId shaped(Rewriter& r, ValueId kept, std::size_t index) { return r.refused() ? kept : r.reshape(kept, r.result(index).shape); }

void variance(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const bool root = r.node().target.find("std") != std::string::npos;
    const Moments found = moments(r, self, reducedAxes(r, self), correctionOf(r));
    r.bind(shaped(r, root ? r.unary("sqrt", found.variance) : found.variance, 0));
}

void varianceAndMean(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const Moments found = moments(r, self, reducedAxes(r, self), correctionOf(r));
    r.bind(shaped(r, found.variance, 0), 0);
    r.bind(shaped(r, found.mean, 1), 1);
}

Axes softmaxAxis(Rewriter& r, ValueId self)
{
    if (r.refused() || !isFloating(r.type(self).dtype))
        r.refuse("a softmax of integers");
    return r.refused() ? Axes() : Axes{r.axis(r.integer("dim", -1), r.rank(self))};
}

void softmax(Rewriter& r)
{
    const ValueId self = r.convert(r.tensor("self"), r.result().dtype);
    const Axes axes = softmaxAxis(r, self);
    const ValueId grown = r.unary("exp", r.binary("sub.Tensor", self, r.reduce("amax", self, axes, true)));
    r.bind(r.binary("div.Tensor", grown, r.reduce("sum.dim_IntList", grown, axes, true)));
}

void logSoftmax(Rewriter& r)
{
    const ValueId self = r.convert(r.tensor("self"), r.result().dtype);
    const Axes axes = softmaxAxis(r, self);
    const ValueId shifted = r.binary("sub.Tensor", self, r.reduce("amax", self, axes, true));
    const ValueId total = r.reduce("sum.dim_IntList", r.unary("exp", shifted), axes, true);
    r.bind(r.binary("sub.Tensor", shifted, r.unary("log", total)));
}

/// An infinite maximum is taken out as zero, so that the result stays what it is.
void logSumExp(Rewriter& r)
{
    const ValueId self = r.convert(r.tensor("self"), r.result().dtype);
    const Axes axes = reducedAxes(r, self);
    ValueId top = r.reduce("amax", self, axes, true);
    const ValueId infinite = r.binary("eq.Tensor", r.unary("abs", top), std::numeric_limits<double>::infinity());
    if (r.refused())
        return;
    top = r.where(infinite, 0.0, ValueRef{top}, r.result().dtype);
    const ValueId total = r.reduce("sum.dim_IntList", r.unary("exp", r.binary("sub.Tensor", self, top)), axes, true);
    r.bind(shaped(r, r.binary("add.Tensor", r.unary("log", total), top), 0));
}

void vectorNorm(Rewriter& r)
{
    const ValueId self = r.convert(r.tensor("self"), r.result().dtype);
    const double order = r.number(r.node().target == "aten::norm.ScalarOpt_dim" ? "p" : "ord", 2);
    const Axes axes = reducedAxes(r, self);
    const bool keep = r.truth("keepdim", false);
    if (order == 2)
        return r.bind(r.unary("sqrt", r.reduce("sum.dim_IntList", r.binary("mul.Tensor", self, self), axes, keep)));
    if (order == 1)
        return r.bind(r.reduce("sum.dim_IntList", r.unary("abs", self), axes, keep));
    if (order == std::numeric_limits<double>::infinity())
        return r.bind(r.reduce("amax", r.unary("abs", self), axes, keep));
    r.refuse("this order of a norm is not written as primitives");
}

void loss(Rewriter& r)
{
    const ValueId gap = r.binary("sub.Tensor", r.operand("self"), r.operand("target"), r.result().dtype);
    const bool squared = r.node().target == "aten::mse_loss";
    const ValueId error = squared ? r.binary("mul.Tensor", gap, gap) : r.unary("abs", gap);
    const std::int64_t form = r.integer("reduction", 1); // torch: 0 none, 1 mean, 2 sum
    if (form == 0 || r.refused())
        return r.bind(error);
    r.bind(r.reduce(form == 1 ? "mean.dim" : "sum.dim_IntList", error, r.axes({}, r.rank(error)), false));
}

/// Only the pooling of everything into one element, which is a mean.
void adaptivePool(Rewriter& r)
{
    const ValueId self = r.tensor("self");
    const auto size = r.ints("output_size");
    for (const std::int64_t each : size)
        if (each != 1)
            return r.refuse("adaptive windows of unequal size");
    if (r.refused() || static_cast<std::int64_t>(size.size()) > r.rank(self))
        return r.refuse("a malformed size");
    Axes axes;
    for (std::size_t back = size.size(); back > 0; --back)
        axes.push_back(r.rank(self) - static_cast<std::int64_t>(back));
    r.bind(r.reduce("mean.dim", self, axes, true));
}

} // namespace

void addReductionRules(RuleTable& table)
{
    table.insert({{"aten::sum", sum}, {"aten::sum.dim_IntList", sum}, {"aten::mean", mean}, {"aten::mean.dim", mean},
        {"aten::amax", maximum}, {"aten::max", maximum}, {"aten::max.dim", maximum}, {"aten::amin", minimum},
        {"aten::min", minimum}, {"aten::min.dim", minimum}, {"aten::var.correction", variance}, {"aten::var.dim", variance},
        {"aten::std.correction", variance}, {"aten::std.dim", variance}, {"aten::var_mean.correction", varianceAndMean},
        {"aten::softmax.int", softmax}, {"aten::_softmax", softmax}, {"aten::log_softmax.int", logSoftmax},
        {"aten::_log_softmax", logSoftmax}, {"aten::logsumexp", logSumExp}, {"aten::linalg_vector_norm", vectorNorm},
        {"aten::norm.ScalarOpt_dim", vectorNorm}, {"aten::mse_loss", loss}, {"aten::l1_loss", loss},
        {"aten::adaptive_avg_pool2d", adaptivePool}, {"aten::adaptive_avg_pool1d", adaptivePool}});
}

} // namespace kw
