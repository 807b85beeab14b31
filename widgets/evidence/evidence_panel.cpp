// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/evidence_panel.h"

#include "basis/data_table.h"
#include "basis/plain_label.h"
#include "basis/text.h"
#include "evidence/verdict_model.h"
#include "present/numbers.h"

#include <QEvent>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace kw {

EvidencePanel::EvidencePanel(QWidget* parent)
    : QWidget(parent), m_title(new PlainLabel), m_hypothesis(new PlainLabel), m_verdict(new PlainLabel), m_numbers(new PlainLabel),
      m_empty(new PlainLabel), m_model(new VerdictModel(this)), m_tree(new DataTable), m_stack(new QStackedWidget)
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    m_title->setTextScale(1.1, true);
    for (PlainLabel* text : {m_title, m_hypothesis, m_verdict, m_numbers})
        column->addWidget(text);
    m_tree->setModel(m_model);
    m_tree->setRootIsDecorated(true);
    column->addWidget(m_tree, 1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->addWidget(m_stack);
    refresh();
}

void EvidencePanel::showExperiment(std::shared_ptr<const Experiment> experiment)
{
    if (experiment == m_experiment && m_stack->currentIndex() == 1)
        return;
    m_experiment = std::move(experiment);
    m_model->setVerdict(m_experiment ? m_experiment->verdict : Verdict());
    m_stack->setCurrentIndex(m_experiment ? 1 : 0);
    refresh();
}

void EvidencePanel::showNothing(const QString& why)
{
    m_empty->setText(why);
    m_experiment = nullptr;
    m_stack->setCurrentIndex(0);
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
    if (!where.compiler.empty())
        parts << shown(where.compiler);
    if (where.unsafe)
        parts << tr("measured without the full sandbox");
    return parts.join(QStringLiteral(" · "));
}

QString EvidencePanel::numbersText() const
{
    if (!m_experiment)
        return {};
    QStringList lines;
    const Measurement* last = nullptr;
    const auto add = [&](const QString& format, const std::optional<Measurement>& measurement) {
        if (!measurement)
            return;
        lines << format.arg(toQString(measurementText(*measurement, uiLanguage())));
        last = &*measurement;
    };
    add(tr("Screening: %1"), m_experiment->screening);
    add(tr("Against the best so far: %1"), m_experiment->measurement);
    add(tr("Fresh confirmation: %1"), m_experiment->confirmation);
    add(tr("Against the library: %1"), m_experiment->total);
    if (last) {
        lines << environmentText(*last);
        if (last->rejectedSamples > 0)
            lines << tr("%n disturbed sample(s) left out", nullptr, last->rejectedSamples);
    }
    return lines.join(QLatin1Char('\n'));
}

void EvidencePanel::refresh()
{
    m_tree->setAccessibleName(tr("Verdict by stage and case"));
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
    m_numbers->setText(numbersText());
    m_numbers->setVisible(!m_numbers->text().isEmpty());
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
