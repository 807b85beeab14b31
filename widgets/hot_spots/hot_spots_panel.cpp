// SPDX-License-Identifier: GPL-3.0-or-later
#include "hot_spots/hot_spots_panel.h"

#include "basis/data_table.h"
#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "basis/text.h"
#include "hot_spots/hot_spot_model.h"
#include "hot_spots/treemap_view.h"
#include "present/numbers.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QVBoxLayout>

namespace kw {

HotSpotsPanel::HotSpotsPanel(Selection& selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_model(new HotSpotModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_cells(new QItemSelectionModel(m_model, this)), m_summary(new PlainLabel), m_advice(new PlainLabel), m_colourLabel(new PlainLabel),
      m_colourBy(new QComboBox), m_filter(new QLineEdit), m_treemap(new TreemapView), m_table(new DataTable),
      m_splitter(new QSplitter(Qt::Vertical)), m_pages(new PanelPages(this))
{
    build();
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(HotSpotModel::SortRole);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setFilterKeyColumn(-1);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(HotSpotModel::Saving, Qt::DescendingOrder);
    m_treemap->setModel(m_model);
    m_treemap->setSelectionModel(m_cells);

    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& index) { selectRow(m_sorted->mapToSource(index).row()); });
    connect(m_cells, &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) { selectRow(index.row()); });
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& index) {
        emit problemActivated(index.data(HotSpotModel::ProblemRole).toString());
    });
    connect(m_treemap, &TreemapView::activated, this, [this](const QModelIndex& index) {
        emit problemActivated(index.data(HotSpotModel::ProblemRole).toString());
    });
    connect(m_filter, &QLineEdit::textChanged, m_sorted, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_colourBy, &QComboBox::currentIndexChanged, this,
        [this](int index) { m_treemap->setColourBy(static_cast<TreemapView::ColourBy>(index)); });
    connect(&m_selection, &Selection::problemChanged, this, &HotSpotsPanel::showSelection);
    retranslate();
    setReport(nullptr);
}

void HotSpotsPanel::build()
{
    QVBoxLayout* column = m_pages->column();
    m_summary->setTextScale(1.1, true);
    column->addWidget(m_summary);
    column->addWidget(m_advice);
    auto* tools = new QHBoxLayout;
    m_colourLabel->setWordWrap(false);
    m_colourLabel->setBuddy(m_colourBy);
    tools->addWidget(m_colourLabel);
    tools->addWidget(m_colourBy);
    tools->addStretch(1);
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(m_filter->fontMetrics().averageCharWidth() * 22);
    tools->addWidget(m_filter);
    column->addLayout(tools);
    m_splitter->addWidget(m_treemap);
    m_splitter->addWidget(m_table);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);
    column->addWidget(m_splitter, 1);
    m_colourBy->addItems({QString(), QString(), QString()});
}

void HotSpotsPanel::setReport(const ReportPointer& report)
{
    m_report = report;
    m_following = true;
    m_model->setReport(report);
    m_following = false;
    m_pages->showPage(report && !report->hotSpots.empty());
    showAdvice();
    showSelection();
}

void HotSpotsPanel::setProblems(const ProblemRows& problems)
{
    m_model->setProblems(problems);
}

void HotSpotsPanel::setEmptyText(const QString& text)
{
    m_pages->setEmptyText(text);
}

void HotSpotsPanel::showAdvice()
{
    if (!m_report)
        return;
    const Language language = uiLanguage();
    const double predicted = m_report->predictedSeconds;
    QString summary = tr("%1 per run of the model").arg(toQString(timeText(m_report->seconds, language)));
    if (predicted > 0 && m_report->seconds > predicted)
        summary = tr("%1 per run, about %2 to win (%3)")
                      .arg(toQString(timeText(m_report->seconds, language)),
                          toQString(timeText(m_report->seconds - predicted, language)),
                          toQString(ratioText(m_report->seconds / predicted, language)));
    m_summary->setText(summary);
    QStringList lines;
    for (const Message& advice : m_report->advice)
        lines << say(advice);
    m_advice->setText(lines.join(QLatin1Char('\n')));
    m_advice->setVisible(!lines.isEmpty());
}

void HotSpotsPanel::selectRow(int row)
{
    if (m_following || row < 0)
        return;
    // Library operators have no problem: the two views still agree on them.
    m_following = true;
    const QModelIndex index = m_model->index(row, 0);
    m_cells->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->setCurrentIndex(m_sorted->mapFromSource(index));
    m_following = false;
    if (const QString problem = index.data(HotSpotModel::ProblemRole).toString(); !problem.isEmpty())
        m_selection.selectProblem(problem);
}

void HotSpotsPanel::showSelection()
{
    if (m_following)
        return;
    const int row = m_model->rowOf(m_selection.problem());
    if (row < 0)
        return;
    m_following = true;
    const QModelIndex index = m_model->index(row, 0);
    m_cells->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->setCurrentIndex(m_sorted->mapFromSource(index));
    m_following = false;
}

void HotSpotsPanel::retranslate()
{
    m_colourLabel->setText(tr("Colour:"));
    m_colourBy->setItemText(0, tr("What can be saved"));
    m_colourBy->setItemText(1, tr("Achieved speed-up"));
    m_colourBy->setItemText(2, tr("State"));
    m_colourBy->setToolTip(tr("What the colours of the treemap say; the area is always time"));
    m_colourBy->setAccessibleName(tr("Colour of the treemap"));
    m_filter->setPlaceholderText(tr("Filter hot spots"));
    m_filter->setAccessibleName(tr("Filter hot spots"));
    m_treemap->setAccessibleName(tr("Hot spots as a treemap: the area is time"));
    m_table->setAccessibleName(tr("Hot spots as a table"));
    m_model->retranslate();
    m_table->setColumnExamples({QStringLiteral("pow_mean_rsqrt_mul"), QStringLiteral("999 ms"), QStringLiteral("999 ms"), QStringLiteral("99.9 %"),
        QStringLiteral("9.99 × (9.99–9.99)"), QStringLiteral("999 ms"), QStringLiteral("9,999"),
        label(ProblemState::NearFloor) + QStringLiteral("mm"), QStringLiteral("model.layers.0.mlp")});
    showAdvice();
}

void HotSpotsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace kw
