// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/problem_file.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json_io.h"

#include <cmath>
#include <unordered_set>

namespace kw {
namespace {

constexpr std::uintmax_t maximumBytes = std::uintmax_t{64} << 20;

Error invalid(std::string what) { return Error{Message("problem.invalid").with("what", std::move(what)), {}}; }

bool isIdentifier(const std::string& name)
{
    if (name.empty() || name.size() > 64 || (name.front() >= '0' && name.front() <= '9'))
        return false;
    for (const char letter : name)
        if (letter != '_' && !(letter >= '0' && letter <= '9') && !(letter >= 'a' && letter <= 'z') && !(letter >= 'A' && letter <= 'Z'))
            return false;
    return true;
}

std::string tensorFault(const Problem& problem, const TensorArgument& tensor)
{
    if (tensor.value < 0 || static_cast<std::size_t>(tensor.value) >= problem.reference.values.size())
        return "tensor " + tensor.name + " is no value of the reference";
    const auto& type = problem.reference.values[static_cast<std::size_t>(tensor.value)].type;
    if (!type)
        return "tensor " + tensor.name + " has no captured type";
    for (const Size& size : tensor.shape)
        if (size.dimension >= static_cast<std::int32_t>(problem.dimensions.size()) || size.dimension < -1 || size.constant < 0)
            return "tensor " + tensor.name + " has a size out of range";
    if (concreteShape(tensor.shape, capturedDimensions(problem)) != type->shape || tensor.dtype != type->dtype
        || tensor.strides != type->strides)
        return "tensor " + tensor.name + " differs from the reference";
    const InputDomain& domain = tensor.domain;
    for (const double number : {domain.low, domain.high, domain.mean, domain.deviation})
        if (!std::isfinite(number))
            return "the domain of " + tensor.name + " is not finite";
    if (domain.low > domain.high || domain.deviation < 0)
        return "the domain of " + tensor.name + " is empty";
    return {};
}

std::string signatureFault(const Problem& problem)
{
    const Graph& graph = problem.reference;
    if (graph.inputs.size() != problem.inputs.size() || graph.outputs.size() != problem.outputs.size())
        return "the signature differs from the reference";
    for (std::size_t index = 0; index < graph.inputs.size(); ++index)
        if (graph.inputs[index].value != problem.inputs[index].value)
            return "the inputs differ from the reference";
    for (std::size_t index = 0; index < graph.outputs.size(); ++index)
        if (readValues(graph.outputs[index].value) != std::vector<ValueId>{problem.outputs[index].value})
            return "the outputs differ from the reference";
    if (graph.outputs.empty())
        return "there is no output";
    return {};
}

std::string namesFault(const Problem& problem)
{
    std::unordered_set<std::string> names;
    const auto fresh = [&](const std::string& name) { return isIdentifier(name) && names.insert(name).second; };
    for (const Dimension& dimension : problem.dimensions)
        if (!fresh(dimension.name) || dimension.captured < 0)
            return "a dimension has no proper name or size";
    for (const auto* tensors : {&problem.inputs, &problem.outputs})
        for (const TensorArgument& tensor : *tensors)
            if (!fresh(tensor.name))
                return "a tensor has no proper name";
    return {};
}

std::string figuresFault(const Problem& problem)
{
    for (const double number : {problem.compulsoryBytes, problem.flops, problem.seconds, problem.allocationSeconds,
             problem.floorSeconds, problem.predictedSeconds, problem.budget.factor, problem.budget.floorUlps})
        if (!std::isfinite(number) || number < 0)
            return "a figure is negative or not finite";
    if (problem.shapes.empty())
        return "there is no used shape";
    for (const UsedShape& shape : problem.shapes)
        if (shape.dimensions.size() != problem.dimensions.size() || shape.calls < 0)
            return "a used shape does not fit the dimensions";
    for (const CallSite& site : problem.sites)
        if (site.inputs.size() != problem.inputs.size() || site.outputs.size() != problem.outputs.size())
            return "a call site does not fit the signature";
    return {};
}

Json identity(const std::vector<TensorArgument>& tensors)
{
    Json list = Json::array();
    for (const TensorArgument& tensor : tensors) {
        Json sizes = Json::array();
        for (const Size& size : tensor.shape)
            sizes.push_back({size.constant, size.dimension});
        list.push_back({{"dtype", tensor.dtype}, {"shape", sizes}, {"strides", tensor.strides},
            {"domain", static_cast<int>(tensor.domain.kind)}, {"bounded", tensor.domain.bounded},
            {"low", tensor.domain.bounded ? tensor.domain.low : 0}, {"high", tensor.domain.bounded ? tensor.domain.high : 0}});
    }
    return list;
}

} // namespace

std::string problemId(const Problem& problem)
{
    const std::string signature = dump(Json{{"inputs", identity(problem.inputs)}, {"outputs", identity(problem.outputs)}});
    return sha256({structuralHash(problem.reference), signature}).substr(0, 16);
}

Result<void> validate(const Problem& problem)
{
    KW_CHECK(validate(problem.reference));
    for (const auto& fault : {signatureFault(problem), namesFault(problem), figuresFault(problem)})
        if (!fault.empty())
            return invalid(fault);
    for (const auto* tensors : {&problem.inputs, &problem.outputs})
        for (const TensorArgument& tensor : *tensors)
            if (const std::string fault = tensorFault(problem, tensor); !fault.empty())
                return invalid(fault);
    for (const Value& value : problem.reference.values)
        if (value.kind != ValueKind::Tensor || !value.type)
            return invalid("a value of the reference has no captured type");
    return {};
}

std::string problemText(const Problem& problem) { return dump(Json(problem), 1); }

Result<Problem> parseProblem(const std::string& text)
{
    KW_TRY(Problem problem, parseAs<Problem>(text));
    KW_CHECK(validate(problem));
    return problem;
}

Result<void> writeProblem(const std::filesystem::path& path, const Problem& problem)
{
    return writeFileAtomically(path, problemText(problem));
}

Result<Problem> readProblem(const std::filesystem::path& path)
{
    KW_TRY(const std::string text, readFile(path, maximumBytes));
    return parseProblem(text);
}

} // namespace kw
