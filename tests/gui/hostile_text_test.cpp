// SPDX-License-Identifier: GPL-3.0-or-later
// What comes from a model, a compiler or an agent is read, never obeyed: everything that the window shows or tells a screen reader
// of a session in which all such texts carry markup, terminal sequences and characters that hide others.
#include "soil.h"
#include "window/views.h"
#include "window_fixture.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QTabBar>
#include <QtTest>

using namespace kw;
using namespace kw::test;

namespace {

class Findings {
public:
    void look(const QString& where, const QString& text, bool rich = false)
    {
        m_planted += text.contains(QLatin1String("f()")) ? 1 : 0;
        if (const QString acting = actingPart(text, rich); !acting.isEmpty() && m_lines.size() < 20)
            m_lines.push_back(where + QStringLiteral(": ") + acting);
    }
    QString lines() const { return m_lines.join(QLatin1Char('\n')); }
    /// Places that showed the plant: without any the test would prove nothing.
    int planted() const { return m_planted; }

private:
    QStringList m_lines;
    int m_planted = 0;
};

void lookAtModel(const QAbstractItemModel& model, const QString& where, const QModelIndex& parent, Findings& findings)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            for (const int role : {int(Qt::DisplayRole), int(Qt::AccessibleTextRole), int(Qt::AccessibleDescriptionRole), int(Qt::StatusTipRole)})
                findings.look(where, index.data(role).toString());
            // A tool tip decides by its text whether it is markup.
            findings.look(where + QStringLiteral(" tool tip"), index.data(Qt::ToolTipRole).toString(), true);
            if (column == 0)
                lookAtModel(model, where, index, findings);
        }
    }
}

void lookAtAccessible(QAccessibleInterface* accessible, Findings& findings, int depth = 0)
{
    if (!accessible || !accessible->isValid() || depth > 12)
        return;
    for (const QAccessible::Text part : {QAccessible::Name, QAccessible::Description, QAccessible::Help})
        findings.look(QStringLiteral("accessible"), accessible->text(part));
    for (int child = 0; child < std::min(accessible->childCount(), 400); ++child)
        lookAtAccessible(accessible->child(child), findings, depth + 1);
}

void lookAtWidgets(const QWidget& root, Findings& findings)
{
    findings.look(QStringLiteral("window title"), root.windowTitle());
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        const QString where = QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
        findings.look(where + QStringLiteral(" tool tip"), widget->toolTip(), true);
        findings.look(where, widget->windowTitle());
        findings.look(where, widget->accessibleName());
        findings.look(where, widget->accessibleDescription());
        if (const auto* label = qobject_cast<const QLabel*>(widget))
            findings.look(where, label->text(), label->textFormat() != Qt::PlainText);
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int tab = 0; tab < tabs->count(); ++tab)
                findings.look(where, tabs->tabText(tab));
        if (const auto* view = qobject_cast<const QAbstractItemView*>(widget); view && view->model() && !qobject_cast<const QHeaderView*>(view))
            lookAtModel(*view->model(), where, {}, findings);
    }
    for (const QAction* action : root.findChildren<QAction*>()) {
        findings.look(QStringLiteral("action"), action->text());
        findings.look(QStringLiteral("action tool tip"), action->toolTip(), true);
    }
}

} // namespace

class HostileTextTest : public QObject {
    Q_OBJECT
private slots:
    void everythingShownIsPlainAndVisible()
    {
        WindowFixture fixture;
        fixture.session->soilEverything();
        QVERIFY(fixture.openSession());
        fixture.session->addExperiments(8);
        fixture.session->addApproval();
        QVERIFY(fixture.settle());
        Findings findings;
        for (QDockWidget* dock : fixture.window->views().docks()) {
            dock->show();
            dock->raise();
            QTest::qWait(20);
            lookAtWidgets(*fixture.window, findings);
        }
        lookAtAccessible(QAccessible::queryAccessibleInterface(fixture.window.get()), findings);
        QVERIFY2(findings.lines().isEmpty(), qPrintable(findings.lines()));
        QVERIFY2(findings.planted() > 50, qPrintable(QString::number(findings.planted())));
    }

    void thePlantIsFoundWhereItActs()
    {
        // The searcher itself must be able to fail.
        QWidget root;
        QLabel label(QString::fromStdString("<b>x</b>" + plant), &root);
        Findings findings;
        lookAtWidgets(root, findings);
        QVERIFY(findings.lines().contains(QLatin1String("U+001b")));
        QVERIFY(!actingPart(QStringLiteral("<img src=x>"), true).isEmpty());
        QVERIFY(actingPart(QStringLiteral("<img src=x>"), false).isEmpty());
    }
};

KW_GUI_TEST_MAIN(HostileTextTest)
#include "hostile_text_test.moc"
