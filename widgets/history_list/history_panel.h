// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/selection.h"
#include "basis/snapshot_lists.h"

#include <QWidget>

class QComboBox;
class QPushButton;

namespace kw {

class DataTable;
class ExperimentModel;
class PanelPages;
class PlainLabel;

/// All experiments, kept and rejected, newest first; roll back to a kept one. Window thread.
class HistoryPanel : public QWidget {
    Q_OBJECT
public:
    explicit HistoryPanel(Selection& selection, QWidget* parent = nullptr);

    void setExperiments(const ExperimentRows& rows);
    void setProblems(const ProblemRows& problems);
    /// Why nothing can be rolled back at all (read-only, not attached); empty when it can.
    void setRefusal(const QString& reason);
    void setEmptyText(const QString& text);
    void rollBack();
    const QString& reasonAgainst() const { return m_reason; } ///< why roll back is disabled; empty when it is not
    ExperimentModel* model() { return m_model; }
    DataTable* table() { return m_table; }
    QPushButton* rollBackButton() { return m_rollBack; }

signals:
    void rollBackRequested(qint64 experiment);
    void experimentActivated(qint64 experiment);
    void availabilityChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    void refreshButtons();
    void showSelection();
    QString refusalFor(const ExperimentRow* row) const;

    Selection& m_selection;
    ExperimentModel* m_model;
    DataTable* m_table;
    PlainLabel* m_showLabel;
    QComboBox* m_filter;
    QPushButton* m_rollBack;
    PanelPages* m_pages;
    QString m_refusal, m_reason;
    bool m_following = false;
};

} // namespace kw
