// SPDX-License-Identifier: GPL-3.0-or-later
#include "log/log_panel.h"
#include "window/language_switch.h"
#include "window/main_window.h"
#include "window/watched_application.h"
#include "window/views.h"
#include "window/window_settings.h"

#include <QCommandLineParser>
#include <QEvent>
#include <QFileInfo>
#include <QLoggingCategory>
#include <QTextStream>
#include <QTimer>
#include <QWindow>

#include <memory>
#include <vector>

namespace {

Q_LOGGING_CATEGORY(startLog, "kernelwright.start", QtWarningMsg)

/// Says once, to who asked for the category kernelwright.start, that the window is on the screen: what start-up benches time.
class FirstFrame : public QObject {
public:
    explicit FirstFrame(QWindow* window) : QObject(window) { window->installEventFilter(this); }
    bool eventFilter(QObject* window, QEvent* event) override
    {
        if (event->type() == QEvent::Expose) {
            window->removeEventFilter(this);
            // The window paints inside this event: what is queued now comes after its first frame.
            QTimer::singleShot(0, this, [] { qCDebug(startLog, "visible"); });
        }
        return false;
    }
};

struct Options {
    QStringList models;
    QString session, attach;
};

/// What the command line asks for; it overrides the settings for this run.
Options parse(const QCoreApplication& application, kw::WindowSettings& settings)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main", "Workbench for supervised kernel optimisation."));
    parser.addPositionalArgument(QStringLiteral("model"), QCoreApplication::translate("main", "Models to open (.pt2), or session folders."),
        QStringLiteral("[MODEL...]"));
    const QCommandLineOption session(QStringLiteral("session"),
        QCoreApplication::translate("main", "Keep the session in this folder, or open the one that is there."), QStringLiteral("DIR"));
    const QCommandLineOption attach(QStringLiteral("attach"),
        QCoreApplication::translate("main", "Attach to the run that goes on in this session folder."), QStringLiteral("DIR"));
    const QCommandLineOption language(QStringLiteral("language"), QCoreApplication::translate("main", "Language: en or tr."), QStringLiteral("CODE"));
    const QCommandLineOption theme(QStringLiteral("theme"),
        QCoreApplication::translate("main", "Colours: system, light, dark or contrast."), QStringLiteral("NAME"));
    parser.addOptions({session, attach, language, theme});
    parser.addHelpOption();
    parser.addVersionOption();
    parser.process(application);
    const auto refuse = [](const QString& text) {
        QTextStream(stderr) << text << Qt::endl;
        std::exit(2);
    };
    if (parser.isSet(language)) {
        const QString code = parser.value(language);
        if (code != QLatin1String("en") && code != QLatin1String("tr"))
            refuse(QCoreApplication::translate("main", "The language is en or tr."));
        settings.language = kw::languageFromLocale(code.toStdString());
    }
    if (parser.isSet(theme)) {
        const QStringList names{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("contrast")};
        const auto index = names.indexOf(parser.value(theme));
        if (index < 0)
            refuse(QCoreApplication::translate("main", "The theme is system, light, dark or contrast."));
        settings.theme = static_cast<kw::ThemeChoice>(index);
    }
    return {parser.positionalArguments(), parser.value(session), parser.value(attach)};
}

void openWished(kw::MainWindow& window, const Options& options, int number)
{
    if (!options.attach.isEmpty())
        window.attachTo(QFileInfo(options.attach).absoluteFilePath());
    else if (!options.session.isEmpty() && number == 0)
        options.models.isEmpty() || QFileInfo::exists(options.session + QStringLiteral("/session.json"))
            ? window.openPath(QFileInfo(options.session).absoluteFilePath())
            : window.openModelIn(options.models.first(), QFileInfo(options.session).absoluteFilePath());
    else if (number < options.models.size())
        window.openPath(QFileInfo(options.models[number]).absoluteFilePath());
}

} // namespace

int main(int argc, char* argv[])
{
    QCoreApplication::setOrganizationName(QStringLiteral("kernelwright"));
    QCoreApplication::setApplicationName(QStringLiteral("kernelwright"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KW_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("kernelwright"));
    kw::WatchedApplication application(argc, argv);
    bool fellBack = false;
    kw::WindowSettings settings = kw::WindowSettings::load(&fellBack);
    const Options options = parse(application, settings);
    kw::LanguageSwitch language;
    language.setLanguage(settings.language);
    kw::applyTheme(settings.theme);

    // One window per model: each has its own session.
    std::vector<std::unique_ptr<kw::MainWindow>> windows;
    const int count = std::max(1, static_cast<int>(options.attach.isEmpty() && options.session.isEmpty() ? options.models.size() : 1));
    for (int number = 0; number < count; ++number) {
        windows.push_back(std::make_unique<kw::MainWindow>(settings, language));
        windows.back()->setTextScale(settings.textScale);
        if (number == 0 && startLog().isDebugEnabled() && windows.back()->winId() != 0)
            new FirstFrame(windows.back()->windowHandle());
        windows.back()->show();
        if (fellBack)
            windows.back()->views().log->model()->add(kw::LogModel::Level::Trouble, kw::Message("window.log.settings_broken"));
        openWished(*windows.back(), options, number);
    }
    return kw::WatchedApplication::exec();
}
