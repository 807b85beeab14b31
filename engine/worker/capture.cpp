// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/capture.h"

#include "worker/torch_types.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace kw {
namespace {

constexpr double veryNegative = -1e4, ordinary = 1e4;

/// One pass over doubles: exact counts, mean and deviation by Welford-like sums around the first finite value.
void accumulate(const double* numbers, std::int64_t count, ValueStatistics& statistics)
{
    double shift = 0, sum = 0, squares = 0;
    for (std::int64_t index = 0; index < count; ++index) {
        const double x = numbers[index];
        statistics.zeros += x == 0;
        statistics.veryNegative += x <= veryNegative;
        if (!std::isfinite(x)) {
            ++statistics.nonFinite;
            continue;
        }
        if (statistics.finite == 0) {
            shift = x;
            statistics.minimum = statistics.maximum = x;
        }
        ++statistics.finite;
        statistics.minimum = std::min(statistics.minimum, x);
        statistics.maximum = std::max(statistics.maximum, x);
        if (std::fabs(x) < ordinary)
            statistics.largestOrdinary = std::max(statistics.largestOrdinary, std::fabs(x));
        sum += x - shift;
        squares += (x - shift) * (x - shift);
    }
    if (statistics.finite > 0) {
        const double mean = sum / static_cast<double>(statistics.finite);
        statistics.mean = shift + mean;
        statistics.deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(statistics.finite) - mean * mean));
    }
}

/// Notes types and statistics while the model runs.
class CaptureObserver final : public RunObserver {
public:
    explicit CaptureObserver(Capture& capture) : m_capture(capture) {}

    void runStarts(const std::vector<c10::IValue>& slots) override
    {
        for (const auto& input : m_capture.graph.inputs)
            note(input.value, slots);
    }
    void nodeDone(std::int32_t node, const std::vector<c10::IValue>& slots) override
    {
        for (const ValueId id : writtenValues(m_capture.graph.nodes[static_cast<std::size_t>(node)]))
            note(id, slots);
    }

private:
    void note(ValueId id, const std::vector<c10::IValue>& slots)
    {
        const auto& slot = slots[static_cast<std::size_t>(id)];
        if (!slot.isTensor() || !slot.toTensor().defined())
            return;
        m_capture.graph.values[static_cast<std::size_t>(id)].type = typeOf(slot.toTensor());
        m_capture.statistics[static_cast<std::size_t>(id)] = statisticsOf(id, slot.toTensor());
    }

    Capture& m_capture;
};

/// A copy with the same strides, gaps and repetitions included.
at::Tensor sameLayoutClone(const at::Tensor& tensor)
{
    if (tensor.layout() != c10::Layout::Strided || tensor.numel() == 0)
        return tensor.clone();
    at::Tensor copy = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
    std::int64_t last = 0;
    for (std::int64_t dim = 0; dim < tensor.dim(); ++dim)
        last += (tensor.size(dim) - 1) * tensor.stride(dim);
    std::memcpy(copy.mutable_data_ptr(), tensor.const_data_ptr(), static_cast<std::size_t>(last + 1) * tensor.element_size());
    return copy;
}

/// Copies chosen values right after they came to be.
class CopyObserver final : public RunObserver {
public:
    CopyObserver(const Graph& graph, const std::vector<ValueId>& wanted) : m_graph(graph)
    {
        for (const ValueId id : wanted)
            m_copies[id] = at::Tensor();
    }
    void runStarts(const std::vector<c10::IValue>& slots) override
    {
        for (const auto& input : m_graph.inputs)
            keep(input.value, slots);
    }
    void nodeDone(std::int32_t node, const std::vector<c10::IValue>& slots) override
    {
        for (const ValueId id : writtenValues(m_graph.nodes[static_cast<std::size_t>(node)]))
            keep(id, slots);
    }
    const at::Tensor& copy(ValueId id) const { return m_copies.at(id); }

private:
    void keep(ValueId id, const std::vector<c10::IValue>& slots)
    {
        const auto found = m_copies.find(id);
        const auto& slot = slots[static_cast<std::size_t>(id)];
        if (found != m_copies.end() && slot.isTensor() && slot.toTensor().defined())
            found->second = sameLayoutClone(slot.toTensor().detach());
    }

    const Graph& m_graph;
    std::map<ValueId, at::Tensor> m_copies;
};

} // namespace

ValueStatistics statisticsOf(ValueId value, const at::Tensor& tensor)
{
    ValueStatistics statistics;
    statistics.value = value;
    if (tensor.layout() != c10::Layout::Strided || tensor.is_complex() || tensor.numel() == 0)
        return statistics;
    // Millions of floating values tell their distribution by an even sample; integers bound indices and need all.
    constexpr std::int64_t most = std::int64_t{1} << 18;
    at::Tensor seen = tensor.detach();
    if (seen.is_floating_point() && seen.numel() > most)
        seen = seen.reshape({-1}).slice(0, 0, std::nullopt, seen.numel() / most + 1);
    const at::Tensor plain = seen.to(at::kDouble).contiguous();
    accumulate(plain.const_data_ptr<double>(), plain.numel(), statistics);
    return statistics;
}

Result<Capture> capture(Model& model, std::stop_token stop)
{
    Capture seen;
    seen.graph = model.executor->graph();
    seen.statistics.resize(seen.graph.values.size());
    CaptureObserver observer(seen);
    const at::NoGradGuard noGrad;
    KW_TRY(seen.outputs, model.executor->run(model.inputs.values, &observer, stop));
    return seen;
}

Result<std::vector<at::Tensor>> captureValues(Model& model, const std::vector<ValueId>& values, std::stop_token stop)
{
    const at::NoGradGuard noGrad;
    CopyObserver observer(model.executor->graph(), values);
    KW_TRY([[maybe_unused]] const auto outputs, model.executor->run(model.inputs.values, &observer, stop));
    std::vector<at::Tensor> tensors;
    for (const ValueId id : values) {
        if (!observer.copy(id).defined())
            return Error{Message("capture.no_tensor").with("value", std::int64_t{id}), {}};
        tensors.push_back(observer.copy(id));
    }
    return tensors;
}

} // namespace kw
