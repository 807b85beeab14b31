// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/rounding_noise.h"

#include "graph/operators.h"
#include "measure/budget.h"
#include "worker/torch_types.h"
#include "worker/verify/summed_terms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string_view>

namespace kw {
namespace {

constexpr double pointwiseUlps = 4;
constexpr std::int64_t spare = (std::int64_t{1} << 16) + 1; ///< places where a piece of the pool may start

bool exact(std::string_view target)
{
    constexpr std::array targets{"aten::neg", "aten::abs", "aten::sgn", "aten::maximum", "aten::minimum", "aten::where.self",
        "aten::floor", "aten::ceil", "aten::round", "aten::trunc", "aten::amax", "aten::amin"};
    return std::find(targets.begin(), targets.end(), target) != targets.end();
}

const TensorType* typeOf(const Graph& graph, const Node& node)
{
    const auto written = writtenValues(node);
    const Value* const value = written.size() == 1 ? &graph.values[static_cast<std::size_t>(written.front())] : nullptr;
    return value && value->type ? &*value->type : nullptr;
}

double relativeNoise(const Graph& graph, const Node& node)
{
    const TensorType* const type = typeOf(graph, node);
    if (!type || !isFloating(type->dtype) || exact(node.target))
        return 0;
    const OperatorKind kind = operatorKind(graph, node);
    if (kind != OperatorKind::Pointwise && kind != OperatorKind::Reduction && kind != OperatorKind::Window)
        return 0;
    return std::max(pointwiseUlps, std::sqrt(termsOf(graph, node))) * ulpAt(1, type->dtype);
}

} // namespace

RoundingNoise::RoundingNoise(const Graph& primitives)
{
    for (const Node& node : primitives.nodes) {
        m_relative.push_back(relativeNoise(primitives, node));
        m_types.push_back(m_relative.back() > 0 ? toTorch(typeOf(primitives, node)->dtype) : at::kDouble);
    }
}

at::Tensor RoundingNoise::noiseFor(const at::Tensor& result)
{
    const std::int64_t count = result.numel();
    if (m_pool.empty() || m_pool.front().numel() < count + spare) {
        at::Tensor pool = at::empty({count + spare}, at::kDouble);
        std::mt19937_64 random(m_state);
        double* data = pool.mutable_data_ptr<double>();
        for (std::int64_t i = 0; i < pool.numel(); ++i)
            data[i] = std::ldexp(static_cast<double>(random() >> 11), -52) - 1;
        m_pool = {std::move(pool)};
    }
    std::seed_seq seeds{m_state, m_state >> 32};
    std::mt19937_64 random(seeds);
    m_state = random();
    const auto start = static_cast<std::int64_t>(m_state % static_cast<std::uint64_t>(m_pool.front().numel() - count));
    return m_pool.front().narrow(0, start, count).view(result.sizes());
}

at::Tensor RoundingNoise::disturbed(std::int32_t node, const at::Tensor& result)
{
    const double relative = m_relative[static_cast<std::size_t>(node)];
    if (m_quiet || relative == 0 || result.scalar_type() != at::kDouble || result.numel() == 0)
        return result;
    // Noise of infinity would be infinite, and every second time of the other sign.
    const at::Tensor noisy = at::where(at::isfinite(result), at::addcmul(result, result, noiseFor(result), relative), result);
    return noisy.to(m_types[static_cast<std::size_t>(node)]).to(at::kDouble);
}

} // namespace kw
