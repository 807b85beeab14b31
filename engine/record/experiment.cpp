// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/experiment.h"

#include "base/hash.h"
#include "record/word_tables.h"

namespace kw {

std::string approvalBinding(const Candidate& candidate, const Verdict& verdict)
{
    // The claimed domain is part of the source; the verdict holds the artifact's hash and every case.
    const std::string judged = dump(Json(verdict));
    return sha256(std::vector<std::string_view>{
        "kernelwright approval 1", candidate.problem, candidate.backend, candidate.flags, candidate.source, judged});
}

void to_json(Json& json, const Approval& approval)
{
    json = Json{{"approver", approval.approver}, {"kind", nameOf(approval.kind)}, {"approved", approval.approved},
        {"comment", approval.comment}, {"binding", approval.binding}, {"time", words::number(approval.time)}};
}

void from_json(const Json& json, Approval& approval)
{
    approval.approver = json.at("approver").get<std::string>();
    approval.kind = words::read<AuthorKind>(json.at("kind"), words::author);
    approval.approved = json.at("approved").get<bool>();
    approval.comment = json.at("comment").get<std::string>();
    approval.binding = json.at("binding").get<std::string>();
    approval.time = words::number(json.at("time"));
}

void to_json(Json& json, const Experiment& experiment)
{
    json = Json{{"number", experiment.number}, {"problem", experiment.problem}, {"candidate", experiment.candidate},
        {"verdict", experiment.verdict}, {"decision", nameOf(experiment.decision)}, {"best", experiment.best},
        {"commit", experiment.commit}, {"start_time", words::number(experiment.startTime)},
        {"seconds", words::number(experiment.seconds)}, {"build_seconds", words::number(experiment.buildSeconds)},
        {"verify_seconds", words::number(experiment.verifySeconds)},
        {"measure_seconds", words::number(experiment.measureSeconds)}};
    if (!experiment.note.empty())
        json["note"] = experiment.note;
    writeOptional(json, "screening", experiment.screening);
    writeOptional(json, "measurement", experiment.measurement);
    writeOptional(json, "confirmation", experiment.confirmation);
    writeOptional(json, "total", experiment.total);
    writeOptional(json, "approval", experiment.approval);
}

void from_json(const Json& json, Experiment& experiment)
{
    experiment.number = words::integer<std::int64_t>(json.at("number"));
    experiment.problem = json.at("problem").get<std::string>();
    experiment.candidate = json.at("candidate").get<Candidate>();
    experiment.verdict = json.at("verdict").get<Verdict>();
    experiment.decision = words::read<Decision>(json.at("decision"), words::decision);
    experiment.best = json.at("best").get<std::string>();
    experiment.commit = json.at("commit").get<std::string>();
    experiment.startTime = words::number(json.at("start_time"));
    experiment.seconds = words::number(json.at("seconds"));
    experiment.buildSeconds = words::number(json.at("build_seconds"));
    experiment.verifySeconds = words::number(json.at("verify_seconds"));
    experiment.measureSeconds = words::number(json.at("measure_seconds"));
    experiment.note = json.contains("note") ? json.at("note").get<Message>() : Message();
    readOptional(json, "screening", experiment.screening);
    readOptional(json, "measurement", experiment.measurement);
    readOptional(json, "confirmation", experiment.confirmation);
    readOptional(json, "total", experiment.total);
    readOptional(json, "approval", experiment.approval);
}

} // namespace kw
