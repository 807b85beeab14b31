// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/views.h"

#include "approvals/approval_panel.h"
#include "candidate_editor/candidate_panel.h"
#include "evidence/evidence_panel.h"
#include "history_list/history_panel.h"
#include "hot_spots/hot_spots_panel.h"
#include "log/log_panel.h"
#include "problems_list/problems_panel.h"
#include "review/review_panel.h"
#include "run_bar/run_bar.h"
#include "speedup_chart/speedup_panel.h"

#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>

#include <algorithm>

namespace kw {

Views::Views(QMainWindow& window, Selection& selection)
    : QObject(&window), runBar(new RunBar), hotSpots(new HotSpotsPanel(selection)), problems(new ProblemsPanel(selection)),
      candidate(new CandidatePanel), approvals(new ApprovalPanel), review(new ReviewPanel), speedup(new SpeedupPanel(selection)),
      evidence(new EvidencePanel), history(new HistoryPanel(selection)), log(new LogPanel), m_window(window)
{
    dock(QStringLiteral("hotSpots"), hotSpots);
    dock(QStringLiteral("problems"), problems);
    dock(QStringLiteral("candidate"), candidate);
    dock(QStringLiteral("approvals"), approvals);
    dock(QStringLiteral("review"), review);
    dock(QStringLiteral("speedup"), speedup);
    dock(QStringLiteral("evidence"), evidence);
    dock(QStringLiteral("history"), history);
    dock(QStringLiteral("log"), log);
    retranslate();
    arrange();
}

QDockWidget* Views::dock(const QString& name, QWidget* view)
{
    auto* made = new QDockWidget(&m_window);
    made->setObjectName(name);
    made->setWidget(view);
    m_docks << made;
    return made;
}

QDockWidget* Views::dockOf(const QWidget* view) const
{
    const auto found = std::find_if(m_docks.begin(), m_docks.end(), [&](const QDockWidget* made) { return made->widget() == view; });
    return found == m_docks.end() ? nullptr : *found;
}

void Views::arrange()
{
    for (QDockWidget* made : m_docks) {
        made->setFloating(false);
        m_window.removeDockWidget(made);
    }
    QDockWidget* left = dockOf(hotSpots);
    QDockWidget* middle = dockOf(candidate);
    QDockWidget* right = dockOf(speedup);
    QDockWidget* lower = dockOf(evidence);
    QDockWidget* bottom = dockOf(history);
    m_window.addDockWidget(Qt::LeftDockWidgetArea, left);
    m_window.splitDockWidget(left, middle, Qt::Horizontal);
    m_window.splitDockWidget(middle, right, Qt::Horizontal);
    m_window.splitDockWidget(right, lower, Qt::Vertical);
    m_window.addDockWidget(Qt::BottomDockWidgetArea, bottom);
    m_window.tabifyDockWidget(left, dockOf(problems));
    m_window.tabifyDockWidget(middle, dockOf(approvals));
    m_window.tabifyDockWidget(dockOf(approvals), dockOf(review));
    m_window.tabifyDockWidget(bottom, dockOf(log));
    for (QDockWidget* made : m_docks)
        made->show();
    const int width = std::max(m_window.width(), 900), height = std::max(m_window.height(), 600);
    m_window.resizeDocks({left, middle, right}, {width * 31 / 100, width * 40 / 100, width * 29 / 100}, Qt::Horizontal);
    m_window.resizeDocks({right, lower, bottom}, {height * 36 / 100, height * 26 / 100, height * 22 / 100}, Qt::Vertical);
    left->raise();
    middle->raise();
    bottom->raise();
}

void Views::setSessionVisible(bool visible)
{
    for (QDockWidget* made : m_docks) {
        // Closed by the person and hidden by us are two things.
        if (!visible) {
            made->setProperty("wasOpen", !made->isHidden());
            made->hide();
        } else if (const QVariant wasOpen = made->property("wasOpen"); !wasOpen.isValid() || wasOpen.toBool()) {
            made->show();
        }
        made->toggleViewAction()->setEnabled(visible);
    }
}

void Views::raise(const QWidget* view)
{
    if (QDockWidget* made = dockOf(view)) {
        made->show();
        made->raise();
    }
}

void Views::rescueFloating()
{
    for (QDockWidget* made : m_docks) {
        if (!made->isFloating())
            continue;
        const QList<QScreen*> screens = QGuiApplication::screens();
        const bool seen = std::any_of(screens.begin(), screens.end(), [&](const QScreen* screen) {
            return screen->availableGeometry().intersects(made->frameGeometry().adjusted(20, 0, -20, -20));
        });
        if (!seen)
            made->setFloating(false);
    }
}

void Views::retranslate()
{
    dockOf(hotSpots)->setWindowTitle(tr("Hot Spots"));
    dockOf(problems)->setWindowTitle(tr("Problems"));
    dockOf(candidate)->setWindowTitle(tr("Candidate"));
    dockOf(approvals)->setWindowTitle(tr("Approval"));
    dockOf(review)->setWindowTitle(tr("Review"));
    dockOf(speedup)->setWindowTitle(tr("Speed-up"));
    dockOf(evidence)->setWindowTitle(tr("Evidence"));
    dockOf(history)->setWindowTitle(tr("History"));
    dockOf(log)->setWindowTitle(tr("Log"));
}

} // namespace kw
