// SPDX-License-Identifier: GPL-3.0-or-later
#include "approvals/approval_panel.h"
#include "basis/text.h"
#include "candidate_editor/candidate_panel.h"
#include "history_list/experiment_model.h"
#include "history_list/history_panel.h"
#include "hot_spots/hot_spot_model.h"
#include "hot_spots/hot_spots_panel.h"
#include "log/log_panel.h"
#include "run_bar/run_bar.h"
#include "support/paths.h"
#include "window/language_switch.h"
#include "window/presenter.h"
#include "window/session_opening.h"
#include "window/start_page.h"
#include "window/views.h"
#include "window_fixture.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QtTest>

using namespace kw;
using kw::test::WindowFixture;

namespace {

constexpr int searchPatience = 40'000;
constexpr int patience = 100'000; // milliseconds; a shared machine is slow, a hang is longer

QString modelFile(const char* name)
{
    return QString::fromStdString((test::modelFolder() / (std::string(name) + ".pt2")).string());
}

} // namespace

/// A short real optimisation, driven through the window: host, worker, runner and sandbox are the product's own.
class RealSessionTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_home;

    QString session(const char* name) const { return m_home.filePath(QString::fromLatin1(name)); }

    static const Snapshot& now(WindowFixture& fixture) { return *fixture.window->presenter().snapshot(); }

    static bool profiled(WindowFixture& fixture)
    {
        return QTest::qWaitFor([&] { return fixture.window->presenter().snapshot() && now(fixture).report && !fixture.window->presenter().running(); }, patience);
    }

    /// Starts and waits for the next improvement that wants approval; false when the search ends without one.
    static bool waitForApproval(WindowFixture& fixture)
    {
        fixture.window->presenter().start();
        return QTest::qWaitFor([&] { return fixture.window->views().approvals->hasApproval(); }, searchPatience);
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        if (!QFileInfo::exists(modelFile("softmax")))
            QSKIP("the test models are not exported; run tests/support/make_models.py");
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
        WindowFixture fixture;
        fixture.window->openModelIn(modelFile("gelu_chain"), session("run"));
        QVERIFY(profiled(fixture));
        QVERIFY2(now(fixture).state != LoopState::Failed, now(fixture).error ? now(fixture).error->detail.c_str() : "");
        QVERIFY(fixture.window->views().hotSpots->model()->rowCount() > 0);
        QVERIFY(now(fixture).experiments->empty()); // no experiment before the person starts

        // Whether there is something to win depends on the machine; everything else must work without a win too.
        const bool improved = waitForApproval(fixture);
        ShownApproval first;
        if (improved) {
            const std::string head = now(fixture).historyHead;
            first = *fixture.window->views().approvals->shownApproval();
            QVERIFY(first.experiment->verdict.passed);
            QVERIFY(first.experiment->measurement.has_value());
            QVERIFY(!first.difference.hunks.empty());
            fixture.window->actions()[QStringLiteral("approve")]->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(now(fixture).historyHead != head, patience);
        }

        if (fixture.window->presenter().running())
            fixture.window->presenter().pause();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->presenter().running(), patience);
        const std::size_t before = now(fixture).experiments->size();
        QVERIFY(before > 0);

        // The person's own text takes the same road.
        CandidatePanel* panel = fixture.window->views().candidate;
        QTRY_VERIFY(!panel->editor()->kernelText().isEmpty());
        panel->editor()->insertAt(QStringLiteral("// by hand\n"), 0, 0);
        panel->evaluate();
        const auto hasMine = [&] {
            return std::any_of(now(fixture).experiments->begin(), now(fixture).experiments->end(),
                [](const ExperimentRow& row) { return row.author.kind == AuthorKind::Person; });
        };
        fixture.window->presenter().step();
        QTRY_VERIFY_WITH_TIMEOUT(hasMine(), patience);

        // Back to the approved one, as a new entry; when it still is the best, the window says so instead.
        if (improved) {
            const std::string later = now(fixture).historyHead;
            const int lines = fixture.window->views().log->model()->rowCount();
            fixture.window->selection().selectExperiment(first.request.experiment, toQString(first.request.problem));
            fixture.window->actions()[QStringLiteral("rollBack")]->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(now(fixture).historyHead != later || fixture.window->views().log->model()->rowCount() > lines, patience);
        }

        fixture.window->presenter().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->presenter().running(), patience);
        const std::size_t finished = now(fixture).experiments->size();
        fixture.window->close();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->isVisible(), patience);

        WindowFixture again;
        again.window->openPath(session("run"));
        QTRY_VERIFY_WITH_TIMEOUT(again.window->presenter().snapshot() && now(again).experiments->size() >= finished, patience);
        QVERIFY(!again.window->presenter().running()); // never starts by itself
        again.window->close();
        QTRY_VERIFY_WITH_TIMEOUT(!again.window->isVisible(), patience);
        if (!improved)
            QSKIP("everything but approval and roll back was driven: the search found no improvement on this machine in time");
    }

    void rejectsARealImprovement()
    {
        WindowFixture fixture;
        fixture.window->openModelIn(modelFile("softmax"), session("reject"));
        QVERIFY(profiled(fixture));
        if (!waitForApproval(fixture))
            QSKIP("the search found no improvement on this machine");
        const std::string head = now(fixture).historyHead;
        const std::int64_t experiment = fixture.window->views().approvals->shownApproval()->request.experiment;
        fixture.window->actions()[QStringLiteral("reject")]->trigger();
        const auto declined = [&] {
            return std::any_of(now(fixture).experiments->begin(), now(fixture).experiments->end(),
                [&](const ExperimentRow& row) { return row.number == experiment && row.decision == Decision::Declined; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(declined(), patience);
        QCOMPARE(now(fixture).historyHead, head);
        fixture.window->askClose = [] { return MainWindow::CloseChoice::Stop; };
        fixture.window->close();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->isVisible(), patience);
    }
};

KW_GUI_TEST_MAIN(RealSessionTest)
#include "real_session_test.moc"
