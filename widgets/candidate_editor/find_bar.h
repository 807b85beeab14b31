// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;
class QToolButton;
class QsciScintilla;

namespace kw {

class PlainLabel;

/// Searches in one code view: Return next, Shift+Return previous, Esc closes. Window thread.
class FindBar : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(QsciScintilla& view, QWidget* parent = nullptr);

    void open();
    QLineEdit* field() { return m_text; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void find(bool forward, bool fromHere);
    void retranslate();
    void refreshIcons();

    QsciScintilla& m_view;
    QLineEdit* m_text;
    QToolButton* m_previous;
    QToolButton* m_next;
    QToolButton* m_close;
    PlainLabel* m_note;
};

} // namespace kw
