// SPDX-License-Identifier: GPL-3.0-or-later
#include "review/difference_view.h"

#include "basis/text.h"
#include "candidate_editor/code_view.h"
#include "candidate_editor/kernel_lexer.h"
#include "theme/theme.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace kw {
namespace {

constexpr int numberMargin = 0;
enum Marker { AddedLine = 1, RemovedLine = 2, HeaderLine = 3, CurrentHeader = 4, LeftOutLine = 5 };
enum Indicator { AddedWord = 8, RemovedWord = 9 };

} // namespace

DifferenceView::DifferenceView(QWidget* parent) : QsciScintilla(parent)
{
    setUpCode(*this);
    setLexer(new KernelLexer(this));
    setReadOnly(true);
    setCaretLineVisible(false);
    setMarginType(numberMargin, TextMargin);
    setMarginSensitivity(numberMargin, true);
    for (int margin = 1; margin < 5; ++margin)
        setMarginWidth(margin, 0);
    for (const int marker : {AddedLine, RemovedLine, HeaderLine, CurrentHeader, LeftOutLine})
        markerDefine(Background, marker);
    indicatorDefine(StraightBoxIndicator, AddedWord);
    indicatorDefine(StraightBoxIndicator, RemovedWord);
    for (const int indicator : {AddedWord, RemovedWord})
        setIndicatorDrawUnder(true, indicator);
    connect(this, &QsciScintilla::marginClicked, this, [this](int, int line, Qt::KeyboardModifiers) {
        const auto header = std::find(m_headers.begin(), m_headers.end(), line);
        if (header != m_headers.end())
            toggleHunk(static_cast<int>(header - m_headers.begin()));
    });
    applyColours();
}

void DifferenceView::setDifference(const TextDiff& difference)
{
    std::vector<UnifiedRow> rows = unifiedRows(difference);
    if (rows == m_rows)
        return;
    m_rows = std::move(rows);
    m_hunks = static_cast<int>(difference.hunks.size());
    m_leftOut.clear();
    m_current = 0;
    render();
    emit keptChanged();
    emit currentChanged(m_current);
}

void DifferenceView::setHunksChoosable(bool choosable)
{
    if (m_choosable == choosable)
        return;
    m_choosable = choosable;
    m_leftOut.clear();
    render();
}

std::vector<std::int32_t> DifferenceView::keptHunks() const
{
    std::vector<std::int32_t> kept;
    for (int hunk = 0; hunk < m_hunks; ++hunk)
        if (!m_leftOut.contains(hunk))
            kept.push_back(hunk);
    return kept;
}

QString DifferenceView::headerText(int hunk) const
{
    const auto header = std::find_if(m_rows.begin(), m_rows.end(), [&](const UnifiedRow& row) { return row.hunk == hunk; });
    const QString range = toQString(header->text);
    if (!m_choosable)
        return tr("Change %1 of %2   %3").arg(hunk + 1).arg(m_hunks).arg(range);
    return m_leftOut.contains(hunk) ? tr("\u2610 Change %1 of %2 is left out   %3").arg(hunk + 1).arg(m_hunks).arg(range)
                                    : tr("\u2611 Change %1 of %2   %3").arg(hunk + 1).arg(m_hunks).arg(range);
}

void DifferenceView::render()
{
    QStringList lines;
    int widest = 1;
    for (const UnifiedRow& row : m_rows) {
        lines << (row.kind == UnifiedRow::Kind::HunkHeader      ? headerText(row.hunk)
                : row.kind == UnifiedRow::Kind::NoNewline ? tr("The text ends without a line end")
                                                          : toQString(row.text));
        widest = std::max({widest, row.oldLine, row.newLine});
    }
    const auto first = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    setText(lines.join(QLatin1Char('\n')));
    const auto digits = static_cast<int>(QString::number(widest).size());
    const auto number = [&](int line) { return line > 0 ? QString::number(line).rightJustified(digits) : QString(digits, QLatin1Char(' ')); };
    m_headers.clear();
    for (int line = 0; line < static_cast<int>(m_rows.size()); ++line) {
        const UnifiedRow& row = m_rows[static_cast<std::size_t>(line)];
        const bool added = row.kind == UnifiedRow::Kind::Added, removed = row.kind == UnifiedRow::Kind::Removed;
        if (row.kind == UnifiedRow::Kind::HunkHeader) {
            m_headers.push_back(line);
            markerAdd(line, row.hunk == m_current ? CurrentHeader : HeaderLine);
            continue;
        }
        // Sign and numbers stand in one margin: copied text stays code.
        setMarginText(line, QStringLiteral(" %1 %2 %3 ").arg(number(row.oldLine), number(row.newLine), QString(QLatin1Char(signOf(row.kind)))),
            QsciScintillaBase::STYLE_LINENUMBER);
        if (added || removed)
            markerAdd(line, m_leftOut.contains(row.hunk) ? LeftOutLine : added ? AddedLine : RemovedLine);
        const auto start = static_cast<int>(SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line)));
        SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(added ? AddedWord : RemovedWord));
        if (!m_leftOut.contains(row.hunk))
            for (const WordMark& mark : row.marks)
                SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(start + mark.begin), static_cast<long>(mark.length));
    }
    setMarginWidth(numberMargin, QString(2 * digits + 6, QLatin1Char('9')));
    SendScintilla(SCI_SETSCROLLWIDTH, 1UL);
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(first));
}

int DifferenceView::headerLine(int hunk) const
{
    return m_headers[static_cast<std::size_t>(hunk)];
}

void DifferenceView::goToHunk(int hunk)
{
    if (hunk < 0 || hunk >= m_hunks)
        return;
    // The caret stays at the top: far down it makes every frame slower.
    markerDelete(headerLine(m_current), CurrentHeader);
    markerAdd(headerLine(m_current), HeaderLine);
    m_current = hunk;
    markerDelete(headerLine(hunk), HeaderLine);
    markerAdd(headerLine(hunk), CurrentHeader);
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(headerLine(hunk)));
    emit currentChanged(hunk);
}

void DifferenceView::goToChange(bool forward)
{
    goToHunk(std::clamp(m_current + (forward ? 1 : -1), 0, std::max(m_hunks - 1, 0)));
}

void DifferenceView::toggleHunk(int hunk)
{
    if (!m_choosable || hunk < 0 || hunk >= m_hunks)
        return;
    if (!m_leftOut.erase(hunk))
        m_leftOut.insert(hunk);
    m_current = hunk;
    render();
    emit keptChanged();
    emit currentChanged(hunk);
}

void DifferenceView::applyColours()
{
    colourCode(*this);
    const ThemeColours colours = themeColours(palette());
    setMarkerBackgroundColor(colours.addedLine, AddedLine);
    setMarkerBackgroundColor(colours.removedLine, RemovedLine);
    setMarkerBackgroundColor(colours.margin, HeaderLine);
    setMarkerBackgroundColor(colours.currentLine, CurrentHeader);
    setMarkerBackgroundColor(colours.margin, LeftOutLine);
    for (const auto& [indicator, colour] : {std::pair{AddedWord, colours.addedWord}, std::pair{RemovedWord, colours.removedWord}}) {
        QColor fill = colour;
        fill.setAlpha(255);
        setIndicatorForegroundColor(fill, indicator);
        setIndicatorOutlineColor(fill, indicator);
    }
}

void DifferenceView::changeEvent(QEvent* event)
{
    QsciScintilla::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange)
        applyColours();
    else if (event->type() == QEvent::LanguageChange)
        render();
}

void DifferenceView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && m_choosable)
        toggleHunk(m_current);
    else
        QsciScintilla::keyPressEvent(event);
}

void DifferenceView::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, &QsciScintilla::copy)->setEnabled(hasSelectedText());
    menu.addAction(tr("Select All"), this, [this] { selectAll(); });
    menu.exec(event->globalPos());
}

} // namespace kw
