// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/naming.h"

#include "graph/operators.h"

#include <algorithm>
#include <unordered_set>

namespace kw {
namespace {

constexpr std::size_t maximumName = 40;
constexpr std::size_t notableOperators = 4;

/// Words that C++ or its mathematics own, and what generated kernels call their own things.
bool isReserved(const std::string& name)
{
    static const std::unordered_set<std::string> words = {"alignas", "and", "asm", "auto", "bool", "break", "case", "catch",
        "char", "class", "const", "continue", "default", "delete", "do", "double", "else", "enum", "explicit", "export",
        "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
        "not", "operator", "or", "private", "protected", "public", "register", "return", "short", "signed", "sizeof",
        "static", "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typename", "union", "unsigned",
        "using", "virtual", "void", "volatile", "while", "xor", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p",
        "sqrt", "rsqrt", "pow", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin", "acos", "atan", "atan2", "erf", "erfc",
        "sigmoid", "abs", "floor", "ceil", "round", "trunc", "min", "max", "std", "kw", "main", "sum", "index", "select",
        "signal", "time", "y0", "y1", "yn", "j0", "j1", "jn", "gamma", "div", "remainder"};
    return words.contains(name);
}

bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

std::string withoutNumber(std::string name)
{
    std::size_t end = name.size();
    while (end > 0 && isDigit(name[end - 1]))
        --end;
    if (end > 1 && end < name.size() && name[end - 1] == '_')
        name.resize(end - 1);
    return name;
}

std::string identifier(const std::string& text)
{
    std::string name;
    for (const char letter : text) {
        const bool plain = isDigit(letter) || letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
        name += plain ? letter : '_';
    }
    while (name.starts_with('_'))
        name.erase(0, 1);
    while (name.ends_with('_'))
        name.pop_back();
    name = withoutNumber(name.substr(0, maximumName));
    if (name.empty() || isDigit(name.front()))
        name.insert(0, "v");
    // "d0" is what dimensions are called.
    if (isReserved(name) || (name.size() > 1 && name[0] == 'd' && std::all_of(name.begin() + 1, name.end(), isDigit)))
        name += "_value";
    return name;
}

/// The last word of a weight's name in the model: "model.layers.0.norm.weight" -> "weight".
std::string weightName(const std::string& target)
{
    const auto dot = target.rfind('.');
    return dot == std::string::npos ? target : target.substr(dot + 1);
}

double weightOf(const ModelView& view, std::int32_t index)
{
    const Node node = view.functional(index);
    const OperatorKind kind = operatorKind(view.graph(), node);
    const bool structural = kind == OperatorKind::Composite || kind == OperatorKind::Reduction || kind == OperatorKind::Window;
    return operatorCost(node.target) + (structural ? 100 : 0);
}

} // namespace

std::string shortTarget(const std::string& target)
{
    const auto colon = target.rfind(':');
    std::string name = target.substr(colon == std::string::npos ? 0 : colon + 1);
    name = name.substr(0, name.find('.'));
    while (name.starts_with('_'))
        name.erase(0, 1);
    return name;
}

std::string commonPath(const std::string& left, const std::string& right)
{
    std::size_t same = 0;
    std::size_t end = 0;
    const std::string a = left + '.', b = right + '.';
    while (same < a.size() && same < b.size() && a[same] == b[same]) {
        if (a[same] == '.')
            end = same;
        ++same;
    }
    return left.substr(0, end);
}

void nameValues(const ModelView& view, const Cut& cut, Graph& reference)
{
    std::unordered_set<std::string> taken;
    std::vector<std::string> wanted;
    for (const Value& value : reference.values)
        wanted.push_back(value.name);
    for (std::size_t index = 0; index < cut.inputs.size(); ++index) {
        const ValueId root = view.base(cut.inputs[index]);
        for (const GraphInput& input : view.graph().inputs)
            if (input.value == root && !input.target.empty())
                wanted[static_cast<std::size_t>(reference.inputs[index].value)] = weightName(input.target);
    }
    for (std::size_t value = 0; value < wanted.size(); ++value) {
        const std::string base = identifier(wanted[value]);
        std::string name = base;
        for (int number = 2; !taken.insert(name).second; ++number)
            name = base + std::to_string(number);
        reference.values[value].name = std::move(name);
    }
}

std::string regionName(const ModelView& view, const Cut& cut)
{
    std::vector<std::int32_t> order;
    std::unordered_set<std::string> seen;
    for (const std::int32_t index : cut.nodes)
        if (view.role(index) == NodeRole::Compute && seen.insert(shortTarget(view.functional(index).target)).second)
            order.push_back(index);
    std::vector<std::int32_t> heaviest = order;
    std::stable_sort(heaviest.begin(), heaviest.end(),
        [&](std::int32_t left, std::int32_t right) { return weightOf(view, left) > weightOf(view, right); });
    heaviest.resize(std::min(heaviest.size(), notableOperators));
    std::string name;
    for (const std::int32_t index : order)
        if (std::find(heaviest.begin(), heaviest.end(), index) != heaviest.end())
            name += (name.empty() ? "" : "_") + shortTarget(view.functional(index).target).substr(0, 20);
    return name;
}

} // namespace kw
