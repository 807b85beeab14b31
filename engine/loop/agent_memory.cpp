// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/agent_memory.h"

#include "record/agent_view.h"

namespace kw {

Measurement forAgent(Measurement measurement)
{
    measurement.pairs.clear();
    return measurement;
}

Experiment forAgent(Experiment experiment)
{
    experiment.verdict = agentView(experiment.verdict);
    // A kernel can tell what it sees by how long it takes.
    experiment.seconds = experiment.verifySeconds = experiment.measureSeconds = 0;
    for (std::optional<Measurement>* measurement :
        {&experiment.screening, &experiment.measurement, &experiment.confirmation, &experiment.total}) {
        if (*measurement)
            *measurement = forAgent(**std::move(measurement));
    }
    return experiment;
}

Result<Journal*> AgentMemory::journal()
{
    if (!m_journal) {
        KW_TRY(m_journal, Journal::open(m_file, Journal::Mode::ReadOnly));
    }
    return &*m_journal;
}

Result<Candidate> AgentMemory::candidate(const std::string& id)
{
    KW_TRY(Journal* const journal, this->journal());
    return journal->candidate(id);
}

Result<const std::vector<Experiment>*> AgentMemory::history(const std::string& problem)
{
    KW_TRY(Journal* const journal, this->journal());
    auto& [experiments, last] = m_problems[problem];
    KW_TRY(const auto numbers, journal->numbersOf(problem, last));
    for (const std::int64_t number : numbers) {
        KW_TRY(Experiment experiment, journal->experiment(number));
        experiments.push_back(forAgent(std::move(experiment)));
        last = number;
    }
    // A win that waited may have been answered since.
    for (Experiment& experiment : experiments) {
        if (experiment.decision == Decision::Pending || experiment.decision == Decision::Kept) {
            KW_TRY(experiment.decision, journal->decision(experiment.number));
        }
    }
    return const_cast<const std::vector<Experiment>*>(&experiments);
}

} // namespace kw
