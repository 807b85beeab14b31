// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/session_opening.h"

#include "serve/host.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

namespace kw {
namespace {

std::filesystem::path toPath(const QString& text)
{
    return std::filesystem::path(QFile::encodeName(text).toStdString());
}

Result<OpenedSession> host(HostOptions options, const QString& folder)
{
    OpenedSession opened;
    KW_TRY(opened.host, SessionHost::start(std::move(options)));
    opened.client = opened.host->client();
    opened.folder = folder;
    return opened;
}

} // namespace

QString sessionsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/kernelwright/sessions");
}

QString examplesFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/kernelwright/examples");
}

QString newSessionFolder(const QString& model)
{
    QString name = QFileInfo(model).completeBaseName();
    name.replace(QRegularExpression(QStringLiteral("[^A-Za-z0-9_.-]+")), QStringLiteral("_"));
    const QString stem = sessionsFolder() + QLatin1Char('/') + name.left(60) + QLatin1Char('-')
        + QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    QString folder = stem;
    for (int number = 2; QFileInfo::exists(folder); ++number)
        folder = stem + QLatin1Char('-') + QString::number(number);
    return folder;
}

bool looksLikeSession(const QString& path)
{
    return QFileInfo::exists(path + QStringLiteral("/session.json"));
}

bool looksLikeModel(const QString& path)
{
    return QFileInfo(path).isFile() && path.endsWith(QLatin1String(".pt2"), Qt::CaseInsensitive);
}

SessionBridge::Opener openModel(const QString& model, const QString& folder)
{
    return [model, folder]() -> Result<OpenedSession> {
        QDir().mkpath(QFileInfo(folder).absolutePath());
        HostOptions options;
        options.folder = toPath(folder);
        options.model = toPath(QFileInfo(model).absoluteFilePath());
        return host(std::move(options), folder);
    };
}

SessionBridge::Opener openSession(const QString& folder)
{
    return [folder]() -> Result<OpenedSession> {
        if (Result<OpenedSession> attached = attachSession(folder)(); attached)
            return attached;
        HostOptions options;
        options.folder = toPath(folder);
        Result<OpenedSession> opened = host(std::move(options), folder);
        if (opened || opened.error().message.id != "session.locked")
            return opened;
        // Another process holds it without a socket that we can reach: looking is still possible.
        HostOptions look;
        look.folder = toPath(folder);
        look.readOnly = true;
        look.listen = false;
        return host(std::move(look), folder);
    };
}

SessionBridge::Opener attachSession(const QString& folder)
{
    return [folder]() -> Result<OpenedSession> {
        OpenedSession opened;
        KW_TRY(opened.client, attach(toPath(folder)));
        opened.folder = folder;
        return opened;
    };
}

bool continueHeadless(const QString& folder)
{
    const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/kernelwright-cli");
    QProcess process;
    process.setProgram(program);
    process.setArguments({QStringLiteral("resume"), QStringLiteral("--session"), folder});
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardErrorFile(folder + QStringLiteral("/headless.log"), QIODevice::Append);
    return QFileInfo(program).isExecutable() && process.startDetached();
}

} // namespace kw
