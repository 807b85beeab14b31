// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/rewriter.h"

#include <algorithm>

namespace kw {

Rewriter::Rewriter(const Graph& source)
    : m_source(source), m_builder(source.name), m_valueOf(source.values.size(), noValue)
{
}

const Argument* Rewriter::raw(std::string_view name) const { return findArgument(*m_node, name); }

bool Rewriter::has(std::string_view name) const
{
    const Argument* argument = raw(name);
    return argument && !std::holds_alternative<std::monostate>(*argument);
}

ValueId Rewriter::mapped(ValueId original)
{
    const ValueId fresh = original < 0 ? noValue : m_valueOf.at(static_cast<std::size_t>(original));
    if (fresh == noValue)
        refuse("a value is no typed tensor");
    return fresh;
}

Argument Rewriter::operand(std::string_view name)
{
    const Argument* argument = raw(name);
    if (!argument)
        refuse("argument " + std::string(name) + " is missing");
    else if (std::holds_alternative<std::int64_t>(*argument) || std::holds_alternative<double>(*argument))
        return *argument;
    else if (const auto* truth = std::get_if<bool>(argument))
        return std::int64_t{*truth ? 1 : 0};
    else if (const auto* reference = std::get_if<ValueRef>(argument))
        return ValueRef{mapped(reference->id)};
    else
        refuse("argument " + std::string(name) + " is neither a tensor nor a number");
    return 0.0;
}

ValueId Rewriter::tensor(std::string_view name)
{
    const ValueId original = valueOf(raw(name));
    if (original == noValue)
        refuse("argument " + std::string(name) + " is no tensor");
    return original == noValue ? noValue : mapped(original);
}

std::vector<ValueId> Rewriter::tensors(std::string_view name)
{
    std::vector<ValueId> fresh;
    const Argument* argument = raw(name);
    if (const auto* list = argument ? std::get_if<std::vector<ValueRef>>(argument) : nullptr)
        for (const ValueRef& entry : *list)
            fresh.push_back(mapped(entry.id));
    else
        refuse("argument " + std::string(name) + " is no list of tensors");
    return fresh;
}

double Rewriter::number(std::string_view name, double otherwise) const
{
    return has(name) ? numberOf(raw(name)).value_or(otherwise) : otherwise;
}

bool Rewriter::truth(std::string_view name, bool otherwise) const { return boolOf(raw(name)).value_or(otherwise); }

std::vector<std::int64_t> Rewriter::ints(std::string_view name, std::vector<std::int64_t> otherwise) const
{
    return intsOf(raw(name)).value_or(std::move(otherwise));
}

std::int64_t Rewriter::integer(std::string_view name, std::int64_t otherwise) const
{
    return intOf(raw(name)).value_or(otherwise);
}

const TensorType& Rewriter::result(std::size_t index)
{
    static const TensorType none;
    const ValueId id = index < m_results.size() ? m_results[index] : noValue;
    if (id == noValue || !m_source.values[static_cast<std::size_t>(id)].type) {
        refuse("a result has no captured type");
        return none;
    }
    return *m_source.values[static_cast<std::size_t>(id)].type;
}

std::int64_t Rewriter::axis(std::int64_t wanted, std::int64_t rank)
{
    const std::int64_t front = wanted < 0 ? wanted + std::max<std::int64_t>(rank, 1) : wanted;
    if (front < 0 || front >= std::max<std::int64_t>(rank, 1)) {
        refuse("an axis is out of range");
        return 0;
    }
    return front;
}

std::vector<std::int64_t> Rewriter::axes(std::vector<std::int64_t> wanted, std::int64_t rank)
{
    if (wanted.empty())
        for (std::int64_t each = 0; each < rank; ++each)
            wanted.push_back(each);
    for (std::int64_t& each : wanted)
        each = axis(each, rank);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (rank == 0)
        wanted.clear();
    return wanted;
}

void Rewriter::refuse(std::string why)
{
    if (m_refusal.empty())
        m_refusal = std::move(why);
}

void Rewriter::bind(ValueId value, std::size_t index)
{
    const TensorType& captured = result(index);
    if (refused())
        return;
    if (type(value).shape != captured.shape || type(value).dtype != captured.dtype)
        return refuse("the captured type of a result is not the expected one");
    const ValueId original = m_results[index];
    m_valueOf[static_cast<std::size_t>(original)] = value;
    if (static_cast<std::size_t>(value) >= m_firstFresh) {
        m_builder.rename(value, m_source.values[static_cast<std::size_t>(original)].name);
        m_firstFresh = static_cast<std::size_t>(value) + 1;
    }
}

void Rewriter::copyInputs()
{
    for (const GraphInput& input : m_source.inputs) {
        const Value& value = m_source.values[static_cast<std::size_t>(input.value)];
        if (value.kind != ValueKind::Tensor || !value.type)
            return refuse("an input is no typed tensor");
        m_valueOf[static_cast<std::size_t>(input.value)] = m_builder.input(value.name, *value.type, input.kind, input.target);
    }
}

void Rewriter::copyOutputs()
{
    for (const GraphOutput& output : m_source.outputs) {
        const ValueId id = valueOf(&output.value);
        if (id == noValue || output.kind != OutputKind::User)
            return refuse("an output is no tensor");
        m_builder.output(mapped(id));
    }
}

} // namespace kw
