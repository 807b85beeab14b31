// SPDX-License-Identifier: GPL-3.0-or-later
#include "speedup_chart/speedup_panel.h"

#include "basis/data_table.h"
#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "basis/text.h"
#include "history_list/experiment_model.h"
#include "speedup_chart/chart_legend.h"
#include "speedup_chart/speedup_chart.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace kw {
namespace {
constexpr int fixedScopes = 2; // all kernels, whole model; problems follow
}

SpeedupPanel::SpeedupPanel(Selection& selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_summary(new PlainLabel), m_scopeLabel(new PlainLabel), m_scope(new QComboBox),
      m_asTable(new QToolButton), m_chart(new SpeedupChart), m_legend(new ChartLegend), m_model(new ExperimentModel(this)),
      m_table(new DataTable), m_views(new QStackedWidget), m_pages(new PanelPages(this))
{
    build();
    connect(m_scope, &QComboBox::currentIndexChanged, this, &SpeedupPanel::refreshChart);
    connect(m_asTable, &QToolButton::toggled, m_views, [this](bool table) { m_views->setCurrentIndex(table ? 1 : 0); });
    connect(m_chart, &SpeedupChart::experimentClicked, this, [this](qint64 number) {
        if (const ExperimentRow* row = m_model->rowAt(m_model->rowOf(number)))
            m_selection.selectExperiment(number, toQString(row->problem));
    });
    connect(m_chart, &SpeedupChart::tipRequested, this,
        [this](qint64 number, const QPoint& at) { QToolTip::showText(at, tipFor(number), m_chart); });
    connect(&m_selection, &Selection::experimentChanged, m_chart, &SpeedupChart::setSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (index.isValid() && m_table->hasFocus())
            m_selection.selectExperiment(index.data(ExperimentModel::NumberRole).toLongLong(),
                index.data(ExperimentModel::ProblemRole).toString());
    });
    retranslate();
    setExperiments(nullptr);
}

void SpeedupPanel::build()
{
    m_table->setModel(m_model);
    QVBoxLayout* column = m_pages->column();
    m_summary->setTextScale(1.1, true);
    column->addWidget(m_summary);
    auto* row = new QHBoxLayout;
    m_scopeLabel->setWordWrap(false);
    m_scopeLabel->setBuddy(m_scope);
    m_asTable->setCheckable(true);
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scope->setMinimumContentsLength(22);
    row->addWidget(m_scopeLabel);
    row->addWidget(m_scope);
    row->addStretch(1);
    row->addWidget(m_asTable);
    column->addLayout(row);
    auto* drawing = new QWidget;
    auto* drawn = new QVBoxLayout(drawing);
    drawn->setContentsMargins(0, 0, 0, 0);
    drawn->addWidget(m_chart, 1);
    drawn->addWidget(m_legend);
    m_views->addWidget(drawing);
    m_views->addWidget(m_table);
    column->addWidget(m_views, 1);
    m_scope->addItems({QString(), QString()});}

void SpeedupPanel::setExperiments(const ExperimentRows& rows)
{
    m_rows = rows;
    m_model->setExperiments(rows);
    m_pages->showPage(rows && !rows->empty());
    refreshChart();
}

void SpeedupPanel::setProblems(const ProblemRows& problems)
{
    if (problems == m_problems)
        return;
    m_problems = problems;
    m_model->setProblems(problems);
    refreshScopes();
}

void SpeedupPanel::setEmptyText(const QString& text)
{
    m_pages->setEmptyText(text);
}

void SpeedupPanel::setSummary(const QString& text)
{
    m_summary->setText(text);
    m_summary->setVisible(!text.isEmpty());
}

void SpeedupPanel::refreshScopes()
{
    QStringList ids;
    for (int item = fixedScopes; item < m_scope->count(); ++item)
        ids << m_scope->itemData(item).toString();
    QStringList wanted;
    if (m_problems)
        for (const ProblemRow& problem : *m_problems)
            wanted << toQString(problem.id);
    if (ids == wanted)
        return;
    const QString chosen = m_scope->currentData().toString();
    const QSignalBlocker quiet(m_scope);
    const int fixed = m_scope->currentIndex() < fixedScopes ? m_scope->currentIndex() : 0;
    while (m_scope->count() > fixedScopes)
        m_scope->removeItem(m_scope->count() - 1);
    if (m_problems)
        for (const ProblemRow& problem : *m_problems)
            m_scope->addItem(shown(problem.name), toQString(problem.id));
    const int again = chosen.isEmpty() ? -1 : m_scope->findData(chosen);
    m_scope->setCurrentIndex(again >= 0 ? again : fixed);
    refreshChart();
}

void SpeedupPanel::refreshChart()
{
    if (!isVisible()) {
        m_stale = true;
        return;
    }
    m_stale = false;
    const int index = m_scope->currentIndex();
    const ChartScope scope = index == 0 ? ChartScope::AllKernels : index == 1 ? ChartScope::WholeModel : ChartScope::OneProblem;
    static const std::vector<ExperimentRow> none;
    m_chart->setData(chartData(m_rows ? *m_rows : none, scope, m_scope->currentData().toString().toStdString()));
    m_legend->setLineText(scope == ChartScope::OneProblem ? tr("best so far") : tr("whole model, best so far"));
}

void SpeedupPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_stale) {
        refreshChart();
        m_chart->flush();
    }
}

QString SpeedupPanel::tipFor(qint64 number) const
{
    const int row = m_model->rowOf(number);
    QStringList lines;
    for (int column = 0; column < m_model->columnCount() && row >= 0; ++column)
        if (const QString text = m_model->index(row, column).data().toString(); !text.isEmpty())
            lines << tr("%1: %2").arg(m_model->headerData(column, Qt::Horizontal).toString(), text).toHtmlEscaped();
    return lines.isEmpty() ? QString() : QLatin1String("<qt>") + lines.join(QLatin1String("<br>")) + QLatin1String("</qt>");
}

QString SpeedupPanel::commaSeparated() const
{
    QStringList lines{QStringLiteral("number,problem,candidate,decision,ratio,low,high,model_speedup,seconds")};
    if (m_rows)
        for (const ExperimentRow& row : *m_rows)
            lines << QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9")
                         .arg(row.number)
                         .arg(toQString(row.problem), toQString(row.candidate), toQString(labelOf(row.decision, Language::English)))
                         .arg(row.ratio, 0, 'g', 9)
                         .arg(row.low, 0, 'g', 9)
                         .arg(row.high, 0, 'g', 9)
                         .arg(row.modelSpeedup, 0, 'g', 9)
                         .arg(row.seconds, 0, 'g', 6);
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void SpeedupPanel::retranslate()
{
    m_scopeLabel->setText(tr("Show:"));
    m_scope->setItemText(0, tr("All kernels"));
    m_scope->setItemText(1, tr("Whole model"));
    m_scope->setAccessibleName(tr("What the chart shows"));
    m_asTable->setText(tr("Table"));
    m_asTable->setToolTip(tr("Show the same experiments as a table"));
    m_chart->setAccessibleName(tr("Speed-up per experiment as a chart; the table beside it has the same figures"));
    m_table->setAccessibleName(tr("Speed-up per experiment as a table"));
    m_model->retranslate();
    m_table->setColumnExamples({QStringLiteral("99,999"), label(Decision::Rejected) + QStringLiteral(": ") + label(FailureKind::WrongValue),
        QStringLiteral("pow_mean_rsqrt_mul"), QStringLiteral("9.99 × (9.99–9.99)"), QStringLiteral("9.99 ×")});
    refreshChart();
}

void SpeedupPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace kw
