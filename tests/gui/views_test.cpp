// SPDX-License-Identifier: GPL-3.0-or-later
#include "approvals/approval_panel.h"
#include "basis/data_table.h"
#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "basis/selection.h"
#include "basis/text.h"
#include "candidate_editor/candidate_panel.h"
#include "evidence/verdict_model.h"
#include "history_list/experiment_model.h"
#include "hot_spots/hot_spot_model.h"
#include "hot_spots/hot_spots_panel.h"
#include "hot_spots/treemap_view.h"
#include "log/log_panel.h"
#include "problems_list/problems_model.h"
#include "review/difference_view.h"
#include "review/review_panel.h"
#include "run_bar/run_bar.h"
#include "sample_session.h"
#include "speedup_chart/chart_data.h"
#include "window/presenter.h"
#include "window_fixture.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace kw;
using namespace kw::test;

namespace {

ProblemRows problems()
{
    return std::make_shared<const std::vector<ProblemRow>>(sampleProblems());
}

ExperimentRows rows(int count)
{
    auto made = std::make_shared<std::vector<ExperimentRow>>();
    for (int number = 1; number <= count; ++number) {
        const Decision decision = number % 4 == 0 ? Decision::Rejected : number % 5 == 0 ? Decision::Kept : Decision::NotFaster;
        made->push_back(rowOf(sampleExperiment(number, number % 2 ? "p1" : "p2", decision, 1 + number * 0.01), 1 + (number / 5) * 0.01));
    }
    return made;
}

} // namespace

/// Each view with values made by hand.
class ViewsTest : public QObject {
    Q_OBJECT
private slots:
    void init() { setUiLanguage(Language::English); }

    void aPanelSaysWhyItIsEmpty()
    {
        QWidget panel;
        auto* pages = new PanelPages(&panel);
        auto* content = new QPushButton(QStringLiteral("content"));
        pages->column()->addWidget(content);
        pages->setEmptyText(QStringLiteral("<b>nothing yet</b>"));
        panel.show();
        QVERIFY(!pages->showsPage());
        QVERIFY(!content->isVisible());
        const auto* sentence = pages->currentWidget()->findChild<PlainLabel*>();
        sentence = sentence ? sentence : qobject_cast<PlainLabel*>(pages->currentWidget());
        QVERIFY(sentence && sentence->isVisible());
        QCOMPARE(sentence->text(), QStringLiteral("<b>nothing yet</b>"));
        QCOMPARE(sentence->textFormat(), Qt::PlainText);
        pages->showPage();
        QVERIFY(content->isVisible());
        QVERIFY(!sentence->isVisible());
        pages->showEmpty(QStringLiteral("gone"));
        QVERIFY(!content->isVisible());
        QCOMPARE(sentence->text(), QStringLiteral("gone"));
    }

    void hotSpotsAreRowsOfTheReport()
    {
        HotSpotModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setReport(sampleReport());
        QCOMPARE(model.rowCount(), 10);
        QCOMPARE(model.index(0, HotSpotModel::Time).data().toString(), QStringLiteral("2.90 ms"));
        QCOMPARE(model.index(0, HotSpotModel::Share).data().toString(), QStringLiteral("7.6 %")); // 2.9 of 38.4
        QCOMPARE(model.index(0, HotSpotModel::SpeedUp).data().toString(), QStringLiteral("–"));
        QCOMPARE(model.index(3, HotSpotModel::State).data().toString(), QStringLiteral("Library operator"));
        std::vector<ProblemRow> changed = sampleProblems();
        changed[0].best = "candidate";
        changed[0].ratio = 2;
        changed[0].low = 1.9;
        changed[0].high = 2.1;
        QSignalSpy told(&model, &QAbstractItemModel::dataChanged);
        model.setProblems(std::make_shared<const std::vector<ProblemRow>>(changed));
        QCOMPARE(told.count(), 1);
        QCOMPARE(model.index(0, HotSpotModel::SpeedUp).data().toString(), QStringLiteral("2.00 × (1.90–2.10)"));
        model.setReport(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void treemapCellsAreInProportionAndStay()
    {
        HotSpotModel model;
        model.setReport(sampleReport());
        model.setProblems(problems());
        TreemapView view;
        view.resize(800, 500);
        view.setModel(&model);
        double area = 0, first = 0;
        for (const TreemapView::Cell& cell : view.cells()) {
            area += cell.rect.width() * cell.rect.height();
            if (cell.row == 3)
                first = cell.rect.width() * cell.rect.height();
        }
        QVERIFY(std::abs(area - 800.0 * 500) < 1);
        // 15.1 of the 38.324 ms that the rows add up to.
        QVERIFY(std::abs(first / area - 15.1 / 38.324) < 1e-3);
        std::vector<int> order;
        for (const TreemapView::Cell& cell : view.cells())
            order.push_back(cell.row);
        auto report = std::make_shared<ProfileReport>(*sampleReport());
        report->hotSpots[0].seconds *= 20;
        model.setReport(report);
        std::vector<int> after;
        for (const TreemapView::Cell& cell : view.cells())
            after.push_back(cell.row);
        QCOMPARE(after, order);
        view.sortAgain();
        QCOMPARE(view.cells().front().row, 0);
    }

    void treemapIsUsedByKeyboardAndPointer()
    {
        Selection selection;
        HotSpotsPanel panel(selection);
        panel.resize(700, 600);
        panel.setProblems(problems());
        panel.setReport(sampleReport());
        panel.show();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        TreemapView* view = panel.treemap();
        view->setFocus(Qt::TabFocusReason);
        QVERIFY(view->currentCell() >= 0);
        const int start = view->currentCell();
        QTest::keyClick(view, Qt::Key_Right);
        QVERIFY(view->currentCell() != start);
        const auto wanted = std::find_if(view->cells().begin(), view->cells().end(), [](const TreemapView::Cell& cell) { return cell.row == 0; });
        QTest::mouseClick(view, Qt::LeftButton, {}, wanted->rect.center().toPoint());
        QCOMPARE(selection.problem(), QStringLiteral("p1"));
        QCOMPARE(panel.table()->currentIndex().data(HotSpotModel::ProblemRole).toString(), QStringLiteral("p1"));
        QSignalSpy opened(&panel, &HotSpotsPanel::problemActivated);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(opened.count(), 1);
        selection.selectProblem(QStringLiteral("p2"));
        QCOMPARE(view->cells()[static_cast<std::size_t>(view->currentCell())].row, 1);
    }

    void treemapCellsAreAccessible()
    {
        HotSpotModel model;
        model.setReport(sampleReport());
        TreemapView view;
        view.resize(600, 400);
        view.setModel(&model);
        QItemSelectionModel selection(&model);
        view.setSelectionModel(&selection);
        view.show();
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(face);
        QCOMPARE(face->role(), QAccessible::List);
        QCOMPARE(face->childCount(), static_cast<int>(view.cells().size()));
        QAccessibleInterface* cell = face->child(0);
        QCOMPARE(cell->role(), QAccessible::ListItem);
        QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("linear (up, gate)"));
        QVERIFY(cell->text(QAccessible::Description).contains(QStringLiteral("15.1 ms")));
        QSignalSpy pressed(&view, &TreemapView::activated);
        cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(pressed.count(), 1);
        QCOMPARE(face->childAt(cell->rect().center().x(), cell->rect().center().y()), cell);
        model.setReport(nullptr);
        QVERIFY(!cell->isValid());
        QCOMPARE(face->childCount(), 0);
    }

    void experimentsGrowWithoutReset()
    {
        ExperimentModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setProblems(problems());
        model.setExperiments(rows(6));
        QCOMPARE(model.index(0, ExperimentModel::Number).data().toString(), QStringLiteral("6"));
        QCOMPARE(model.index(1, ExperimentModel::Result).data().toString(), QStringLiteral("Kept"));
        QCOMPARE(model.index(2, ExperimentModel::Result).data().toString(), QStringLiteral("Rejected: Wrong value"));
        QCOMPARE(model.index(0, ExperimentModel::Kernel).data().toString(), QStringLiteral("silu_mul"));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), inserted(&model, &QAbstractItemModel::rowsInserted);
        model.setExperiments(rows(9));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(inserted.count(), 1);
        QCOMPARE(model.rowOf(9), 0);
        QCOMPARE(model.rowOf(1), 8);
        QCOMPARE(model.rowOf(10), -1);
        model.setFilter(ExperimentModel::Filter::Failed);
        QCOMPARE(model.rowCount(), 2); // 4 and 8
        model.setFilter(ExperimentModel::Filter::Kept);
        QCOMPARE(model.rowCount(), 1); // 5
        model.setExperiments(rows(3)); // another session
        QCOMPARE(model.rowCount(), 0);
    }

    void verdictsAreATree()
    {
        VerdictModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setVerdict(failedVerdict());
        QCOMPARE(model.rowCount(), stageCount);
        const QModelIndex failed = model.failedStage();
        QCOMPARE(failed.data().toString(), QStringLiteral("Shape sweep"));
        QCOMPARE(model.rowCount(failed), 2);
        const QModelIndex wrong = model.index(1, VerdictModel::Detail, failed);
        QVERIFY2(wrong.data().toString().contains(QStringLiteral("y[16, 511]: expected 0.75, found 1.5")), qPrintable(wrong.data().toString()));
        QCOMPARE(model.index(6, VerdictModel::Result).data().toString(), QStringLiteral("Not run"));
        WorstElement infinite;
        infinite.output = "y";
        infinite.actual = std::numeric_limits<double>::infinity();
        infinite.expected = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(worstText(infinite).contains(QStringLiteral("expected NaN, found Inf")));
    }

    void problemsKeepTheirRows()
    {
        ProblemsModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        model.setProblems(problems());
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
        std::vector<ProblemRow> next = sampleProblems();
        next[1].experiments = 12;
        model.setProblems(std::make_shared<const std::vector<ProblemRow>>(next));
        QCOMPARE(reset.count(), 0);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed.first().first().toModelIndex().row(), 1);
    }

    void chartDataFollowsTheRows()
    {
        std::vector<ExperimentRow> made = *rows(10);
        made[2].ratio = std::numeric_limits<double>::quiet_NaN();
        made[4].modelSpeedup = 1.5;
        const ChartData all = chartData(made, ChartScope::AllKernels, {});
        QCOMPARE(all.failures, (std::vector<std::int64_t>{3, 4, 8}));
        QCOMPARE(all.measured.size(), std::size_t{7});
        QCOMPARE(all.last, 10);
        for (const QPointF& corner : all.best)
            QVERIFY(std::isfinite(corner.y()));
        // Steps only: each corner shares a coordinate with the one before.
        for (std::size_t at = 1; at < all.best.size(); ++at)
            QVERIFY(all.best[at].x() == all.best[at - 1].x() || all.best[at].y() == all.best[at - 1].y());
        const ChartData one = chartData(made, ChartScope::OneProblem, "p2");
        QCOMPARE(one.best.back().y(), 1.1); // experiment 10, the only one kept on p2
        const ChartData empty = chartData({}, ChartScope::WholeModel, {});
        QCOMPARE(empty.lowest, 1.0);
        QVERIFY(empty.measured.empty());
    }

    void decimationKeepsExtremes()
    {
        std::vector<QPointF> points;
        for (int at = 0; at < 100'000; ++at)
            points.emplace_back(at, at == 50'123 ? 9.0 : at == 70'456 ? -9.0 : std::sin(at * 0.01));
        const std::vector<QPointF> few = decimated(points, 500);
        QVERIFY(few.size() <= 2000);
        QVERIFY(std::find(few.begin(), few.end(), QPointF(50'123, 9)) != few.end());
        QVERIFY(std::find(few.begin(), few.end(), QPointF(70'456, -9)) != few.end());
        QVERIFY(std::is_sorted(few.begin(), few.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); }));
        QCOMPARE(decimated({{1, 1}, {2, 2}}, 500).size(), std::size_t{2});
    }

    void anUndecidedMeasurementDoesNotStretchTheChart()
    {
        std::vector<ExperimentRow> made(2);
        made[0].number = 1;
        made[0].decision = Decision::NotFaster;
        made[0].ratio = 1.5, made[0].low = 1.4, made[0].high = 1.6;
        made[1].number = 2;
        made[1].decision = Decision::Unfinished;
        made[1].ratio = 2, made[1].low = 0.001, made[1].high = 1909;
        const ChartData data = chartData(made, ChartScope::AllKernels, {});
        QCOMPARE(data.measured.size(), std::size_t(2));
        QCOMPARE(data.highest, 2.0);
        QCOMPARE(data.lowest, 1.0);
        QCOMPARE(data.measured[0].high, 1.6);
        QCOMPARE(data.measured[1].high, 0.0);
        ExperimentModel model;
        model.setExperiments(std::make_shared<const std::vector<ExperimentRow>>(made));
        const QString text = model.index(model.rowOf(2), ExperimentModel::SpeedUp).data().toString();
        QVERIFY2(!text.contains(QStringLiteral("1909")) && !text.isEmpty(), qPrintable(text));
        QVERIFY(model.index(model.rowOf(1), ExperimentModel::SpeedUp).data().toString().contains(QStringLiteral("1.6")));
    }

    void axisEndsAreRound()
    {
        const AxisRange range = roundedRange(0.93, 1.62, 6);
        QCOMPARE(range.step, 0.2);
        QVERIFY(std::abs(range.low - 0.8) < 1e-12 && std::abs(range.high - 1.8) < 1e-12);
        const AxisRange flat = roundedRange(1, 1, 6);
        QVERIFY(flat.high > flat.low);
        const AxisRange bad = roundedRange(std::numeric_limits<double>::quiet_NaN(), 1, 6);
        QVERIFY(std::isfinite(bad.low) && bad.high > bad.low);
    }

    void differencesShowSignsAndLeaveOutHunks()
    {
        DifferenceView view;
        view.setHunksChoosable(true);
        view.setDifference(sampleDifference());
        QCOMPARE(view.hunkCount(), 2);
        QVERIFY(view.text(0).contains(QStringLiteral("Change 1 of 2")));
        QCOMPARE(view.text(2).trimmed(), QStringLiteral("constexpr int rowsPerTask = 1;")); // copied text has no sign
        QSignalSpy changed(&view, &DifferenceView::keptChanged);
        QTest::keyClick(&view, Qt::Key_Space);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(view.keptHunks(), (std::vector<std::int32_t>{1}));
        QVERIFY(view.text(0).contains(QStringLiteral("is left out")));
        view.goToChange(true);
        QCOMPARE(view.currentHunk(), 1);
        view.goToChange(true);
        QCOMPARE(view.currentHunk(), 1); // there is no third
        view.toggleHunk(0);
        QVERIFY(view.allKept());
        QVERIFY(view.isReadOnly());
    }

    void approvalOfChosenHunksSendsTheirIndices()
    {
        ApprovalPanel panel;
        QVERIFY(!panel.approveButton()->isEnabled());
        QCOMPARE(panel.approveButton()->toolTip(), QStringLiteral("Nothing waits for approval"));
        const auto experiment = std::make_shared<const Experiment>(sampleExperiment(6, "p1", Decision::Pending, 1.6));
        ApprovalRequest request;
        request.experiment = 6;
        request.binding = "b";
        panel.showApproval({request, QStringLiteral("rms_norm"), experiment, sampleDifference(), 1});
        QSignalSpy whole(&panel, &ApprovalPanel::approved), chosen(&panel, &ApprovalPanel::hunksAccepted);
        panel.approve();
        QCOMPARE(whole.count(), 1);
        panel.review()->view()->toggleHunk(0);
        QCOMPARE(panel.approveButton()->text(), QStringLiteral("Accept Chosen Changes"));
        panel.approve();
        QCOMPARE(whole.count(), 1);
        QCOMPARE(chosen.first().at(2).value<QList<int>>(), QList<int>{1});
        panel.review()->view()->toggleHunk(1);
        QVERIFY(!panel.approveButton()->isEnabled());
        // Another request does not inherit the comment or the choice.
        panel.comment()->setText(QStringLiteral("typed"));
        request.binding = "c";
        TextDiff other = sampleDifference();
        other.hunks.pop_back();
        panel.showApproval({request, QStringLiteral("rms_norm"), experiment, other, 1});
        QVERIFY(panel.comment()->text().isEmpty());
        QVERIFY(panel.review()->view()->allKept());
    }

    void theEditorMarksChangesAndDiagnostics()
    {
        KernelEditor editor;
        editor.setKernelText(toQString(sampleSource(1)));
        QVERIFY(!editor.isEdited());
        editor.setChange(sampleDifference());
        QCOMPARE(editor.markedLines(KernelEditor::AddedMark), (std::vector<int>{9, 17})); // lines 10 and 18, from 0
        QVERIFY(editor.markedLines(KernelEditor::RemovedMark).empty()); // replaced, not removed
        editor.insertAt(QStringLiteral("x"), 3, 0);
        QCOMPARE(editor.markedLines(KernelEditor::EditedMark), (std::vector<int>{3}));
        QVERIFY(editor.isEdited());
        editor.setDiagnostics({{10, true, QStringLiteral("expected ';'")}, {99'999, false, QStringLiteral("far away")}});
        QVERIFY(editor.annotation(9).contains(QStringLiteral("Error: expected ';'")));
        QVERIFY(editor.annotation(editor.lines() - 1).contains(QStringLiteral("far away")));
        editor.undo();
        QVERIFY(!editor.isEdited());
    }

    void revertCanItselfBeUndone()
    {
        CandidatePanel panel;
        ShownCandidate shown;
        shown.problem = QStringLiteral("p1");
        shown.candidate = QStringLiteral("c1");
        shown.text = QStringLiteral("int a;\n");
        panel.showCandidate(shown);
        panel.editor()->insertAt(QStringLiteral("// mine\n"), 0, 0);
        panel.revert();
        QCOMPARE(panel.editor()->kernelText(), QStringLiteral("int a;\n"));
        QVERIFY(!panel.isEdited());
        panel.editor()->undo();
        QCOMPARE(panel.editor()->kernelText(), QStringLiteral("// mine\nint a;\n"));
    }

    void compilerOutputBecomesDiagnostics()
    {
        const auto found = diagnosticsIn("candidate.cpp: In function 'f':\ncandidate.cpp:12:5: error: 'x' was not declared\n"
                                         "candidate.cpp:3:1: warning: unused\nnote without place\n");
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].line, 12);
        QVERIFY(found[0].isError);
        QVERIFY(!found[1].isError);
        QVERIFY(diagnosticsIn(std::string(100'000, ':')).empty());
    }

    void theRunBarSpeaks()
    {
        RunBar bar;
        QCOMPARE(bar.nowText(), QStringLiteral("No session is open"));
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->problems = problems();
        snapshot->experiments = rows(3);
        snapshot->state = LoopState::Measuring;
        snapshot->experimentsPerHour = 640;
        snapshot->usedSeconds = 65;
        snapshot->budgetSeconds = 180;
        snapshot->secondsLeft = 115;
        bar.showSnapshot(snapshot);
        QCOMPARE(bar.nowText(), QStringLiteral("Timing"));
        QVERIFY2(bar.figuresText().contains(QStringLiteral("640/h · 1 min 5 s of 3 min used · 1 min 55 s left")), qPrintable(bar.figuresText()));
        snapshot->secondsLeft = std::numeric_limits<double>::quiet_NaN();
        bar.showSnapshot(std::make_shared<const Snapshot>(*snapshot));
        QVERIFY(!bar.figuresText().contains(QStringLiteral("nan"), Qt::CaseInsensitive));
    }

    void namesFromModelsAreText()
    {
        auto report = std::make_shared<ProfileReport>(*sampleReport());
        report->hotSpots[0].name = "<b>bold</b>\u202E";
        HotSpotModel model;
        model.setReport(report);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("<b>bold</b><U+202E>"));
        QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b&gt;")));
    }

    void tablesCopyTabSeparated()
    {
        ProblemsModel model;
        model.setProblems(problems());
        DataTable table;
        table.setModel(&model);
        table.setCurrentIndex(model.index(1, 0));
        const QStringList lines = table.tabSeparated().split(QLatin1Char('\n'));
        QVERIFY(lines[0].startsWith(QStringLiteral("Problem\tState")));
        QVERIFY(lines[1].startsWith(QStringLiteral("silu_mul\tWaiting")));
    }

    void theLogForgetsItsOldestLines()
    {
        LogModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        for (int line = 0; line < 20; ++line)
            model.add(LogModel::Level::Information, Message("x").with("line", line));
        QCOMPARE(model.rowCount(), 20);
        QCOMPARE(model.index(19, LogModel::Text).data().toString(), QStringLiteral("x line=19"));
    }
};

KW_GUI_TEST_MAIN(ViewsTest)
#include "views_test.moc"
