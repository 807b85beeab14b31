// SPDX-License-Identifier: GPL-3.0-or-later
#include "hot_spots/treemap_view.h"

#include "basis/text.h"
#include "hot_spots/hot_spot_model.h"
#include "present/colour_scale.h"
#include "present/numbers.h"
#include "record/snapshot.h"
#include "theme/theme.h"

#include <QAccessible>
#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kw {
namespace {

constexpr double smallestPart = 0.0008;  // of the whole area: below that a cell cannot be hit or read
constexpr std::size_t mostCells = 20'000;

QColor toQColor(const Rgb& colour)
{
    return {colour.red, colour.green, colour.blue};
}

} // namespace

TreemapView::TreemapView(QWidget* parent) : QWidget(parent)
{
    installTreemapAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

TreemapView::~TreemapView() = default;

void TreemapView::setModel(QAbstractItemModel* model)
{
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (m_model) {
        connect(m_model, &QAbstractItemModel::modelReset, this, &TreemapView::modelChanged);
        connect(m_model, &QAbstractItemModel::rowsInserted, this, &TreemapView::modelChanged);
        connect(m_model, &QAbstractItemModel::rowsRemoved, this, &TreemapView::modelChanged);
        connect(m_model, &QAbstractItemModel::dataChanged, this, &TreemapView::modelChanged);
    }
    modelChanged();
}

void TreemapView::setSelectionModel(QItemSelectionModel* selection)
{
    if (m_selection)
        m_selection->disconnect(this);
    m_selection = selection;
    if (m_selection)
        connect(m_selection, &QItemSelectionModel::currentRowChanged, this, [this] {
            update();
            if (const int cell = currentCell(); cell >= 0 && hasFocus()) {
                QAccessibleEvent event(this, QAccessible::Focus);
                event.setChild(cell);
                QAccessible::updateAccessibility(&event);
            }
        });
    update();
}

void TreemapView::setColourBy(ColourBy criterion)
{
    m_colourBy = criterion;
    recolour();
}

void TreemapView::sortAgain()
{
    m_order.clear();
    modelChanged();
}

void TreemapView::modelChanged()
{
    layOut();
    QAccessibleTableModelChangeEvent event(this, QAccessibleTableModelChangeEvent::ModelReset);
    QAccessible::updateAccessibility(&event);
}

QVariant TreemapView::value(int row, int role) const
{
    return m_model->index(row, 0).data(role);
}

void TreemapView::layOut()
{
    m_cells.clear();
    m_hovered = -1;
    if (!m_model || m_model->rowCount() == 0) {
        update();
        return;
    }
    std::vector<std::string> keys;
    std::vector<double> seconds;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        keys.push_back(value(row, HotSpotModel::KeyRole).toString().toStdString());
        seconds.push_back(value(row, HotSpotModel::SecondsRole).toDouble());
    }
    std::vector<double> sorted;
    const std::vector<std::size_t> bySize = descendingOrder(seconds);
    for (const std::size_t row : bySize)
        sorted.push_back(seconds[row]);
    const std::size_t kept = keptCells(sorted, smallestPart, mostCells);
    std::vector<bool> own(seconds.size(), false);
    for (std::size_t at = 0; at < kept; ++at)
        own[bySize[at]] = true;

    std::vector<double> values;
    double rest = 0;
    std::size_t merged = 0;
    for (const std::size_t row : m_order.order(keys, seconds)) {
        if (!own[row]) {
            rest += std::isfinite(seconds[row]) && seconds[row] > 0 ? seconds[row] : 0;
            ++merged;
            continue;
        }
        values.push_back(seconds[row]);
        m_cells.push_back({static_cast<int>(row), {}, {}, {}, {}});
    }
    if (rest > 0) {
        values.push_back(rest);
        m_cells.emplace_back();
        restLabel(m_cells.back(), merged, rest);
    }
    const auto rects = squarify(values, {0, 0, static_cast<double>(width()), static_cast<double>(height())});
    for (std::size_t at = 0; at < m_cells.size(); ++at)
        m_cells[at].rect = QRectF(rects[at].x, rects[at].y, rects[at].width, rects[at].height);
    fitTexts();
    recolour();
}

void TreemapView::restLabel(Cell& cell, std::size_t count, double seconds)
{
    cell.row = -1;
    m_restName = tr("Other (%n)", nullptr, static_cast<int>(count));
    m_restFigures = toQString(timeText(seconds, uiLanguage()));
}

QColor TreemapView::colourOf(int row) const
{
    const bool dark = isDark(palette());
    if (row < 0)
        return palette().color(QPalette::Mid);
    switch (m_colourBy) {
    case ColourBy::Saving: return toQColor(headroomColour(value(row, HotSpotModel::SavingPartRole).toDouble(), dark));
    case ColourBy::SpeedUp: return toQColor(speedupColour(value(row, HotSpotModel::SpeedUpRole).toDouble(), dark));
    case ColourBy::State: {
        const int state = value(row, HotSpotModel::StateRole).toInt();
        return state < 0 ? palette().color(QPalette::Mid) : toQColor(categoryColour(static_cast<std::size_t>(state)));
    }
    }
    return {};
}

void TreemapView::recolour()
{
    if (m_model)
        for (Cell& cell : m_cells)
            cell.colour = colourOf(cell.row);
    update();
}

void TreemapView::fitTexts()
{
    const QFontMetricsF metrics(font());
    const double margin = metrics.averageCharWidth() * 0.7;
    for (Cell& cell : m_cells) {
        const double width = cell.rect.width() - 2 * margin;
        if (width < 3 * metrics.averageCharWidth() || cell.rect.height() < metrics.height() + margin)
            continue;
        const QString name = cell.row < 0 ? m_restName : value(cell.row, Qt::DisplayRole).toString();
        cell.name = metrics.elidedText(name, Qt::ElideRight, width);
        if (cell.rect.height() < 2 * metrics.height() + margin)
            continue;
        const auto column = [&](int number) { return m_model->index(cell.row, number).data().toString(); };
        const QString figures = cell.row < 0 ? m_restFigures
            : m_colourBy == ColourBy::SpeedUp
            ? column(HotSpotModel::Time) + QStringLiteral(" · ") + column(HotSpotModel::SpeedUp)
            : column(HotSpotModel::Time) + QStringLiteral(" · ") + column(HotSpotModel::Share);
        cell.figures = metrics.elidedText(figures, Qt::ElideRight, width);
    }
}

QString TreemapView::cellName(int cell) const
{
    const Cell& chosen = m_cells[static_cast<std::size_t>(cell)];
    return chosen.row < 0 ? m_restName : value(chosen.row, Qt::DisplayRole).toString();
}

QString TreemapView::cellDescription(int cell) const
{
    const Cell& chosen = m_cells[static_cast<std::size_t>(cell)];
    return chosen.row < 0 ? m_restName + QLatin1Char('\n') + m_restFigures : value(chosen.row, HotSpotModel::DescriptionRole).toString();
}

int TreemapView::cellAt(const QPointF& position) const
{
    for (std::size_t at = 0; at < m_cells.size(); ++at)
        if (m_cells[at].rect.contains(position))
            return static_cast<int>(at);
    return -1;
}

int TreemapView::currentCell() const
{
    if (!m_selection || !m_selection->currentIndex().isValid())
        return -1;
    const int row = m_selection->currentIndex().row();
    for (std::size_t at = 0; at < m_cells.size(); ++at)
        if (m_cells[at].row == row)
            return static_cast<int>(at);
    return -1;
}

void TreemapView::selectCell(int cell)
{
    if (!m_selection || cell < 0 || cell >= static_cast<int>(m_cells.size()) || m_cells[static_cast<std::size_t>(cell)].row < 0)
        return;
    const QModelIndex index = m_model->index(m_cells[static_cast<std::size_t>(cell)].row, 0);
    m_selection->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void TreemapView::activateCell(int cell)
{
    if (cell < 0 || cell >= static_cast<int>(m_cells.size()) || m_cells[static_cast<std::size_t>(cell)].row < 0)
        return;
    selectCell(cell);
    emit activated(m_model->index(m_cells[static_cast<std::size_t>(cell)].row, 0));
}

int TreemapView::neighbour(int cell, Qt::Key direction) const
{
    const QPointF from = m_cells[static_cast<std::size_t>(cell)].rect.center();
    int best = cell;
    double bestDistance = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < m_cells.size(); ++at) {
        if (static_cast<int>(at) == cell || m_cells[at].row < 0)
            continue;
        const QPointF delta = m_cells[at].rect.center() - from;
        const bool ahead = (direction == Qt::Key_Left && delta.x() < 0) || (direction == Qt::Key_Right && delta.x() > 0)
            || (direction == Qt::Key_Up && delta.y() < 0) || (direction == Qt::Key_Down && delta.y() > 0);
        const bool sideways = direction == Qt::Key_Left || direction == Qt::Key_Right;
        // What lies straight ahead wins over what lies aslant.
        const double along = sideways ? std::abs(delta.x()) : std::abs(delta.y());
        const double across = sideways ? std::abs(delta.y()) : std::abs(delta.x());
        if (ahead && along + 2 * across < bestDistance) {
            bestDistance = along + 2 * across;
            best = static_cast<int>(at);
        }
    }
    return best;
}

void TreemapView::updateCell(int cell)
{
    if (cell >= 0 && cell < static_cast<int>(m_cells.size()))
        update(m_cells[static_cast<std::size_t>(cell)].rect.toAlignedRect().adjusted(-2, -2, 2, 2));
}

bool TreemapView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int cell = cellAt(help->pos());
        if (cell < 0)
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(),
                QLatin1String("<qt>") + cellDescription(cell).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"))
                    + QLatin1String("</qt>"),
                this, m_cells[static_cast<std::size_t>(cell)].rect.toRect());
        return true;
    }
    return QWidget::event(event);
}

void TreemapView::resizeEvent(QResizeEvent*)
{
    layOut();
}

void TreemapView::mousePressEvent(QMouseEvent* event)
{
    selectCell(cellAt(event->position()));
}

void TreemapView::mouseDoubleClickEvent(QMouseEvent* event)
{
    activateCell(cellAt(event->position()));
}

void TreemapView::mouseMoveEvent(QMouseEvent* event)
{
    const int cell = cellAt(event->position());
    if (cell == m_hovered)
        return;
    updateCell(m_hovered);
    m_hovered = cell;
    updateCell(m_hovered);
}

void TreemapView::leaveEvent(QEvent*)
{
    updateCell(m_hovered);
    m_hovered = -1;
}

void TreemapView::keyPressEvent(QKeyEvent* event)
{
    const int cell = currentCell();
    const auto key = static_cast<Qt::Key>(event->key());
    const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (m_cells.empty()) {
        QWidget::keyPressEvent(event);
    } else if (arrow || key == Qt::Key_Home) {
        selectCell(cell < 0 || key == Qt::Key_Home ? 0 : neighbour(cell, key));
    } else if (key == Qt::Key_End) {
        selectCell(static_cast<int>(m_cells.size()) - (m_cells.back().row < 0 ? 2 : 1));
    } else if ((key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) && event->modifiers() == Qt::NoModifier) {
        activateCell(cell);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void TreemapView::focusInEvent(QFocusEvent* event)
{
    if (currentCell() < 0 && event->reason() != Qt::MouseFocusReason)
        selectCell(0);
    update();
}

void TreemapView::focusOutEvent(QFocusEvent*)
{
    update();
}

void TreemapView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        recolour();
    else if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        layOut();
}

QSize TreemapView::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() * 16};
}

QSize TreemapView::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 20, fontMetrics().height() * 5};
}

} // namespace kw
