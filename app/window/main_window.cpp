// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "basis/text.h"
#include "log/log_panel.h"
#include "run_bar/run_bar.h"
#include "theme/icons.h"
#include "window/language_switch.h"
#include "window/presenter.h"
#include "window/session_opening.h"
#include "window/start_page.h"
#include "window/views.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QToolBar>

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

constexpr int layoutVersion = 1;

QString droppedPath(const QMimeData* data)
{
    const QList<QUrl> urls = data->urls();
    const QString path = urls.size() == 1 ? urls.first().toLocalFile() : QString();
    return looksLikeModel(path) || looksLikeSession(path) ? path : QString();
}

} // namespace

MainWindow::MainWindow(WindowSettings settings, LanguageSwitch& language, QWidget* parent)
    : QMainWindow(parent), m_settings(std::move(settings)), m_language(language)
{
    askClose = [this] { return askAboutRun(); };
    setWindowIcon(applicationIcon());
    setDockNestingEnabled(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setAcceptDrops(true);
    resize(1360, 860);
    m_start = new StartPage;
    setCentralWidget(m_start);
    m_views = new Views(*this, m_selection);
    auto* bar = new QToolBar;
    bar->setObjectName(QStringLiteral("runBar"));
    bar->setMovable(false);
    bar->addWidget(m_views->runBar);
    addToolBar(bar);
    statusBar()->setSizeGripEnabled(true);
    buildActions();
    buildMenus();
    m_presenter = new Presenter(*m_views, m_selection, m_bridge, m_actions, this);
    connectSession();
    showSession(false);
    retranslate();
    restoreLayout();
    refreshStartPage();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectSession()
{
    connect(m_start, &StartPage::openModelWished, this, &MainWindow::chooseModel);
    connect(m_start, &StartPage::openSessionWished, this, &MainWindow::chooseSession);
    connect(m_start, &StartPage::pathWished, this, &MainWindow::openPath);
    connect(m_start, &StartPage::removeRecentWished, this, [this](const QString& path) {
        m_settings.recent.removeAll(path);
        m_settings.save();
        refreshStartPage();
    });
    connect(&m_bridge, &SessionBridge::opened, this, [this](const QString& folder) {
        m_start->setBusy({});
        m_start->setTrouble({});
        m_settings.noteRecent(folder);
        m_settings.save();
        showSession(true);
        setWindowFilePath(folder);
        retranslate();
    });
    connect(&m_bridge, &SessionBridge::openFailed, this, [this](const Error& why) {
        m_start->setBusy({});
        m_start->setTrouble(say(why));
        showSession(false);
    });
    connect(&m_bridge, &SessionBridge::closed, this, [this] {
        showSession(false);
        refreshStartPage();
        setWindowFilePath({});
        retranslate();
    });
    connect(m_presenter, &Presenter::approvalArrived, this, [this](const QString& kernel) {
        statusBar()->showMessage(tr("%1: an improvement waits for your approval").arg(kernel), 15'000);
        if (!isActiveWindow())
            QApplication::alert(this);
    });
    connect(m_presenter, &Presenter::runEnded, this, [this](const QString& text) {
        statusBar()->showMessage(text, 30'000);
        if (!isActiveWindow())
            QApplication::alert(this);
    });
}

void MainWindow::open(const SessionBridge::Opener& opener, const QString& busyText)
{
    if (!mayLeave())
        return;
    showSession(false);
    m_start->setTrouble({});
    m_start->setBusy(busyText);
    m_bridge.open(opener);
}

void MainWindow::openPath(const QString& path)
{
    const QString name = shown(QFileInfo(path).fileName().toStdString());
    if (looksLikeSession(path)) {
        open(openSession(path), tr("Opening the session %1…").arg(name));
    } else if (looksLikeModel(path)) {
        openModelIn(path, newSessionFolder(path));
    } else {
        m_start->setTrouble(QFileInfo::exists(path)
                ? tr("%1 is neither a model (a .pt2 file) nor a session folder.").arg(shown(path.toStdString()))
                : tr("%1 does not exist.").arg(shown(path.toStdString())));
        refreshStartPage();
    }
}

void MainWindow::openModelIn(const QString& model, const QString& folder)
{
    open(openModel(model, folder), tr("Opening the model %1…").arg(shown(QFileInfo(model).fileName().toStdString())));
}

void MainWindow::attachTo(const QString& folder)
{
    open(attachSession(folder), tr("Attaching to the run in %1…").arg(shown(QFileInfo(folder).fileName().toStdString())));
}

void MainWindow::chooseModel()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Open Model"), m_settings.lastFolder, tr("Exported models (*.pt2)"));
    if (!path.isEmpty())
        openPath(path);
}

void MainWindow::chooseSession()
{
    QDir().mkpath(sessionsFolder());
    const QString path = QFileDialog::getExistingDirectory(this, tr("Open Session"), sessionsFolder());
    if (!path.isEmpty())
        openPath(path);
}

void MainWindow::chooseExport()
{
    const QString path = QFileDialog::getExistingDirectory(this, tr("Export to an Empty Folder"), m_settings.lastFolder);
    if (!path.isEmpty())
        m_presenter->exportTo(path);
}

bool MainWindow::mayLeave()
{
    // A run that somebody else hosts goes on without this window: there is nothing to ask.
    if (!m_bridge.isOpen() || !m_bridge.ownsHost() || !m_presenter->running())
        return true;
    switch (askClose()) {
    case CloseChoice::Cancel: return false;
    case CloseChoice::Stop: m_presenter->stop(); return true;
    case CloseChoice::KeepRunning: {
        const QString folder = m_bridge.folder();
        m_bridge.whenClosed([folder] { continueHeadless(folder); });
        return true;
    }
    }
    return false;
}

MainWindow::CloseChoice MainWindow::askAboutRun()
{
    QMessageBox box(QMessageBox::Question, tr("A Run Is Going On"),
        tr("The search is still running. It can go on without the window, or it can be stopped. Finished experiments are kept either way."),
        QMessageBox::NoButton, this);
    box.setTextFormat(Qt::PlainText);
    QPushButton* keep = box.addButton(tr("Keep Running"), QMessageBox::AcceptRole);
    QPushButton* stop = box.addButton(tr("Stop the Run"), QMessageBox::DestructiveRole);
    box.addButton(tr("Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(keep);
    box.exec();
    return box.clickedButton() == keep ? CloseChoice::KeepRunning : box.clickedButton() == stop ? CloseChoice::Stop : CloseChoice::Cancel;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_leaving) {
        event->accept();
        return;
    }
    if (!mayLeave()) {
        event->ignore();
        return;
    }
    m_settings.geometry = saveGeometry();
    if (m_sessionShown)
        m_settings.layout = saveState(layoutVersion);
    m_settings.save();
    if (!m_bridge.isOpen()) {
        event->accept();
        return;
    }
    // The host ends in its own thread; the window stays responsive and closes when it has.
    event->ignore();
    m_leaving = true;
    setEnabled(false);
    connect(&m_bridge, &SessionBridge::closed, this, [this] { close(); }, Qt::QueuedConnection);
    m_bridge.close();
}

void MainWindow::showSession(bool visible)
{
    if (m_sessionShown && !visible)
        m_settings.layout = saveState(layoutVersion);
    const bool changed = m_sessionShown != visible;
    m_sessionShown = visible;
    centralWidget()->setVisible(!visible);
    if (auto* bar = findChild<QToolBar*>(QStringLiteral("runBar")))
        bar->setVisible(visible);
    m_views->setSessionVisible(visible);
    if (visible && changed && !m_settings.layout.isEmpty() && !restoreState(m_settings.layout, layoutVersion)) {
        m_settings.layout.clear();
        m_views->arrange();
        m_views->log->model()->add(LogModel::Level::Trouble, Message("window.log.layout_broken"));
    } else if (visible && changed && m_settings.layout.isEmpty()) {
        m_views->arrange();
    }
    if (visible) {
        centralWidget()->hide();
        m_views->rescueFloating();
    }
}

void MainWindow::restoreLayout()
{
    if (!m_settings.geometry.isEmpty())
        restoreGeometry(m_settings.geometry);
}

void MainWindow::resetLayout()
{
    m_settings.layout.clear();
    m_views->arrange();
    if (!m_sessionShown)
        m_views->setSessionVisible(false);
}

void MainWindow::refreshStartPage()
{
    m_start->setRecent(m_settings.recent);
    QStringList examples;
    for (const QFileInfo& file : QDir(examplesFolder()).entryInfoList({QStringLiteral("*.pt2")}, QDir::Files, QDir::Name))
        examples << file.absoluteFilePath();
    m_start->setExamples(examples);
    m_recentMenu->clear();
    for (const QString& path : m_settings.recent) {
        QAction* action = m_recentMenu->addAction(shown(path.toStdString()).replace(QLatin1Char('&'), QLatin1String("&&")), this, [this, path] { openPath(path); });
        action->setEnabled(QFileInfo::exists(path));
    }
    m_recentMenu->setEnabled(!m_settings.recent.isEmpty());
}

void MainWindow::setTheme(ThemeChoice choice)
{
    m_settings.theme = choice;
    m_settings.save();
    applyTheme(choice);
}

void MainWindow::setLanguage(Language language)
{
    m_settings.language = language;
    m_settings.save();
    m_language.setLanguage(language);
}

void MainWindow::setTextScale(double scale)
{
    static const double system = QApplication::font().pointSizeF();
    m_settings.textScale = std::clamp(scale, 0.7, 3.0);
    m_settings.save();
    QFont font = QApplication::font();
    font.setPointSizeF(system * m_settings.textScale);
    QApplication::setFont(font);
}

void MainWindow::retranslate()
{
    m_views->retranslate();
    m_actions.retranslate(palette());
    static const auto titles = [] {
        return QStringList{tr("&File"), tr("&Edit"), tr("&View"), tr("&Run"), tr("H&istory"), tr("&Help"), tr("&Theme"), tr("&Language")};
    };
    const QStringList names = titles();
    for (int at = 0; at < m_menus.size(); ++at)
        m_menus[at]->setTitle(names[at]);
    m_recentMenu->setTitle(tr("Open &Recent"));
    if (auto* bar = findChild<QToolBar*>(QStringLiteral("runBar")))
        bar->setWindowTitle(tr("Run"));
    const QString folder = m_bridge.isOpen() ? shown(QFileInfo(m_bridge.folder()).fileName().toStdString()) : QString();
    setWindowTitle(folder.isEmpty() ? tr("Kernelwright") : tr("%1 \u2013 Kernelwright").arg(folder));
    m_presenter->retranslate();
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (!m_presenter)
        return;
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange)
        m_actions.retranslate(palette());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!droppedPath(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const QString path = droppedPath(event->mimeData()); !path.isEmpty()) {
        event->acceptProposedAction();
        openPath(path);
    }
}

void MainWindow::showAbout()
{
    QMessageBox box(QMessageBox::NoIcon, tr("About Kernelwright"),
        tr("Kernelwright %1\n\nA workbench for supervised kernel optimisation.\nLicence: GPL-3.0-or-later. Emitted kernels and their helper code: MIT-0.")
            .arg(QCoreApplication::applicationVersion()),
        QMessageBox::Ok, this);
    box.setTextFormat(Qt::PlainText);
    box.setIconPixmap(applicationIcon().pixmap(64, 64));
    box.exec();
}

} // namespace kw
