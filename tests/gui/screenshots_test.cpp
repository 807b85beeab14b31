// SPDX-License-Identifier: GPL-3.0-or-later
#include "approvals/approval_panel.h"
#include "basis/selection.h"
#include "candidate_editor/candidate_panel.h"
#include "evidence/evidence_panel.h"
#include "evidence/verdict_model.h"
#include "log/log_panel.h"
#include "problems_list/problems_panel.h"
#include "review/review_panel.h"
#include "speedup_chart/speedup_chart.h"
#include "speedup_chart/speedup_panel.h"
#include "window/presenter.h"
#include "window/start_page.h"
#include "window/views.h"
#include "window_fixture.h"

#include <QDir>
#include <QProcess>
#include <QtTest>

using namespace kw;
using kw::test::WindowFixture;

/// Writes pictures of the window for people to judge; proves only that every state can be drawn.
class ScreenshotsTest : public QObject {
    Q_OBJECT
    QString m_folder;

    void save(QWidget& widget, const QString& name)
    {
        QCoreApplication::processEvents();
        const QPixmap picture = widget.grab();
        QVERIFY(!picture.isNull());
        QVERIFY(picture.save(m_folder + QLatin1Char('/') + name + QStringLiteral(".png")));
    }

    static QString scaleTag() { return qFuzzyCompare(qApp->devicePixelRatio(), 1.0) ? QStringLiteral("-1x") : QStringLiteral("-2x"); }

private slots:
    void initTestCase()
    {
        m_folder = qEnvironmentVariable("KW_SCREENSHOTS", QDir::tempPath() + QStringLiteral("/kernelwright-screenshots"));
        QVERIFY(QDir().mkpath(m_folder));
    }

    void window_data()
    {
        QTest::addColumn<int>("language");
        QTest::addColumn<int>("theme");
        QTest::newRow("light-en") << static_cast<int>(Language::English) << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("dark-en") << static_cast<int>(Language::English) << static_cast<int>(ThemeChoice::Dark);
        QTest::newRow("light-tr") << static_cast<int>(Language::Turkish) << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("dark-tr") << static_cast<int>(Language::Turkish) << static_cast<int>(ThemeChoice::Dark);
        QTest::newRow("contrast-en") << static_cast<int>(Language::English) << static_cast<int>(ThemeChoice::HighContrast);
    }

    void window()
    {
        QFETCH(int, language);
        QFETCH(int, theme);
        const QString tag = QString::fromLatin1(QTest::currentDataTag()) + scaleTag();
        WindowFixture fixture(static_cast<Language>(language), static_cast<ThemeChoice>(theme));
        fixture.window->resize(1440, 900);
        save(*fixture.window, QStringLiteral("start-") + tag);
        QVERIFY(fixture.openSession());
        save(*fixture.window, QStringLiteral("profiled-") + tag);
        fixture.window->actions()[QStringLiteral("start")]->trigger();
        QTRY_COMPARE(fixture.session->now().state, LoopState::Choosing);
        fixture.session->addExperiments(41);
        fixture.session->advance();
        QVERIFY(fixture.settle());
        fixture.window->selection().selectExperiment(4, QStringLiteral("p1"));
        QTRY_COMPARE(fixture.window->views().evidence->model()->rowCount(), stageCount);
        fixture.window->views().speedup->chart()->flush();
        QTest::qWait(50);
        save(*fixture.window, QStringLiteral("running-") + tag);
        fixture.session->addApproval();
        QTRY_VERIFY(fixture.window->views().approvals->hasApproval());
        QTest::qWait(50);
        fixture.window->views().speedup->chart()->flush();
        save(*fixture.window, QStringLiteral("approval-") + tag);
        fixture.window->views().approvals->resize(760, 700);
        save(*fixture.window->views().approvals, QStringLiteral("approval-panel-") + tag);
    }

    /// A finished session of the product's own, when the caller names one: sample data flatter a window.
    void finishedSession_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << static_cast<int>(ThemeChoice::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeChoice::Dark);
    }

    void finishedSession()
    {
        QFETCH(int, theme);
        const QString folder = qEnvironmentVariable("KW_SCREENSHOT_SESSION");
        if (folder.isEmpty())
            QSKIP("KW_SCREENSHOT_SESSION names no session folder");
        WindowFixture fixture(Language::English, static_cast<ThemeChoice>(theme));
        fixture.window->resize(1440, 900);
        fixture.window->openPath(folder);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.window->presenter().snapshot() && !fixture.window->presenter().snapshot()->experiments->empty(), 30'000);
        const QString tag = QString::fromLatin1(QTest::currentDataTag()) + scaleTag();
        QTRY_COMPARE(fixture.window->views().evidence->model()->rowCount(), stageCount);
        QTRY_VERIFY(!fixture.window->views().candidate->editor()->kernelText().isEmpty());
        fixture.window->views().speedup->chart()->flush();
        QTest::qWait(100);
        save(*fixture.window, QStringLiteral("finished-") + tag);
        for (QWidget* view : {static_cast<QWidget*>(fixture.window->views().problems), static_cast<QWidget*>(fixture.window->views().review),
                 static_cast<QWidget*>(fixture.window->views().log)})
            fixture.window->views().raise(view);
        QTest::qWait(100);
        save(*fixture.window, QStringLiteral("finished-others-") + tag);
        fixture.window->close();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->isVisible(), 30'000);
    }

    void atDoubleScale()
    {
        if (!qFuzzyCompare(qApp->devicePixelRatio(), 1.0))
            QSKIP("this already is the run at double scale");
        QProcess again;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
        environment.insert(QStringLiteral("KW_SCREENSHOTS"), m_folder);
        again.setProcessEnvironment(environment);
        again.start(QCoreApplication::applicationFilePath(), {QStringLiteral("window:light-en"), QStringLiteral("window:dark-tr"), QStringLiteral("finishedSession")});
        QVERIFY(again.waitForFinished(120'000));
        QCOMPARE(again.exitCode(), 0);
        QVERIFY(QFile::exists(m_folder + QStringLiteral("/running-light-en-2x.png")));
    }
};

KW_GUI_TEST_MAIN(ScreenshotsTest)
#include "screenshots_test.moc"
