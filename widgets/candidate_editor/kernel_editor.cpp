// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_editor/kernel_editor.h"

#include "candidate_editor/code_view.h"
#include "candidate_editor/kernel_lexer.h"
#include "theme/theme.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QEvent>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>
#include <map>
#include <utility>

namespace kw {
namespace {

constexpr int numberMargin = 0, markMargin = 1;
constexpr int errorStyle = 40, warningStyle = 41; // between Scintilla's predefined and the lexer's styles

} // namespace

KernelEditor::KernelEditor(QWidget* parent) : QsciScintilla(parent)
{
    setUpCode(*this);
    setLexer(new KernelLexer(this));
    setAutoIndent(true);
    setBraceMatching(SloppyBraceMatch);
    setCaretLineVisible(true);
    setMarginType(numberMargin, NumberMargin);
    setMarginType(markMargin, SymbolMargin);
    setMarginSensitivity(markMargin, false);
    markerDefine(LeftRectangle, AddedMark);
    markerDefine(RightTriangle, RemovedMark);
    markerDefine(LeftRectangle, EditedMark);
    setMarginMarkerMask(markMargin, (1 << AddedMark) | (1 << RemovedMark) | (1 << EditedMark));
    setAnnotationDisplay(AnnotationIndented);
    applyColours();
    connect(this, &QsciScintillaBase::SCN_MODIFIED, this,
        [this](int position, int modification, const char*, int, int linesAdded) { noteEdit(position, modification, linesAdded); });
    connect(this, &QsciScintilla::modificationChanged, this, [this](bool edited) {
        if (!m_loading && edited != m_edited) {
            m_edited = edited;
            emit editedChanged(edited);
        }
    });
    connect(this, &QsciScintilla::linesChanged, this, &KernelEditor::fitMargins);
}

void KernelEditor::setKernelText(const QString& text)
{
    m_loading = true;
    setText(text);
    clearAnnotations();
    markerDeleteAll();
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    SendScintilla(SCI_SETSCROLLWIDTH, 1UL);
    setModified(false);
    m_loading = false;
    fitMargins();
    if (std::exchange(m_edited, false))
        emit editedChanged(false);
}

void KernelEditor::setChange(const TextDiff& change)
{
    markerDeleteAll(AddedMark);
    markerDeleteAll(RemovedMark);
    for (const Hunk& hunk : change.hunks) {
        int next = std::max(hunk.newStart, 1); // where a removed line stood in the new text
        bool added = false;
        for (const DiffRow& row : hunk.rows) {
            if (row.kind == LineKind::Added)
                markerAdd(row.newLine - 1, AddedMark);
            // A line that was replaced is one change, not two.
            else if (row.kind == LineKind::Removed && !added)
                markerAdd(std::min(next, lines()) - 1, RemovedMark);
            added = row.kind == LineKind::Added;
            if (row.newLine > 0)
                next = row.newLine + 1;
        }
    }
    for (const int line : markedLines(AddedMark))
        markerDelete(line, RemovedMark);
}

void KernelEditor::setDiagnostics(const std::vector<LineNote>& diagnostics)
{
    clearAnnotations();
    std::map<int, std::pair<QString, bool>> byLine;
    for (const LineNote& diagnostic : diagnostics) {
        auto& [text, isError] = byLine[std::clamp(diagnostic.line, 1, std::max(lines(), 1)) - 1];
        const QString kind = diagnostic.isError ? tr("Error: %1") : tr("Warning: %1");
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + kind.arg(diagnostic.text);
        isError = isError || diagnostic.isError;
    }
    for (const auto& [line, note] : byLine)
        annotate(line, note.first, note.second ? errorStyle : warningStyle);
    if (!byLine.empty())
        ensureLineVisible(byLine.begin()->first);
}

std::vector<int> KernelEditor::markedLines(Mark mark) const
{
    std::vector<int> found;
    for (int line = 0; (line = static_cast<int>(SendScintilla(SCI_MARKERNEXT, static_cast<unsigned long>(line), 1L << mark))) >= 0; ++line)
        found.push_back(line);
    return found;
}

bool KernelEditor::goToChange(bool forward)
{
    int line = 0, column = 0;
    getCursorPosition(&line, &column);
    std::vector<int> starts;
    for (const Mark mark : {AddedMark, RemovedMark, EditedMark})
        for (const int marked : markedLines(mark))
            if (marked == 0 || !(markersAtLine(static_cast<unsigned>(marked - 1)) & (1U << mark)))
                starts.push_back(marked);
    std::sort(starts.begin(), starts.end());
    if (!forward)
        std::reverse(starts.begin(), starts.end());
    const auto next = std::find_if(starts.begin(), starts.end(), [&](int start) { return forward ? start > line : start < line; });
    if (next == starts.end())
        return false;
    setCursorPosition(*next, 0);
    ensureLineVisible(*next);
    return true;
}

void KernelEditor::noteEdit(int position, int modification, int linesAdded)
{
    if (m_loading || !(modification & (SC_MOD_INSERTTEXT | SC_MOD_DELETETEXT)))
        return;
    const auto first = static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, static_cast<unsigned long>(position)));
    for (int line = first; line <= first + std::max(linesAdded, 0); ++line)
        if (!(markersAtLine(static_cast<unsigned>(line)) & (1U << EditedMark)))
            markerAdd(line, EditedMark);
}

void KernelEditor::fitMargins()
{
    const int digits = std::max(3, static_cast<int>(QString::number(lines()).size()));
    setMarginWidth(numberMargin, QString(digits + 1, QLatin1Char('9')));
    setMarginWidth(markMargin, fontMetrics().averageCharWidth() * 3 / 2);
}

void KernelEditor::applyColours()
{
    colourCode(*this);
    const ThemeColours colours = themeColours(palette());
    setMarkerBackgroundColor(colours.good, AddedMark);
    setMarkerForegroundColor(colours.good, AddedMark);
    setMarkerBackgroundColor(colours.bad, RemovedMark);
    setMarkerForegroundColor(colours.bad, RemovedMark);
    setMarkerBackgroundColor(colours.edited, EditedMark);
    setMarkerForegroundColor(colours.edited, EditedMark);
    const QFont font = codeFont();
    for (const int style : {errorStyle, warningStyle}) {
        const QColor paper = style == errorStyle ? colours.removedLine : colours.margin;
        const QColor ink = readable(style == errorStyle ? colours.bad : colours.warning, paper);
        SendScintilla(SCI_STYLESETFONT, static_cast<unsigned long>(style), font.family().toUtf8().constData());
        SendScintilla(SCI_STYLESETSIZEFRACTIONAL, static_cast<unsigned long>(style), static_cast<long>(font.pointSizeF() * 100));
        SendScintilla(SCI_STYLESETFORE, static_cast<unsigned long>(style), scintillaColour(ink));
        SendScintilla(SCI_STYLESETBACK, static_cast<unsigned long>(style), scintillaColour(paper));
    }
    fitMargins();
}

void KernelEditor::changeEvent(QEvent* event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange)
        applyColours();
}

void KernelEditor::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    const auto add = [&](const QString& text, QKeySequence::StandardKey key, bool enabled, auto&& slot) {
        QAction* action = menu.addAction(text, this, slot);
        action->setShortcut(key);
        action->setEnabled(enabled);
    };
    add(tr("Undo"), QKeySequence::Undo, isUndoAvailable(), &QsciScintilla::undo);
    add(tr("Redo"), QKeySequence::Redo, isRedoAvailable(), &QsciScintilla::redo);
    menu.addSeparator();
    const bool pasteable = !isReadOnly() && !QGuiApplication::clipboard()->text().isEmpty();
    add(tr("Cut"), QKeySequence::Cut, !isReadOnly() && hasSelectedText(), &QsciScintilla::cut);
    add(tr("Copy"), QKeySequence::Copy, hasSelectedText(), &QsciScintilla::copy);
    add(tr("Paste"), QKeySequence::Paste, pasteable, &QsciScintilla::paste);
    menu.addSeparator();
    add(tr("Select All"), QKeySequence::SelectAll, length() > 0, [this] { selectAll(); });
    menu.exec(event->globalPos());
}

} // namespace kw
