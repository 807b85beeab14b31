// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/measure/ring.h"

#include "base/random.h"
#include "worker/verify/candidate_process.h"
#include "worker/verify/case_runner.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numeric>

namespace kw {
namespace {

constexpr std::uint32_t mostMappings = 2048;
constexpr std::size_t mostPatches = 4;

/// Chooses one element of an unbounded or bounded floating input that is not a weight, else of any input, and its new value.
void choosePatch(const Problem& problem, const std::vector<HostTensor>& inputs, const std::vector<HostTensor>& fresh,
    std::mt19937_64& random, RingContent::Master& master)
{
    std::vector<std::size_t> usable;
    for (const bool weights : {false, true}) {
        for (std::size_t i = 0; i < inputs.size() && (!weights || usable.empty()); ++i)
            if (problem.inputs[i].sharedAcrossCalls == weights && !inputs[i].storage.empty() && isFloating(inputs[i].type.dtype))
                usable.push_back(i);
    }
    if (usable.empty())
        return;
    master.input = static_cast<std::uint32_t>(usable[random() % usable.size()]);
    const HostTensor& tensor = inputs[master.input];
    const auto offsets = elementOffsets(tensor.type);
    master.size = static_cast<std::uint32_t>(itemSize(tensor.type.dtype));
    master.offset = static_cast<std::uint64_t>(offsets[random() % offsets.size()]) * master.size;
    std::memcpy(&master.value, fresh[master.input].storage.data() + master.offset, master.size);
}

} // namespace

RingPlan planRing(double slotBytes, std::size_t buffers, CacheState wanted, double cacheBytes)
{
    RingPlan plan;
    plan.slotBytes = std::max(slotBytes, 1.0);
    const double most = std::max(1.0, std::floor(static_cast<double>(mostMappings) / static_cast<double>(std::max<std::size_t>(buffers, 1))));
    const double fitting = std::floor(cacheBytes / 2 / plan.slotBytes);
    plan.cache = wanted == CacheState::Warm && fitting >= 1 ? CacheState::Warm : CacheState::Cold;
    double slots = plan.cache == CacheState::Warm ? fitting : std::max(3.0, std::ceil(4 * cacheBytes / plan.slotBytes));
    if (slots > most && plan.cache == CacheState::Cold)
        plan.cache = CacheState::Warm; // so many small slots cannot be mapped: honest about what is measured
    slots = std::clamp(slots, 1.0, most);
    plan.slots = static_cast<std::uint32_t>(slots);
    return plan;
}

Result<RingContent> makeRingContent(const Problem& problem, const std::vector<std::int64_t>& dimensions, CaseStore& store,
    std::uint64_t seed)
{
    RingContent content;
    content.dimensions = dimensions;
    std::mt19937_64 random(derivedSeed(seed, "patches"));
    const std::int64_t elements = totalElements(problem, dimensions);
    const int masters = elements > 16 * caseElements ? 1 : elements > 4 * caseElements ? 2 : 4;
    for (int index = 0; index < masters; ++index) {
        const auto inputs = makeInputs(problem, dimensions, Pattern::Fresh, derivedSeed(seed, "master " + std::to_string(index)));
        const auto fresh = makeInputs(problem, dimensions, Pattern::Fresh, derivedSeed(seed, "patch " + std::to_string(index)));
        RingContent::Master master;
        choosePatch(problem, inputs, fresh, random, master);
        std::vector<std::vector<HostTensor>> versions{inputs};
        if (master.size > 0) {
            versions.push_back(inputs);
            std::memcpy(versions[1][master.input].storage.data() + master.offset, &master.value, master.size);
        }
        KW_TRY(master.data, store.compute(problem, dimensions, std::move(versions), derivedSeed(seed, "ring")));
        content.masters.push_back(std::move(master));
    }
    return content;
}

Ring::Ring(const Problem& problem, const RingContent& content, Arena& arena, RingPlan plan, std::uint64_t seed)
    : m_problem(problem), m_content(content), m_arena(arena), m_plan(plan), m_random(seed), m_slots(plan.slots)
{
}

void Ring::drawOrder(bool whole, std::size_t calls)
{
    m_order.resize(m_slots.size());
    std::iota(m_order.begin(), m_order.end(), 0u);
    std::shuffle(m_order.begin(), m_order.end(), m_random);
    ++m_batch;
    if (!whole && m_plan.cache == CacheState::Cold && calls < m_slots.size()) {
        // A stable sort keeps the slots of one batch in random order.
        std::stable_sort(m_order.begin(), m_order.end(),
            [this](std::uint32_t a, std::uint32_t b) { return m_slots[a].batch < m_slots[b].batch; });
        m_order.resize(std::max<std::size_t>(calls, 1));
    } else if (!whole && m_order.size() >= 4) {
        m_order.resize(m_order.size() - m_random() % (m_order.size() / 4));
    }
    for (const std::uint32_t slot : m_order)
        m_slots[slot].batch = m_batch;
}

void Ring::prepare(bool whole, std::size_t calls)
{
    drawOrder(whole, calls);
    m_poison = everyPoison[m_random() % std::size(everyPoison)];
    m_patches.clear();
    const std::size_t wanted = std::min(mostPatches, (m_order.size() + 1) / 2);
    for (std::size_t place = 0; place < m_order.size(); ++place) {
        const std::uint32_t number = m_order[place];
        Slot& slot = m_slots[number];
        // A cold ring's inputs stay where they are: rewriting all of them would only cost time.
        const bool rewrite = whole || !slot.filled || slot.patched || m_plan.cache == CacheState::Warm || m_random() % 8 == 0;
        if (rewrite) {
            slot.master = m_random() % m_content.masters.size();
            writeInputs(m_arena, number, m_content.masters[slot.master].data->draws[0].inputs);
            slot.filled = true;
            slot.patched = false;
        }
        m_arena.poison(number, m_poison);
    }
    if (whole)
        m_order.resize(std::clamp<std::size_t>(calls, 1, m_order.size())); // all are filled
    for (std::size_t i = 0; i < wanted; ++i) {
        const std::uint32_t number = m_order[m_random() % m_order.size()];
        const RingContent::Master& master = m_content.masters[m_slots[number].master];
        if (master.size == 0 || m_slots[number].patched || m_random() % 4 == 0)
            continue;
        m_patches.push_back(LatePatch{number, master.input, master.offset, master.size, master.value});
        m_slots[number].patched = true;
    }
}

std::string Ring::bufferName(std::size_t buffer) const
{
    const std::size_t inputs = m_problem.inputs.size();
    if (buffer < inputs)
        return m_problem.inputs[buffer].name;
    return buffer < inputs + m_problem.outputs.size() ? m_problem.outputs[buffer - inputs].name : "workspace";
}

std::optional<CaseResult> Ring::inspect(CaseStore& store)
{
    for (const std::uint32_t slot : m_order)
        for (std::uint32_t buffer = 0; buffer < m_arena.layout().buffers.size(); ++buffer)
            if (!m_arena.canaryIntact(slot, buffer)) {
                CaseResult result;
                failCase(result, FailureKind::GuardViolated, Message("verify.guard_violated").with("tensor", bufferName(buffer)));
                return result;
            }
    // The last call above all: its work might have been left for later.
    if (m_random() % 2 == 0)
        return inspectSlot(m_order.back(), store);
    const bool patched = !m_patches.empty() && m_random() % 2 == 0;
    const std::uint32_t slot = patched ? m_patches[m_random() % m_patches.size()].slot : m_order[m_random() % m_order.size()];
    return inspectSlot(slot, store);
}

std::optional<CaseResult> Ring::inspectSlot(std::uint32_t slot, CaseStore& store)
{
    const RingContent::Master& master = m_content.masters[m_slots[slot].master];
    const CaseDraw& draw = master.data->draws[m_slots[slot].patched ? 1 : 0];
    const auto inputs = static_cast<std::uint32_t>(m_problem.inputs.size());
    for (std::uint32_t output = 0; output < m_problem.outputs.size(); ++output) {
        ActualOutput actual;
        actual.name = m_problem.outputs[output].name;
        actual.type = concreteType(m_problem, m_problem.outputs[output], m_content.dimensions);
        actual.storage = std::as_const(m_arena).bytes(slot, inputs + output).data();
        if (!actual.type.elements())
            continue;
        if (m_arena.stillPoisoned(slot, inputs + output, m_poison)) {
            CaseResult result;
            failCase(result, FailureKind::NotWritten, Message("verify.timed_call_skipped").with("output", actual.name));
            return result;
        }
        const auto condition = [&] { return store.condition(m_problem, m_content.dimensions, draw); };
        OutputResult compared = compareOutput(actual, output, draw.expected, master.data->budget, &master.data->scales[output], condition);
        if (compared.passed)
            continue;
        CaseResult result;
        result.worst = compared.worst;
        failCase(result, compared.failure, std::move(compared.reason));
        return result;
    }
    return std::nullopt;
}

} // namespace kw
