// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_fixture.h"

#include "serve/host.h"
#include "theme/theme.h"
#include "window/language_switch.h"
#include "window/presenter.h"

#include <QDir>
#include <QSettings>
#include <QStandardPaths>
#include <QtTest>

namespace kw::test {
namespace {

class FakeHost : public SessionHost {
public:
    explicit FakeHost(std::shared_ptr<FakeSession> session) : m_session(std::move(session)) {}
    std::unique_ptr<SessionClient> client() override { return m_session->client(); }
    bool finished() const override { return false; }
    bool waitUntilFinished(double) override { return false; }

private:
    std::shared_ptr<FakeSession> m_session;
};

LanguageSwitch& languageSwitch()
{
    static LanguageSwitch only;
    return only;
}

} // namespace

WindowFixture::WindowFixture(Language language, ThemeChoice theme)
{
    QSettings().clear();
    WindowSettings settings;
    settings.language = language;
    settings.theme = theme;
    languageSwitch().setLanguage(language);
    applyTheme(theme);
    window = std::make_unique<MainWindow>(settings, languageSwitch());
    window->show();
}

WindowFixture::~WindowFixture()
{
    window.reset(); // before the session that its client belongs to
}

bool WindowFixture::openSession(bool ours)
{
    window->open(
        [session = session, ours]() -> Result<OpenedSession> {
            OpenedSession opened;
            if (ours)
                opened.host = std::make_unique<FakeHost>(session);
            opened.client = session->client();
            opened.folder = QDir::tempPath() + QStringLiteral("/llama-session");
            return opened;
        },
        QStringLiteral("…"));
    return QTest::qWaitFor([this] { return window->showsSession() && window->presenter().snapshot(); }) && settle();
}

bool WindowFixture::settle()
{
    return QTest::qWaitFor([this] {
        const SnapshotPointer& shown = window->presenter().snapshot();
        return shown && shown->sequence == session->now().sequence;
    });
}

int runGuiTest(int argc, char* argv[], const std::function<int(int, char**)>& run)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("kernelwright-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("kernelwright-tests"));
    WatchedApplication application(argc, argv);
    QApplication::setFont(QFont(QStringLiteral("DejaVu Sans"), 9));
    return run(argc, argv);
}

} // namespace kw::test
