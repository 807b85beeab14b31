// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/runner_client.h"
#include "record/measurement.h"
#include "worker/verify/case_store.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace kw {

/// How many slots a batch passes over, and what that means for the caches.
struct RingPlan {
    std::uint32_t slots = 1;
    CacheState cache = CacheState::Warm;
    double slotBytes = 0;                 ///< inputs and outputs of one slot
};
/// Cold: at least four times the last-level cache lies between two calls of a slot, whose outputs were just poisoned.
/// Warm: the ring fits half the cache; a slot larger than that cannot be warm and is measured cold.
/// `buffers` bounds the number of mappings.
RingPlan planRing(double slotBytes, std::size_t buffers, CacheState wanted, double cacheBytes);

/// Contents that timed calls work on, with what is expected of them. Each has a second version that differs in one element:
/// which of the two a call gets is decided while the clock runs, so nothing can be computed ahead or remembered.
/// Drawn from a secret seed and kept for a problem: candidates are gone before the next measurement, and no agent sees it.
struct RingContent {
    struct Master {
        std::shared_ptr<const CaseData> data;     ///< draw 0: as written; draw 1: patched
        std::uint32_t input = 0;                  ///< of the patch
        std::uint64_t offset = 0;                 ///< in bytes
        std::uint32_t size = 0;                   ///< 0: nothing can be patched
        std::uint64_t value = 0;
    };
    std::vector<std::int64_t> dimensions;
    std::vector<Master> masters;
};
/// Errors: the reference's.
Result<RingContent> makeRingContent(const Problem& problem, const std::vector<std::int64_t>& dimensions, CaseStore& store,
    std::uint64_t seed);

/// What one side's ring holds for the next batch. One thread.
class Ring {
public:
    Ring(const Problem& problem, const RingContent& content, Arena& arena, RingPlan plan, std::uint64_t seed);

    /// Draws order, contents, patches and poison and writes inputs and poison in the order of the calls. `whole`: every slot
    /// is written afresh and at most `calls` are called (the first batch). Otherwise some `calls` of a cold ring's slots are, none of those
    /// that were called last, so that as much memory lies between two calls of a slot as in a pass over all.
    void prepare(bool whole, std::size_t calls);
    const std::vector<std::uint32_t>& order() const { return m_order; }
    const std::vector<LatePatch>& patches() const { return m_patches; }

    /// Compares a random call of the last batch with what was expected, a patched one with even odds, and looks at the
    /// guards of all. The failing case, or nothing.
    std::optional<CaseResult> inspect(CaseStore& store);

private:
    struct Slot {
        std::size_t master = 0;
        std::uint64_t batch = 0;              ///< that called it last
        bool patched = false, filled = false;
    };
    void drawOrder(bool whole, std::size_t calls);
    std::string bufferName(std::size_t buffer) const;
    std::optional<CaseResult> inspectSlot(std::uint32_t slot, CaseStore& store);

    const Problem& m_problem;
    const RingContent& m_content;
    Arena& m_arena;
    RingPlan m_plan;
    std::mt19937_64 m_random;
    std::vector<Slot> m_slots;
    std::uint64_t m_batch = 0;
    std::vector<std::uint32_t> m_order;
    std::vector<LatePatch> m_patches;
    Poison m_poison = Poison::AllOnes;
};

} // namespace kw
