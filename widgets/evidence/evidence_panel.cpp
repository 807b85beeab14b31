// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_panel.h"

#include "basis/data_table.h"
#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "basis/text.h"
#include "evidence/verdict_model.h"
#include "present/numbers.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace kw {

EvidencePanel::EvidencePanel(QWidget* parent)
    : QWidget(parent), m_title(new PlainLabel), m_hypothesis(new PlainLabel), m_verdict(new PlainLabel),
      m_surroundings(new PlainLabel), m_model(new VerdictModel(this)), m_tree(new DataTable),
      m_numbers(new QStandardItemModel(this)), m_numbersTable(new DataTable), m_pages(new PanelPages(this))
{
    // Scrolled as a whole: a small dock never squeezes lines into each other.
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget;
    area->setWidget(page);
    m_pages->column()->addWidget(area);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    m_title->setTextScale(1.1, true);
    for (PlainLabel* text : {m_title, m_hypothesis, m_verdict})
        column->addWidget(text);
    m_numbersTable->setModel(m_numbers);
    column->addWidget(m_numbersTable);
    column->addWidget(m_surroundings);
    m_surroundings->setForegroundRole(QPalette::PlaceholderText);
    m_tree->setModel(m_model);
    m_tree->setRootIsDecorated(true);
    m_tree->setMinimumHeight(m_tree->fontMetrics().height() * 6);
    column->addWidget(m_tree, 1);
    refresh();
}

void EvidencePanel::showExperiment(std::shared_ptr<const Experiment> experiment)
{
    if (experiment == m_experiment && m_pages->showsPage())
        return;
    m_experiment = std::move(experiment);
    m_model->setVerdict(m_experiment ? m_experiment->verdict : Verdict());
    m_pages->showPage(m_experiment != nullptr);
    refresh();
}

void EvidencePanel::showNothing(const QString& why)
{
    m_pages->showEmpty(why);
    m_experiment = nullptr;
}

void EvidencePanel::setCompact(bool compact)
{
    m_compact = compact;
    if (layout())
        layout()->setContentsMargins(0, 0, 0, 0);
    refresh();
}

QString EvidencePanel::environmentText(const Measurement& measurement) const
{
    const Environment& where = measurement.environment;
    QStringList parts;
    if (!where.cpu.empty())
        parts << tr("%1, %n thread(s)", nullptr, where.threads).arg(shown(where.cpu));
    if (where.frequencyMHz > 0)
        parts << tr("%1 MHz").arg(QString::number(where.frequencyMHz, 'f', 0));
    parts << label(measurement.cache);
    if (!where.compiler.empty()) // its flags are many lines: the tool tip and the report have them
        parts << shown(where.compiler).section(QStringLiteral(" -"), 0, 0);
    if (where.unsafe)
        parts << tr("measured without the full sandbox");
    return parts.join(QStringLiteral(" · "));
}

void EvidencePanel::fillNumbers()
{
    m_numbers->clear();
    m_numbers->setHorizontalHeaderLabels({tr("Comparison"), tr("Outcome"), tr("Speed-up"), tr("Time"), tr("Samples")});
    const Language language = uiLanguage();
    const Measurement* last = nullptr;
    const auto add = [&](const QString& what, const std::optional<Measurement>& measurement) {
        if (!measurement)
            return;
        last = &*measurement;
        const SampleCount count = usedSamples(*measurement);
        QList<QStandardItem*> row;
        for (const QString& text : {what, label(measurement->outcome), toQString(spreadText(measurement->ratio, measurement->low, measurement->high, language)),
                 toQString(fromToTime(measurement->secondsA, measurement->secondsB, language)),
                 tr("%1 in %n process pair(s)", nullptr, static_cast<int>(count.pairs)).arg(toQString(countText(count.samples, language)))}) {
            row << new QStandardItem(text);
            row.last()->setEditable(false);
        }
        m_numbers->appendRow(row);
    };
    if (m_experiment) {
        add(tr("Screening"), m_experiment->screening);
        add(tr("Against the best so far"), m_experiment->measurement);
        add(tr("Fresh confirmation"), m_experiment->confirmation);
        add(tr("Against the library"), m_experiment->total);
    }
    QString surroundings = last ? environmentText(*last) : QString();
    if (last && last->rejectedSamples > 0)
        surroundings += QStringLiteral(" · ") + tr("%n disturbed sample(s) left out", nullptr, last->rejectedSamples);
    m_surroundings->setText(surroundings);
    m_surroundings->setToolTip(last ? QLatin1String("<qt>") + shown(last->environment.compiler).toHtmlEscaped() + QLatin1String("</qt>") : QString());
    m_surroundings->setVisible(last);
    m_numbersTable->setVisible(last);
    m_numbersTable->setColumnExamples({tr("Against the best so far"), label(Comparison::Unsure), QStringLiteral("9.99 × (9.99–9.99)"),
        QStringLiteral("999 µs → 999 µs"), QStringLiteral("99 in 99 process pairs")});
    const int rows = std::max(m_numbers->rowCount(), 1);
    m_numbersTable->setFixedHeight(m_numbersTable->header()->sizeHint().height() + rows * (m_numbersTable->fontMetrics().height() + 3)
        + m_numbersTable->horizontalScrollBar()->sizeHint().height() + 2 * m_numbersTable->frameWidth());
}

void EvidencePanel::refresh()
{
    m_tree->setAccessibleName(tr("Verdict by stage and case"));
    m_numbersTable->setAccessibleName(tr("Measurements"));
    m_tree->setColumnExamples({QStringLiteral("mm") + label(Stage::Timing), label(FailureKind::GuardViolated), QStringLiteral("100 %")});
    if (!m_experiment)
        return;
    m_title->setText(tr("Experiment %1: %2").arg(QString::number(m_experiment->number), label(m_experiment->decision)));
    m_hypothesis->setText(say(m_experiment->candidate.hypothesis));
    m_title->setVisible(!m_compact);
    m_hypothesis->setVisible(!m_compact && !m_hypothesis->text().isEmpty());
    QString verdict = toQString(verdictText(m_experiment->verdict, uiLanguage()));
    if (m_experiment->verdict.passed && m_experiment->verdict.factor > 0)
        verdict += QLatin1Char(' ')
            + tr("Error budget: %1 times the library's own error, at least %2 ulp.")
                  .arg(toQString(plainNumber(m_experiment->verdict.factor, uiLanguage())),
                      toQString(plainNumber(m_experiment->verdict.floorUlps, uiLanguage())));
    m_verdict->setText(verdict);
    fillNumbers();
    if (const QModelIndex failed = m_model->failedStage(); failed.isValid())
        m_tree->expand(failed);
}

void EvidencePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        m_model->retranslate();
        refresh();
    }
}

} // namespace kw
