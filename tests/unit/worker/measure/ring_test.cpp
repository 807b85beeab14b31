// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/measure/ring.h"

#include "../verify/native_reference.h"

#include "support/kernel_problems.h"
#include "worker/verify/candidate_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace kw {
namespace {

constexpr double cache = 32.0 * 1048576;

TEST(RingPlan, WarmFitsHalfTheCacheAndColdIsFourTimesIt)
{
    const RingPlan warm = planRing(1e6, 3, CacheState::Warm, cache);
    EXPECT_EQ(warm.cache, CacheState::Warm);
    EXPECT_LE(warm.slots * 1e6, cache / 2);
    EXPECT_GT((warm.slots + 1) * 1e6, cache / 2);
    const RingPlan cold = planRing(1e6, 3, CacheState::Cold, cache);
    EXPECT_EQ(cold.cache, CacheState::Cold);
    EXPECT_GE(cold.slots * 1e6, 4 * cache);
}

TEST(RingPlan, SaysWhatIsReallyMeasured)
{
    // 50 MB cannot be warm in 32 MB; 100 bytes cannot be cold without millions of mappings.
    EXPECT_EQ(planRing(50e6, 2, CacheState::Warm, cache).cache, CacheState::Cold);
    const RingPlan tiny = planRing(100, 2, CacheState::Cold, cache);
    EXPECT_EQ(tiny.cache, CacheState::Warm);
    EXPECT_LE(tiny.slots * 2, 2048u);
    EXPECT_GE(planRing(1e12, 2, CacheState::Cold, cache).slots, 3u);
}

/// A ring over an arena that the test writes into, as a candidate would.
class RingTest : public testing::Test {
protected:
    RingTest()
    {
        m_content = makeRingContent(m_problem, {8, 16}, m_store, 5).value();
        m_arena.emplace(Arena::create(arenaLayout(m_problem, nullptr, {8, 16}, Placement::Aligned, 6).value()).value());
        m_ring.emplace(m_problem, m_content, *m_arena, RingPlan{6, CacheState::Warm, 1024}, 3);
    }

    /// What an honest candidate would leave, patches included.
    void computeAll()
    {
        for (const LatePatch& patch : m_ring->patches())
            std::memcpy(m_arena->bytes(patch.slot, patch.buffer).data() + patch.offset, &patch.value, patch.size);
        for (const std::uint32_t slot : m_ring->order())
            compute(slot);
    }
    void compute(std::uint32_t slot)
    {
        HostTensor input(concreteType(m_problem, m_problem.inputs[0], {8, 16}));
        const auto bytes = m_arena->bytes(slot, 0);
        std::copy(bytes.begin(), bytes.end(), input.storage.begin());
        const auto output = m_reference.run(m_problem, {8, 16}, {input}, Precision::Library).value();
        std::copy(output[0].storage.begin(), output[0].storage.end(), m_arena->bytes(slot, 1).begin());
    }

    Problem m_problem = test::softmaxProblem(8, 16);
    test::NativeReference m_reference;
    CaseStore m_store{m_reference, 0};
    RingContent m_content;
    std::optional<Arena> m_arena;
    std::optional<Ring> m_ring;
};

TEST_F(RingTest, HonestCallsPassBatchAfterBatch)
{
    m_ring->prepare(true, 1000);
    EXPECT_EQ(m_ring->order().size(), 6u);
    for (int batch = 0; batch < 50; ++batch) {
        computeAll();
        EXPECT_FALSE(m_ring->inspect(m_store).has_value());
        m_ring->prepare(false, 1000);
        EXPECT_LE(m_ring->order().size(), 6u);
        EXPECT_EQ(std::set<std::uint32_t>(m_ring->order().begin(), m_ring->order().end()).size(), m_ring->order().size());
    }
}

TEST_F(RingTest, SkippedCallsAreFound)
{
    int found = 0;
    m_ring->prepare(true, 1000);
    for (int batch = 0; batch < 20; ++batch) {
        found += m_ring->inspect(m_store).has_value(); // nothing was computed
        m_ring->prepare(false, 1000);
    }
    EXPECT_EQ(found, 20);
}

TEST_F(RingTest, AnswersComputedBeforeThePatchAreFound)
{
    int found = 0, patched = 0;
    for (int batch = 0; batch < 60; ++batch) {
        m_ring->prepare(batch == 0, 1000);
        for (const std::uint32_t slot : m_ring->order())
            compute(slot); // ahead of the clock: without the late bytes
        for (const LatePatch& patch : m_ring->patches())
            std::memcpy(m_arena->bytes(patch.slot, patch.buffer).data() + patch.offset, &patch.value, patch.size);
        patched += !m_ring->patches().empty();
        found += m_ring->inspect(m_store).has_value();
    }
    EXPECT_GT(patched, 50);
    EXPECT_GT(found, 15); // even odds per batch to look at a patched call
}

TEST_F(RingTest, ContentOrderAndPoisonAreRedrawn)
{
    std::set<std::vector<std::uint32_t>> orders;
    m_ring->prepare(true, 1000);
    for (int batch = 0; batch < 10; ++batch) {
        orders.insert(m_ring->order());
        m_ring->prepare(false, 1000);
    }
    EXPECT_GT(orders.size(), 7u);
}

} // namespace
} // namespace kw
