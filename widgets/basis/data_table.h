// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeView>

namespace kw {

/// A table of rows: sortable by header, one row selected at a time, Copy gives the rows tab separated with their headings.
/// A tree view, since a table view measures every row header. Window thread.
class DataTable : public QTreeView {
    Q_OBJECT
public:
    explicit DataTable(QWidget* parent = nullptr);

    /// Columns as wide as these examples or their headings need; the last visible one takes the rest.
    void setColumnExamples(const QStringList& examples);
    /// Selected rows, or all rows when none is selected.
    QString tabSeparated() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyWidths();
    QStringList m_examples;
};

} // namespace kw
