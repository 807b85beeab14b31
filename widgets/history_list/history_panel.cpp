// SPDX-License-Identifier: GPL-3.0-or-later
#include "history_list/history_panel.h"

#include "basis/data_table.h"
#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "basis/text.h"
#include "history_list/experiment_model.h"
#include "theme/icons.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace kw {

HistoryPanel::HistoryPanel(Selection& selection, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_model(new ExperimentModel(this)), m_table(new DataTable),
      m_showLabel(new PlainLabel), m_filter(new QComboBox), m_rollBack(new QPushButton), m_pages(new PanelPages(this))
{
    build();
    m_table->setModel(m_model);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_following && index.isValid())
            m_selection.selectExperiment(index.data(ExperimentModel::NumberRole).toLongLong(),
                index.data(ExperimentModel::ProblemRole).toString());
        refreshButtons();
    });
    connect(m_table, &QAbstractItemView::activated, this,
        [this](const QModelIndex& index) { emit experimentActivated(index.data(ExperimentModel::NumberRole).toLongLong()); });
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_model->setFilter(static_cast<ExperimentModel::Filter>(index));
        showSelection();
    });
    connect(m_rollBack, &QPushButton::clicked, this, &HistoryPanel::rollBack);
    connect(&m_selection, &Selection::experimentChanged, this, &HistoryPanel::showSelection);
    retranslate();
    setExperiments(nullptr);
}

void HistoryPanel::build()
{
    QVBoxLayout* column = m_pages->column();
    auto* row = new QHBoxLayout;
    m_showLabel->setWordWrap(false);
    m_showLabel->setBuddy(m_filter);
    m_filter->addItems({QString(), QString(), QString()});
    row->addWidget(m_showLabel);
    row->addWidget(m_filter);
    row->addStretch(1);
    row->addWidget(m_rollBack);
    column->addLayout(row);
    column->addWidget(m_table, 1);
}

void HistoryPanel::setExperiments(const ExperimentRows& rows)
{
    m_following = true;
    m_model->setExperiments(rows);
    m_following = false;
    m_pages->showPage(rows && !rows->empty());
    showSelection();
}

void HistoryPanel::setProblems(const ProblemRows& problems)
{
    m_model->setProblems(problems);
}

void HistoryPanel::setRefusal(const QString& reason)
{
    m_refusal = reason;
    refreshButtons();
}

void HistoryPanel::setEmptyText(const QString& text)
{
    m_pages->setEmptyText(text);
}

QString HistoryPanel::refusalFor(const ExperimentRow* row) const
{
    if (!m_refusal.isEmpty())
        return m_refusal;
    if (!row)
        return tr("Select an experiment first");
    if (row->decision != Decision::Kept && row->decision != Decision::RolledBack)
        return tr("Only an experiment that was kept can become the best again");
    return {};
}

void HistoryPanel::refreshButtons()
{
    const QString reason = refusalFor(m_model->rowAt(m_table->currentIndex().row()));
    const bool changed = reason != m_reason;
    m_reason = reason;
    m_rollBack->setEnabled(reason.isEmpty());
    m_rollBack->setToolTip(reason.isEmpty() ? tr("Make this candidate the best again, as a new entry that can itself be undone") : reason);
    m_rollBack->setStatusTip(m_rollBack->toolTip());
    if (changed)
        emit availabilityChanged();
}

void HistoryPanel::rollBack()
{
    const ExperimentRow* row = m_model->rowAt(m_table->currentIndex().row());
    if (refusalFor(row).isEmpty())
        emit rollBackRequested(row->number);
}

void HistoryPanel::showSelection()
{
    const int row = m_model->rowOf(m_selection.experiment());
    if (row >= 0 && m_table->currentIndex().row() != row) {
        m_following = true;
        m_table->setCurrentIndex(m_model->index(row, 0));
        m_following = false;
    }
    refreshButtons();
}

void HistoryPanel::retranslate()
{
    m_showLabel->setText(tr("Show:"));
    m_filter->setItemText(0, tr("All experiments"));
    m_filter->setItemText(1, tr("Improvements"));
    m_filter->setItemText(2, tr("Failures"));
    m_filter->setAccessibleName(tr("Which experiments are shown"));
    m_rollBack->setText(tr("Roll Back to This"));
    m_rollBack->setIcon(themedIcon(QStringLiteral("rollback"), palette()));
    m_table->setAccessibleName(tr("Experiments"));
    m_model->retranslate();
    m_table->setColumnExamples({QStringLiteral("99,999"), label(Decision::Rejected) + QStringLiteral(": ") + label(FailureKind::WrongValue),
        QStringLiteral("pow_mean_rsqrt_mul"), QStringLiteral("9.99 × (9.99–9.99)"), QStringLiteral("9.99 ×"),
        label(AuthorKind::LanguageModel), QStringLiteral("Rows per task from 1 to 4 keeps more loads in flight"), QStringLiteral("999 ms"),
        QStringLiteral("0123456789")});
    refreshButtons();
}

void HistoryPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

} // namespace kw
