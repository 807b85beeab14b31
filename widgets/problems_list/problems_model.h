// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/snapshot_lists.h"

#include <QAbstractTableModel>

namespace kw {

/// The session's problems, in the host's order. Window thread.
class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, State, SpeedUp, Time, Predicted, Floor, Experiments, Kept, Calls, Kind, Module, ColumnCount };
    enum Role { SortRole = Qt::UserRole, ProblemRole, StateRole };
    using QAbstractTableModel::QAbstractTableModel;

    void setProblems(const ProblemRows& problems);
    void retranslate();
    int rowOf(const QString& problem) const;
    const ProblemRow* rowAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(const ProblemRow& row, int column) const;
    QVariant sortKey(const ProblemRow& row, int column) const;
    ProblemRows m_problems;
};

} // namespace kw
