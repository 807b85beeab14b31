// SPDX-License-Identifier: GPL-3.0-or-later
#include "basis/plain_label.h"

#include <QApplication>
#include <QEvent>

namespace kw {

PlainLabel::PlainLabel(QWidget* parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
}

void PlainLabel::setTextScale(double scale, bool bold)
{
    m_scale = scale;
    m_bold = bold;
    applyScale();
}

void PlainLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        applyScale();
}

void PlainLabel::applyScale()
{
    if (m_scale == 1 && !m_bold)
        return;
    QFont font = QApplication::font(this);
    font.setPointSizeF(font.pointSizeF() * m_scale);
    font.setBold(m_bold);
    setFont(font);
}

} // namespace kw
