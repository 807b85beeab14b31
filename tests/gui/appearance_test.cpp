// SPDX-License-Identifier: GPL-3.0-or-later
#include "approvals/approval_panel.h"
#include "basis/selection.h"
#include "theme/theme.h"
#include "window/views.h"
#include "window_fixture.h"

#include <QDockWidget>
#include <QtTest>

using namespace kw;
using kw::test::WindowFixture;

/// Readable and unclipped in every theme and language.
class AppearanceTest : public QObject {
    Q_OBJECT
private slots:
    void palettesAreReadable_data()
    {
        QTest::addColumn<int>("choice");
        QTest::newRow("system") << static_cast<int>(ThemeChoice::System);
        QTest::newRow("light") << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeChoice::Dark);
        QTest::newRow("contrast") << static_cast<int>(ThemeChoice::HighContrast);
    }

    void palettesAreReadable()
    {
        QFETCH(int, choice);
        const QPalette palette = paletteFor(static_cast<ThemeChoice>(choice), QApplication::palette());
        using Role = QPalette::ColorRole;
        const std::pair<Role, Role> pairs[] = {{QPalette::WindowText, QPalette::Window}, {QPalette::Text, QPalette::Base},
            {QPalette::Text, QPalette::AlternateBase}, {QPalette::ButtonText, QPalette::Button},
            {QPalette::HighlightedText, QPalette::Highlight}, {QPalette::PlaceholderText, QPalette::Base},
            {QPalette::ToolTipText, QPalette::ToolTipBase}, {QPalette::Link, QPalette::Base}, {QPalette::LinkVisited, QPalette::Base}};
        for (const auto group : {QPalette::Active, QPalette::Inactive})
            for (const auto& [text, under] : pairs)
                QVERIFY2(contrastOf(palette.color(group, text), palette.color(group, under)) >= 4.5,
                    qPrintable(QStringLiteral("role %1 on %2: %3").arg(text).arg(under).arg(contrastOf(palette.color(group, text), palette.color(group, under)))));
        const ThemeColours colours = themeColours(palette);
        const QColor base = palette.color(QPalette::Base), window = palette.color(QPalette::Window);
        for (const QColor& text : {colours.good, colours.bad, colours.warning, colours.muted}) {
            QVERIFY(contrastOf(text, base) >= 4.5);
            QVERIFY(contrastOf(text, window) >= 4.5);
        }
        for (const QColor& code : {colours.keyword, colours.type, colours.comment, colours.string, colours.number, colours.preprocessor})
            for (const QColor& under : {base, colours.addedLine, colours.removedLine})
                QVERIFY2(contrastOf(code, under) >= 4.5, qPrintable(code.name() + QStringLiteral(" on ") + under.name()));
        for (const QColor& under : {colours.addedLine, colours.removedLine, colours.addedWord, colours.removedWord})
            QVERIFY(contrastOf(palette.color(QPalette::Text), under) >= 4.5);
        QVERIFY(contrastOf(colours.marginText, colours.margin) >= 4.5);
        // Graphical marks need 3:1 (WCAG 1.4.11).
        for (const QColor& mark : {colours.chartBest, colours.chartPoint, colours.chartFailure, colours.chartPending, colours.chartBaseline})
            QVERIFY(contrastOf(mark, base) >= 3);
    }

    void nothingIsClipped_data()
    {
        QTest::addColumn<int>("language");
        QTest::addColumn<int>("theme");
        QTest::addColumn<double>("scale");
        for (const auto& [language, code] : {std::pair{Language::English, "en"}, std::pair{Language::Turkish, "tr"}})
            for (const auto& [theme, name] : {std::pair{ThemeChoice::Light, "light"}, std::pair{ThemeChoice::Dark, "dark"}, std::pair{ThemeChoice::HighContrast, "contrast"}})
                QTest::addRow("%s %s", code, name) << static_cast<int>(language) << static_cast<int>(theme) << 1.0;
        QTest::newRow("en large text") << static_cast<int>(Language::English) << static_cast<int>(ThemeChoice::Light) << 1.3;
        QTest::newRow("tr large text") << static_cast<int>(Language::Turkish) << static_cast<int>(ThemeChoice::Light) << 1.3;
    }

    void nothingIsClipped()
    {
        QFETCH(int, language);
        QFETCH(int, theme);
        QFETCH(double, scale);
        WindowFixture fixture(static_cast<Language>(language), static_cast<ThemeChoice>(theme));
        fixture.window->resize(1600, 1000);
        fixture.window->setTextScale(scale);
        QStringList clipped = test::clippedTexts(*fixture.window); // the start page
        QVERIFY(fixture.openSession());
        QCoreApplication::processEvents();
        clipped << test::clippedTexts(*fixture.window);            // empty views
        fixture.session->addExperiments(15);
        fixture.session->addApproval();
        QTRY_VERIFY(fixture.window->views().approvals->hasApproval());
        fixture.window->selection().selectExperiment(4, QStringLiteral("p1"));
        QTest::qWait(150);
        for (QDockWidget* dock : fixture.window->views().docks()) {
            dock->raise();
            QCoreApplication::processEvents();
            clipped << test::clippedTexts(*dock);
        }
        clipped << test::clippedTexts(*fixture.window);
        clipped.removeDuplicates();
        fixture.window->setTextScale(1);
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QStringLiteral("\n"))));
    }
};

KW_GUI_TEST_MAIN(AppearanceTest)
#include "appearance_test.moc"
