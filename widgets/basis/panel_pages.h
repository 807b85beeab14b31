// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStackedWidget>

class QVBoxLayout;

namespace kw {

class PlainLabel;

/// The two faces of a panel: a sentence in its middle while there is nothing to show, and its page. Window thread.
class PanelPages : public QStackedWidget {
    Q_OBJECT
public:
    /// Becomes all of `panel`, which gets a layout; shows the empty face.
    explicit PanelPages(QWidget* panel);

    /// Where the page's contents go, one below another.
    QVBoxLayout* column() { return m_column; }
    void showPage(bool shown = true);
    bool showsPage() const { return currentIndex() == 1; }
    /// The sentence of the empty face, shown now or not.
    void setEmptyText(const QString& why);
    void showEmpty(const QString& why);

private:
    PlainLabel* m_empty;
    QVBoxLayout* m_column;
};

} // namespace kw
