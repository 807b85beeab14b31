// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/bound_call.h"

#include "worker/operator_policy.h"
#include "worker/torch_types.h"

#include <ATen/ScalarOps.h>

namespace kw {
namespace {

/// A number where the operator wants a tensor takes part in type promotion as a number, not as a tensor.
at::Tensor wrappedNumber(const c10::Scalar& number)
{
    at::Tensor tensor = c10::scalar_to_tensor(number);
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
    return tensor;
}

c10::TypePtr withoutOptional(const c10::TypePtr& type)
{
    return type->kind() == c10::TypeKind::OptionalType ? type->expectRef<c10::OptionalType>().getElementType() : type;
}

/// Binds the arguments of one node. Throws std::invalid_argument with the reason.
class Binder {
public:
    explicit Binder(const BindOptions& options) : m_options(options) {}

    BoundArgument bind(const Argument& value, const c10::TypePtr& wanted, std::optional<std::int32_t> listSize)
    {
        const auto type = withoutOptional(wanted);
        if (std::holds_alternative<std::monostate>(value))
            return c10::IValue();
        if (const auto* ref = std::get_if<ValueRef>(&value))
            return bindReference(*ref, type);
        if (type->kind() == c10::TypeKind::ListType)
            return bindList(value, type->expectRef<c10::ListType>().getElementType(), listSize);
        return bindScalar(value, *type);
    }

private:
    BoundArgument bindReference(const ValueRef& ref, const c10::TypePtr& type)
    {
        if (type->kind() != c10::TypeKind::ListType)
            return SlotArgument{ref.id, type};
        const auto element = type->expectRef<c10::ListType>().getElementType();
        if (withoutOptional(element)->kind() == c10::TypeKind::TensorType)
            return TensorListArgument{{ref.id}, element->kind() == c10::TypeKind::OptionalType};
        return IntListArgument{{IntItem{0, ref.id}}};
    }

    BoundArgument bindList(const Argument& value, const c10::TypePtr& element, std::optional<std::int32_t> listSize)
    {
        if (const auto* refs = std::get_if<std::vector<ValueRef>>(&value)) {
            TensorListArgument list{{}, element->kind() == c10::TypeKind::OptionalType};
            for (const ValueRef ref : *refs)
                list.ids.push_back(ref.id);
            return list;
        }
        const auto kind = withoutOptional(element)->kind();
        if (const auto* items = std::get_if<std::vector<IntItem>>(&value))
            return bindIntegers(*items, element);
        if (const auto* number = std::get_if<std::int64_t>(&value))
            return bindIntegers(std::vector<IntItem>(static_cast<std::size_t>(listSize.value_or(1)), IntItem{*number, noValue}), element);
        if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
            if (kind == c10::TypeKind::NumberType)
                return scalarList(*numbers);
            return c10::IValue(c10::List<double>(c10::ArrayRef<double>(*numbers)));
        }
        if (const auto* flags = std::get_if<std::vector<bool>>(&value)) {
            c10::List<bool> list;
            for (const bool flag : *flags)
                list.push_back(flag);
            return c10::IValue(list);
        }
        throw std::invalid_argument("a list is expected");
    }

    BoundArgument bindIntegers(const std::vector<IntItem>& items, const c10::TypePtr& element)
    {
        const auto kind = withoutOptional(element)->kind();
        if (items.empty() && kind == c10::TypeKind::TensorType)
            return TensorListArgument{{}, element->kind() == c10::TypeKind::OptionalType};
        if (kind == c10::TypeKind::FloatType || kind == c10::TypeKind::BoolType || kind == c10::TypeKind::NumberType) {
            std::vector<double> numbers;
            for (const auto& item : items) {
                if (item.symbol != noValue)
                    throw std::invalid_argument("a symbolic number stands in a list of another kind");
                numbers.push_back(static_cast<double>(item.number));
            }
            if (kind == c10::TypeKind::NumberType)
                return scalarList(items);
            if (kind == c10::TypeKind::BoolType && items.empty())
                return c10::IValue(c10::List<bool>());
            return c10::IValue(c10::List<double>(c10::ArrayRef<double>(numbers)));
        }
        return IntListArgument{items};
    }

    static c10::IValue scalarList(const std::vector<double>& numbers)
    {
        c10::List<c10::Scalar> list;
        for (const double number : numbers)
            list.push_back(c10::Scalar(number));
        return c10::IValue(list);
    }

    static c10::IValue scalarList(const std::vector<IntItem>& items)
    {
        c10::List<c10::Scalar> list;
        for (const auto& item : items)
            list.push_back(c10::Scalar(item.number));
        return c10::IValue(list);
    }

    static std::optional<c10::Scalar> scalarOf(const Argument& value)
    {
        if (const auto* number = std::get_if<std::int64_t>(&value))
            return c10::Scalar(*number);
        if (const auto* number = std::get_if<double>(&value))
            return c10::Scalar(*number);
        if (const auto* flag = std::get_if<bool>(&value))
            return c10::Scalar(*flag);
        if (const auto* number = std::get_if<std::complex<double>>(&value))
            return c10::Scalar(c10::complex<double>(number->real(), number->imag()));
        return std::nullopt;
    }

    c10::IValue bindScalar(const Argument& value, const c10::Type& type)
    {
        if (const auto* text = std::get_if<std::string>(&value))
            return c10::IValue(*text);
        if (const auto* dtype = std::get_if<DType>(&value))
            return c10::IValue(static_cast<std::int64_t>(elementType(*dtype)));
        if (const auto* layout = std::get_if<Layout>(&value))
            return c10::IValue(static_cast<std::int64_t>(toTorch(*layout)));
        if (const auto* format = std::get_if<MemoryFormat>(&value))
            return c10::IValue(static_cast<std::int64_t>(toTorch(*format)));
        // Whatever device the model was exported on, this is the one that it runs on.
        if (std::holds_alternative<DeviceName>(value))
            return c10::IValue(c10::Device(c10::kCPU));
        const auto scalar = scalarOf(value);
        if (!scalar)
            throw std::invalid_argument("a single value is expected");
        switch (type.kind()) {
        case c10::TypeKind::TensorType: return c10::IValue(wrappedNumber(*scalar));
        case c10::TypeKind::NumberType: return c10::IValue(*scalar);
        case c10::TypeKind::IntType: return c10::IValue(scalar->toLong());
        case c10::TypeKind::FloatType: return c10::IValue(scalar->toDouble());
        case c10::TypeKind::BoolType: return c10::IValue(scalar->isBoolean() ? scalar->toBool() : scalar->toLong() != 0);
        case c10::TypeKind::ComplexType: return c10::IValue(scalar->toComplexDouble());
        default: throw std::invalid_argument("a value is of a kind that the operator does not take");
        }
    }

    c10::ScalarType elementType(DType type) const
    {
        if (m_options.fp64 && isFloating(type))
            return c10::ScalarType::Double;
        if (m_options.fp64 && isComplex(type))
            return c10::ScalarType::ComplexDouble;
        return toTorch(type);
    }

    BindOptions m_options;
};

Error badCall(const std::string& target, std::string what)
{
    return Error{Message("import.bad_call").with("operator", target).with("what", std::move(what)), {}};
}

std::optional<c10::OperatorHandle> findOperator(const std::string& target)
{
    const auto dot = target.find('.');
    const std::string name = target.substr(0, dot);
    const std::string overload = dot == target.npos ? std::string() : target.substr(dot + 1);
    return c10::Dispatcher::singleton().findSchema({name, overload});
}

BoundArgument bindOne(Binder& binder, const Node& node, const c10::Argument& wanted)
{
    if (const Argument* given = findArgument(node, wanted.name()))
        return binder.bind(*given, wanted.type(), wanted.N());
    if (wanted.default_value())
        return *wanted.default_value();
    if (wanted.type()->kind() == c10::TypeKind::OptionalType)
        return c10::IValue();
    throw std::invalid_argument("the argument " + wanted.name() + " is missing");
}

} // namespace

Result<BoundCall> bindCall(const Node& node, const Graph&, const BindOptions& options)
{
    KW_CHECK(checkOperatorAllowed(node.target));
    const auto handle = findOperator(node.target);
    if (!handle)
        return Error{Message("import.unknown_operator").with("operator", node.target), {}};
    const auto& wanted = handle->schema().arguments();
    for (const auto& given : node.arguments) {
        const bool known = std::any_of(wanted.begin(), wanted.end(), [&](const auto& entry) { return entry.name() == given.name; });
        if (!known)
            return badCall(node.target, "it has no argument called " + given.name);
    }
    if (node.outputs.size() > handle->schema().returns().size())
        return badCall(node.target, "it has fewer results than the file binds");
    Binder binder(options);
    BoundCall call{*handle, {}};
    try {
        for (const auto& argument : wanted)
            call.arguments.push_back(bindOne(binder, node, argument));
    } catch (const std::exception& exception) {
        return badCall(node.target, shortText(exception));
    }
    return call;
}

namespace {

/// A value of the running graph in the kind that the operator wants.
c10::IValue converted(const c10::IValue& value, const c10::Type& type)
{
    const auto kind = type.kind();
    if (kind == c10::TypeKind::TensorType)
        return value.isScalar() ? c10::IValue(wrappedNumber(value.toScalar())) : value;
    const bool wantsNumber = kind == c10::TypeKind::NumberType || kind == c10::TypeKind::IntType || kind == c10::TypeKind::FloatType
        || kind == c10::TypeKind::BoolType;
    if (!wantsNumber)
        return value;
    const c10::IValue scalar = value.isTensor() ? c10::IValue(value.toTensor().item()) : value;
    if (kind == c10::TypeKind::FloatType && scalar.isInt())
        return c10::IValue(static_cast<double>(scalar.toInt()));
    if (kind == c10::TypeKind::IntType && scalar.isBool())
        return c10::IValue(static_cast<std::int64_t>(scalar.toBool()));
    return scalar;
}

c10::IValue tensorList(const TensorListArgument& argument, const Slots& slots)
{
    const auto tensorAt = [&slots](ValueId id) {
        const auto& value = slots[static_cast<std::size_t>(id)];
        return value.isScalar() ? wrappedNumber(value.toScalar()) : value.toTensor();
    };
    if (argument.optionalElements) {
        c10::List<std::optional<at::Tensor>> list;
        for (const ValueId id : argument.ids)
            list.push_back(id == noValue ? std::optional<at::Tensor>() : std::optional(tensorAt(id)));
        return c10::IValue(list);
    }
    c10::List<at::Tensor> list;
    for (const ValueId id : argument.ids)
        list.push_back(id == noValue ? at::Tensor() : tensorAt(id));
    return c10::IValue(list);
}

c10::IValue intList(const IntListArgument& argument, const Slots& slots)
{
    c10::List<std::int64_t> list;
    list.reserve(argument.items.size());
    for (const auto& item : argument.items)
        list.push_back(item.symbol == noValue ? item.number : slots[static_cast<std::size_t>(item.symbol)].toInt());
    return c10::IValue(list);
}

} // namespace

c10::IValue materialise(const BoundArgument& argument, const Slots& slots)
{
    if (const auto* constant = std::get_if<c10::IValue>(&argument))
        return *constant;
    if (const auto* slot = std::get_if<SlotArgument>(&argument))
        return converted(slots[static_cast<std::size_t>(slot->id)], *slot->type);
    if (const auto* list = std::get_if<TensorListArgument>(&argument))
        return tensorList(*list, slots);
    return intList(std::get<IntListArgument>(argument), slots);
}

std::vector<c10::IValue> invoke(const BoundCall& call, const Slots& slots)
{
    std::vector<c10::IValue> stack;
    stack.reserve(std::max(call.arguments.size(), call.handle.schema().returns().size()));
    for (const auto& argument : call.arguments)
        stack.push_back(materialise(argument, slots));
    call.handle.callBoxed(&stack);
    return stack;
}

AliasInfo aliasInfo(const BoundCall& call)
{
    AliasInfo info;
    const auto& schema = call.handle.schema();
    for (std::size_t index = 0; index < schema.arguments().size(); ++index) {
        const auto* alias = schema.arguments()[index].alias_info();
        if (!alias)
            continue;
        std::vector<ValueId> ids;
        if (const auto* slot = std::get_if<SlotArgument>(&call.arguments[index]))
            ids.push_back(slot->id);
        else if (const auto* list = std::get_if<TensorListArgument>(&call.arguments[index]))
            ids = list->ids;
        for (const ValueId id : ids) {
            if (id == noValue)
                continue;
            if (alias->isWrite())
                info.written.push_back(id);
            for (std::size_t result = 0; result < schema.returns().size(); ++result)
                if (schema.returns()[result].alias_info())
                    info.aliases.emplace_back(id, result);
        }
    }
    return info;
}

} // namespace kw
