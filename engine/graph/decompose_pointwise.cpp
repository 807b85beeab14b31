// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <cmath>

namespace kw {
namespace {

/// The primitive's name is the overload's own: "aten::exp" -> "exp".
void floatUnary(Rewriter& r)
{
    const ValueId self = r.convert(r.tensor("self"), r.result().dtype);
    r.bind(r.unary(r.node().target.c_str() + 6, self));
}

void sameTypeUnary(Rewriter& r) { r.bind(r.unary(r.node().target.c_str() + 6, r.tensor("self"))); }

void sign(Rewriter& r) { r.bind(r.unary("sgn", r.tensor("self"))); }

void test(Rewriter& r) { r.bind(r.unary(r.node().target.c_str() + 6, r.tensor("self"))); }

Argument scaled(Rewriter& r, const Argument& operand, const char* factor)
{
    const double alpha = r.number(factor, 1);
    if (alpha == 1)
        return operand;
    const DType common = r.result().dtype;
    if (Rewriter::isTensor(operand)) {
        const Argument number = isInteger(common) ? Argument(static_cast<std::int64_t>(alpha)) : Argument(alpha);
        return ValueRef{r.binary("mul.Tensor", operand, number, common)};
    }
    if (const auto* whole = std::get_if<std::int64_t>(&operand); whole && isInteger(common))
        return *whole * static_cast<std::int64_t>(alpha);
    return numberOf(&operand).value_or(0) * alpha;
}

void add(Rewriter& r)
{
    const Argument other = scaled(r, r.operand("other"), "alpha");
    r.bind(r.binary("add.Tensor", r.operand("self"), other, r.result().dtype));
}

void subtract(Rewriter& r)
{
    const Argument other = scaled(r, r.operand("other"), "alpha");
    r.bind(r.binary("sub.Tensor", r.operand("self"), other, r.result().dtype));
}

void reverseSubtract(Rewriter& r)
{
    const Argument self = scaled(r, r.operand("self"), "alpha");
    r.bind(r.binary("sub.Tensor", r.operand("other"), self, r.result().dtype));
}

void multiply(Rewriter& r) { r.bind(r.binary("mul.Tensor", r.operand("self"), r.operand("other"), r.result().dtype)); }
void divide(Rewriter& r) { r.bind(r.binary("div.Tensor", r.operand("self"), r.operand("other"), r.result().dtype)); }

void divideRounding(Rewriter& r)
{
    const Argument* mode = r.raw("rounding_mode");
    const auto* text = mode ? std::get_if<std::string>(mode) : nullptr;
    if (text && (*text != "trunc" || !isFloating(r.result().dtype))) // torch's floor division is not floor(a / b)
        return r.refuse("this rounding is not written as primitives");
    const ValueId quotient = r.binary("div.Tensor", r.operand("self"), r.operand("other"), r.result().dtype);
    r.bind(text ? r.unary("trunc", quotient) : quotient);
}

ValueId constantPower(Rewriter& r, ValueId self, double exponent)
{
    if (exponent == 2 || exponent == -2 || exponent == 3) {
        const ValueId square = r.binary("mul.Tensor", self, self);
        return exponent == 2 ? square : exponent == 3 ? r.binary("mul.Tensor", square, self) : r.unary("reciprocal", square);
    }
    if (exponent == 1)
        return self;
    if (exponent == 0)
        return r.full(r.result().shape, 1.0, r.result().dtype);
    if (exponent == 0.5 || exponent == -0.5 || exponent == -1)
        return r.unary(exponent == 0.5 ? "sqrt" : exponent == -0.5 ? "rsqrt" : "reciprocal", self);
    return r.emit("pow.Tensor_Scalar", {{"self", ValueRef{self}}, {"exponent", exponent}}, r.result().dtype, r.result().shape);
}

void powerOfNumber(Rewriter& r)
{
    const ValueId self = r.convert(r.tensor("self"), r.result().dtype);
    const auto exponent = numberOf(r.raw("exponent"));
    if (!exponent || !isFloating(r.result().dtype))
        return r.refuse("an exponent is symbolic or the power is not floating");
    if (!r.refused())
        r.bind(constantPower(r, self, *exponent));
}

void powerOfTensor(Rewriter& r)
{
    const char* name = r.node().target == "aten::pow.Scalar" ? "pow.Scalar" : "pow.Tensor_Tensor";
    r.bind(r.binary(name, r.operand("self"), r.operand("exponent"), r.result().dtype));
}

void compare(Rewriter& r)
{
    const Argument self = r.operand("self");
    const Argument other = r.operand("other");
    const std::string name = r.node().target.substr(6, 2) + ".Tensor";
    if (!r.refused())
        r.bind(r.binary(name.c_str(), self, other, r.common(self, other)));
}

void logical(Rewriter& r)
{
    r.bind(r.binary(r.node().target.c_str() + 6, r.operand("self"), r.operand("other"), DType::Bool));
}

/// Bit operators are primitives on bool only, where they are the logical ones.
void bits(Rewriter& r)
{
    if (r.result().dtype != DType::Bool)
        return r.refuse("bit operators of integers are not written as primitives");
    // Up to the overload: "Tensor" holds an "or".
    const std::string name(r.node().target, 0, r.node().target.find('.'));
    const auto holds = [&](const char* word) { return name.find(word) != std::string::npos; };
    const char* const primitive = holds("xor") ? "logical_xor" : holds("or") ? "logical_or" : "logical_and";
    r.bind(r.binary(primitive, r.operand("self"), r.operand("other"), DType::Bool));
}

void bitwiseNot(Rewriter& r)
{
    if (r.result().dtype != DType::Bool)
        return r.refuse("bit operators of integers are not written as primitives");
    r.bind(r.unary("logical_not", r.tensor("self")));
}

void where(Rewriter& r)
{
    r.bind(r.where(r.tensor("condition"), r.operand("self"), r.operand("other"), r.result().dtype));
}

void maskedFill(Rewriter& r)
{
    r.bind(r.where(r.tensor("mask"), r.operand("value"), r.operand("self"), r.result().dtype));
}

void extremum(Rewriter& r)
{
    const char* name = r.node().target.starts_with("aten::max") ? "maximum" : "minimum";
    r.bind(r.binary(name, r.operand("self"), r.operand("other"), r.result().dtype));
}

ValueId bounded(Rewriter& r, const char* low, const char* high)
{
    ValueId value = r.convert(r.tensor("self"), r.result().dtype);
    for (const char* name : {low, high})
        if (name && r.has(name))
            value = r.binary(name == low ? "maximum" : "minimum", ValueRef{value}, r.operand(name), r.result().dtype);
    return value;
}

void clamp(Rewriter& r) { r.bind(bounded(r, "min", "max")); }
void hardtanh(Rewriter& r)
{
    const ValueId low = r.binary("maximum", r.tensor("self"), r.number("min_val", -1));
    r.bind(r.binary("minimum", low, r.number("max_val", 1)));
}
void relu(Rewriter& r) { r.bind(r.binary("maximum", r.tensor("self"), 0.0)); }
void relu6(Rewriter& r) { r.bind(r.binary("minimum", r.binary("maximum", r.tensor("self"), 0.0), 6.0)); }
void square(Rewriter& r) { const ValueId self = r.tensor("self"); r.bind(r.binary("mul.Tensor", self, self)); }
void atan2(Rewriter& r) { r.bind(r.binary("atan2", r.operand("self"), r.operand("other"), r.result().dtype)); }

/// self + value * tensor1 (* or /) tensor2
void addcmul(Rewriter& r)
{
    const DType common = r.result().dtype;
    const char* name = r.node().target == "aten::addcmul" ? "mul.Tensor" : "div.Tensor";
    ValueId product = r.tensor("tensor1");
    if (r.number("value", 1) != 1)
        product = r.binary("mul.Tensor", ValueRef{product}, r.operand("value"), common);
    product = r.binary(name, ValueRef{product}, r.operand("tensor2"), common);
    r.bind(r.binary("add.Tensor", r.operand("self"), ValueRef{product}, common));
}

/// torch takes the form that is exact at the nearer end.
void lerp(Rewriter& r)
{
    const DType common = r.result().dtype;
    const Argument weight = r.operand("weight");
    const Argument self = r.operand("self"), end = r.operand("end");
    const ValueId span = r.binary("sub.Tensor", end, self, common);
    const auto near = [&] { return r.binary("add.Tensor", self, ValueRef{r.binary("mul.Tensor", ValueRef{span}, weight, common)}, common); };
    const auto far = [&] {
        const Argument rest = Rewriter::isTensor(weight) ? Argument(ValueRef{r.binary("sub.Tensor", 1.0, weight, common)})
                                                         : Argument(1.0 - numberOf(&weight).value_or(0));
        return r.binary("sub.Tensor", end, ValueRef{r.binary("mul.Tensor", ValueRef{span}, rest, common)}, common);
    };
    if (!Rewriter::isTensor(weight))
        return r.bind(std::abs(numberOf(&weight).value_or(0)) < 0.5 ? near() : far());
    const ValueId size = r.unary("abs", Rewriter::id(weight));
    const ValueId small = r.binary("lt.Tensor", ValueRef{size}, 0.5, common);
    r.bind(r.where(small, ValueRef{near()}, ValueRef{far()}, common));
}

} // namespace

void addPointwiseRules(RuleTable& table)
{
    for (const char* name : {"aten::exp", "aten::exp2", "aten::expm1", "aten::log", "aten::log2", "aten::log10",
             "aten::log1p", "aten::sqrt", "aten::rsqrt", "aten::reciprocal", "aten::sin", "aten::cos", "aten::tan",
             "aten::tanh", "aten::sinh", "aten::cosh", "aten::asin", "aten::acos", "aten::atan", "aten::erf",
             "aten::erfc", "aten::sigmoid"})
        table.emplace(name, floatUnary);
    table.insert({{"aten::neg", sameTypeUnary}, {"aten::abs", sameTypeUnary}, {"aten::floor", sameTypeUnary},
        {"aten::ceil", sameTypeUnary}, {"aten::round", sameTypeUnary}, {"aten::trunc", sameTypeUnary}, {"aten::sgn", sign},
        {"aten::sign", sign}, {"aten::logical_not", test}, {"aten::isnan", test}, {"aten::isinf", test},
        {"aten::isfinite", test}, {"aten::add.Tensor", add}, {"aten::add.Scalar", add}, {"aten::sub.Tensor", subtract},
        {"aten::sub.Scalar", subtract}, {"aten::rsub.Tensor", reverseSubtract}, {"aten::rsub.Scalar", reverseSubtract},
        {"aten::mul.Tensor", multiply}, {"aten::mul.Scalar", multiply}, {"aten::div.Tensor", divide},
        {"aten::div.Scalar", divide}, {"aten::true_divide.Tensor", divide}, {"aten::div.Tensor_mode", divideRounding},
        {"aten::div.Scalar_mode", divideRounding}, {"aten::pow.Tensor_Scalar", powerOfNumber},
        {"aten::pow.Tensor_Tensor", powerOfTensor}, {"aten::pow.Scalar", powerOfTensor}, {"aten::logical_and", logical},
        {"aten::logical_or", logical}, {"aten::logical_xor", logical}, {"aten::bitwise_and.Tensor", bits},
        {"aten::bitwise_or.Tensor", bits}, {"aten::bitwise_xor.Tensor", bits}, {"aten::__and__.Tensor", bits},
        {"aten::__or__.Tensor", bits}, {"aten::bitwise_not", bitwiseNot}, {"aten::where.self", where},
        {"aten::where.ScalarSelf", where}, {"aten::where.ScalarOther", where}, {"aten::where.Scalar", where},
        {"aten::masked_fill.Scalar", maskedFill}, {"aten::masked_fill.Tensor", maskedFill}, {"aten::maximum", extremum},
        {"aten::minimum", extremum}, {"aten::max.other", extremum}, {"aten::min.other", extremum}, {"aten::clamp", clamp},
        {"aten::clamp.Tensor", clamp}, {"aten::clamp_min", clamp}, {"aten::clamp_min.Tensor", clamp},
        {"aten::clamp_max", clamp}, {"aten::clamp_max.Tensor", clamp}, {"aten::hardtanh", hardtanh}, {"aten::relu", relu},
        {"aten::relu6", relu6}, {"aten::square", square}, {"aten::atan2", atan2}, {"aten::addcmul", addcmul},
        {"aten::addcdiv", addcmul}, {"aten::lerp.Scalar", lerp}, {"aten::lerp.Tensor", lerp}});
    for (const char* name : {"aten::eq.Tensor", "aten::eq.Scalar", "aten::ne.Tensor", "aten::ne.Scalar", "aten::lt.Tensor",
             "aten::lt.Scalar", "aten::le.Tensor", "aten::le.Scalar", "aten::gt.Tensor", "aten::gt.Scalar",
             "aten::ge.Tensor", "aten::ge.Scalar"})
        table.emplace(name, compare);
}

} // namespace kw
