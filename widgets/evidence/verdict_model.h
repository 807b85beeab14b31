// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/verdict.h"

#include <QAbstractItemModel>

namespace kw {

/// A verdict as a tree: stages, and below each its cases with the worst element. Window thread.
class VerdictModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Result, Budget, Detail, ColumnCount };
    enum Role { PassedRole = Qt::UserRole, RunRole };
    using QAbstractItemModel::QAbstractItemModel;

    void setVerdict(const Verdict& verdict);
    void retranslate();
    /// The stage at which verification stopped; invalid when it passed.
    QModelIndex failedStage() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const StageResult* stageAt(const QModelIndex& index) const;
    const CaseResult* caseAt(const QModelIndex& index) const;
    QString stageText(const StageResult& stage, int column) const;
    QString caseText(const CaseResult& result, int column) const;

    Verdict m_verdict;
};

/// "y[3, 17]: expected 1.25, found 1.5; error 0.25, allowed 1e-6, the library's own 2e-7" in the language of the window.
QString worstText(const WorstElement& worst);

} // namespace kw
