// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QListWidget;
class QPushButton;

namespace kw {

class PlainLabel;

/// What the window shows before a session is open: open, drop, recent, examples. Window thread.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Paths, newest first; those that are gone are shown disabled and can be removed.
    void setRecent(const QStringList& paths);
    /// Model files.
    void setExamples(const QStringList& models);
    /// What is being opened; empty shows the page's normal state.
    void setBusy(const QString& text);
    /// Why the last opening failed.
    void setTrouble(const QString& text);
    QListWidget* recentList() { return m_recent; }
    QListWidget* exampleList() { return m_examples; }
    QString troubleText() const;

signals:
    void openModelWished();
    void openSessionWished();
    void pathWished(const QString& path);
    void removeRecentWished(const QString& path);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* buildColumn(PlainLabel* heading, QListWidget* list, PlainLabel* note);
    void retranslate();
    void fill(QListWidget& list, const QStringList& paths);

    PlainLabel* m_title;
    PlainLabel* m_introduction;
    PlainLabel* m_trouble;
    PlainLabel* m_recentHeading;
    PlainLabel* m_recentNote;
    PlainLabel* m_examplesHeading;
    PlainLabel* m_examplesNote;
    PlainLabel* m_drop;
    QPushButton* m_openModel;
    QPushButton* m_openSession;
    QListWidget* m_recent;
    QListWidget* m_examples;
    QStringList m_recentPaths, m_examplePaths;
    QString m_busy, m_troubleText;
};

} // namespace kw
