// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/treemap.h"

#include <QAbstractItemModel>
#include <QItemSelectionModel>
#include <QPointer>
#include <QWidget>

#include <vector>

namespace kw {

/// Paints the rows of a HotSpotModel as a squarified treemap: area = time, colour by choice, both also as text.
/// Cells keep their places while values change. Arrow keys move, Return activates; cells are accessible list items.
/// Window thread.
class TreemapView : public QWidget {
    Q_OBJECT
public:
    enum class ColourBy { Saving, SpeedUp, State };

    explicit TreemapView(QWidget* parent = nullptr);
    ~TreemapView() override;

    void setModel(QAbstractItemModel* model);
    /// Shared with the table beside it; rows are those of the model.
    void setSelectionModel(QItemSelectionModel* selection);
    void setColourBy(ColourBy criterion);
    ColourBy colourBy() const { return m_colourBy; }
    /// Forgets the places of the cells: the largest is first again.
    void sortAgain();

    struct Cell {
        int row = -1;        ///< of the model; -1 = the merged rest
        QRectF rect;         ///< logical pixels
        QString name, figures; ///< elided to the cell; empty when they do not fit
        QColor colour;
    };
    const std::vector<Cell>& cells() const { return m_cells; }
    int cellAt(const QPointF& position) const;   ///< index, or -1
    int currentCell() const;                     ///< index, or -1
    QString cellName(int cell) const;            ///< whole, for tooltips and screen readers
    QString cellDescription(int cell) const;
    void selectCell(int cell);
    void activateCell(int cell);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void activated(const QModelIndex& index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void modelChanged();
    void layOut();
    void recolour();
    void fitTexts();
    QColor colourOf(int row) const;
    QVariant value(int row, int role) const;
    int neighbour(int cell, Qt::Key direction) const;
    void updateCell(int cell);
    void restLabel(Cell& cell, std::size_t count, double seconds);

    QPointer<QAbstractItemModel> m_model;
    QPointer<QItemSelectionModel> m_selection;
    StickyOrder m_order;
    ColourBy m_colourBy = ColourBy::Saving;
    std::vector<Cell> m_cells;
    QString m_restName, m_restFigures;
    int m_hovered = -1;
};

/// Makes the cells visible to screen readers. Called once by the constructor.
void installTreemapAccessibility();

} // namespace kw
