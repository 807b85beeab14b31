// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "speedup_chart/chart_data.h"
#include "theme/theme.h"

#include <QGraphicsItem>
#include <QtCharts/QAbstractSeries>

#include <functional>

class QChart;

namespace kw {

/// All marks of the chart as one item: a scatter series would cost one graphics item per point. Marks that fall on the
/// same pixels are painted once. Window thread.
class PointsItem : public QGraphicsItem {
public:
    PointsItem(QChart& chart, QAbstractSeries& series);

    void setData(const ChartData* data);
    void setColours(const ThemeColours& colours, const QColor& paper);
    void setSelected(std::int64_t number);
    void moved();                              ///< ranges or size have changed

    QPointF place(const ChartPoint& point) const;
    QPointF failurePlace(std::int64_t number) const;

    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintIntervals(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    double size() const;
    template <typename Place> void oncePerPixel(std::size_t count, const Place& place, const std::function<void(std::size_t, QPointF)>& draw) const;

    QChart& m_chart;
    QAbstractSeries& m_series;
    const ChartData* m_data = nullptr;
    ThemeColours m_colours;
    QColor m_paper;
    std::int64_t m_selected = 0;
};

/// The mark of a decision, for chart and legend.
void drawMark(QPainter& painter, QPointF at, double size, Decision decision, const ThemeColours& colours, const QColor& paper);

} // namespace kw
