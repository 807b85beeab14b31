// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/reference.h"

#include "graph/decompose.h"
#include "worker/executor.h"
#include "worker/torch_types.h"
#include "worker/verify/inputs.h"
#include "worker/verify/rounding_noise.h"

#include <ATen/ATen.h>

#include <cstring>
#include <list>
#include <string>

namespace kw {
namespace {

constexpr std::size_t keptExecutors = 64;

at::Tensor wrapped(const HostTensor& tensor, Precision precision)
{
    // An empty vector has no address; LibTorch wants none for empty tensors either.
    auto* data = const_cast<std::byte*>(tensor.storage.data());
    const at::Tensor view = at::from_blob(data, tensor.type.shape, tensor.type.strides, toTorch(tensor.type.dtype));
    return precision == Precision::Double && isFloating(tensor.type.dtype) ? view.to(at::kDouble) : view;
}

Result<HostTensor> unwrapped(const TensorArgument& argument, const at::Tensor& tensor, const std::vector<std::int64_t>& shape,
    Precision precision)
{
    TensorType type;
    type.dtype = precision == Precision::Double && isFloating(argument.dtype) ? DType::Double : argument.dtype;
    type.shape = shape;
    type.strides = contiguousStrides(shape);
    if (!tensor.defined() || tensor.sizes().vec() != shape)
        return Error{Message("reference.failed").with("what", "output " + argument.name + " has another shape"), {}};
    HostTensor host(type);
    const at::Tensor plain = tensor.to(toTorch(type.dtype)).contiguous();
    if (!host.storage.empty())
        std::memcpy(host.storage.data(), plain.const_data_ptr(), host.storage.size());
    return host;
}

/// Runs problems through the worker's executor and keeps the most recent executors. Worker's thread.
class TorchReference final : public Reference {
public:
    Result<std::vector<HostTensor>> run(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, Precision precision) override
    {
        try {
            KW_TRY(Kept* const kept, keptFor(problem, dimensions, precision == Precision::Double ? Run::Double : Run::Library));
            return compute(problem, dimensions, inputs, precision, kept->executor);
        } catch (const std::exception& exception) {
            return Error{Message("reference.failed").with("what", shortText(exception)), {}};
        }
    }

    Result<std::vector<HostTensor>> runNoisy(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, std::uint64_t seed) override
    {
        try {
            KW_TRY(Kept* const kept, keptFor(problem, dimensions, Run::Noisy));
            kept->noise->start(seed);
            return compute(problem, dimensions, inputs, Precision::Double, kept->executor);
        } catch (const std::exception& exception) {
            return Error{Message("reference.failed").with("what", shortText(exception)), {}};
        }
    }

private:
    enum class Run : std::uint8_t { Library, Double, Noisy };

    struct Kept {
        std::string key;
        Executor executor;
        std::shared_ptr<RoundingNoise> noise;
    };

    static Result<Kept> prepare(const Problem& problem, const std::vector<std::int64_t>& dimensions, Run run, std::string key)
    {
        KW_TRY(Graph graph, referenceAt(problem, dimensions));
        ExecutorOptions options;
        options.fp64 = run != Run::Library;
        std::shared_ptr<RoundingNoise> noise;
        if (run == Run::Noisy) {
            KW_TRY(Decomposition primitives, decompose(graph));
            graph = std::move(primitives.graph);
            noise = std::make_shared<RoundingNoise>(graph);
            options.onResult = [noise](std::int32_t node, c10::IValue result) {
                return result.isTensor() ? c10::IValue(noise->disturbed(node, result.toTensor())) : result;
            };
        }
        KW_TRY(Executor executor, Executor::prepare(graph, {}, options));
        return Kept{std::move(key), std::move(executor), std::move(noise)};
    }

    Result<Kept*> keptFor(const Problem& problem, const std::vector<std::int64_t>& dimensions, Run run)
    {
        std::string key = problem.id + " " + std::to_string(static_cast<int>(run));
        for (const std::int64_t size : dimensions)
            key += " " + std::to_string(size);
        for (auto kept = m_kept.begin(); kept != m_kept.end(); ++kept)
            if (kept->key == key) {
                m_kept.splice(m_kept.begin(), m_kept, kept);
                return &m_kept.front();
            }
        KW_TRY(Kept fresh, prepare(problem, dimensions, run, std::move(key)));
        m_kept.push_front(std::move(fresh));
        if (m_kept.size() > keptExecutors)
            m_kept.pop_back();
        return &m_kept.front();
    }

    static Result<std::vector<HostTensor>> compute(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, Precision precision, Executor& executor)
    {
        std::vector<at::Tensor> tensors;
        for (const HostTensor& input : inputs)
            tensors.push_back(wrapped(input, precision));
        KW_TRY(const std::vector<at::Tensor> results, executor.runTensors(tensors));
        if (results.size() != problem.outputs.size())
            return Error{Message("reference.failed").with("what", "the number of outputs differs"), {}};
        std::vector<HostTensor> outputs;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto shape = concreteShape(problem.outputs[i].shape, dimensions);
            KW_TRY(HostTensor output, unwrapped(problem.outputs[i], results[i], shape, precision));
            outputs.push_back(std::move(output));
        }
        return outputs;
    }

    std::list<Kept> m_kept;
};

} // namespace

std::unique_ptr<Reference> makeTorchReference()
{
    return std::make_unique<TorchReference>();
}

} // namespace kw
