// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/diff.h"

#include <QWidget>

class QPushButton;
class QToolButton;

namespace kw {

class DifferenceView;
class PanelPages;
class PlainLabel;

/// A difference with its heading and the ways through it: previous (F7), next (F8), leave a change out. Window thread.
class ReviewPanel : public QWidget {
    Q_OBJECT
public:
    explicit ReviewPanel(QWidget* parent = nullptr);

    /// `heading` says what is compared with what.
    void showDifference(const QString& heading, const TextDiff& difference);
    void showNothing(const QString& why);
    void setHunksChoosable(bool choosable);
    void goToChange(bool forward);
    DifferenceView* view() { return m_view; }

signals:
    void keptChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void refresh();

    PlainLabel* m_heading;
    PlainLabel* m_count;
    QToolButton* m_previous;
    QToolButton* m_next;
    QPushButton* m_toggle;
    DifferenceView* m_view;
    PanelPages* m_pages;
    bool m_choosable = false;
    int m_added = 0, m_removed = 0;
};

} // namespace kw
