// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/selection.h"
#include "basis/snapshot_lists.h"

#include <QWidget>

class QComboBox;
class QItemSelectionModel;
class QLineEdit;
class QSortFilterProxyModel;
class QSplitter;

namespace kw {

class DataTable;
class HotSpotModel;
class PanelPages;
class PlainLabel;
class TreemapView;

/// Where the time goes: advice, treemap and the same rows as a table, kept in step with the window's selection.
/// Window thread.
class HotSpotsPanel : public QWidget {
    Q_OBJECT
public:
    explicit HotSpotsPanel(Selection& selection, QWidget* parent = nullptr);

    void setReport(const ReportPointer& report);
    void setProblems(const ProblemRows& problems);
    /// What the empty view says before there is a profile.
    void setEmptyText(const QString& text);

    TreemapView* treemap() { return m_treemap; }
    DataTable* table() { return m_table; }
    HotSpotModel* model() { return m_model; }

signals:
    /// The person opened a hot spot: show its kernel.
    void problemActivated(const QString& problem);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    void showAdvice();
    void selectRow(int row);
    void showSelection();

    Selection& m_selection;
    HotSpotModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QItemSelectionModel* m_cells;
    PlainLabel* m_summary;
    PlainLabel* m_advice;
    PlainLabel* m_colourLabel;
    QComboBox* m_colourBy;
    QLineEdit* m_filter;
    TreemapView* m_treemap;
    DataTable* m_table;
    QSplitter* m_splitter;
    PanelPages* m_pages;
    ReportPointer m_report;
    bool m_following = false;
};

} // namespace kw
