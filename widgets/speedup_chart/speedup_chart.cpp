// SPDX-License-Identifier: GPL-3.0-or-later
#include "speedup_chart/speedup_chart.h"

#include "speedup_chart/points_item.h"
#include "theme/theme.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QTimer>
#include <QToolTip>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>

namespace kw {
namespace {
constexpr int frameMilliseconds = 100;

/// A fixed number of ticks: with dynamic ones every step between two ranges makes a label for each old interval.
void setAxis(QValueAxis& axis, const AxisRange& range)
{
    const int ticks = static_cast<int>(std::lround((range.high - range.low) / range.step)) + 1;
    if (axis.min() == range.low && axis.max() == range.high && axis.tickCount() == ticks)
        return;
    axis.setRange(range.low, range.high);
    axis.setTickCount(std::clamp(ticks, 2, 20));
}

} // namespace

SpeedupChart::SpeedupChart(QWidget* parent)
    : QChartView(parent), m_best(new QLineSeries(this)), m_baseline(new QLineSeries(this)), m_numbers(new QValueAxis(this)),
      m_ratios(new QValueAxis(this)), m_points(nullptr), m_timer(new QTimer(this))
{
    QChart* plot = chart();
    plot->setAnimationOptions(QChart::NoAnimation);
    plot->legend()->hide();
    plot->setBackgroundRoundness(0);
    plot->setMargins(QMargins(0, 0, 0, 0));
    plot->addAxis(m_numbers, Qt::AlignBottom);
    plot->addAxis(m_ratios, Qt::AlignLeft);
    for (QLineSeries* series : {m_baseline, m_best}) {
        plot->addSeries(series);
        series->attachAxis(m_numbers);
        series->attachAxis(m_ratios);
    }
    m_numbers->setLabelFormat(QStringLiteral("%.0f"));
    m_points = new PointsItem(*plot, *m_best);
    connect(plot, &QChart::plotAreaChanged, this, [this] { m_points->moved(); });
    m_timer->setSingleShot(true);
    m_timer->setInterval(frameMilliseconds);
    connect(m_timer, &QTimer::timeout, this, &SpeedupChart::flush);
    setFrameShape(QFrame::NoFrame);
    setMinimumSize(fontMetrics().averageCharWidth() * 30, fontMetrics().height() * 8);
    setFocusPolicy(Qt::StrongFocus);
    applyColours();
    retranslate();
    flush();
}

void SpeedupChart::setData(ChartData chartData)
{
    m_data = std::move(chartData);
    if (!m_timer->isActive())
        m_timer->start();
}

int SpeedupChart::columns() const
{
    return std::max(50, static_cast<int>(chart()->plotArea().width()));
}

void SpeedupChart::setRanges()
{
    // Room below the lowest value for the lane of failures.
    const double span = std::max(m_data.highest - m_data.lowest, 0.02);
    // As many labels as have room above one another: too many are all cut to dots.
    const int room = static_cast<int>(chart()->plotArea().height()) / (2 * fontMetrics().height());
    const AxisRange ratios = roundedRange(std::max(m_data.lowest - span * 0.08, 0.0), m_data.highest, std::clamp(room, 2, 6));
    setAxis(*m_ratios, ratios);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(ratios.step) - 1e-9)), 1, 4);
    m_ratios->setLabelFormat(QStringLiteral("%.%1f").arg(decimals));
    const AxisRange numbers = roundedRange(0, static_cast<double>(std::max<std::int64_t>(m_data.last, 10)), 8);
    setAxis(*m_numbers, numbers);
}

void SpeedupChart::flush()
{
    m_timer->stop();
    setRanges();
    const std::vector<QPointF> best = decimated(m_data.best, columns());
    m_best->replace(QList<QPointF>(best.begin(), best.end()));
    m_baseline->replace({QPointF(0, 1), QPointF(m_numbers->max(), 1)});
    m_points->setData(&m_data);
    m_points->moved();
}

void SpeedupChart::setSelected(qint64 number)
{
    m_points->setSelected(number);
}

qint64 SpeedupChart::experimentAt(const QPoint& position) const
{
    const QPointF scene = mapToScene(position);
    const QPointF inChart = chart()->mapFromScene(scene);
    double nearest = 9;
    qint64 found = 0;
    const auto offer = [&](std::int64_t number, QPointF place) {
        const double distance = std::hypot(place.x() - inChart.x(), place.y() - inChart.y());
        if (distance <= nearest) {
            nearest = distance;
            found = number;
        }
    };
    for (const ChartPoint& point : m_data.measured)
        offer(point.number, m_points->place(point));
    for (const std::int64_t number : m_data.failures)
        offer(number, m_points->failurePlace(number));
    return found;
}

QPoint SpeedupChart::positionOf(qint64 number) const
{
    for (const ChartPoint& point : m_data.measured)
        if (point.number == number)
            return mapFromScene(chart()->mapToScene(m_points->place(point)));
    return mapFromScene(chart()->mapToScene(m_points->failurePlace(number)));
}

bool SpeedupChart::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const qint64 number = experimentAt(help->pos()))
            emit tipRequested(number, help->globalPos());
        else
            QToolTip::hideText();
        return true;
    }
    return QChartView::viewportEvent(event);
}

void SpeedupChart::mouseReleaseEvent(QMouseEvent* event)
{
    QChartView::mouseReleaseEvent(event);
    if (const qint64 number = experimentAt(event->pos()))
        emit experimentClicked(number);
}

void SpeedupChart::keyPressEvent(QKeyEvent* event)
{
    // The table beside the chart serves the keyboard; the scroll area would swallow the arrows for nothing.
    event->ignore();
}

void SpeedupChart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    if (m_points)
        flush();
}

void SpeedupChart::applyColours()
{
    const ThemeColours colours = themeColours(palette());
    const QColor base = palette().color(QPalette::Base), text = palette().color(QPalette::Text);
    chart()->setTheme(isDark(palette()) ? QChart::ChartThemeDark : QChart::ChartThemeLight);
    chart()->setBackgroundBrush(base);
    chart()->setBackgroundPen(Qt::NoPen);
    setBackgroundBrush(base);
    m_best->setPen(QPen(colours.chartBest, 2));
    m_baseline->setPen(QPen(colours.chartBaseline, 1.2, Qt::DashLine));
    for (QValueAxis* axis : {m_numbers, m_ratios}) {
        axis->setLabelsBrush(text);
        axis->setTitleBrush(text);
        axis->setLinePen(QPen(colours.chartGrid, 1));
        axis->setGridLinePen(QPen(colours.chartGrid, 1));
        axis->setLabelsFont(font());
        axis->setTitleFont(font());
    }
    if (m_points)
        m_points->setColours(colours, base);
}

void SpeedupChart::retranslate()
{
    m_numbers->setTitleText(tr("Experiment"));
    m_ratios->setTitleVisible(false); // the view's own title says it, and a small chart has no room for both
}

void SpeedupChart::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColours();
    else if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace kw
