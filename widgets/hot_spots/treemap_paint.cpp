// SPDX-License-Identifier: GPL-3.0-or-later
#include "hot_spots/treemap_view.h"

#include "present/colour_scale.h"

#include <QPaintEvent>
#include <QPainter>

#include <cmath>

namespace kw {
namespace {

/// Edges on device pixels, so that fills are crisp and neighbours keep exactly one gap.
QRectF onPixels(const QRectF& rect, double ratio)
{
    const double left = std::round(rect.left() * ratio), top = std::round(rect.top() * ratio);
    const double right = std::round(rect.right() * ratio), bottom = std::round(rect.bottom() * ratio);
    return {left / ratio, top / ratio, (right - left - 1) / ratio, (bottom - top - 1) / ratio};
}

QColor textOn(const QColor& background)
{
    const Rgb colour = readableOn({static_cast<std::uint8_t>(background.red()), static_cast<std::uint8_t>(background.green()),
        static_cast<std::uint8_t>(background.blue())});
    return {colour.red, colour.green, colour.blue};
}

} // namespace

void TreemapView::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), palette().color(QPalette::Base));
    const double ratio = devicePixelRatioF();
    const QFontMetricsF metrics(font());
    const double margin = metrics.averageCharWidth() * 0.7;
    const int current = currentCell();
    for (std::size_t at = 0; at < m_cells.size(); ++at) {
        const Cell& cell = m_cells[at];
        if (!cell.rect.intersects(event->rect()))
            continue;
        const QRectF rect = onPixels(cell.rect, ratio);
        if (rect.width() <= 0 || rect.height() <= 0)
            continue;
        const bool hovered = static_cast<int>(at) == m_hovered;
        const QColor fill = hovered ? cell.colour.lighter(112) : cell.colour;
        painter.fillRect(rect, fill);
        painter.setPen(textOn(fill));
        if (!cell.name.isEmpty())
            painter.drawText(QPointF(rect.left() + margin, rect.top() + margin / 2 + metrics.ascent()), cell.name);
        if (!cell.figures.isEmpty())
            painter.drawText(QPointF(rect.left() + margin, rect.top() + margin / 2 + metrics.ascent() + metrics.height()), cell.figures);
    }
    if (current < 0)
        return;
    // Two lines of opposite lightness are seen on every colour; the focus makes them thicker.
    const QRectF rect = onPixels(m_cells[static_cast<std::size_t>(current)].rect, ratio);
    const double thick = hasFocus() ? 2.5 : 1.5;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette().color(QPalette::Base), thick));
    painter.drawRect(rect.adjusted(thick * 1.5, thick * 1.5, -thick * 1.5, -thick * 1.5));
    painter.setPen(QPen(palette().color(QPalette::Text), thick));
    painter.drawRect(rect.adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2));
}

} // namespace kw
