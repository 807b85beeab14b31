// SPDX-License-Identifier: GPL-3.0-or-later
#include "basis/panel_pages.h"

#include "basis/plain_label.h"

#include <QVBoxLayout>

namespace kw {

PanelPages::PanelPages(QWidget* panel) : m_empty(new PlainLabel)
{
    auto* page = new QWidget;
    m_column = new QVBoxLayout(page);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    addWidget(m_empty);
    addWidget(page);
    auto* outer = new QVBoxLayout(panel);
    outer->addWidget(this);
}

void PanelPages::showPage(bool shown)
{
    setCurrentIndex(shown ? 1 : 0);
}

void PanelPages::setEmptyText(const QString& why)
{
    m_empty->setText(why);
}

void PanelPages::showEmpty(const QString& why)
{
    setEmptyText(why);
    showPage(false);
}

} // namespace kw
