// SPDX-License-Identifier: GPL-3.0-or-later
#include "approvals/approval_panel.h"
#include "basis/text.h"
#include "candidate_editor/candidate_panel.h"
#include "history_list/experiment_model.h"
#include "history_list/history_panel.h"
#include "hot_spots/hot_spot_model.h"
#include "hot_spots/hot_spots_panel.h"
#include "support/paths.h"
#include "window/presenter.h"
#include "window/start_page.h"
#include "window/views.h"
#include "window_fixture.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace kw;
using kw::test::WindowFixture;

namespace {

// Milliseconds; a shared machine is slow, a hang is longer.
constexpr int searchPatience = 180'000;
constexpr int patience = 100'000;
constexpr double longestBlock = 5 * 50.0; // the promise is 50 ms on an idle machine

QString modelFile(const char* name)
{
    return QString::fromStdString((test::modelFolder() / (std::string(name) + ".pt2")).string());
}

/// What must not move while a win waits for a person.
struct WhatCounts {
    std::string head, best;
    bool applied = false;
    std::int64_t kept = 0;
    friend bool operator==(const WhatCounts&, const WhatCounts&) = default;
};

WhatCounts whatCounts(const Snapshot& snapshot)
{
    WhatCounts counts{snapshot.historyHead, {}, snapshot.applied.has_value(), 0};
    for (const ProblemRow& problem : *snapshot.problems) {
        counts.best += problem.best + ' ';
        counts.kept += problem.kept;
    }
    return counts;
}

} // namespace

/// A short real optimisation, driven through the window: host, worker, runner and sandbox are the product's own.
class RealSessionTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_home;

    QString session(const char* name) const { return m_home.filePath(QString::fromLatin1(name)); }

    static const Snapshot& now(WindowFixture& fixture) { return *fixture.window->presenter().snapshot(); }
    static bool running(WindowFixture& fixture) { return fixture.window->presenter().running(); }
    static ApprovalPanel& approvals(WindowFixture& fixture) { return *fixture.window->views().approvals; }
    static WatchedApplication& watched() { return *static_cast<WatchedApplication*>(qApp); }

    /// As a person does: a disabled action does nothing.
    static bool trigger(WindowFixture& fixture, const char* action)
    {
        QAction* found = fixture.window->actions()[QLatin1String(action)];
        if (!found || !QTest::qWaitFor([&] { return found->isEnabled(); }, patience))
            return false;
        found->trigger();
        return true;
    }

    static const ExperimentRow* rowOf(WindowFixture& fixture, std::int64_t number)
    {
        for (const ExperimentRow& row : *now(fixture).experiments)
            if (row.number == number)
                return &row;
        return nullptr;
    }

    static const ExperimentRow* personsRow(WindowFixture& fixture)
    {
        for (const ExperimentRow& row : *now(fixture).experiments)
            if (row.author.kind == AuthorKind::Person)
                return &row;
        return nullptr;
    }

    /// What another process sees of the session; the window's loop goes on meanwhile.
    QJsonObject seenByAnotherProcess(const QStringList& question)
    {
        QProcess process;
        process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/kernelwright-cli"),
            question + QStringList{QStringLiteral("--json"), QStringLiteral("--session"), session("run")});
        if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, patience))
            process.kill();
        return QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    }

    static bool settled(WindowFixture& fixture) { return QTest::qWaitFor([&] { return !running(fixture); }, patience); }

    void openAndProfile(WindowFixture& fixture);
    void startAndPause(WindowFixture& fixture);
    void nothingMovesWhileAWinWaits(WindowFixture& fixture);
    void rejectWithAComment(WindowFixture& fixture);
    void approveAPersonsText(WindowFixture& fixture);
    void rollBackAndForth(WindowFixture& fixture);
    void stop(WindowFixture& fixture);

private slots:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        QVERIFY2(QFileInfo::exists(modelFile("pointwise")), "the test models are not exported; run tests/support/make_models.py");
    }

    void refusesABadModelInOneSentence()
    {
        WindowFixture fixture;
        const QString bad = QString::fromStdString((test::modelFolder() / "bad" / "text.pt2").string());
        fixture.window->openModelIn(bad, session("bad"));
        QTRY_VERIFY_WITH_TIMEOUT((fixture.window->presenter().snapshot() && now(fixture).state == LoopState::Failed)
                || !fixture.window->startPage().troubleText().isEmpty(), patience);
        if (fixture.window->presenter().snapshot())
            QVERIFY(now(fixture).error.has_value());
    }

    void drivesAShortOptimisation()
    {
        std::vector<ExperimentRow> experiments;
        WhatCounts counts;
        watched().resetWatch();
        {
            WindowFixture fixture;
            for (const auto part : {&RealSessionTest::openAndProfile, &RealSessionTest::startAndPause, &RealSessionTest::nothingMovesWhileAWinWaits,
                     &RealSessionTest::rejectWithAComment, &RealSessionTest::approveAPersonsText, &RealSessionTest::rollBackAndForth,
                     &RealSessionTest::stop}) {
                (this->*part)(fixture);
                if (QTest::currentTestFailed())
                    return;
            }
            experiments = *now(fixture).experiments;
            counts = whatCounts(now(fixture));
            fixture.window->close();
            QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->isVisible(), patience);
        }
        WindowFixture again;
        again.window->openPath(session("run"));
        QTRY_VERIFY_WITH_TIMEOUT(again.window->presenter().snapshot() && now(again).experiments->size() == experiments.size(), patience);
        QVERIFY(*now(again).experiments == experiments);
        QVERIFY(whatCounts(now(again)) == counts);
        QVERIFY(now(again).approvals.empty());
        QVERIFY(!running(again)); // never starts by itself
        QCOMPARE(again.window->views().history->model()->rowCount(), static_cast<int>(experiments.size()));
        const ExperimentRow* shown = rowOf(again, again.window->selection().experiment());
        QVERIFY2(shown && shown->decision == Decision::Kept, "a reopened session shows its newest win");
        QTRY_VERIFY_WITH_TIMEOUT(!again.window->views().candidate->editor()->kernelText().isEmpty(), patience);
        again.window->close();
        QTRY_VERIFY_WITH_TIMEOUT(!again.window->isVisible(), patience);
        const WatchedApplication::Block block = watched().longestBlock();
        QVERIFY2(block.milliseconds <= longestBlock,
            qPrintable(QStringLiteral("%1 ms in event %2 of %3").arg(block.milliseconds).arg(block.event).arg(block.receiver)));
        qInfo("longest event: %.1f ms (%s)", block.milliseconds, qPrintable(block.receiver));
    }
};

void RealSessionTest::openAndProfile(WindowFixture& fixture)
{
    fixture.window->openModelIn(modelFile("pointwise"), session("run"));
    QTRY_VERIFY_WITH_TIMEOUT(fixture.window->presenter().snapshot() && now(fixture).report && !running(fixture), patience);
    QVERIFY2(now(fixture).state != LoopState::Failed, now(fixture).error ? now(fixture).error->detail.c_str() : "");
    QVERIFY(fixture.window->views().hotSpots->model()->rowCount() > 0);
    QVERIFY(now(fixture).experiments->empty()); // no experiment before the person starts
    QVERIFY(!fixture.window->actions()[QStringLiteral("approve")]->isEnabled());
}

void RealSessionTest::startAndPause(WindowFixture& fixture)
{
    QVERIFY(trigger(fixture, "start"));
    QTRY_VERIFY_WITH_TIMEOUT(running(fixture), patience);
    QVERIFY(trigger(fixture, "pause"));
    QTRY_COMPARE_WITH_TIMEOUT(now(fixture).state, LoopState::Paused, patience);
    const std::size_t tried = now(fixture).experiments->size();
    QVERIFY(tried > 0); // the experiment in flight is finished first
    QVERIFY(fixture.window->actions()[QStringLiteral("start")]->isEnabled());
    QVERIFY(trigger(fixture, "start"));
}

void RealSessionTest::nothingMovesWhileAWinWaits(WindowFixture& fixture)
{
    const WhatCounts before = whatCounts(now(fixture));
    QTRY_VERIFY_WITH_TIMEOUT(approvals(fixture).hasApproval(), searchPatience);
    // The search goes on with its next candidate; what counts does not move, neither here nor for another process.
    const std::string waiting = now(fixture).approvals.front().candidate;
    bool moved = false;
    const bool wentOn = QTest::qWaitFor([&] {
        moved = moved || whatCounts(now(fixture)) != before;
        return !running(fixture) || (now(fixture).currentCandidate != waiting && now(fixture).state == LoopState::Verifying);
    }, patience);
    QVERIFY(wentOn);
    QVERIFY(trigger(fixture, "stop"));
    QVERIFY(settled(fixture));
    QVERIFY(!moved);
    QVERIFY(whatCounts(now(fixture)) == before);
    QVERIFY(before.best == " ");
    const QJsonObject seen = seenByAnotherProcess({QStringLiteral("status")});
    QCOMPARE(seen.value(QStringLiteral("history_head")).toString(), QString::fromStdString(before.head));
    QCOMPARE(seen.value(QStringLiteral("problems")).toArray().at(0).toObject().value(QStringLiteral("best")).toString(), QString());
    QCOMPARE(seen.value(QStringLiteral("approvals")).toArray().size(), 1);
}

void RealSessionTest::rejectWithAComment(WindowFixture& fixture)
{
    QTRY_VERIFY_WITH_TIMEOUT(approvals(fixture).hasApproval(), patience);
    const ShownApproval win = *approvals(fixture).shownApproval();
    QVERIFY(win.experiment->verdict.passed);
    QVERIFY(win.experiment->measurement && win.experiment->measurement->low > 1);
    QVERIFY(!win.difference.hunks.empty());
    const WhatCounts before = whatCounts(now(fixture));
    approvals(fixture).comment()->setText(QStringLiteral("too clever"));
    QVERIFY(trigger(fixture, "reject"));
    QTRY_VERIFY_WITH_TIMEOUT(rowOf(fixture, win.request.experiment)->decision == Decision::Declined, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!approvals(fixture).hasApproval(), patience);
    QVERIFY(whatCounts(now(fixture)) == before);
    const QJsonObject seen = seenByAnotherProcess({QStringLiteral("show"), QString::number(win.request.experiment)});
    QCOMPARE(seen.value(QStringLiteral("approval")).toObject().value(QStringLiteral("comment")).toString(), QStringLiteral("too clever"));

    // Its text is where the person's own begins.
    fixture.window->selection().selectExperiment(win.request.experiment, toQString(win.request.problem));
    CandidatePanel* panel = fixture.window->views().candidate;
    QTRY_COMPARE_WITH_TIMEOUT(panel->editor()->kernelText(), toQString(win.experiment->candidate.source), patience);
}

void RealSessionTest::approveAPersonsText(WindowFixture& fixture)
{
    CandidatePanel* panel = fixture.window->views().candidate;
    QVERIFY(!panel->evaluateButton()->isEnabled()); // this text is known already
    panel->editor()->append(QStringLiteral("// by hand\n"));
    QVERIFY(panel->evaluateButton()->isEnabled());
    const std::string text = panel->editor()->kernelText().toStdString();
    panel->evaluate();
    QTRY_VERIFY_WITH_TIMEOUT(personsRow(fixture), searchPatience);
    const ExperimentRow mine = *personsRow(fixture);
    QVERIFY2(mine.failure == FailureKind::None, qPrintable(label(mine.failure)));
    QTRY_VERIFY_WITH_TIMEOUT(approvals(fixture).hasApproval() && approvals(fixture).shownApproval()->request.experiment == mine.number, patience);
    QCOMPARE(approvals(fixture).shownApproval()->experiment->candidate.source, text);
    const std::string head = now(fixture).historyHead;
    QVERIFY(trigger(fixture, "approve"));
    QTRY_VERIFY_WITH_TIMEOUT(now(fixture).historyHead != head, patience);
    QTRY_COMPARE_WITH_TIMEOUT(now(fixture).problems->front().best, mine.candidate, patience);
    QCOMPARE(rowOf(fixture, mine.number)->decision, Decision::Kept);
    QVERIFY(now(fixture).problems->front().low > 1);
}

void RealSessionTest::rollBackAndForth(WindowFixture& fixture)
{
    QVERIFY(settled(fixture));
    const ExperimentRow mine = *personsRow(fixture);
    const std::string first = now(fixture).historyHead;
    QVERIFY(trigger(fixture, "rollBackToLibrary"));
    QTRY_COMPARE_WITH_TIMEOUT(now(fixture).problems->front().best, std::string(), patience);
    const std::string second = now(fixture).historyHead;
    QVERIFY(second != first); // a new commit, never a lost one
    QTRY_VERIFY(!fixture.window->actions()[QStringLiteral("rollBackToLibrary")]->isEnabled());

    fixture.window->selection().selectExperiment(mine.number, toQString(mine.problem));
    QVERIFY(trigger(fixture, "rollBack"));
    QTRY_COMPARE_WITH_TIMEOUT(now(fixture).problems->front().best, mine.candidate, patience);
    QVERIFY(now(fixture).historyHead != second && now(fixture).historyHead != first);
    QCOMPARE(rowOf(fixture, mine.number)->decision, Decision::Kept);
}

void RealSessionTest::stop(WindowFixture& fixture)
{
    QVERIFY(trigger(fixture, "start"));
    QTRY_VERIFY_WITH_TIMEOUT(running(fixture), patience);
    QVERIFY(trigger(fixture, "stop"));
    QTRY_COMPARE_WITH_TIMEOUT(now(fixture).state, LoopState::Idle, patience);
}

KW_GUI_TEST_MAIN(RealSessionTest)
#include "real_session_test.moc"
