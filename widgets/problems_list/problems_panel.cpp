// SPDX-License-Identifier: GPL-3.0-or-later
#include "problems_list/problems_panel.h"

#include "basis/data_table.h"
#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "basis/text.h"
#include "problems_list/problems_model.h"
#include "theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace kw {

ProblemsPanel::ProblemsPanel(Selection& selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_model(new ProblemsModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_table(new DataTable), m_pin(new QPushButton), m_skip(new QPushButton), m_pages(new PanelPages(this))
{
    QVBoxLayout* column = m_pages->column();
    column->addWidget(m_table, 1);
    auto* row = new QHBoxLayout;
    row->addStretch(1);
    row->addWidget(m_skip);
    row->addWidget(m_pin);
    column->addLayout(row);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(ProblemsModel::SortRole);
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ProblemsModel::Time, Qt::DescendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_following && index.isValid())
            m_selection.selectProblem(index.data(ProblemsModel::ProblemRole).toString());
        refreshButtons();
    });
    connect(m_table, &QAbstractItemView::activated, this,
        [this](const QModelIndex& index) { emit problemActivated(index.data(ProblemsModel::ProblemRole).toString()); });
    connect(m_pin, &QPushButton::clicked, this, [this] {
        if (const ProblemRow* problem = current())
            emit pinWished(toQString(problem->id), problem->state != ProblemState::Pinned);
    });
    connect(m_skip, &QPushButton::clicked, this, [this] {
        if (const ProblemRow* problem = current())
            emit skipWished(toQString(problem->id), problem->state != ProblemState::Skipped);
    });
    connect(m_model, &QAbstractItemModel::dataChanged, this, &ProblemsPanel::refreshButtons);
    connect(&m_selection, &Selection::problemChanged, this, &ProblemsPanel::showSelection);
    retranslate();
    setProblems(nullptr);
}

void ProblemsPanel::setProblems(const ProblemRows& problems)
{
    m_following = true;
    m_model->setProblems(problems);
    m_following = false;
    m_pages->showPage(problems && !problems->empty());
    showSelection();
}

void ProblemsPanel::setRefusal(const QString& reason)
{
    m_refusal = reason;
    refreshButtons();
}

void ProblemsPanel::setEmptyText(const QString& text)
{
    m_pages->setEmptyText(text);
}

const ProblemRow* ProblemsPanel::current() const
{
    return m_model->rowAt(m_sorted->mapToSource(m_table->currentIndex()).row());
}

void ProblemsPanel::refreshButtons()
{
    const ProblemRow* problem = current();
    QString reason = m_refusal;
    if (reason.isEmpty() && !problem)
        reason = tr("Select a problem first");
    if (reason.isEmpty() && problem->state == ProblemState::Refused)
        reason = tr("No kernel program covers this problem");
    const bool pinned = problem && problem->state == ProblemState::Pinned;
    const bool skipped = problem && problem->state == ProblemState::Skipped;
    m_pin->setText(pinned ? tr("Unpin") : tr("Pin"));
    m_skip->setText(skipped ? tr("Do Not Skip") : tr("Skip"));
    for (QPushButton* button : {m_pin, m_skip})
        button->setEnabled(reason.isEmpty());
    m_pin->setToolTip(reason.isEmpty() ? tr("Work on this problem before all others") : reason);
    m_skip->setToolTip(reason.isEmpty() ? tr("Leave this problem alone") : reason);
}

void ProblemsPanel::showSelection()
{
    const int row = m_model->rowOf(m_selection.problem());
    if (row >= 0) {
        m_following = true;
        m_table->setCurrentIndex(m_sorted->mapFromSource(m_model->index(row, 0)));
        m_following = false;
    }
    refreshButtons();
}

void ProblemsPanel::retranslate()
{
    m_table->setAccessibleName(tr("Problems"));
    m_pin->setIcon(themedIcon(QStringLiteral("pin"), palette()));
    m_skip->setIcon(themedIcon(QStringLiteral("skip"), palette()));
    m_model->retranslate();
    m_table->setColumnExamples({QStringLiteral("pow_mean_rsqrt_mul"), label(ProblemState::NearFloor), QStringLiteral("9.99 × (9.99–9.99)"),
        QStringLiteral("999 ms"), QStringLiteral("999 ms"), QStringLiteral("999 ms"), QStringLiteral("9,999"), QStringLiteral("999"),
        QStringLiteral("9,999"), label(RegionKind::ColumnReduction), QStringLiteral("model.layers.0.mlp")});
    refreshButtons();
}

void ProblemsPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

} // namespace kw
