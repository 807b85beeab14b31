// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/diff_rows.h"

#include <Qsci/qsciscintilla.h>

#include <set>

namespace kw {

/// One difference, unified, read-only: signs and line numbers in the margin, changed words marked, code coloured.
/// Hunks can be left out one by one when setHunksChoosable(true). Window thread.
class DifferenceView : public QsciScintilla {
    Q_OBJECT
public:
    explicit DifferenceView(QWidget* parent = nullptr);

    void setDifference(const TextDiff& difference);
    void setHunksChoosable(bool choosable);
    /// Indices of the hunks that are kept, ascending.
    std::vector<std::int32_t> keptHunks() const;
    bool allKept() const { return m_leftOut.empty(); }
    int hunkCount() const { return m_hunks; }
    int currentHunk() const { return m_current; }
    void goToChange(bool forward);
    void goToHunk(int hunk);
    void toggleHunk(int hunk);

signals:
    void keptChanged();
    void currentChanged(int hunk);

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void render();
    void applyColours();
    QString headerText(int hunk) const;
    int headerLine(int hunk) const;

    std::vector<UnifiedRow> m_rows;
    std::vector<int> m_headers;      ///< line of each hunk's header
    std::set<int> m_leftOut;
    int m_hunks = 0, m_current = 0;
    bool m_choosable = false;
};

} // namespace kw
