// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/diff.h"
#include "loop/driver_private.h"
#include "loop/submission.h"

namespace kw {

namespace {
constexpr std::size_t longestComment = std::size_t{8} << 10;
}

const Problem* Driver::Private::problem(const std::string& id) const
{
    const auto found = problems.find(id);
    return found == problems.end() ? nullptr : &found->second;
}

ProblemTrack* Driver::Private::track(const std::string& id)
{
    for (ProblemTrack& track : machine.problems) {
        if (track.id == id)
            return &track;
    }
    return nullptr;
}

/// Adds what the machine has to know of a command, and keeps texts that would be too large for it.
Result<Event> Driver::Private::prepare(const Command& command)
{
    switch (command.kind) {
    case CommandKind::Evaluate:
        return preparePersonal(command, command.text, machine.problems.empty() ? std::string() : searchBase(machine, command.problem));
    case CommandKind::AcceptHunks: return prepareHunks(command);
    case CommandKind::RollBack: return prepareRollBack(command);
    default:
        if (command.text.size() > longestComment)
            return error("command.text_too_long");
        return Event(event::CommandGiven{command, {}, 1});
    }
}

Result<Event> Driver::Private::preparePersonal(const Command& command, const std::string& source, const std::string& parent)
{
    Candidate text;
    text.problem = command.problem;
    text.source = source;
    text.author = command.author;
    text.hypothesis = Message("loop.hypothesis.person");
    if (!parent.empty())
        text.parent = parent;
    KW_TRY(Candidate candidate, checkedCandidate(std::move(text), problems, *parts.journal));
    if (personal.contains(candidate.id))
        return error("command.already_waiting");
    const std::string id = candidate.id;
    personal.emplace(id, std::move(candidate));
    return Event(event::CommandGiven{command, id, 1});
}

Result<Event> Driver::Private::prepareHunks(const Command& command)
{
    for (const ApprovalRequest& request : machine.approvals) {
        if (request.experiment != command.experiment)
            continue;
        std::string before;
        if (!request.against.empty()) {
            KW_TRY(const Candidate against, parts.journal->candidate(request.against));
            before = against.source;
        }
        KW_TRY(const Candidate waiting, parts.journal->candidate(request.candidate));
        KW_TRY(const std::string text, acceptHunks(before, waiting.source, command.hunks));
        if (text == waiting.source)
            return error("command.all_hunks_chosen");
        if (text == before)
            return error("command.no_hunks_chosen");
        Command completed = command;
        completed.problem = request.problem;
        return preparePersonal(completed, text, request.candidate);
    }
    return error("command.nothing_to_approve");
}

Result<Event> Driver::Private::prepareRollBack(const Command& command)
{
    if (command.text.size() > longestComment)
        return error("command.text_too_long");
    if (command.experiment == 0)
        return Event(event::CommandGiven{command, {}, 1});
    KW_TRY(const Experiment experiment, parts.journal->experiment(command.experiment));
    const bool wasBest = experiment.decision == Decision::Kept || experiment.decision == Decision::RolledBack;
    if (!wasBest || !experiment.verdict.passed)
        return Error{Message("command.never_best").with("number", command.experiment), {}};
    Command completed = command;
    completed.problem = experiment.problem;
    return Event(event::CommandGiven{completed, experiment.candidate.id, experiment.total ? experiment.total->ratio : 1});
}

Approval Driver::Private::approvalFor(const action::Decide& decide) const
{
    Approval approval;
    approval.approver = answering.author.name.empty() ? "person" : answering.author.name;
    approval.kind = answering.author.kind;
    approval.approved = decide.decision == Decision::Kept;
    approval.comment = answering.text;
    approval.binding = decide.request.binding;
    approval.time = secondsNow();
    return approval;
}

} // namespace kw
