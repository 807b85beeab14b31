// SPDX-License-Identifier: GPL-3.0-or-later
#include "speedup_chart/chart_legend.h"

#include "speedup_chart/points_item.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace kw {

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ChartLegend::setLineText(const QString& text)
{
    m_lineText = text;
    setAccessibleName(texts().join(QStringLiteral(", ")));
    fit();
}

void ChartLegend::fit()
{
    // Own height instead of a layout's height for width, which stacked pages and splitters do not pass on.
    if (const int needed = heightForWidth(width()); needed != height() || needed != minimumHeight())
        setFixedHeight(needed);
    update();
}

void ChartLegend::resizeEvent(QResizeEvent*)
{
    fit();
}

QStringList ChartLegend::texts() const
{
    return {m_lineText, tr("kept"), tr("waiting for approval"), tr("measured, not better"), tr("failed"), tr("library")};
}

template <typename Draw> int ChartLegend::flow(int width, const Draw& draw) const
{
    const QFontMetrics metrics(font());
    const int mark = metrics.height() * 3 / 2, gap = metrics.averageCharWidth() * 2;
    int x = 0, y = 0, entry = 0;
    for (const QString& text : texts()) {
        const int needed = mark + metrics.horizontalAdvance(text);
        if (x > 0 && x + needed > width) {
            x = 0;
            y += metrics.height();
        }
        draw(entry++, x, y, mark, text);
        x += needed + gap;
    }
    return y + metrics.height();
}

int ChartLegend::heightForWidth(int width) const
{
    return flow(width, [](int, int, int, int, const QString&) {});
}

QSize ChartLegend::sizeHint() const
{
    const int width = fontMetrics().averageCharWidth() * 70;
    return {width, heightForWidth(width)};
}

QSize ChartLegend::minimumSizeHint() const
{
    int widest = 0;
    for (const QString& text : texts())
        widest = std::max(widest, fontMetrics().height() * 3 / 2 + fontMetrics().horizontalAdvance(text));
    return {widest, fontMetrics().height()};
}

void ChartLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColours colours = themeColours(palette());
    const QFontMetrics metrics(font());
    flow(width(), [&](int entry, int x, int y, int mark, const QString& text) {
        const QPointF centre(x + mark * 0.38, y + metrics.height() / 2.0);
        const QPointF half(mark * 0.32, 0);
        static constexpr Decision decisions[] = {Decision::Kept, Decision::Kept, Decision::Pending, Decision::NotFaster, Decision::Rejected};
        if (entry == 0 || entry == 5) {
            painter.setPen(entry == 0 ? QPen(colours.chartBest, 2) : QPen(colours.chartBaseline, 1.2, Qt::DashLine));
            painter.drawLine(centre - half, centre + half);
        } else {
            drawMark(painter, centre, 7, decisions[entry], colours, palette().color(QPalette::Base));
        }
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(x + mark, y + metrics.ascent(), text);
    });
}

void ChartLegend::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    fit();
}

} // namespace kw
