// SPDX-License-Identifier: GPL-3.0-or-later
#include "speedup_chart/points_item.h"

#include <QPainter>
#include <QtCharts/QChart>

#include <cmath>
#include <unordered_set>

namespace kw {

void drawMark(QPainter& painter, QPointF at, double size, Decision decision, const ThemeColours& colours, const QColor& paper)
{
    const double half = size / 2;
    painter.setPen(QPen(colours.chartPoint, 1.4));
    switch (decision) {
    case Decision::Kept:
        painter.setBrush(colours.chartPoint);
        painter.drawEllipse(at, half, half);
        break;
    case Decision::Pending:
        painter.setPen(QPen(colours.chartPending, 1.4));
        painter.setBrush(colours.chartPending);
        painter.drawPolygon(QPolygonF{at + QPointF(0, -half * 1.2), at + QPointF(half * 1.2, 0), at + QPointF(0, half * 1.2), at + QPointF(-half * 1.2, 0)});
        break;
    case Decision::Rejected:
        painter.setPen(QPen(colours.chartFailure, 1.4));
        painter.setBrush(paper);
        painter.drawEllipse(at, half, half);
        break;
    default: // measured, but not the best
        painter.setBrush(Qt::NoBrush);
        painter.drawLine(at + QPointF(-half * 0.8, 0), at + QPointF(half * 0.8, 0));
        painter.drawLine(at + QPointF(0, -half * 0.8), at + QPointF(0, half * 0.8));
        break;
    }
}

PointsItem::PointsItem(QChart& chart, QAbstractSeries& series) : QGraphicsItem(&chart), m_chart(chart), m_series(series)
{
    setZValue(20);
}

void PointsItem::setData(const ChartData* data)
{
    m_data = data;
    update();
}

void PointsItem::setColours(const ThemeColours& colours, const QColor& paper)
{
    m_colours = colours;
    m_paper = paper;
    update();
}

void PointsItem::setSelected(std::int64_t number)
{
    m_selected = number;
    update();
}

void PointsItem::moved()
{
    prepareGeometryChange();
    update();
}

double PointsItem::size() const
{
    return 7;
}

QPointF PointsItem::place(const ChartPoint& point) const
{
    return m_chart.mapToPosition(QPointF(static_cast<double>(point.number), point.ratio), &m_series);
}

QPointF PointsItem::failurePlace(std::int64_t number) const
{
    const QPointF place = m_chart.mapToPosition(QPointF(static_cast<double>(number), 1), &m_series);
    return {place.x(), m_chart.plotArea().bottom() - size()};
}

QRectF PointsItem::boundingRect() const
{
    return m_chart.plotArea().adjusted(-8, -8, 8, 8);
}

template <typename Place>
void PointsItem::oncePerPixel(std::size_t count, const Place& place, const std::function<void(std::size_t, QPointF)>& draw) const
{
    std::unordered_set<std::uint64_t> painted;
    // Newest last in the data: from the back, so that the newest mark wins its pixels.
    for (std::size_t at = count; at-- > 0;) {
        const QPointF position = place(at);
        const auto x = static_cast<std::uint32_t>(std::lround(position.x() / 2)), y = static_cast<std::uint32_t>(std::lround(position.y() / 2));
        if (painted.insert(std::uint64_t{x} << 32 | y).second)
            draw(at, position);
    }
}

void PointsItem::paintIntervals(QPainter& painter) const
{
    QList<QLineF> lines;
    oncePerPixel(m_data->measured.size(), [&](std::size_t at) { return place(m_data->measured[at]); }, [&](std::size_t at, QPointF position) {
        const ChartPoint& point = m_data->measured[at];
        if (point.high <= point.low)
            return;
        const auto x = static_cast<double>(point.number);
        const double low = m_chart.mapToPosition({x, point.low}, &m_series).y(), high = m_chart.mapToPosition({x, point.high}, &m_series).y();
        lines << QLineF(position.x(), low, position.x(), high) << QLineF(position.x() - 2, low, position.x() + 2, low)
              << QLineF(position.x() - 2, high, position.x() + 2, high);
    });
    QColor colour = m_colours.chartPoint;
    colour.setAlphaF(0.6F);
    painter.setPen(QPen(colour, 1));
    painter.drawLines(lines);
}

void PointsItem::paintMarks(QPainter& painter) const
{
    oncePerPixel(m_data->failures.size(), [&](std::size_t at) { return failurePlace(m_data->failures[at]); },
        [&](std::size_t, QPointF position) { drawMark(painter, position, size(), Decision::Rejected, m_colours, m_paper); });
    oncePerPixel(m_data->measured.size(), [&](std::size_t at) { return place(m_data->measured[at]); },
        [&](std::size_t at, QPointF position) { drawMark(painter, position, size(), m_data->measured[at].decision, m_colours, m_paper); });
}

void PointsItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    if (!m_data)
        return;
    painter->setClipRect(m_chart.plotArea().adjusted(-6, -6, 6, 6));
    paintIntervals(*painter);
    painter->setRenderHint(QPainter::Antialiasing);
    paintMarks(*painter);
    if (m_selected == 0)
        return;
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(m_colours.chartBaseline, 2));
    for (const ChartPoint& point : m_data->measured)
        if (point.number == m_selected)
            painter->drawEllipse(place(point), size(), size());
    for (const std::int64_t number : m_data->failures)
        if (number == m_selected)
            painter->drawEllipse(failurePlace(number), size(), size());
}

} // namespace kw
