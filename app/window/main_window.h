// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "basis/selection.h"
#include "window/action_registry.h"
#include "window/session_bridge.h"
#include "window/window_settings.h"

#include <QMainWindow>

class QStackedWidget;

namespace kw {

class LanguageSwitch;
class Presenter;
class StartPage;
class Views;

/// The window of one session: menus, docks, start page; everything else is delegated. Window thread.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(WindowSettings settings, LanguageSwitch& language, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openPath(const QString& path);                ///< a model, or a session folder
    void attachTo(const QString& folder);
    void openModelIn(const QString& model, const QString& folder);
    void open(const SessionBridge::Opener& opener, const QString& busyText);

    enum class CloseChoice { KeepRunning, Stop, Cancel };
    /// Asks the person what becomes of a run; replaced by tests, which cannot press buttons of a modal box.
    std::function<CloseChoice()> askClose;

    ActionRegistry& actions() { return m_actions; }
    Views& views() { return *m_views; }
    SessionBridge& bridge() { return m_bridge; }
    Presenter& presenter() { return *m_presenter; }
    Selection& selection() { return m_selection; }
    StartPage& startPage() { return *m_start; }
    const WindowSettings& settings() const { return m_settings; }
    bool showsSession() const { return m_sessionShown; }
    void setTheme(ThemeChoice choice);
    void setLanguage(Language language);
    void setTextScale(double scale);
    void resetLayout();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildActions();
    void buildRunActions();
    void buildViewActions();
    void buildMenus();
    void connectSession();
    void retranslate();
    void showSession(bool visible);
    void restoreLayout();
    void refreshStartPage();
    void chooseModel();
    void chooseSession();
    void chooseExport();
    bool mayLeave();
    void showAbout();
    CloseChoice askAboutRun();

    WindowSettings m_settings;
    LanguageSwitch& m_language;
    Selection m_selection;
    ActionRegistry m_actions;
    SessionBridge m_bridge;
    Views* m_views = nullptr;
    Presenter* m_presenter = nullptr;
    StartPage* m_start = nullptr;
    QList<QMenu*> m_menus;
    QMenu* m_recentMenu = nullptr;
    bool m_sessionShown = false;
    bool m_leaving = false;
};

} // namespace kw
