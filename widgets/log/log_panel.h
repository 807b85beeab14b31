// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QWidget>

#include <deque>

namespace kw {

class DataTable;

/// What happened, newest last; old lines beyond the limit are dropped. Lines stay messages, so that they follow the
/// language. Window thread.
class LogModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Kind, Text, ColumnCount };
    enum class Level : quint8 { Information, Trouble };
    static constexpr int limit = 5000;
    using QAbstractTableModel::QAbstractTableModel;

    void add(Level level, const Message& message, const std::string& detail = {}, const QDateTime& time = QDateTime::currentDateTime());
    void retranslate();
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Line {
        QDateTime time;
        Level level;
        Message message;
        std::string detail;
    };
    std::deque<Line> m_lines;
};

/// The log as a table that stays at its end while nobody scrolls up. Window thread.
class LogPanel : public QWidget {
    Q_OBJECT
public:
    explicit LogPanel(QWidget* parent = nullptr);
    LogModel* model() { return m_model; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    LogModel* m_model;
    DataTable* m_table;
    bool m_atEnd = true, m_scrolling = false;
};

} // namespace kw
