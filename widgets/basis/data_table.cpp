// SPDX-License-Identifier: GPL-3.0-or-later
#include "basis/data_table.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace kw {

DataTable::DataTable(QWidget* parent) : QTreeView(parent)
{
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setHorizontalScrollMode(ScrollPerPixel);
    setTextElideMode(Qt::ElideRight);
    header()->setStretchLastSection(true);
    header()->setSectionsMovable(true);
}

void DataTable::setColumnExamples(const QStringList& examples)
{
    m_examples = examples;
    applyWidths();
}

void DataTable::applyWidths()
{
    if (!model())
        return;
    const int padding = 2 * fontMetrics().horizontalAdvance(QLatin1Char('m'));
    for (int column = 0; column < model()->columnCount() && column < m_examples.size(); ++column) {
        const QString heading = model()->headerData(column, Qt::Horizontal).toString();
        const int heads = header()->fontMetrics().horizontalAdvance(heading) + (isSortingEnabled() ? padding : padding / 2);
        header()->resizeSection(column, std::max(heads, fontMetrics().horizontalAdvance(m_examples[column])) + padding);
    }
}

QString DataTable::tabSeparated() const
{
    if (!model())
        return {};
    QStringList lines;
    const auto line = [&](auto&& cell) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column)
            if (!isColumnHidden(column))
                cells << cell(column);
        lines << cells.join(QLatin1Char('\t'));
    };
    line([&](int column) { return model()->headerData(column, Qt::Horizontal).toString(); });
    const QModelIndexList chosen = selectionModel() ? selectionModel()->selectedRows() : QModelIndexList();
    if (chosen.isEmpty())
        for (int row = 0; row < model()->rowCount(); ++row)
            line([&](int column) { return model()->index(row, column).data().toString(); });
    else
        for (const QModelIndex& index : chosen)
            line([&](int column) { return index.siblingAtColumn(column).data().toString(); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void DataTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        QGuiApplication::clipboard()->setText(tabSeparated());
        return;
    }
    QTreeView::keyPressEvent(event);
}

void DataTable::changeEvent(QEvent* event)
{
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        applyWidths();
}

} // namespace kw
