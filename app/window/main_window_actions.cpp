// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "approvals/approval_panel.h"
#include "candidate_editor/candidate_panel.h"
#include "history_list/history_panel.h"
#include "evidence/evidence_panel.h"
#include "hot_spots/hot_spots_panel.h"
#include "review/review_panel.h"
#include "run_bar/run_bar.h"
#include "speedup_chart/speedup_panel.h"
#include "window/presenter.h"
#include "window/views.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

#include <array>

namespace kw {

void MainWindow::buildActions()
{
    const auto add = [&](const char* id, const ActionRegistry::Text& name, const ActionRegistry::Text& tip, const char* icon,
                         const QList<QKeySequence>& keys, auto&& slot) {
        QAction* action = m_actions.add(QLatin1String(id), name, tip, QLatin1String(icon), keys);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
        return action;
    };
    add("openModel", [] { return tr("Open &Model…"); }, [] { return tr("Open a model file and profile it"); }, "open",
        {QKeySequence::Open}, [this] { chooseModel(); });
    add("openSession", [] { return tr("Open &Session…"); }, [] { return tr("Open a session folder; a run that goes on elsewhere is attached to"); },
        "layout", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, [this] { chooseSession(); });
    add("export", [] { return tr("&Export…"); }, [] { return tr("Write sources, library, rewritten model, evidence and report to a folder"); },
        "export", {QKeySequence(Qt::CTRL | Qt::Key_E)}, [this] { chooseExport(); });
    add("closeSession", [] { return tr("&Close Session"); }, [] { return tr("Close the session and return to the start page"); }, "close",
        {QKeySequence::Close}, [this] {
            if (mayLeave())
                m_bridge.close();
        });
    QAction* quit = add("quit", [] { return tr("&Quit"); }, [] { return tr("Close the window"); }, "quit", {QKeySequence::Quit}, [this] { close(); });
    quit->setMenuRole(QAction::QuitRole);
    add("find", [] { return tr("&Find…"); }, [] { return tr("Find in the text of the candidate"); }, "find", {QKeySequence::Find}, [this] {
        m_views->raise(m_views->candidate);
        m_views->candidate->find();
    });
    add("evaluate", [] { return tr("E&valuate"); }, [] { return tr("Build, check and time the text in the editor as your own candidate"); },
        "evaluate", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Return)}, [this] { m_views->candidate->evaluate(); });
    add("revert", [] { return tr("&Revert"); }, [] { return tr("Drop your changes in the editor; Undo brings them back"); }, "revert", {},
        [this] { m_views->candidate->revert(); });
    buildRunActions();
    buildViewActions();
    add("about", [] { return tr("&About Kernelwright"); }, [] { return tr("Version and licence"); }, "", {}, [this] { showAbout(); });
}

void MainWindow::buildRunActions()
{
    const auto add = [&](const char* id, const ActionRegistry::Text& name, const ActionRegistry::Text& tip, const char* icon,
                         const QList<QKeySequence>& keys, auto&& slot) {
        QAction* action = m_actions.add(QLatin1String(id), name, tip, QLatin1String(icon), keys);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
    };
    add("start", [] { return tr("&Start"); }, [] { return tr("Start or resume the search"); }, "start", {QKeySequence(Qt::Key_F5)},
        [this] { m_presenter->start(); });
    add("pause", [] { return tr("&Pause"); }, [] { return tr("Pause at the next safe point"); }, "pause", {QKeySequence(Qt::Key_F6)},
        [this] { m_presenter->pause(); });
    add("step", [] { return tr("S&tep"); }, [] { return tr("Do one experiment, then pause"); }, "step", {QKeySequence(Qt::CTRL | Qt::Key_F5)},
        [this] { m_presenter->step(); });
    add("stop", [] { return tr("St&op"); }, [] { return tr("Stop at once; the experiment in flight is dropped, finished ones are kept"); },
        "stop", {QKeySequence(Qt::SHIFT | Qt::Key_F5)}, [this] { m_presenter->stop(); });
    add("apply", [] { return tr("&Apply to the Model"); },
        [] { return tr("Put the kept kernels into the whole model, compare it and time it"); }, "apply", {}, [this] { m_presenter->apply(); });
    add("approve", [] { return tr("&Approve"); }, [] { return tr("Approve the improvement that waits"); }, "approve",
        {QKeySequence(Qt::CTRL | Qt::Key_Return)}, [this] { m_views->approvals->approve(); });
    add("reject", [] { return tr("&Reject"); }, [] { return tr("Reject the improvement that waits"); }, "reject",
        {QKeySequence(Qt::CTRL | Qt::Key_Backspace)}, [this] { m_views->approvals->reject(); });
    add("rollBack", [] { return tr("Roll &Back to the Selected Experiment"); },
        [] { return tr("Make the selected kept candidate the best again, as a new entry"); }, "rollback", {}, [this] { m_views->history->rollBack(); });
    add("rollBackToLibrary", [] { return tr("Roll Back to the &Library's Operators"); },
        [] { return tr("Let the library do the selected kernel again, as a new entry that can itself be undone"); }, "rollback", {},
        [this] { m_presenter->rollBackToLibrary(); });
    const auto change = [this](bool forward) {
        if (m_views->approvals->hasApproval() && m_views->approvals->isVisible())
            m_views->approvals->review()->goToChange(forward);
        else if (m_views->review->isVisible())
            m_views->review->goToChange(forward);
        else
            m_views->candidate->editor()->goToChange(forward);
    };
    add("previousChange", [] { return tr("&Previous Change"); }, [] { return tr("Go to the previous change of the difference"); }, "previous",
        {QKeySequence(Qt::Key_F7)}, [change] { change(false); });
    add("nextChange", [] { return tr("&Next Change"); }, [] { return tr("Go to the next change of the difference"); }, "next",
        {QKeySequence(Qt::Key_F8)}, [change] { change(true); });
}

void MainWindow::buildViewActions()
{
    const auto add = [&](const QString& id, const ActionRegistry::Text& name, const ActionRegistry::Text& tip, const QString& icon,
                         const QList<QKeySequence>& keys, const std::function<void()>& slot) {
        QAction* action = m_actions.add(id, name, tip, icon, keys);
        connect(action, &QAction::triggered, this, slot);
        addAction(action);
        return action;
    };
    add(QStringLiteral("resetLayout"), [] { return tr("&Reset Layout"); }, [] { return tr("Put every view back where it was at first"); },
        QStringLiteral("layout"), {}, [this] { resetLayout(); });
    add(QStringLiteral("zoomIn"), [] { return tr("&Larger Text"); }, [] { return tr("Make all text larger"); }, {},
        {QKeySequence::ZoomIn, QKeySequence(Qt::CTRL | Qt::Key_Equal)}, [this] { setTextScale(m_settings.textScale * 1.1); });
    add(QStringLiteral("zoomOut"), [] { return tr("&Smaller Text"); }, [] { return tr("Make all text smaller"); }, {}, {QKeySequence::ZoomOut},
        [this] { setTextScale(m_settings.textScale / 1.1); });
    add(QStringLiteral("zoomReset"), [] { return tr("&Normal Text Size"); }, [] { return tr("Use the system's text size"); }, {},
        {QKeySequence(Qt::CTRL | Qt::Key_0)}, [this] { setTextScale(1); });
    const std::array<std::pair<ThemeChoice, ActionRegistry::Text>, 4> themes{{{ThemeChoice::System, [] { return tr("As the &System"); }},
        {ThemeChoice::Light, [] { return tr("&Light"); }}, {ThemeChoice::Dark, [] { return tr("&Dark"); }},
        {ThemeChoice::HighContrast, [] { return tr("&High Contrast"); }}}};
    auto* themeGroup = new QActionGroup(this);
    for (const auto& [choice, name] : themes) {
        QAction* action = add(QStringLiteral("theme%1").arg(static_cast<int>(choice)), name, [] { return tr("Colours of the window"); }, {}, {},
            [this, choice = choice] { setTheme(choice); });
        action->setCheckable(true);
        action->setChecked(choice == m_settings.theme);
        themeGroup->addAction(action);
    }
    auto* languageGroup = new QActionGroup(this);
    for (const auto& [language, name] : {std::pair{Language::English, QStringLiteral("&English")}, std::pair{Language::Turkish, QStringLiteral("&Türkçe")}}) {
        QAction* action = add(QStringLiteral("language%1").arg(static_cast<int>(language)), [name = name] { return name; },
            [] { return tr("Language of the window"); }, {}, {}, [this, language = language] { setLanguage(language); });
        action->setCheckable(true);
        action->setChecked(language == m_settings.language);
        languageGroup->addAction(action);
    }
    const QList<QWidget*> jumps{m_views->hotSpots, m_views->candidate, m_views->approvals, m_views->speedup, m_views->evidence, m_views->history};
    for (int number = 0; number < jumps.size(); ++number) {
        QWidget* view = jumps[number];
        const QDockWidget* dock = m_views->dockOf(view);
        add(QStringLiteral("view%1").arg(number + 1), [dock] { return tr("Go to %1").arg(dock->windowTitle()); },
            [] { return tr("Bring this view to the front and give it the keyboard"); }, {}, {QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + number))},
            [this, view] {
                m_views->raise(view);
                if (QWidget* first = view->nextInFocusChain())
                    first->setFocus(Qt::ShortcutFocusReason);
            });
    }
}

void MainWindow::buildMenus()
{
    const auto menu = [&](std::initializer_list<const char*> ids) {
        QMenu* made = menuBar()->addMenu(QString());
        for (const char* id : ids)
            if (*id)
                made->addAction(m_actions[QLatin1String(id)]);
            else
                made->addSeparator();
        m_menus << made;
        return made;
    };
    QMenu* file = menu({"openModel", "openSession"});
    m_recentMenu = file->addMenu(QString());
    file->addSeparator();
    for (const char* id : {"export", "closeSession"})
        file->addAction(m_actions[QLatin1String(id)]);
    file->addSeparator();
    file->addAction(m_actions[QStringLiteral("quit")]);
    menu({"evaluate", "revert", "", "find", "previousChange", "nextChange"});
    QMenu* view = menu({});
    for (QDockWidget* dock : m_views->docks())
        view->addAction(dock->toggleViewAction());
    view->addAction(m_actions[QStringLiteral("resetLayout")]);
    view->addSeparator();
    for (int number = 1; number <= 6; ++number)
        view->addAction(m_actions[QStringLiteral("view%1").arg(number)]);
    view->addSeparator();
    for (const char* id : {"zoomIn", "zoomOut", "zoomReset"})
        view->addAction(m_actions[QLatin1String(id)]);
    QMenu* theme = view->addMenu(QString());
    for (int choice = 0; choice < 4; ++choice)
        theme->addAction(m_actions[QStringLiteral("theme%1").arg(choice)]);
    QMenu* language = view->addMenu(QString());
    for (int choice = 0; choice < 2; ++choice)
        language->addAction(m_actions[QStringLiteral("language%1").arg(choice)]);
    menu({"start", "pause", "step", "stop", "", "apply"});
    menu({"approve", "reject", "", "rollBack", "rollBackToLibrary"});
    menu({"about"});
    m_menus << theme << language;
    m_views->runBar->setActions({m_actions[QStringLiteral("start")], m_actions[QStringLiteral("pause")], m_actions[QStringLiteral("step")],
        m_actions[QStringLiteral("stop")]});
}

} // namespace kw
