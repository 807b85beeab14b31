// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_io.h"
#include "loop/driver_private.h"

#include <algorithm>

namespace kw {

namespace {

template <typename Value> Result<std::optional<Value>> documentAs(Journal& journal, const std::string& name)
{
    KW_TRY(const std::optional<std::string> json, journal.document(name));
    if (!json)
        return std::optional<Value>{};
    KW_TRY(Value value, parseAs<Value>(*json));
    return std::optional<Value>(std::move(value));
}

bool everWon(Decision decision)
{
    return decision != Decision::Rejected && decision != Decision::NotFaster && decision != Decision::ScreenedOut && !isOpen(decision);
}

} // namespace

Result<void> Driver::Private::resume()
{
    machine.supervision = Supervision::Improvements;
    KW_TRY(rows, parts.journal->rows());
    KW_CHECK(restoreProblems());
    KW_CHECK(restoreSettings());
    restoreLearning();
    KW_CHECK(restoreBests());
    return restoreApprovals();
}

Result<void> Driver::Private::restoreProblems()
{
    KW_TRY(auto stored, documentAs<ProfileReport>(*parts.journal, "report"));
    KW_TRY(auto profile, documentAs<Profile>(*parts.journal, "profile"));
    KW_TRY(applied, documentAs<AppliedSummary>(*parts.journal, "applied"));
    if (!stored || !profile)
        return {};
    KW_TRY(const std::vector<Problem> known, parts.journal->problems());
    adoptPartition(known, *stored, profile->calibration);
    machine.profiled = true;
    machine.problems = tracksOf();
    machine.modelSeconds = report->seconds;
    return {};
}

void Driver::Private::adoptPartition(const std::vector<Problem>& found, const ProfileReport& said, const Calibration& measured)
{
    calibration = measured;
    problems.clear();
    problemOrder.clear();
    for (const Problem& problem : found) {
        problemOrder.push_back(problem.id);
        problems.insert_or_assign(problem.id, problem);
    }
    report = std::make_shared<const ProfileReport>(said);
    evaluator.setCache(calibration.lastLevelCacheBytes);
}

std::vector<ProblemTrack> Driver::Private::tracksOf() const
{
    std::vector<ProblemTrack> tracks;
    for (const std::string& id : problemOrder) {
        const Problem& problem = problems.at(id);
        const auto calls = static_cast<double>(problem.calls());
        ProblemTrack track;
        track.id = id;
        track.seconds = problem.seconds * calls;
        track.floorSeconds = problem.floorSeconds * calls;
        track.predictedSeconds = problem.predictedSeconds * calls;
        tracks.push_back(std::move(track));
    }
    return tracks;
}

Result<void> Driver::Private::restoreSettings()
{
    KW_TRY(const auto settings, documentAs<Json>(*parts.journal, "settings"));
    KW_TRY(const auto spent, documentAs<std::int64_t>(*parts.journal, "confirmations"));
    confirmations = spent.value_or(0);
    // The settings are older than the newest experiments when the process was killed.
    for (const ExperimentRow& row : rows)
        machine.usedSeconds += row.seconds;
    if (!settings || !settings->is_object())
        return {};
    try {
        Command shaped; // the words of supervision are those of a command
        from_json(settings->at("supervision"), shaped);
        machine.supervision = shaped.supervision;
        machine.budgetSeconds = settings->at("budget").get<double>();
        machine.usedSeconds = std::max(machine.usedSeconds, settings->at("used").get<double>());
        for (ProblemTrack& track : machine.problems) {
            const auto has = [&](const char* list) {
                const auto ids = settings->at(list).get<std::vector<std::string>>();
                return std::find(ids.begin(), ids.end(), track.id) != ids.end();
            };
            track.pinned = has("pinned");
            track.skipped = has("skipped");
        }
    } catch (const std::exception& wrong) {
        return Error{Message("journal.damaged").with("what", std::string(wrong.what())), {}};
    }
    return {};
}

/// What earlier experiments taught the scheduler.
void Driver::Private::restoreLearning()
{
    std::map<std::string, int> attempts;
    for (const ExperimentRow& row : rows) {
        ProblemTrack* found = track(row.problem);
        if (!found)
            continue;
        const int made = isOpen(row.decision) ? ++attempts[row.candidate] : 0;
        std::erase_if(machine.retries, [&](const Retry& retry) { return retry.id == row.candidate; });
        if (made == 0 || made >= options.rules.mostAttempts) {
            learn(*found, row.seconds, std::max(row.ratio, found->searchRatio), everWon(row.decision));
            continue;
        }
        learnCost(*found, row.seconds);
        // Another process, another time: nothing says that the machine is still busy.
        machine.retries.push_back({row.candidate, row.problem, made, 0});
    }
}

/// The last commit of the main branch per problem is its best.
Result<void> Driver::Private::restoreBests()
{
    KW_TRY(const std::vector<CommitRecord> commits, parts.journal->commits());
    std::map<std::string, std::int64_t> last;
    for (const CommitRecord& record : commits) {
        if (record.branch == CommitRecord::Branch::Main)
            last[record.problem] = record.experiment;
    }
    for (ProblemTrack& track : machine.problems) {
        track.ratio = track.searchRatio = 1;
        const auto found = last.find(track.id);
        if (found == last.end() || found->second == 0)
            continue;
        KW_TRY(const Experiment experiment, parts.journal->experiment(found->second));
        track.best = experiment.candidate.id;
        if (experiment.total) {
            track.ratio = track.searchRatio = experiment.total->ratio;
            intervals[track.id] = {experiment.total->low, experiment.total->high};
        }
    }
    return {};
}

Result<void> Driver::Private::restoreApprovals()
{
    std::map<std::string, std::int64_t> replaced;
    for (const ExperimentRow& row : rows) {
        if (row.decision == Decision::Superseded)
            ++replaced[row.problem];
        else if (row.decision == Decision::Kept || row.decision == Decision::Declined)
            replaced[row.problem] = 0;
        if (row.decision != Decision::Pending)
            continue;
        KW_TRY(const Experiment experiment, parts.journal->experiment(row.number));
        ProblemTrack* found = track(row.problem);
        machine.approvals.push_back({row.number, row.problem, row.candidate, found ? found->best : std::string(),
            approvalBinding(experiment.candidate, experiment.verdict), replaced[row.problem]});
        if (found && experiment.total)
            found->searchRatio = experiment.total->ratio;
    }
    return {};
}

} // namespace kw
