// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/review_panel.h"

#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "review/difference_view.h"
#include "theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kw {

ReviewPanel::ReviewPanel(QWidget* parent)
    : QWidget(parent), m_heading(new PlainLabel), m_count(new PlainLabel), m_previous(new QToolButton), m_next(new QToolButton),
      m_toggle(new QPushButton), m_view(new DifferenceView), m_pages(new PanelPages(this))
{
    QVBoxLayout* column = m_pages->column();
    auto* row = new QHBoxLayout;
    m_count->setWordWrap(false);
    row->addWidget(m_heading, 1);
    row->addWidget(m_count);
    row->addWidget(m_toggle);
    row->addWidget(m_previous);
    row->addWidget(m_next);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    layout()->setContentsMargins(0, 0, 0, 0);
    for (QToolButton* button : {m_previous, m_next})
        button->setAutoRaise(true);
    connect(m_previous, &QToolButton::clicked, this, [this] { goToChange(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { goToChange(true); });
    connect(m_toggle, &QPushButton::clicked, this, [this] { m_view->toggleHunk(m_view->currentHunk()); });
    connect(m_view, &DifferenceView::keptChanged, this, &ReviewPanel::refresh);
    connect(m_view, &DifferenceView::keptChanged, this, &ReviewPanel::keptChanged);
    connect(m_view, &DifferenceView::currentChanged, this, &ReviewPanel::refresh);
    m_toggle->hide();
    retranslate();
}

void ReviewPanel::showDifference(const QString& heading, const TextDiff& difference)
{
    m_heading->setText(heading);
    m_added = difference.added;
    m_removed = difference.removed;
    m_view->setDifference(difference);
    m_pages->showPage();
    refresh();
}

void ReviewPanel::showNothing(const QString& why)
{
    m_pages->showEmpty(why);
}

void ReviewPanel::setHunksChoosable(bool choosable)
{
    m_choosable = choosable;
    m_view->setHunksChoosable(choosable);
    refresh();
}

void ReviewPanel::goToChange(bool forward)
{
    m_view->goToChange(forward);
}

void ReviewPanel::refresh()
{
    const int hunks = m_view->hunkCount(), current = m_view->currentHunk();
    m_count->setText(hunks == 0 ? tr("The texts are equal") : tr("+%1 \u2212%2 lines").arg(m_added).arg(m_removed));
    m_previous->setEnabled(current > 0);
    m_next->setEnabled(current + 1 < hunks);
    const auto kept = m_view->keptHunks();
    const bool keeps = std::find(kept.begin(), kept.end(), current) != kept.end();
    m_toggle->setVisible(m_choosable && hunks > 1);
    m_toggle->setText(keeps ? tr("Leave Out") : tr("Take In"));
    m_toggle->setToolTip(tr("Leaves the current change out of what is accepted, or takes it in again (Space)"));
}

void ReviewPanel::retranslate()
{
    const auto name = [](QToolButton* button, const QString& text, const QString& tip) {
        button->setAccessibleName(text);
        button->setToolTip(tip);
    };
    name(m_previous, tr("Previous change"), tr("Previous change (F7)"));
    name(m_next, tr("Next change"), tr("Next change (F8)"));
    m_view->setAccessibleName(tr("Difference of the texts"));
    m_previous->setIcon(themedIcon(QStringLiteral("previous"), palette()));
    m_next->setIcon(themedIcon(QStringLiteral("next"), palette()));
    refresh();
}

void ReviewPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

} // namespace kw
