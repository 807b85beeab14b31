// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;

namespace kw {

class ApprovalPanel;
class CandidatePanel;
class EvidencePanel;
class HistoryPanel;
class HotSpotsPanel;
class LogPanel;
class ProblemsPanel;
class ReviewPanel;
class RunBar;
class Selection;
class SpeedupPanel;

/// Makes every view of a session and its dock, and arranges them. Window thread.
class Views : public QObject {
    Q_OBJECT
public:
    Views(QMainWindow& window, Selection& selection);

    RunBar* runBar;
    HotSpotsPanel* hotSpots;
    ProblemsPanel* problems;
    CandidatePanel* candidate;
    ApprovalPanel* approvals;
    ReviewPanel* review;
    SpeedupPanel* speedup;
    EvidencePanel* evidence;
    HistoryPanel* history;
    LogPanel* log;

    QList<QDockWidget*> docks() const { return m_docks; }
    QDockWidget* dockOf(const QWidget* view) const;
    /// The arrangement that the window starts with.
    void arrange();
    /// All hidden on the start page; each back where it was afterwards.
    void setSessionVisible(bool visible);
    void retranslate();
    /// Brings a view to the front of its tabs, opening its dock when it is closed.
    void raise(const QWidget* view);
    /// A dock that floats on no screen comes back.
    void rescueFloating();

private:
    QDockWidget* dock(const QString& name, QWidget* view);
    QMainWindow& m_window;
    QList<QDockWidget*> m_docks;
};

} // namespace kw
