// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/verify/cases.h"
#include "worker/verify/compare_outputs.h"
#include "worker/verify/reference.h"

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kw {

/// Inputs of one draw and what is expected of them.
struct CaseDraw {
    std::vector<HostTensor> inputs;
    Expected expected;
    std::uint64_t seed = 0;
    mutable std::optional<Condition> condition; ///< of the reference at these inputs: CaseStore::condition()
};

/// A computed case. Immutable, but for the draws' condition.
struct CaseData {
    std::vector<CaseDraw> draws;
    std::vector<ErrorScale> scales;       ///< per output, over all draws
    ErrorBudget budget;                   ///< the problem's, for sums as long as they are at these sizes
    double librarySeconds = 0;            ///< of one library run, rough: for timeouts
    std::size_t bytes = 0;
};

/// Computes cases and keeps those of the development tier, least recently used first out. One thread.
class CaseStore {
public:
    CaseStore(Reference& reference, std::size_t limitBytes) : m_reference(reference), m_limit(limitBytes) {}

    /// Errors: the reference's, for sizes or values that its operators refuse.
    Result<std::shared_ptr<const CaseData>> get(const Problem& problem, const CaseSpec& spec);
    /// Expected outputs of given inputs; not kept.
    Result<std::shared_ptr<const CaseData>> compute(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        std::vector<std::vector<HostTensor>> inputs, std::uint64_t seed);
    /// Computed at the first call and kept with the draw, since it is dear; nullptr when there is none.
    const Condition* condition(const Problem& problem, const std::vector<std::int64_t>& dimensions, const CaseDraw& draw);
    void forget(const std::string& problemId);

private:
    struct Entry {
        std::string problem, key;
        std::shared_ptr<const CaseData> data;
    };
    void keep(Entry entry);

    Reference& m_reference;
    std::size_t m_limit, m_bytes = 0;
    std::list<Entry> m_recent;            ///< most recently used first
    std::map<std::string, std::list<Entry>::iterator> m_byKey;
    std::map<std::string, Error> m_refused; ///< development cases that the reference refused
};

} // namespace kw
