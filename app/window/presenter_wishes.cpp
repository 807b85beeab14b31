// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/presenter.h"

#include "approvals/approval_panel.h"
#include "basis/selection.h"
#include "candidate_editor/candidate_panel.h"
#include "history_list/history_panel.h"
#include "log/log_panel.h"
#include "problems_list/problems_panel.h"
#include "run_bar/run_bar.h"
#include "window/views.h"

namespace kw {

Command Presenter::command(CommandKind kind) const
{
    Command made;
    made.kind = kind;
    made.author = {AuthorKind::Person, qEnvironmentVariable("USER").toStdString()};
    return made;
}

void Presenter::post(const Command& wish)
{
    m_views.runBar->setTrouble({}); // what was refused before is over
    m_bridge.send(wish);
}

void Presenter::connectWishes()
{
    connect(m_views.candidate, &CandidatePanel::evaluateRequested, this, [this](const QString& problem, const QString& text) {
        Command evaluate = command(CommandKind::Evaluate);
        evaluate.problem = problem.toStdString();
        evaluate.text = text.toStdString();
        m_bridge.send(evaluate, [this](const Result<void>& result) {
            if (result)
                m_views.candidate->editor()->setModified(false);
        });
    });
    connect(m_views.candidate, &CandidatePanel::followingChanged, this, [this](bool follow) {
        m_followed.clear();
        if (follow)
            refreshCandidate();
    });
    const auto answer = [this](CommandKind kind, qint64 experiment, const QString& binding, const QString& comment, const QList<int>& hunks = {}) {
        Command made = command(kind);
        made.experiment = experiment;
        made.binding = binding.toStdString();
        made.text = comment.toStdString();
        made.hunks.assign(hunks.begin(), hunks.end());
        if (m_views.approvals->shownApproval())
            made.problem = m_views.approvals->shownApproval()->request.problem;
        post(made);
    };
    connect(m_views.approvals, &ApprovalPanel::approved, this, [answer](qint64 experiment, const QString& binding, const QString& comment) {
        answer(CommandKind::Approve, experiment, binding, comment);
    });
    connect(m_views.approvals, &ApprovalPanel::rejected, this, [answer](qint64 experiment, const QString& binding, const QString& comment) {
        answer(CommandKind::Reject, experiment, binding, comment);
    });
    connect(m_views.approvals, &ApprovalPanel::hunksAccepted, this, [answer](qint64 experiment, const QString& binding, const QList<int>& hunks) {
        answer(CommandKind::AcceptHunks, experiment, binding, {}, hunks);
    });
    connect(m_views.approvals, &ApprovalPanel::availabilityChanged, this, &Presenter::refreshActions);
    connect(m_views.history, &HistoryPanel::rollBackRequested, this, [this](qint64 experiment) {
        Command made = command(CommandKind::RollBack);
        made.experiment = experiment;
        for (const ExperimentRow& row : *m_snapshot->experiments)
            if (row.number == experiment)
                made.problem = row.problem;
        post(made);
    });
    connect(m_views.history, &HistoryPanel::experimentActivated, this, [this] { m_views.raise(m_views.candidate); });
    const auto onProblem = [this](CommandKind kind, const QString& problem) {
        Command made = command(kind);
        made.problem = problem.toStdString();
        post(made);
    };
    connect(m_views.problems, &ProblemsPanel::pinWished, this,
        [onProblem](const QString& problem, bool pinned) { onProblem(pinned ? CommandKind::Pin : CommandKind::Unpin, problem); });
    connect(m_views.problems, &ProblemsPanel::skipWished, this,
        [onProblem](const QString& problem, bool skipped) { onProblem(skipped ? CommandKind::Skip : CommandKind::Unskip, problem); });
    connect(m_views.runBar, &RunBar::supervisionWished, this, [this](Supervision supervision) {
        Command made = command(CommandKind::SetSupervision);
        made.supervision = supervision;
        post(made);
    });
    connect(m_views.history, &HistoryPanel::availabilityChanged, this, &Presenter::refreshActions);
    connect(&m_selection, &Selection::problemChanged, this, &Presenter::refreshActions);
    connect(&m_selection, &Selection::experimentChanged, this, &Presenter::fetchExperiment);
}

void Presenter::start() { post(command(CommandKind::Start)); }
void Presenter::pause() { post(command(CommandKind::Pause)); }
void Presenter::step() { post(command(CommandKind::Step)); }
void Presenter::stop() { post(command(CommandKind::Stop)); }
void Presenter::apply() { post(command(CommandKind::Apply)); }

void Presenter::rollBackToLibrary()
{
    const ProblemRow* problem = selectedProblem();
    if (!problem)
        return;
    Command made = command(CommandKind::RollBack); // experiment 0 stands for the library
    made.problem = problem->id;
    post(made);
}

void Presenter::exportTo(const QString& folder)
{
    Command made = command(CommandKind::Export);
    made.text = folder.toStdString();
    m_bridge.send(made, [this, folder](const Result<void>& result) {
        if (result)
            m_views.log->model()->add(LogModel::Level::Information, Message("window.log.exported").with("folder", folder.toStdString()));
    });
}

} // namespace kw
