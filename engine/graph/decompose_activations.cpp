// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <cmath>
#include <numbers>

namespace kw {
namespace {

ValueId floating(Rewriter& r, const char* name = "self")
{
    const ValueId self = r.tensor(name);
    if (!r.refused() && !isFloating(r.type(self).dtype))
        r.refuse("an activation of integers");
    return self;
}

/// x / (1 + exp(-x)), as torch computes it
void silu(Rewriter& r)
{
    const ValueId self = floating(r);
    const ValueId grown = r.binary("add.Tensor", r.unary("exp", r.unary("neg", self)), 1.0);
    r.bind(r.binary("div.Tensor", self, grown));
}

void gelu(Rewriter& r)
{
    const ValueId self = floating(r);
    const Argument* form = r.raw("approximate");
    const auto* text = form ? std::get_if<std::string>(form) : nullptr;
    const ValueId half = r.binary("mul.Tensor", self, 0.5);
    if (!text || *text == "none") {
        const ValueId erf = r.unary("erf", r.binary("mul.Tensor", self, std::numbers::sqrt2 / 2));
        return r.bind(r.binary("mul.Tensor", half, r.binary("add.Tensor", erf, 1.0)));
    }
    const ValueId cube = r.binary("mul.Tensor", r.binary("mul.Tensor", self, self), self);
    const ValueId inner = r.binary("add.Tensor", self, r.binary("mul.Tensor", cube, 0.044715));
    const double factor = std::sqrt(2 * std::numbers::inv_pi);
    const ValueId tanh = r.unary("tanh", r.binary("mul.Tensor", inner, factor));
    r.bind(r.binary("mul.Tensor", half, r.binary("add.Tensor", tanh, 1.0)));
}

ValueId hardGate(Rewriter& r, ValueId self)
{
    const ValueId shifted = r.binary("add.Tensor", self, 3.0);
    return r.binary("minimum", r.binary("maximum", shifted, 0.0), 6.0);
}

void hardswish(Rewriter& r)
{
    const ValueId self = floating(r);
    r.bind(r.binary("div.Tensor", r.binary("mul.Tensor", self, hardGate(r, self)), 6.0));
}

void hardsigmoid(Rewriter& r) { r.bind(r.binary("div.Tensor", hardGate(r, floating(r)), 6.0)); }

ValueId chosen(Rewriter& r, ValueId condition, ValueId self, ValueId other)
{
    return r.refused() ? noValue : r.where(condition, ValueRef{self}, ValueRef{other}, r.result().dtype);
}

void leakyRelu(Rewriter& r)
{
    const ValueId self = floating(r);
    const ValueId negative = r.binary("mul.Tensor", self, r.number("negative_slope", 0.01));
    r.bind(chosen(r, r.binary("gt.Tensor", self, 0.0), self, negative));
}

void prelu(Rewriter& r)
{
    const ValueId self = floating(r);
    ValueId weight = r.tensor("weight");
    if (r.refused())
        return;
    if (r.type(weight).elements() > 1) {
        std::vector<std::int64_t> shape(static_cast<std::size_t>(r.rank(self)), 1);
        if (shape.size() < 2)
            return r.refuse("a slope per channel without channels");
        shape[1] = r.type(weight).elements();
        weight = r.reshape(weight, shape);
    }
    r.bind(chosen(r, r.binary("gt.Tensor", self, 0.0), self, r.binary("mul.Tensor", self, weight)));
}

void exponentialUnit(Rewriter& r, double alpha, double scale, double inputScale)
{
    const ValueId self = floating(r);
    const ValueId grown = r.unary("expm1", inputScale == 1 ? self : r.binary("mul.Tensor", self, inputScale));
    const ValueId negative = alpha * scale == 1 ? grown : r.binary("mul.Tensor", grown, alpha * scale);
    const ValueId positive = scale == 1 ? self : r.binary("mul.Tensor", self, scale);
    r.bind(chosen(r, r.binary("gt.Tensor", self, 0.0), positive, negative));
}

void elu(Rewriter& r) { exponentialUnit(r, r.number("alpha", 1), r.number("scale", 1), r.number("input_scale", 1)); }
void celu(Rewriter& r) { exponentialUnit(r, r.number("alpha", 1), 1, 1 / r.number("alpha", 1)); }
void selu(Rewriter& r) { exponentialUnit(r, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1); }

/// log1p(exp(x * beta)) / beta, and x itself where that is the same
ValueId softplusOf(Rewriter& r, ValueId self, double beta, double threshold)
{
    const ValueId scaled = beta == 1 ? self : r.binary("mul.Tensor", self, beta);
    const ValueId soft = r.unary("log1p", r.unary("exp", scaled));
    const ValueId result = beta == 1 ? soft : r.binary("div.Tensor", soft, beta);
    return chosen(r, r.binary("gt.Tensor", scaled, threshold), self, result);
}

void softplus(Rewriter& r) { r.bind(softplusOf(r, floating(r), r.number("beta", 1), r.number("threshold", 20))); }

void mish(Rewriter& r)
{
    const ValueId self = floating(r);
    r.bind(r.binary("mul.Tensor", self, r.unary("tanh", softplusOf(r, self, 1, 20))));
}

/// min(x, 0) - log1p(exp(-|x|))
void logSigmoid(Rewriter& r)
{
    const ValueId self = floating(r);
    const ValueId rest = r.unary("log1p", r.unary("exp", r.unary("neg", r.unary("abs", self))));
    r.bind(r.binary("sub.Tensor", r.binary("minimum", self, 0.0), rest));
}

void threshold(Rewriter& r)
{
    const ValueId self = floating(r);
    const ValueId low = r.binary("le.Tensor", self, r.number("threshold", 0));
    if (!r.refused())
        r.bind(r.where(low, r.number("value", 0), ValueRef{self}, r.result().dtype));
}

void hardshrink(Rewriter& r)
{
    const ValueId self = floating(r);
    const ValueId inside = r.binary("le.Tensor", r.unary("abs", self), r.number("lambd", 0.5));
    if (!r.refused())
        r.bind(r.where(inside, 0.0, ValueRef{self}, r.result().dtype));
}

void glu(Rewriter& r)
{
    const ValueId self = floating(r);
    if (r.refused())
        return;
    const std::int64_t axis = r.axis(r.integer("dim", -1), r.rank(self));
    const std::int64_t half = r.size(self, axis) / 2;
    const ValueId gate = r.unary("sigmoid", r.slice(self, axis, half, 2 * half));
    r.bind(r.binary("mul.Tensor", r.slice(self, axis, 0, half), gate));
}

} // namespace

void addActivationRules(RuleTable& table)
{
    table.insert({{"aten::silu", silu}, {"aten::gelu", gelu}, {"aten::hardswish", hardswish},
        {"aten::hardsigmoid", hardsigmoid}, {"aten::leaky_relu", leakyRelu}, {"aten::prelu", prelu}, {"aten::elu", elu},
        {"aten::celu", celu}, {"aten::selu", selu}, {"aten::softplus", softplus}, {"aten::mish", mish},
        {"aten::log_sigmoid", logSigmoid}, {"aten::threshold", threshold}, {"aten::hardshrink", hardshrink},
        {"aten::glu", glu}});
}

} // namespace kw
