// SPDX-License-Identifier: GPL-3.0-or-later
#include "log/log_panel.h"

#include "basis/data_table.h"
#include "basis/text.h"

#include <QEvent>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

namespace kw {

void LogModel::add(Level level, const Message& message, const std::string& detail, const QDateTime& time)
{
    if (static_cast<int>(m_lines.size()) >= limit) {
        // In blocks: one removal per added line would move every view at each line.
        const int block = limit / 10;
        beginRemoveRows({}, 0, block - 1);
        m_lines.erase(m_lines.begin(), m_lines.begin() + block);
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount());
    m_lines.push_back({time, level, message, detail});
    endInsertRows();
}

void LogModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LogModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == Qt::ToolTipRole && index.column() == Text && !line.detail.empty())
        return QVariant(QLatin1String("<pre>") + shownLines(line.detail).toHtmlEscaped() + QLatin1String("</pre>"));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Time: return line.time.time().toString(QStringLiteral("HH:mm:ss"));
    case Kind: return line.level == Level::Trouble ? tr("Trouble") : tr("Note");
    case Text: return line.detail.empty() ? say(line.message) : say(line.message) + QStringLiteral(" ") + shown(line.detail);
    default: return {};
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time: return tr("Time");
    case Kind: return tr("Kind");
    case Text: return tr("What happened");
    default: return {};
    }
}

LogPanel::LogPanel(QWidget* parent) : QWidget(parent), m_model(new LogModel(this)), m_table(new DataTable)
{
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_table);
    m_table->setModel(m_model);
    connect(m_model, &QAbstractItemModel::rowsAboutToBeInserted, this, [this] {
        const QScrollBar* bar = m_table->verticalScrollBar();
        if (!m_scrolling)
            m_atEnd = bar->value() == bar->maximum();
    });
    connect(m_model, &QAbstractItemModel::rowsInserted, this, [this] {
        // Once for all lines of one event: scrolling lays the whole table out again.
        if (!m_atEnd || m_scrolling)
            return;
        m_scrolling = true;
        QTimer::singleShot(0, this, [this] {
            m_scrolling = false;
            m_table->scrollToBottom();
        });
    });
    retranslate();
}

void LogPanel::retranslate()
{
    m_table->setAccessibleName(tr("Log"));
    m_model->retranslate();
    m_table->setColumnExamples({QStringLiteral("00:00:00"), tr("Trouble")});
}

void LogPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

} // namespace kw
