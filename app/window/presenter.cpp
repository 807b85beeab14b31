// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/presenter.h"

#include "approvals/approval_panel.h"
#include "basis/selection.h"
#include "basis/text.h"
#include "candidate_editor/candidate_panel.h"
#include "evidence/evidence_panel.h"
#include "history_list/history_panel.h"
#include "hot_spots/hot_spots_panel.h"
#include "log/log_panel.h"
#include "present/numbers.h"
#include "problems_list/problems_panel.h"
#include "review/review_panel.h"
#include "run_bar/run_bar.h"
#include "speedup_chart/speedup_panel.h"
#include "window/action_registry.h"
#include "window/views.h"

#include <algorithm>

namespace kw {

Presenter::Presenter(Views& views, Selection& selection, SessionBridge& bridge, ActionRegistry& actions, QObject* parent)
    : QObject(parent), m_views(views), m_selection(selection), m_bridge(bridge), m_actions(actions)
{
    connect(&m_bridge, &SessionBridge::snapshotArrived, this, &Presenter::showSnapshot);
    connect(&m_bridge, &SessionBridge::opened, this, [this](const QString& folder) {
        reset();
        m_views.log->model()->add(LogModel::Level::Information, Message("window.log.opened").with("folder", folder.toStdString()));
    });
    connect(&m_bridge, &SessionBridge::closed, this, &Presenter::reset);
    connect(&m_bridge, &SessionBridge::connectionLost, this, [this] {
        m_lost = true;
        m_views.log->model()->add(LogModel::Level::Trouble, Message("window.log.lost"));
        refreshActions();
    });
    connect(&m_bridge, &SessionBridge::commandRefused, this, [this](const Command&, const Error& why) {
        m_views.log->model()->add(LogModel::Level::Trouble, why.message, why.detail);
        m_views.runBar->setTrouble(say(why.message));
    });
    connectWishes();
    reset();
}

bool Presenter::running() const
{
    if (!m_snapshot || m_lost)
        return false;
    switch (m_snapshot->state) {
    case LoopState::Idle:
    case LoopState::Paused:
    case LoopState::Done:
    case LoopState::Failed: return false;
    default: return true;
    }
}

void Presenter::reset()
{
    m_snapshot = nullptr;
    m_followed.clear();
    m_approvalBinding.clear();
    m_selected = nullptr;
    m_lost = false;
    m_selection.selectProblem({});
    m_views.runBar->setTrouble({});
    m_views.runBar->showSnapshot(nullptr);
    m_views.hotSpots->setReport(nullptr);
    m_views.hotSpots->setProblems(nullptr);
    m_views.problems->setProblems(nullptr);
    m_views.history->setExperiments(nullptr);
    m_views.speedup->setExperiments(nullptr);
    m_views.speedup->setProblems(nullptr);
    m_views.candidate->setFollowing(true);
    emptyTexts();
    refreshActions();
}

void Presenter::emptyTexts()
{
    m_views.hotSpots->setEmptyText(m_bridge.isOpen() ? tr("The profile appears here as soon as the model has been timed.") : tr("Open a model to see where its time goes."));
    m_views.problems->setEmptyText(tr("The problems appear here after the profile."));
    m_views.history->setEmptyText(tr("Every experiment appears here, kept or not. Start the run with F5."));
    m_views.speedup->setEmptyText(tr("The speed-up of every experiment appears here. Start the run with F5."));
    if (!m_snapshot || m_snapshot->currentSource.empty())
        m_views.candidate->showNothing(m_snapshot && !m_snapshot->experiments->empty()
                ? tr("Select an experiment of the history to see its text.")
                : tr("The text of the first candidate appears here when the run starts."));
    if (!m_views.approvals->hasApproval())
        m_views.approvals->showNothing(tr("Nothing waits for your approval."));
    if (!m_selected) {
        m_views.evidence->showNothing(tr("Select an experiment to see how it was checked and timed."));
        m_views.review->showNothing(tr("Select an experiment to see what it changed."));
    }
}

void Presenter::showSnapshot(const SnapshotPointer& snapshot)
{
    const SnapshotPointer before = m_snapshot;
    m_snapshot = snapshot;
    m_lost = false;
    m_views.runBar->showSnapshot(snapshot);
    if (!before || before->report != snapshot->report)
        m_views.hotSpots->setReport(snapshot->report);
    m_views.hotSpots->setProblems(snapshot->problems);
    m_views.problems->setProblems(snapshot->problems);
    m_views.history->setProblems(snapshot->problems);
    m_views.history->setExperiments(snapshot->experiments);
    m_views.speedup->setProblems(snapshot->problems);
    m_views.speedup->setExperiments(snapshot->experiments);
    refreshCandidate();
    refreshApproval();
    refreshActions();
    noteChanges(before.get(), *snapshot);
    if (!before) {
        emptyTexts();
        selectNewestWin();
    }
}

void Presenter::selectNewestWin()
{
    const auto& rows = *m_snapshot->experiments;
    if (rows.empty() || m_selection.experiment() != 0 || !m_snapshot->currentCandidate.empty())
        return;
    const auto kept = std::find_if(rows.rbegin(), rows.rend(), [](const ExperimentRow& row) { return row.decision == Decision::Kept; });
    const ExperimentRow& row = kept != rows.rend() ? *kept : rows.back();
    m_selection.selectExperiment(row.number, toQString(row.problem));
}

QString Presenter::problemName(const std::string& id) const
{
    if (m_snapshot && m_snapshot->problems)
        for (const ProblemRow& problem : *m_snapshot->problems)
            if (problem.id == id)
                return shown(problem.name);
    return shown(id);
}

void Presenter::refreshCandidate()
{
    if (!m_snapshot || !m_views.candidate->following() || m_snapshot->currentCandidate.empty() || m_followed == m_snapshot->currentCandidate)
        return;
    m_followed = m_snapshot->currentCandidate;
    // The text is in the snapshot and stands there at once; author, parent and difference follow.
    ShownCandidate now;
    now.problem = toQString(m_snapshot->activeProblem);
    now.candidate = toQString(m_followed);
    now.title = problemName(m_snapshot->activeProblem);
    now.text = toQString(m_snapshot->currentSource);
    m_views.candidate->showCandidate(now);
    fetchCandidate(m_followed, 0);
}

void Presenter::fetchCandidate(const std::string& id, qint64 experiment)
{
    const bool follow = experiment == 0;
    m_bridge.candidate(id, [this, id, experiment, follow](const Result<Candidate>& found) {
        const bool wanted = follow ? m_followed == id : m_selection.experiment() == experiment;
        if (!found || !wanted)
            return;
        const Candidate candidate = *found;
        if (!candidate.parent) {
            showFetched(candidate, experiment, {});
            return;
        }
        m_bridge.difference(*candidate.parent, id, [this, candidate, experiment, follow](const Result<TextDiff>& change) {
            const bool still = follow ? m_followed == candidate.id : m_selection.experiment() == experiment;
            if (still)
                showFetched(candidate, experiment, change ? *change : TextDiff());
        });
    });
}

void Presenter::showFetched(const Candidate& candidate, qint64 experiment, const TextDiff& change)
{
    ShownCandidate now;
    now.problem = toQString(candidate.problem);
    now.candidate = toQString(candidate.id);
    now.title = experiment == 0 ? problemName(candidate.problem) : tr("%1, experiment %2").arg(problemName(candidate.problem)).arg(experiment);
    const QString author = toQString(authorText(candidate.author, uiLanguage()));
    now.origin = candidate.parent ? tr("By: %1. Lines that differ from the parent are marked (+%2 \u2212%3).").arg(author).arg(change.added).arg(change.removed)
                                  : tr("By: %1. The first of its line.").arg(author);
    if (!candidate.hypothesis.empty())
        now.origin += QLatin1Char('\n') + say(candidate.hypothesis);
    now.text = toQString(candidate.source);
    now.change = change;
    if (experiment != 0 && m_selected && m_selected->verdict.failure == FailureKind::BuildFailed)
        for (const auto& [name, value] : m_selected->verdict.reason.arguments)
            if (const auto* text = std::get_if<std::string>(&value); text && now.diagnostics.empty())
                now.diagnostics = diagnosticsIn(*text);
    m_views.candidate->showCandidate(now);
    if (experiment == 0)
        return;
    if (candidate.parent) {
        m_views.review->showDifference(tr("Experiment %1 against its parent").arg(experiment), change);
        return;
    }
    // The first of its line replaces the library's operators: all of it is new.
    m_bridge.difference({}, candidate.id, [this, experiment](const Result<TextDiff>& whole) {
        if (whole && m_selection.experiment() == experiment)
            m_views.review->showDifference(tr("Experiment %1 is the first of its line: all of its text is new").arg(experiment), *whole);
    });
}

void Presenter::fetchExperiment(qint64 number)
{
    if (number == 0) {
        m_selected = nullptr;
        emptyTexts();
        return;
    }
    m_bridge.experiment(number, [this, number](const Result<Experiment>& found) {
        if (m_selection.experiment() != number)
            return;
        if (!found) {
            m_selected = nullptr;
            m_views.evidence->showNothing(say(found.error().message));
            return;
        }
        m_selected = std::make_shared<const Experiment>(*found);
        m_views.evidence->showExperiment(m_selected);
        m_views.candidate->setFollowing(false);
        fetchCandidate(m_selected->candidate.id, number);
    });
}

void Presenter::refreshApproval()
{
    if (m_snapshot->approvals.empty()) {
        m_approvalBinding.clear();
        m_views.approvals->showNothing(tr("Nothing waits for your approval."));
        return;
    }
    const ApprovalRequest request = m_snapshot->approvals.front();
    if (request.binding == m_approvalBinding)
        return;
    m_approvalBinding = request.binding;
    m_views.approvals->showNothing(tr("Fetching the improvement…"));
    m_bridge.experiment(request.experiment, [this, request](const Result<Experiment>& found) {
        if (m_approvalBinding != request.binding)
            return;
        if (!found) {
            m_approvalBinding.clear(); // asked again with the next snapshot
            m_views.approvals->showNothing(say(found.error().message));
            return;
        }
        const auto experiment = std::make_shared<const Experiment>(*found);
        m_bridge.difference(request.against, request.candidate, [this, request, experiment](const Result<TextDiff>& change) {
            if (m_approvalBinding != request.binding || !m_snapshot)
                return;
            if (!change) {
                m_approvalBinding.clear();
                m_views.approvals->showNothing(say(change.error().message));
                return;
            }
            const QString kernel = problemName(request.problem);
            m_views.approvals->showApproval({request, kernel, experiment, *change, m_snapshot->approvals.size()});
            m_views.raise(m_views.approvals);
            emit approvalArrived(kernel);
        });
    });
}

void Presenter::noteChanges(const Snapshot* before, const Snapshot& now)
{
    LogModel* log = m_views.log->model();
    const std::size_t known = before && before->experiments ? before->experiments->size() : now.experiments ? now.experiments->size() : 0;
    if (now.experiments)
        for (std::size_t at = known; at < now.experiments->size(); ++at) {
            const ExperimentRow& row = (*now.experiments)[at];
            log->add(LogModel::Level::Information, Message("window.log.experiment").with("number", row.number)
                .with("kernel", problemName(row.problem).toStdString()).with("result", experimentText(row, uiLanguage())));
        }
    if (now.error && (!before || !before->error || !(*before->error == *now.error)))
        log->add(LogModel::Level::Trouble, now.error->message, now.error->detail);
    QString summary;
    if (now.applied)
        summary = tr("Whole model, applied and measured: %1").arg(toQString(spreadText(now.applied->ratio, now.applied->low, now.applied->high, uiLanguage())));
    else if (now.experiments && !now.experiments->empty())
        summary = tr("Whole model, from the kept kernels: %1").arg(toQString(ratioText(now.modelSpeedup, uiLanguage())));
    m_views.speedup->setSummary(summary);
    const bool ended = now.state == LoopState::Done || now.state == LoopState::Failed;
    if (ended && before && before->state != now.state)
        emit runEnded(m_views.runBar->nowText());
    if (before && before->state != now.state)
        m_views.runBar->setTrouble({});
}

QString Presenter::runRefusal() const
{
    if (!m_bridge.isOpen())
        return tr("Open a session first");
    if (m_lost)
        return tr("The session's host has gone: open the session again");
    if (!m_snapshot)
        return tr("The session is being opened");
    if (m_snapshot->readOnly)
        return tr("The session is read-only");
    return {};
}

const ProblemRow* Presenter::selectedProblem() const
{
    if (!m_snapshot || !m_snapshot->problems)
        return nullptr;
    const std::vector<ProblemRow>& problems = *m_snapshot->problems;
    const std::string wanted = m_selection.problem().toStdString();
    const auto found = std::find_if(problems.begin(), problems.end(), [&](const ProblemRow& row) { return row.id == wanted; });
    // With one problem there is nothing to select.
    return found != problems.end() ? &*found : problems.size() == 1 ? &problems.front() : nullptr;
}

void Presenter::refreshActions()
{
    const QString none = runRefusal();
    const LoopState state = m_snapshot ? m_snapshot->state : LoopState::Idle;
    const auto set = [&](const char* id, const QString& own) { m_actions.setRefusal(QLatin1String(id), none.isEmpty() ? own : none); };
    const bool waits = state == LoopState::Idle || state == LoopState::Paused || state == LoopState::Done || state == LoopState::Failed;
    const bool preparing = state == LoopState::Loading || state == LoopState::Profiling;
    const QString busy = preparing ? tr("The model is being loaded and profiled first") : tr("It is already running");
    set("start", waits ? QString() : busy);
    set("step", waits ? QString() : busy);
    const bool pausing = m_snapshot && m_snapshot->pausing;
    set("pause", waits ? tr("Nothing is running") : pausing ? tr("It pauses at the next safe point") : QString());
    // Stop is always there while a session is open: nobody has to find out whether it would do something.
    set("stop", {});
    const bool improved = m_snapshot && m_snapshot->problems
        && std::any_of(m_snapshot->problems->begin(), m_snapshot->problems->end(), [](const ProblemRow& row) { return !row.best.empty(); });
    set("apply", !improved ? tr("No kernel has been kept yet") : waits ? QString() : tr("Pause or stop the run first"));
    set("export", !improved ? tr("No kernel has been kept yet") : waits ? QString() : tr("Pause or stop the run first"));
    const QString approval = none.isEmpty() ? m_views.approvals->reasonAgainst() : none;
    m_actions.setRefusal(QStringLiteral("approve"), approval);
    m_actions.setRefusal(QStringLiteral("reject"), approval);
    set("rollBack", m_views.history->reasonAgainst());
    const ProblemRow* problem = selectedProblem();
    set("rollBackToLibrary", !problem ? tr("Select a kernel first") : problem->best.empty() ? tr("The library's own operators do it already") : QString());
    m_actions.setRefusal(QStringLiteral("closeSession"), m_bridge.isOpen() ? QString() : tr("No session is open"));
    if (m_views.approvals->property("refusal").toString() != none) {
        m_views.approvals->setProperty("refusal", none);
        m_views.approvals->setRefusal(none);
    }
    m_views.history->setRefusal(none);
    m_views.problems->setRefusal(none);
    m_views.candidate->setEvaluationRefusal(none);
    if (m_lost)
        m_views.runBar->setTrouble(none);
}

void Presenter::retranslate()
{
    emptyTexts();
    refreshActions();
    if (m_snapshot) {
        const SnapshotPointer now = m_snapshot;
        noteChanges(now.get(), *now);
        if (m_selected)
            fetchCandidate(m_selected->candidate.id, m_selection.experiment());
        m_followed.clear();
        m_approvalBinding.clear();
        refreshCandidate();
        refreshApproval();
    }
}

} // namespace kw
