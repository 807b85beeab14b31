// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/selection.h"
#include "basis/snapshot_lists.h"

#include <QWidget>

class QComboBox;
class QStackedWidget;
class QToolButton;

namespace kw {

class ChartLegend;
class DataTable;
class ExperimentModel;
class PanelPages;
class PlainLabel;
class SpeedupChart;

/// The live chart and the same rows as a table. Hidden, it waits; shown, it catches up. Window thread.
class SpeedupPanel : public QWidget {
    Q_OBJECT
public:
    explicit SpeedupPanel(Selection& selection, QWidget* parent = nullptr);

    void setExperiments(const ExperimentRows& rows);
    void setProblems(const ProblemRows& problems);
    void setEmptyText(const QString& text);
    /// The figure above the chart: what was reached so far and what it stands on.
    void setSummary(const QString& text);
    SpeedupChart* chart() { return m_chart; }
    QComboBox* scope() { return m_scope; }
    DataTable* table() { return m_table; }
    /// The rows of the chart as comma separated values.
    QString commaSeparated() const;

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void build();
    void retranslate();
    void refreshScopes();
    void refreshChart();
    QString tipFor(qint64 number) const;

    Selection& m_selection;
    PlainLabel* m_summary;
    PlainLabel* m_scopeLabel;
    QComboBox* m_scope;
    QToolButton* m_asTable;
    SpeedupChart* m_chart;
    ChartLegend* m_legend;
    ExperimentModel* m_model;
    DataTable* m_table;
    QStackedWidget* m_views;
    PanelPages* m_pages;
    ExperimentRows m_rows;
    ProblemRows m_problems;
    bool m_stale = true;
};

} // namespace kw
