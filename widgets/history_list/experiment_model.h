// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/snapshot_lists.h"

#include <QAbstractTableModel>

#include <map>
#include <string>

namespace kw {

/// Every experiment as a row, newest first. New rows are inserted, changed ones are announced, nothing is reset while a
/// session runs. Window thread.
class ExperimentModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Number, Result, Kernel, SpeedUp, Model, AuthorColumn, Hypothesis, Duration, Commit, ColumnCount };
    enum Role { NumberRole = Qt::UserRole, ProblemRole, CandidateRole, DecisionRole, CommitRole };
    enum class Filter { All, Kept, Failed };
    using QAbstractTableModel::QAbstractTableModel;

    void setExperiments(const ExperimentRows& rows);
    /// Names of kernels for the ids in the rows.
    void setProblems(const ProblemRows& problems);
    void setFilter(Filter filter);
    void retranslate();
    int rowOf(qint64 number) const;      ///< -1 when it is not shown
    const ExperimentRow* rowAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    bool passes(const ExperimentRow& row) const;
    void rebuild();
    QString text(const ExperimentRow& row, int column) const;

    ExperimentRows m_rows;
    std::vector<std::size_t> m_shown;    ///< indices into m_rows, ascending
    std::map<std::string, QString> m_names;
    Filter m_filter = Filter::All;
};

} // namespace kw
