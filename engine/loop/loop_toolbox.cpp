// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/loop_toolbox.h"

#include "loop/submission.h"
#include "record/agent_view.h"
#include "record/names.h"
#include "record/timing_failure.h"

#include <algorithm>

namespace kw {

namespace {

/// Timed calls are acceptance cases: their inputs are hidden, and a kernel can put them into what it gets wrong.
Error forAgent(const Error& error)
{
    const auto timing = timingFailure(error);
    if (!timing)
        return error;
    return Error{Message("verify.acceptance_failed").with("stage", std::string(nameOf(Stage::Timing)))
        .with("failure", std::string(nameOf(timing->failure))), {}};
}

} // namespace

LoopToolbox::LoopToolbox(Parts parts, Task task, std::stop_token stop)
    : m_parts(parts), m_task(std::move(task)), m_stop(std::move(stop))
{
}

template <typename Value> Result<Value> LoopToolbox::noted(Result<Value> result)
{
    if (!result && !m_trouble)
        m_trouble = result.error();
    return result;
}

const Standing* LoopToolbox::standing(const std::string& problem) const
{
    const auto found = std::find_if(m_task.open.begin(), m_task.open.end(), [&](const Standing& each) { return each.problem == problem; });
    return found == m_task.open.end() ? nullptr : &*found;
}

std::vector<std::string> LoopToolbox::problems() const
{
    std::vector<std::string> ids;
    for (const Standing& each : m_task.open)
        ids.push_back(each.problem);
    return ids;
}

Result<const Problem*> LoopToolbox::problem(const std::string& id) const
{
    const auto found = m_parts.problems.find(id);
    if (found == m_parts.problems.end())
        return Error{Message("toolbox.no_problem").with("problem", id), {}};
    return &found->second;
}

Result<Candidate> LoopToolbox::candidate(const std::string& id)
{
    return m_parts.memory.candidate(id);
}

std::optional<std::string> LoopToolbox::best(const std::string& problem) const
{
    const Standing* found = standing(problem);
    return found && !found->best.empty() ? std::optional<std::string>(found->best) : std::nullopt;
}

Result<std::span<const Experiment>> LoopToolbox::history(const std::string& problem)
{
    KW_CHECK(this->problem(problem));
    KW_TRY(const std::vector<Experiment>* const experiments, noted(m_parts.memory.history(problem)));
    return std::span<const Experiment>(*experiments);
}

std::vector<std::string> LoopToolbox::waiting(const std::string& problem) const
{
    const Standing* found = standing(problem);
    auto ids = found ? found->waiting : std::vector<std::string>{};
    if (m_submitted && m_submitted->problem == problem)
        ids.push_back(m_submitted->id);
    return ids;
}

/// The problem of a candidate whose text may be built.
Result<const Problem*> LoopToolbox::subjectOf(const Candidate& candidate) const
{
    if (m_stop.stop_requested())
        return error("judge.stopped");
    if (candidate.id != candidateId(candidate))
        return error("toolbox.other_id");
    return problem(candidate.problem);
}

Result<BuildReport> LoopToolbox::compile(const Candidate& candidate)
{
    KW_TRY(const Problem* const subject, subjectOf(candidate));
    return m_parts.evaluator.tryBuild(*subject, candidate, m_stop);
}

Result<Verdict> LoopToolbox::verify(const Candidate& candidate)
{
    KW_TRY(const Problem* const subject, subjectOf(candidate));
    KW_TRY(const Verdict verdict, m_parts.evaluator.tryOut(*subject, candidate, m_stop));
    if (verdict.passed)
        m_verified.insert(candidate.id);
    return agentView(verdict);
}

Result<Measurement> LoopToolbox::measure(const Candidate& candidate)
{
    KW_TRY(const Problem* const subject, subjectOf(candidate));
    if (!m_verified.contains(candidate.id))
        return Error{Message("toolbox.not_verified").with("candidate", candidate.id), {}};
    auto measured = m_parts.evaluator.tryTime(*subject, candidate, best(candidate.problem).value_or(""), m_task.secondsLeft, m_stop);
    return measured ? Result<Measurement>(forAgent(*std::move(measured))) : Result<Measurement>(forAgent(measured.error()));
}

Result<void> LoopToolbox::submit(Candidate candidate)
{
    if (m_submitted)
        return error("toolbox.one_at_a_time");
    if (candidate.problem != m_task.problem)
        return Error{Message("toolbox.other_problem").with("problem", m_task.problem), {}};
    KW_TRY(Journal* const journal, noted(m_parts.memory.journal()));
    candidate.author = m_task.author;
    KW_TRY(Candidate checked, checkedCandidate(std::move(candidate), m_parts.problems, *journal));
    const auto queue = waiting(checked.problem);
    if (std::find(queue.begin(), queue.end(), checked.id) != queue.end())
        return error("command.already_waiting");
    m_submitted = std::move(checked);
    return {};
}

} // namespace kw
