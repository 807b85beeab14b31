// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/python_operators.h"

#include <cmath>
#include <map>
#include <stdexcept>

namespace kw {
namespace {

using Arguments = std::vector<c10::IValue>;

const c10::IValue& at(const Arguments& arguments, std::size_t index)
{
    if (index >= arguments.size())
        throw std::invalid_argument("an argument is missing");
    return arguments[index];
}

bool isWhole(const c10::IValue& value) { return value.isInt() || value.isBool(); }

std::int64_t whole(const c10::IValue& value)
{
    if (value.isBool())
        return value.toBool() ? 1 : 0;
    if (!value.isInt())
        throw std::invalid_argument("a whole number is expected");
    return value.toInt();
}

double real(const c10::IValue& value)
{
    if (value.isDouble())
        return value.toDouble();
    return static_cast<double>(whole(value));
}

bool truth(const c10::IValue& value)
{
    return value.isDouble() ? value.toDouble() != 0 : whole(value) != 0;
}

bool bothWhole(const Arguments& arguments) { return isWhole(at(arguments, 0)) && isWhole(at(arguments, 1)); }

void refuse(bool overflow)
{
    if (overflow)
        throw std::invalid_argument("a number overflows");
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b)
{
    if (b == 0 || (b == -1 && a == INT64_MIN))
        throw std::invalid_argument("a division by zero");
    const std::int64_t quotient = a / b;
    return a % b != 0 && ((a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

double nonZero(double number)
{
    if (number == 0)
        throw std::invalid_argument("a division by zero");
    return number;
}

c10::IValue add(const Arguments& a)
{
    if (!bothWhole(a))
        return real(at(a, 0)) + real(at(a, 1));
    std::int64_t result = 0;
    refuse(__builtin_add_overflow(whole(a[0]), whole(a[1]), &result));
    return result;
}

c10::IValue subtract(const Arguments& a)
{
    if (!bothWhole(a))
        return real(at(a, 0)) - real(at(a, 1));
    std::int64_t result = 0;
    refuse(__builtin_sub_overflow(whole(a[0]), whole(a[1]), &result));
    return result;
}

c10::IValue multiply(const Arguments& a)
{
    if (!bothWhole(a))
        return real(at(a, 0)) * real(at(a, 1));
    std::int64_t result = 0;
    refuse(__builtin_mul_overflow(whole(a[0]), whole(a[1]), &result));
    return result;
}

c10::IValue divideFloor(const Arguments& a)
{
    if (bothWhole(a))
        return floorDivide(whole(a[0]), whole(a[1]));
    return std::floor(real(at(a, 0)) / nonZero(real(at(a, 1))));
}

c10::IValue modulo(const Arguments& a)
{
    if (bothWhole(a))
        return whole(a[0]) - floorDivide(whole(a[0]), whole(a[1])) * whole(a[1]);
    const double divisor = nonZero(real(at(a, 1)));
    return real(at(a, 0)) - std::floor(real(at(a, 0)) / divisor) * divisor;
}

c10::IValue power(const Arguments& a)
{
    if (!bothWhole(a) || whole(a[1]) < 0)
        return std::pow(real(at(a, 0)), real(at(a, 1)));
    std::int64_t result = 1;
    const std::int64_t base = whole(a[0]);
    // Beyond 64 multiplications every base but -1, 0 and 1 has overflowed.
    const std::int64_t exponent = base >= -1 && base <= 1 ? (whole(a[1]) % 2 == 0 ? std::min<std::int64_t>(whole(a[1]), 2) : 1) : whole(a[1]);
    for (std::int64_t count = 0; count < exponent; ++count)
        refuse(__builtin_mul_overflow(result, base, &result));
    return result;
}

c10::IValue absolute(const Arguments& a)
{
    if (!isWhole(at(a, 0)))
        return std::fabs(real(a[0]));
    return whole(a[0]) < 0 ? subtract({c10::IValue(std::int64_t{0}), a[0]}) : c10::IValue(whole(a[0]));
}

c10::IValue rounded(const Arguments& a, double (*function)(double))
{
    if (isWhole(at(a, 0)))
        return whole(a[0]);
    const double result = function(real(a[0]));
    if (!(result > -9.2e18 && result < 9.2e18))
        throw std::invalid_argument("a number overflows");
    return static_cast<std::int64_t>(result);
}

template <bool largest> c10::IValue extreme(const Arguments& a)
{
    const bool first = largest ? real(at(a, 0)) >= real(at(a, 1)) : real(at(a, 0)) <= real(at(a, 1));
    return first ? a[0] : a[1];
}

template <typename Compare> c10::IValue compare(const Arguments& a)
{
    if (bothWhole(a))
        return Compare()(whole(a[0]), whole(a[1]));
    return Compare()(real(at(a, 0)), real(at(a, 1)));
}

c10::IValue logic(const Arguments& a, std::int64_t (*bits)(std::int64_t, std::int64_t))
{
    const std::int64_t result = bits(whole(at(a, 0)), whole(at(a, 1)));
    return a[0].isBool() && a[1].isBool() ? c10::IValue(result != 0) : c10::IValue(result);
}

const std::map<std::string, PythonOperator>& table()
{
    static const std::map<std::string, PythonOperator> operators{
        {"add", add}, {"sub", subtract}, {"mul", multiply}, {"floordiv", divideFloor}, {"mod", modulo}, {"pow", power},
        {"truediv", [](const Arguments& a) -> c10::IValue { return real(at(a, 0)) / nonZero(real(at(a, 1))); }},
        {"neg", [](const Arguments& a) -> c10::IValue { return subtract({c10::IValue(std::int64_t{0}), at(a, 0)}); }},
        {"pos", [](const Arguments& a) -> c10::IValue { return at(a, 0); }},
        {"abs", absolute}, {"sym_max", extreme<true>}, {"sym_min", extreme<false>}, {"max", extreme<true>}, {"min", extreme<false>},
        {"eq", compare<std::equal_to<>>}, {"ne", compare<std::not_equal_to<>>}, {"lt", compare<std::less<>>},
        {"le", compare<std::less_equal<>>}, {"gt", compare<std::greater<>>}, {"ge", compare<std::greater_equal<>>},
        {"and_", [](const Arguments& a) { return logic(a, [](std::int64_t x, std::int64_t y) { return x & y; }); }},
        {"or_", [](const Arguments& a) { return logic(a, [](std::int64_t x, std::int64_t y) { return x | y; }); }},
        {"xor", [](const Arguments& a) { return logic(a, [](std::int64_t x, std::int64_t y) { return x ^ y; }); }},
        {"not_", [](const Arguments& a) -> c10::IValue { return !truth(at(a, 0)); }},
        {"sym_not", [](const Arguments& a) -> c10::IValue { return !truth(at(a, 0)); }},
        {"sym_ite", [](const Arguments& a) -> c10::IValue { return truth(at(a, 0)) ? at(a, 1) : at(a, 2); }},
        {"sym_int", [](const Arguments& a) { return rounded(a, [](double x) { return std::trunc(x); }); }},
        {"trunc", [](const Arguments& a) { return rounded(a, [](double x) { return std::trunc(x); }); }},
        {"ceil", [](const Arguments& a) { return rounded(a, [](double x) { return std::ceil(x); }); }},
        {"floor", [](const Arguments& a) { return rounded(a, [](double x) { return std::floor(x); }); }},
        {"round", [](const Arguments& a) { return rounded(a, [](double x) { return std::nearbyint(x); }); }},
        {"sym_float", [](const Arguments& a) -> c10::IValue { return real(at(a, 0)); }},
        {"sqrt", [](const Arguments& a) -> c10::IValue { return std::sqrt(real(at(a, 0))); }},
        {"_sym_sqrt", [](const Arguments& a) -> c10::IValue { return std::sqrt(real(at(a, 0))); }},
        {"log2", [](const Arguments& a) -> c10::IValue { return std::log2(real(at(a, 0))); }},
        {"_sym_log2", [](const Arguments& a) -> c10::IValue { return std::log2(real(at(a, 0))); }},
        {"log", [](const Arguments& a) -> c10::IValue { return std::log(real(at(a, 0))); }},
        {"exp", [](const Arguments& a) -> c10::IValue { return std::exp(real(at(a, 0))); }},
    };
    return operators;
}

} // namespace

PythonOperator findPythonOperator(const std::string& name)
{
    const auto found = table().find(name);
    return found == table().end() ? nullptr : found->second;
}

} // namespace kw
