// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/selection.h"
#include "basis/snapshot_lists.h"

#include <QWidget>

class QPushButton;
class QSortFilterProxyModel;

namespace kw {

class DataTable;
class PanelPages;
class PlainLabel;
class ProblemsModel;

/// The problems cut out of the model; pin one to work on it first, skip one to leave it alone. Window thread.
class ProblemsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsPanel(Selection& selection, QWidget* parent = nullptr);

    void setProblems(const ProblemRows& problems);
    void setRefusal(const QString& reason);
    void setEmptyText(const QString& text);
    ProblemsModel* model() { return m_model; }
    DataTable* table() { return m_table; }
    QPushButton* pinButton() { return m_pin; }
    QPushButton* skipButton() { return m_skip; }

signals:
    void pinWished(const QString& problem, bool pinned);
    void skipWished(const QString& problem, bool skipped);
    void problemActivated(const QString& problem);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refreshButtons();
    void showSelection();
    const ProblemRow* current() const;

    Selection& m_selection;
    ProblemsModel* m_model;
    QSortFilterProxyModel* m_sorted;
    DataTable* m_table;
    QPushButton* m_pin;
    QPushButton* m_skip;
    PanelPages* m_pages;
    QString m_refusal;
    bool m_following = false;
};

} // namespace kw
