// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/agent_memory.h"

#include "record/agent_view.h"

namespace kw {

Experiment forAgent(Experiment experiment)
{
    experiment.verdict = agentView(experiment.verdict);
    for (std::optional<Measurement>* measurement :
        {&experiment.screening, &experiment.measurement, &experiment.confirmation, &experiment.total}) {
        if (*measurement)
            (*measurement)->pairs.clear();
    }
    return experiment;
}

Result<const AgentState*> AgentMemory::state(const Problem& problem, const Calibration& calibration, const std::string& best)
{
    if (!m_journal) {
        KW_TRY(m_journal, Journal::open(m_file, Journal::Mode::ReadOnly));
    }
    auto& [state, last] = m_states[problem.id];
    state.problem = &problem;
    state.calibration = calibration;
    state.best = best.empty() ? std::nullopt : std::optional<std::string>(best);
    state.seed = m_seed;
    KW_CHECK(update(state, last));
    return const_cast<const AgentState*>(&state);
}

Result<void> AgentMemory::update(AgentState& state, std::int64_t& last)
{
    KW_TRY(const auto numbers, m_journal->numbersOf(state.problem->id, last));
    for (const std::int64_t number : numbers) {
        KW_TRY(Experiment experiment, m_journal->experiment(number));
        state.experiments.push_back(forAgent(std::move(experiment)));
        last = number;
    }
    // A win that waited may have been answered since.
    for (Experiment& experiment : state.experiments) {
        if (experiment.decision == Decision::Pending || experiment.decision == Decision::Kept) {
            KW_TRY(experiment.decision, m_journal->decision(experiment.number));
        }
    }
    return {};
}

} // namespace kw
