// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/paths.h"
#include "window/language_switch.h"
#include "window_fixture.h"

#include <QFile>
#include <QLibraryInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

using namespace kw;

namespace {

struct Entry {
    QString context, source;
    QStringList translations;
    bool plural = false, finished = true;
};

std::vector<Entry> entriesOf(const QString& name)
{
    QFile file(QString::fromStdString((test::sourceFolder() / "translations" / name.toStdString()).string()));
    std::vector<Entry> entries;
    if (!file.open(QIODevice::ReadOnly))
        return entries;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        const auto tag = xml.name();
        if (tag == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (tag == QLatin1String("message")) {
            entries.emplace_back();
            entries.back().context = context;
            entries.back().plural = xml.attributes().value(QStringLiteral("numerus")) == QLatin1String("yes");
        } else if (tag == QLatin1String("source")) {
            entries.back().source = xml.readElementText();
        } else if (tag == QLatin1String("translation")) {
            entries.back().finished = !xml.attributes().hasAttribute(QStringLiteral("type"));
            if (!entries.back().plural)
                entries.back().translations << xml.readElementText();
        } else if (tag == QLatin1String("numerusform")) {
            entries.back().translations << xml.readElementText();
        }
    }
    return entries;
}

QStringList placeholders(const QString& text)
{
    static const QRegularExpression marker(QStringLiteral("%(?:\\d|n|L\\d)"));
    QStringList found;
    auto matches = marker.globalMatch(text);
    while (matches.hasNext())
        found << matches.next().captured();
    found.sort();
    return found;
}

} // namespace

class CataloguesTest : public QObject {
    Q_OBJECT
private slots:
    void turkishIsComplete()
    {
        const std::vector<Entry> entries = entriesOf(QStringLiteral("kernelwright_tr.ts"));
        QVERIFY(entries.size() > 300);
        for (const Entry& entry : entries) {
            QVERIFY2(entry.finished && !entry.translations.isEmpty(), qPrintable(entry.source));
            for (const QString& translation : entry.translations) {
                QVERIFY2(!translation.isEmpty(), qPrintable(entry.source));
                QVERIFY2(placeholders(translation) == placeholders(entry.source), qPrintable(entry.source + QStringLiteral(" / ") + translation));
                QVERIFY2(!translation.contains(QLatin1Char('!')), qPrintable(translation));
                QCOMPARE(translation.contains(QChar(0x2026)), entry.source.contains(QChar(0x2026)));
                QCOMPARE(translation.count(QLatin1Char('&')), entry.source.count(QLatin1Char('&')));
            }
        }
    }

    void englishPluralsAreComplete()
    {
        const std::vector<Entry> entries = entriesOf(QStringLiteral("kernelwright_en.ts"));
        QVERIFY(!entries.empty());
        std::size_t plural = 0;
        for (const Entry& entry : entriesOf(QStringLiteral("kernelwright_tr.ts")))
            plural += entry.plural ? 1 : 0;
        QCOMPARE(entries.size(), plural);
        for (const Entry& entry : entries) {
            QCOMPARE(entry.translations.size(), 2);
            QVERIFY2(entry.finished && !entry.translations[1].contains(QStringLiteral("(s)")), qPrintable(entry.source));
        }
    }

    void catalogueFilesHoldEveryTextOfTheSources()
    {
        // The target update_translations writes them; lupdate finds the same texts again or the files are out of date.
        const QString lupdate = QLibraryInfo::path(QLibraryInfo::LibraryExecutablesPath) + QStringLiteral("/lupdate");
        const QString program = QFile::exists(lupdate) ? lupdate : QLibraryInfo::path(QLibraryInfo::BinariesPath) + QStringLiteral("/lupdate");
        if (!QFile::exists(program))
            QSKIP("lupdate is not installed (package qt6-l10n-tools)");
        const QString source = QString::fromStdString(test::sourceFolder().string());
        QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("kernelwright_tr.ts"));
        QVERIFY(QFile::copy(source + QStringLiteral("/translations/kernelwright_tr.ts"), copy));
        QProcess process;
        process.setWorkingDirectory(source);
        process.start(program, {QStringLiteral("-silent"), QStringLiteral("-locations"), QStringLiteral("none"), QStringLiteral("-no-obsolete"), QStringLiteral("-I"),
            QStringLiteral("widgets"), QStringLiteral("-I"), QStringLiteral("app"), QStringLiteral("widgets"), QStringLiteral("app/window"), QStringLiteral("-ts"), copy});
        QVERIFY(process.waitForFinished(60'000));
        QFile updated(copy), stored(source + QStringLiteral("/translations/kernelwright_tr.ts"));
        QVERIFY(updated.open(QIODevice::ReadOnly) && stored.open(QIODevice::ReadOnly));
        QCOMPARE(updated.readAll().count("<message"), stored.readAll().count("<message"));
        updated.seek(0);
        QVERIFY(!updated.readAll().contains("unfinished"));
    }

    void bothLanguagesSpeak()
    {
        LanguageSwitch languages;
        languages.setLanguage(Language::Turkish);
        QCOMPARE(QCoreApplication::translate("kw::Views", "Hot Spots"), QStringLiteral("Sıcak Noktalar"));
        QCOMPARE(QCoreApplication::translate("kw::RunBar", "%n experiment(s)", nullptr, 3), QStringLiteral("3 deney"));
        // Qt's own texts come along: a message box would mix languages otherwise.
        QCOMPARE(QCoreApplication::translate("QPlatformTheme", "Cancel"), QStringLiteral("İptal"));
        languages.setLanguage(Language::English);
        QCOMPARE(QCoreApplication::translate("kw::Views", "Hot Spots"), QStringLiteral("Hot Spots"));
        QCOMPARE(QCoreApplication::translate("kw::RunBar", "%n experiment(s)", nullptr, 1), QStringLiteral("1 experiment"));
        QCOMPARE(QCoreApplication::translate("kw::RunBar", "%n experiment(s)", nullptr, 3), QStringLiteral("3 experiments"));
    }
};

KW_GUI_TEST_MAIN(CataloguesTest)
#include "catalogues_test.moc"
