// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/case_store.h"

#include "base/random.h"
#include "base/steady_clock.h"
#include "worker/verify/condition.h"
#include "worker/verify/summed_terms.h"


namespace kw {
namespace {

std::string keyOf(const Problem& problem, const CaseSpec& spec)
{
    std::string key = problem.id + "/" + std::string(nameOf(spec.pattern)) + "/" + std::to_string(spec.seed) + "/" + std::to_string(spec.draws);
    for (const std::int64_t size : spec.dimensions)
        key += "/" + std::to_string(size);
    return key;
}

std::size_t bytesOf(const std::vector<HostTensor>& tensors)
{
    std::size_t bytes = 0;
    for (const HostTensor& tensor : tensors)
        bytes += tensor.storage.size();
    return bytes;
}

} // namespace

Result<std::shared_ptr<const CaseData>> CaseStore::compute(const Problem& problem, const std::vector<std::int64_t>& dimensions,
    std::vector<std::vector<HostTensor>> inputs, std::uint64_t seed)
{
    auto data = std::make_shared<CaseData>();
    data->scales.resize(problem.outputs.size());
    data->budget = budgetForTerms(problem.budget, summedTerms(problem, dimensions));
    for (std::vector<HostTensor>& tensors : inputs) {
        CaseDraw draw;
        draw.seed = derivedSeed(seed, "draw " + std::to_string(data->draws.size()));
        draw.inputs = std::move(tensors);
        const double begin = steadySeconds();
        KW_TRY(draw.expected.library, m_reference.run(problem, dimensions, draw.inputs, Precision::Library));
        data->librarySeconds = std::max(data->librarySeconds, steadySeconds() - begin);
        KW_TRY(draw.expected.precise, m_reference.run(problem, dimensions, draw.inputs, Precision::Double));
        for (std::size_t output = 0; output < data->scales.size(); ++output)
            data->scales[output] = widest(data->scales[output], wholeScale(draw.expected, output));
        // The precise outputs twice: a condition that is computed late is as large.
        data->bytes += bytesOf(draw.inputs) + bytesOf(draw.expected.library) + 2 * bytesOf(draw.expected.precise);
        data->draws.push_back(std::move(draw));
    }
    return std::shared_ptr<const CaseData>(std::move(data));
}

Result<std::shared_ptr<const CaseData>> CaseStore::get(const Problem& problem, const CaseSpec& spec)
{
    const std::string key = keyOf(problem, spec);
    if (const auto found = m_byKey.find(key); found != m_byKey.end()) {
        m_recent.splice(m_recent.begin(), m_recent, found->second);
        return found->second->data;
    }
    if (const auto refused = m_refused.find(key); refused != m_refused.end())
        return refused->second;
    std::vector<std::vector<HostTensor>> inputs;
    for (int draw = 0; draw < spec.draws; ++draw)
        inputs.push_back(makeInputs(problem, spec.dimensions, spec.pattern, derivedSeed(spec.seed, "inputs " + std::to_string(draw))));
    auto data = compute(problem, spec.dimensions, std::move(inputs), spec.seed);
    if (spec.tier != CaseTier::Development)
        return data;
    if (data)
        keep(Entry{problem.id, key, *data});
    else
        m_refused.emplace(key, data.error());
    return data;
}

const Condition* CaseStore::condition(const Problem& problem, const std::vector<std::int64_t>& dimensions, const CaseDraw& draw)
{
    if (!draw.condition)
        draw.condition = conditionOf(problem, dimensions, draw.inputs, draw.expected, m_reference, derivedSeed(draw.seed, "condition"));
    return draw.condition->empty() ? nullptr : &*draw.condition;
}

void CaseStore::keep(Entry entry)
{
    m_bytes += entry.data->bytes;
    m_recent.push_front(std::move(entry));
    m_byKey[m_recent.front().key] = m_recent.begin();
    while (m_bytes > m_limit && m_recent.size() > 1) {
        m_bytes -= m_recent.back().data->bytes;
        m_byKey.erase(m_recent.back().key);
        m_recent.pop_back();
    }
}

void CaseStore::forget(const std::string& problemId)
{
    for (auto entry = m_recent.begin(); entry != m_recent.end();) {
        if (entry->problem != problemId) {
            ++entry;
            continue;
        }
        m_bytes -= entry->data->bytes;
        m_byKey.erase(entry->key);
        entry = m_recent.erase(entry);
    }
    std::erase_if(m_refused, [&](const auto& refused) { return refused.first.rfind(problemId + "/", 0) == 0; });
}

} // namespace kw
