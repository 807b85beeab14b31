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

std::vector<std::int64_t> numbersOf(const Argument* argument)
{
    std::vector<std::int64_t> numbers;
    if (const auto* items = argument ? std::get_if<std::vector<IntItem>>(argument) : nullptr)
        for (const IntItem& item : *items)
            numbers.push_back(item.number);
    return numbers;
}

} // namespace

RoundingNoise::RoundingNoise(const Graph& primitives)
{
    const std::vector<std::int32_t> producer = producers(primitives);
    for (std::size_t index = 0; index < primitives.nodes.size(); ++index) {
        const Node& node = primitives.nodes[index];
        const bool mean = node.target == "aten::mean.dim";
        if (const auto read = readValues(node); !read.empty() && (mean || node.target == "aten::sum.dim_IntList")) {
            const Argument* const keep = findArgument(node, "keepdim");
            const TensorType* const type = typeOf(primitives, node);
            m_sums[static_cast<std::int32_t>(index)] = {producer[static_cast<std::size_t>(read.front())],
                numbersOf(findArgument(node, "dim")), keep && std::holds_alternative<bool>(*keep) && std::get<bool>(*keep), mean,
                type && isFloating(type->dtype) ? pointwiseUlps * ulpAt(1, type->dtype) : 0};
        }
    }
    for (const auto& [node, sum] : m_sums)
        if (sum.terms >= 0)
            m_terms[sum.terms];
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

void RoundingNoise::start(std::uint64_t seed)
{
    m_state = seed;
    m_quiet = seed == 0;
    for (auto& [node, terms] : m_terms)
        terms.reset();
}

at::Tensor RoundingNoise::disturbed(std::int32_t node, const at::Tensor& result)
{
    const at::Tensor tensor = m_quiet ? result : changed(node, result);
    if (const auto summed = m_terms.find(node); summed != m_terms.end())
        summed->second = tensor;
    return tensor;
}

at::Tensor RoundingNoise::changeOfTerms(const Sum& sum, const at::Tensor& terms, const at::Tensor& result)
{
    const at::Tensor moves = terms.to(at::kDouble) * noiseFor(terms) * sum.relative;
    at::Tensor change = sum.dims.empty() ? moves.sum() : moves.sum(sum.dims, sum.keep);
    if (sum.mean && result.numel() > 0)
        change = change * (static_cast<double>(result.numel()) / static_cast<double>(terms.numel()));
    return at::where(at::isfinite(change), change, at::zeros_like(change)).view(result.sizes());
}

at::Tensor RoundingNoise::changed(std::int32_t node, const at::Tensor& result)
{
    const double relative = m_relative[static_cast<std::size_t>(node)];
    if (relative == 0 || result.scalar_type() != at::kDouble || result.numel() == 0)
        return result;
    // Noise of infinity would be infinite, and every second time of the other sign.
    at::Tensor noisy = at::where(at::isfinite(result), at::addcmul(result, result, noiseFor(result), relative), result);
    if (const auto sum = m_sums.find(node); sum != m_sums.end() && sum->second.terms >= 0) {
        const at::Tensor& terms = m_terms[sum->second.terms];
        if (terms.defined() && terms.numel() > 0)
            noisy = noisy + changeOfTerms(sum->second, terms, noisy);
    }
    return noisy.to(m_types[static_cast<std::size_t>(node)]).to(at::kDouble);
}

} // namespace kw
