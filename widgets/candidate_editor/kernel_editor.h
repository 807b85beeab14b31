// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/diff.h"

#include <Qsci/qsciscintilla.h>

#include <vector>

namespace kw {

/// What a compiler said about one line of a candidate.
struct LineNote {
    int line = 1;                                 ///< from 1
    bool isError = false;
    QString text;
};

/// The editor of one candidate's text: C++ and CUDA colours, marks of lines that differ from the parent, marks of lines
/// that the person touched, compiler messages below their lines. Window thread.
class KernelEditor : public QsciScintilla {
    Q_OBJECT
public:
    explicit KernelEditor(QWidget* parent = nullptr);

    /// Replaces the text; undo starts here and nothing counts as edited.
    void setKernelText(const QString& text);
    QString kernelText() const { return text(); }
    bool isEdited() const { return isModified(); }
    /// Marks the lines of the text that differ from the parent's.
    void setChange(const TextDiff& change);
    void setDiagnostics(const std::vector<LineNote>& diagnostics);
    /// Lines with the mark, from 0; for tests and for jumping.
    enum Mark { AddedMark = 1, RemovedMark = 2, EditedMark = 3 };
    std::vector<int> markedLines(Mark mark) const;
    /// Moves to the next or previous marked place; tells whether there was one.
    bool goToChange(bool forward);

signals:
    /// The person changed the text, or it is again as it was loaded. Loading is no change.
    void editedChanged(bool edited);

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void applyColours();
    void fitMargins();
    void noteEdit(int position, int modification, int linesAdded);
    bool m_loading = false, m_edited = false;
};

} // namespace kw
