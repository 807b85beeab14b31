// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_editor/find_bar.h"

#include "basis/plain_label.h"
#include "theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>
#include <Qsci/qsciscintilla.h>

namespace kw {

FindBar::FindBar(QsciScintilla& view, QWidget* parent)
    : QWidget(parent), m_view(view), m_text(new QLineEdit), m_previous(new QToolButton), m_next(new QToolButton),
      m_close(new QToolButton), m_note(new PlainLabel)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    m_note->setWordWrap(false);
    row->addWidget(m_text, 1);
    row->addWidget(m_note);
    for (QToolButton* button : {m_previous, m_next, m_close}) {
        button->setAutoRaise(true);
        row->addWidget(button);
    }
    connect(m_text, &QLineEdit::textChanged, this, [this] { find(true, true); });
    connect(m_text, &QLineEdit::returnPressed, this, [this] { find(true, false); });
    connect(m_next, &QToolButton::clicked, this, [this] { find(true, false); });
    connect(m_previous, &QToolButton::clicked, this, [this] { find(false, false); });
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        m_view.setFocus();
    });
    retranslate();
    refreshIcons();
    hide();
}

void FindBar::open()
{
    show();
    if (m_view.hasSelectedText() && !m_view.selectedText().contains(QLatin1Char('\n')))
        m_text->setText(m_view.selectedText());
    m_text->selectAll();
    m_text->setFocus();
}

void FindBar::find(bool forward, bool fromHere)
{
    int line = -1, column = -1, endLine = -1, endColumn = -1;
    m_view.getSelection(&line, &column, &endLine, &endColumn);
    if (line < 0)
        m_view.getCursorPosition(&line, &column), endLine = line, endColumn = column;
    const bool atStart = fromHere || !forward;
    const bool found = !m_text->text().isEmpty()
        && m_view.findFirst(m_text->text(), false, false, false, true, forward, atStart ? line : endLine, atStart ? column : endColumn);
    m_note->setText(found || m_text->text().isEmpty() ? QString() : tr("Not found"));
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        m_close->click();
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && event->modifiers() == Qt::ShiftModifier)
        find(false, false);
    else
        QWidget::keyPressEvent(event);
}

void FindBar::retranslate()
{
    m_text->setPlaceholderText(tr("Find in the text"));
    m_text->setAccessibleName(tr("Find in the text"));
    const auto name = [](QToolButton* button, const QString& text) {
        button->setToolTip(text);
        button->setAccessibleName(text);
    };
    name(m_previous, tr("Find previous"));
    name(m_next, tr("Find next"));
    name(m_close, tr("Close the search"));
}

void FindBar::refreshIcons()
{
    m_previous->setIcon(themedIcon(QStringLiteral("previous"), palette()));
    m_next->setIcon(themedIcon(QStringLiteral("next"), palette()));
    m_close->setIcon(themedIcon(QStringLiteral("close"), palette()));
}

void FindBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange)
        refreshIcons();
}

} // namespace kw
