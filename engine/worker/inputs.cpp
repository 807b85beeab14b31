// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/inputs.h"

#include "worker/pickle_scan.h"
#include "worker/torch_types.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <algorithm>
#include <cctype>

namespace kw {
namespace {

constexpr std::uint64_t inputLimit = std::uint64_t{1} << 30;
constexpr int maxDepth = 64;
constexpr std::size_t maxLeaves = 4096;

Error mismatch(const std::string& input, std::string what)
{
    return Error{Message("import.input_mismatch").with("input", input).with("what", std::move(what)), {}};
}

/// Leaves in the order in which torch flattens arguments: depth first, dictionaries in insertion order.
bool flatten(const c10::IValue& value, int depth, std::vector<c10::IValue>& leaves)
{
    if (depth > maxDepth || leaves.size() > maxLeaves)
        return false;
    if (value.isTuple()) {
        const auto& elements = value.toTupleRef().elements();
        return std::all_of(elements.begin(), elements.end(), [&](const auto& entry) { return flatten(entry, depth + 1, leaves); });
    }
    if (value.isList()) {
        for (const c10::IValue& entry : value.toList())
            if (!flatten(entry, depth + 1, leaves))
                return false;
        return true;
    }
    if (value.isGenericDict()) {
        for (const auto& entry : value.toGenericDict())
            if (!flatten(entry.value(), depth + 1, leaves))
                return false;
        return true;
    }
    leaves.push_back(value);
    return true;
}

bool sameScalar(const Argument& recorded, const c10::IValue& given)
{
    if (std::holds_alternative<std::monostate>(recorded))
        return given.isNone();
    if (const auto* flag = std::get_if<bool>(&recorded))
        return given.isBool() && given.toBool() == *flag;
    if (const auto* number = std::get_if<std::int64_t>(&recorded))
        return given.isInt() && given.toInt() == *number;
    if (const auto* number = std::get_if<double>(&recorded))
        return given.isDouble() && given.toDouble() == *number;
    if (const auto* text = std::get_if<std::string>(&recorded))
        return given.isString() && given.toStringRef() == *text;
    return false;
}

bool plainSymbol(const std::string& expression)
{
    return !expression.empty() && std::all_of(expression.begin(), expression.end(),
        [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

/// Equal symbols must have equal sizes, and every size lies in its range.
class SizeChecker {
public:
    explicit SizeChecker(const ImportedModel& model) : m_model(model) {}

    Result<void> check(const std::string& input, const TensorDescription& recorded, const at::Tensor& given)
    {
        if (given.scalar_type() != toTorch(recorded.dtype))
            return mismatch(input, "its element type is not the recorded one");
        if (given.dim() != static_cast<std::int64_t>(recorded.sizes.size()))
            return mismatch(input, "its number of dimensions is not the recorded one");
        for (std::int64_t dim = 0; dim < given.dim(); ++dim)
            KW_CHECK(checkSize(input, recorded.sizes[static_cast<std::size_t>(dim)], given.size(dim)));
        return {};
    }

private:
    Result<void> checkSize(const std::string& input, const FileSize& recorded, std::int64_t given)
    {
        if (recorded.expression.empty())
            return recorded.number == given ? Result<void>() : mismatch(input, "a size is not the recorded one");
        if (!plainSymbol(recorded.expression))
            return {};
        const auto [known, fresh] = m_symbols.emplace(recorded.expression, given);
        if (!fresh && known->second != given)
            return mismatch(input, "sizes that must be equal are not");
        const auto range = m_model.ranges.find(recorded.expression);
        if (range != m_model.ranges.end()
            && ((range->second.least && given < *range->second.least) || (range->second.most && given > *range->second.most)))
            return mismatch(input, "a size lies outside the range that the model was exported for");
        return {};
    }

    const ImportedModel& m_model;
    std::map<std::string, std::int64_t> m_symbols;
};

Result<std::vector<c10::IValue>> userValues(const ImportedModel& model, const std::vector<c10::IValue>& leaves)
{
    std::vector<c10::IValue> values;
    std::size_t next = 0, expected = 0;
    for (const auto& input : model.graph.inputs)
        expected += input.kind == InputKind::User || input.kind == InputKind::Scalar;
    if (leaves.size() != expected)
        return Error{Message("import.input_count").with("expected", expected).with("actual", leaves.size()), {}};
    for (const auto& input : model.graph.inputs) {
        if (input.kind == InputKind::Scalar && !sameScalar(input.constant, leaves[next++]))
            return mismatch(model.graph.values[static_cast<std::size_t>(input.value)].name, "its value was fixed at export");
        if (input.kind == InputKind::User)
            values.push_back(leaves[next++]);
    }
    return values;
}

at::Tensor drawn(const TensorDescription& recorded, at::Generator& generator)
{
    std::vector<std::int64_t> sizes;
    for (const auto& size : recorded.sizes)
        sizes.push_back(size.expression.empty() ? size.number : std::max<std::int64_t>(size.number, 2));
    const auto type = toTorch(recorded.dtype);
    if (isFloating(recorded.dtype))
        return at::randn(sizes, generator, c10::TensorOptions().dtype(at::kFloat)).to(type);
    if (isComplex(recorded.dtype))
        return at::randn(sizes, generator, c10::TensorOptions().dtype(at::kComplexFloat)).to(type);
    return at::randint(0, 2, sizes, generator, c10::TensorOptions().dtype(at::kLong)).to(type);
}

Result<std::vector<c10::IValue>> synthesised(const ImportedModel& model)
{
    auto generator = at::detail::createCPUGenerator(20240229);
    std::vector<c10::IValue> values;
    for (const auto& input : model.graph.inputs) {
        if (input.kind != InputKind::User)
            continue;
        const auto& name = model.graph.values[static_cast<std::size_t>(input.value)].name;
        const auto recorded = model.tensors.find(name);
        if (recorded == model.tensors.end())
            return mismatch(name, "the file holds no value for it");
        try {
            values.emplace_back(drawn(recorded->second, generator));
        } catch (const std::exception& exception) {
            return Error{mismatch(name, "no values of its recorded shape can be drawn").message, shortText(exception)};
        }
    }
    return values;
}

} // namespace

Result<void> checkInputs(const ImportedModel& model, const std::vector<c10::IValue>& values)
{
    SizeChecker checker(model);
    std::size_t next = 0;
    for (const auto& input : model.graph.inputs) {
        if (input.kind != InputKind::User)
            continue;
        const auto& value = model.graph.values[static_cast<std::size_t>(input.value)];
        if (next >= values.size())
            return Error{Message("import.input_count").with("expected", next + 1).with("actual", values.size()), {}};
        const c10::IValue& given = values[next++];
        const auto recorded = model.tensors.find(value.name);
        if (value.kind == ValueKind::Tensor && (!given.isTensor() || !given.toTensor().defined()))
            return mismatch(value.name, "it must be a tensor");
        if (value.kind == ValueKind::SymInt && !given.isInt())
            return mismatch(value.name, "it must be a whole number");
        if (given.isTensor() && recorded != model.tensors.end())
            KW_CHECK(checker.check(value.name, recorded->second, given.toTensor()));
    }
    return {};
}

Result<SampleInputs> sampleInputs(Archive& archive, const std::string& modelName, const ImportedModel& model)
{
    const std::string record = "data/sample_inputs/" + modelName + ".pt";
    SampleInputs inputs;
    if (archive.has(record)) {
        KW_TRY(const std::string bytes, archive.text(record, inputLimit));
        if (const auto name = codeInPickles(bytes))
            return Error{Message("import.code_in_inputs").with("name", *name), {}};
        try {
            std::vector<c10::IValue> leaves;
            const auto loaded = torch::jit::pickle_load(std::vector<char>(bytes.begin(), bytes.end()));
            if (!flatten(loaded, 0, leaves))
                return mismatch(record, "its nesting is too deep");
            KW_TRY(inputs.values, userValues(model, leaves));
        } catch (const std::exception&) {
            // LibTorch's unpickler knows no user classes and not every element type: the recorded shapes still tell enough.
            inputs.synthesised = true;
        }
    } else {
        inputs.synthesised = true;
    }
    if (inputs.synthesised) {
        KW_TRY(inputs.values, synthesised(model));
    }
    KW_CHECK(checkInputs(model, inputs.values));
    return inputs;
}

} // namespace kw
