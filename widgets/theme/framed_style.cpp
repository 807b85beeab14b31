// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/framed_style.h"

#include "theme/theme.h"

#include <QPainter>
#include <QStyleOption>

namespace kw {
namespace {

void outline(QPainter& painter, const QStyleOption& option, const QRect& rect, double radius)
{
    const bool enabled = option.state & QStyle::State_Enabled, focused = option.state & QStyle::State_HasFocus;
    const QColor base = option.palette.color(QPalette::Base);
    QColor colour = focused ? readable(option.palette.color(QPalette::Highlight), base, 3.0)
                            : readable(option.palette.color(QPalette::Mid), base, enabled ? 3.0 : 1.8);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter.restore();
}

} // namespace

FramedStyle::FramedStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void FramedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (!isDark(option->palette))
        return;
    switch (element) {
    case PE_FrameLineEdit:
    case PE_PanelButtonCommand: outline(*painter, *option, option->rect, 2); break;
    case PE_IndicatorCheckBox: outline(*painter, *option, option->rect, 1); break;
    case PE_Frame: outline(*painter, *option, option->rect, 0); break;
    default: break;
    }
}

void FramedStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox && isDark(option->palette))
        outline(*painter, *option, option->rect, 2);
}

} // namespace kw
