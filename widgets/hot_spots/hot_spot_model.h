// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/snapshot_lists.h"

#include <QAbstractTableModel>

#include <unordered_map>

namespace kw {

/// The profile's hot spots as rows, with what was achieved on them so far. One row per HotSpot, in the report's order.
/// Window thread.
class HotSpotModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Time, Saving, Share, SpeedUp, Floor, Calls, State, Module, ColumnCount };
    enum Role {
        SortRole = Qt::UserRole, ///< number or text to sort by
        ProblemRole,             ///< QString; empty when no kernel program covers it
        KeyRole,                 ///< QString, unique and stable over reports of one session
        SecondsRole,             ///< double, per run of the model as profiled
        SavingPartRole,          ///< double, the part of its time that can be saved, 0..1
        ShareRole,               ///< double, of the model's time
        SpeedUpRole,             ///< double, achieved against the library, 1 = none
        StateRole,               ///< int, ProblemState; -1 without a problem
        DescriptionRole,         ///< QString, every figure in words: tooltip and accessible description
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setReport(const ReportPointer& report);
    void setProblems(const ProblemRows& problems);
    void retranslate();
    /// Row of a problem, or -1.
    int rowOf(const QString& problem) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const HotSpot* spotAt(int row) const;
    const ProblemRow* problemOf(const HotSpot& spot) const;
    QString text(const HotSpot& spot, int column) const;
    QVariant sortKey(const HotSpot& spot, int column) const;
    QString description(const HotSpot& spot) const;
    QString stateText(const HotSpot& spot) const;

    ReportPointer m_report;
    ProblemRows m_problems;
    std::unordered_map<std::string, std::size_t> m_problemIndex;
};

} // namespace kw
