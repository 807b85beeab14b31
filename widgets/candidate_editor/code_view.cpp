// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_editor/code_view.h"

#include "theme/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <Qsci/qscilexercpp.h>

namespace kw {
namespace {

QColor styleColour(int style, const ThemeColours& colours, const QColor& text)
{
    switch (style) {
    case QsciLexerCPP::Comment:
    case QsciLexerCPP::CommentLine:
    case QsciLexerCPP::CommentDoc:
    case QsciLexerCPP::CommentLineDoc:
    case QsciLexerCPP::PreProcessorComment:
    case QsciLexerCPP::PreProcessorCommentLineDoc:
    case QsciLexerCPP::CommentDocKeyword:
    case QsciLexerCPP::CommentDocKeywordError: return colours.comment;
    case QsciLexerCPP::Number:
    case QsciLexerCPP::UserLiteral: return colours.number;
    case QsciLexerCPP::Keyword: return colours.keyword;
    case QsciLexerCPP::KeywordSet2:
    case QsciLexerCPP::GlobalClass: return colours.type;
    case QsciLexerCPP::DoubleQuotedString:
    case QsciLexerCPP::SingleQuotedString:
    case QsciLexerCPP::RawString:
    case QsciLexerCPP::VerbatimString:
    case QsciLexerCPP::UnclosedString:
    case QsciLexerCPP::EscapeSequence: return colours.string;
    case QsciLexerCPP::PreProcessor: return colours.preprocessor;
    default: return text;
    }
}

} // namespace

QFont codeFont()
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

long scintillaColour(const QColor& colour)
{
    return colour.red() | (colour.green() << 8) | (colour.blue() << 16);
}

void setUpCode(QsciScintilla& view)
{
    view.setUtf8(true);
    view.setFont(codeFont());
    view.setWrapMode(QsciScintilla::WrapNone);
    view.setIndentationsUseTabs(false);
    view.setTabWidth(4);
    view.setEolMode(QsciScintilla::EolUnix);
    view.setFrameShape(QFrame::NoFrame);
    view.SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTHTRACKING, 1UL);
    view.SendScintilla(QsciScintilla::SCI_SETSCROLLWIDTH, 1UL);
    view.SendScintilla(QsciScintilla::SCI_USEPOPUP, 0UL); // the editor's own menu speaks no Turkish: ours replaces it
}

void colourCode(QsciScintilla& view)
{
    const QPalette palette = view.palette();
    const ThemeColours colours = themeColours(palette);
    const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
    const QFont font = codeFont();
    if (QsciLexer* lexer = view.lexer()) {
        lexer->setDefaultFont(font);
        lexer->setDefaultPaper(base);
        lexer->setDefaultColor(text);
        lexer->setPaper(base, -1);
        lexer->setFont(font, -1);
        // Inactive code (behind #if) has styles of its own, 64 higher.
        for (int style = 0; style < 128; ++style)
            lexer->setColor(style < 64 ? styleColour(style, colours, text) : colours.muted, style);
    }
    view.setPaper(base);
    view.setColor(text);
    view.setMarginsBackgroundColor(colours.margin);
    view.setMarginsForegroundColor(colours.marginText);
    view.setMarginsFont(font);
    view.setFoldMarginColors(colours.margin, colours.margin);
    view.setSelectionBackgroundColor(palette.color(QPalette::Highlight));
    view.setSelectionForegroundColor(palette.color(QPalette::HighlightedText));
    view.setCaretForegroundColor(text);
    view.setCaretLineBackgroundColor(colours.currentLine);
    view.setMatchedBraceBackgroundColor(colours.addedWord);
    view.setMatchedBraceForegroundColor(text);
    view.setUnmatchedBraceForegroundColor(colours.bad);
    view.setUnmatchedBraceBackgroundColor(base);
}

} // namespace kw
