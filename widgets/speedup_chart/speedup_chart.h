// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "speedup_chart/chart_data.h"

#include <QtCharts/QChartView>

class QTimer;
class QValueAxis;
class QLineSeries;

namespace kw {

class PointsItem;

/// Draws ChartData: step line of the best so far, points with intervals, failures as hollow marks on a lane at the
/// bottom, the library at 1.0. Repaints at most ten times a second however often data comes. Window thread.
class SpeedupChart : public QChartView {
    Q_OBJECT
public:
    explicit SpeedupChart(QWidget* parent = nullptr);

    void setData(ChartData chartData);
    void setSelected(qint64 number);
    /// Draws what waits for its turn now; for pictures and tests.
    void flush();
    /// The experiment drawn nearest to a position of the view within a finger's width, or 0.
    qint64 experimentAt(const QPoint& position) const;
    QPoint positionOf(qint64 number) const;

signals:
    void experimentClicked(qint64 number);
    /// For the tooltip: whoever owns the rows answers with text.
    void tipRequested(qint64 number, const QPoint& globalPosition);

protected:
    bool viewportEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void applyColours();
    void retranslate();
    void setRanges();
    int columns() const;

    ChartData m_data;
    QLineSeries* m_best;
    QLineSeries* m_baseline;
    QValueAxis* m_numbers;
    QValueAxis* m_ratios;
    PointsItem* m_points;
    QTimer* m_timer;
};

} // namespace kw
