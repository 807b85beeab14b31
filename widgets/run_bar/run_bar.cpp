// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_bar/run_bar.h"

#include "basis/plain_label.h"
#include "basis/text.h"
#include "present/numbers.h"
#include "theme/theme.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

namespace kw {

RunBar::RunBar(QWidget* parent)
    : QWidget(parent), m_buttons(new QHBoxLayout), m_now(new PlainLabel), m_next(new PlainLabel), m_figures(new PlainLabel),
      m_trouble(new PlainLabel), m_supervisionLabel(new PlainLabel), m_progress(new QProgressBar), m_supervision(new QComboBox)
{
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(6, 4, 6, 4);
    outer->setSpacing(12);
    m_buttons->setSpacing(2);
    outer->addLayout(m_buttons);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    m_now->setTextScale(1.1, true);
    words->addWidget(m_now);
    words->addWidget(m_next);
    words->addWidget(m_trouble);
    outer->addLayout(words, 1);
    auto* right = new QVBoxLayout;
    right->setSpacing(1);
    m_figures->setWordWrap(false);
    m_figures->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_progress->setTextVisible(false);
    m_progress->setMaximumHeight(fontMetrics().height() / 2);
    right->addWidget(m_figures);
    right->addWidget(m_progress);
    outer->addLayout(right);
    auto* rule = new QVBoxLayout;
    rule->setSpacing(1);
    m_supervisionLabel->setBuddy(m_supervision);
    m_supervisionLabel->setWordWrap(false);
    rule->addWidget(m_supervisionLabel);
    m_supervision->addItems({QString(), QString(), QString()});
    rule->addWidget(m_supervision);
    outer->addLayout(rule);
    m_trouble->hide();
    connect(m_supervision, &QComboBox::activated, this,
        [this](int index) { emit supervisionWished(static_cast<Supervision>(index)); });
    refresh();
}

void RunBar::setActions(const QList<QAction*>& actions)
{
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        m_buttons->addWidget(button);
    }
}

void RunBar::showSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    m_snapshot = snapshot;
    refresh();
}

void RunBar::setTrouble(const QString& text)
{
    m_troubleText = text;
    refresh();
}

QString RunBar::nowText() const
{
    if (!m_snapshot)
        return tr("No session is open");
    if (m_snapshot->pausing && m_snapshot->state != LoopState::Paused)
        return tr("Pausing at the next safe point: %1").arg(m_snapshot->now.empty() ? label(m_snapshot->state) : say(m_snapshot->now));
    return m_snapshot->now.empty() ? label(m_snapshot->state) : say(m_snapshot->now);
}

QString RunBar::nextText() const
{
    if (!m_snapshot || m_snapshot->next.empty())
        return {};
    return tr("Next: %1").arg(say(m_snapshot->next));
}

QString RunBar::budgetText() const
{
    const Language language = uiLanguage();
    const QString used = toQString(timeText(std::max(m_snapshot->usedSeconds, 0.0), language));
    if (m_snapshot->budgetSeconds > 0)
        return tr("%1 of %2 used").arg(used, toQString(timeText(m_snapshot->budgetSeconds, language)));
    return tr("%1 used").arg(used);
}

QString RunBar::figuresText() const
{
    if (!m_snapshot)
        return {};
    const Language language = uiLanguage();
    QStringList parts;
    if (m_snapshot->experiments && !m_snapshot->experiments->empty())
        parts << tr("%n experiment(s)", nullptr, static_cast<int>(m_snapshot->experiments->size()));
    if (m_snapshot->experimentsPerHour > 0)
        parts << toQString(hourlyText(m_snapshot->experimentsPerHour, language));
    if (m_snapshot->usedSeconds > 0 || m_snapshot->budgetSeconds > 0)
        parts << budgetText();
    if (m_snapshot->secondsLeft >= 0 && std::isfinite(m_snapshot->secondsLeft))
        parts << tr("%1 left").arg(toQString(timeText(m_snapshot->secondsLeft, language)));
    return parts.join(QStringLiteral(" · "));
}

void RunBar::refresh()
{
    m_now->setText(nowText());
    m_next->setText(nextText());
    m_next->setVisible(!m_next->text().isEmpty());
    m_figures->setText(figuresText());
    QStringList trouble;
    if (!m_troubleText.isEmpty())
        trouble << m_troubleText;
    if (m_snapshot && m_snapshot->error)
        trouble << say(m_snapshot->error->message);
    if (m_snapshot && m_snapshot->unsafe)
        trouble << tr("The sandbox is incomplete: every record of this session says so.");
    if (m_snapshot && m_snapshot->readOnly)
        trouble << tr("Read-only: recorded on another machine or by another version, not reproduced here.");
    m_trouble->setText(trouble.join(QLatin1Char('\n')));
    m_trouble->setVisible(!trouble.isEmpty());
    QPalette warning = m_now->palette();
    warning.setColor(QPalette::WindowText, themeColours(palette()).warning);
    m_trouble->setPalette(warning);

    const bool known = m_snapshot && std::isfinite(m_snapshot->progress) && m_snapshot->progress >= 0;
    const bool busy = m_snapshot && m_snapshot->state != LoopState::Idle && m_snapshot->state != LoopState::Paused
        && m_snapshot->state != LoopState::Done && m_snapshot->state != LoopState::Failed;
    m_progress->setRange(0, known || !busy ? 1000 : 0);
    m_progress->setValue(known ? static_cast<int>(std::lround(std::min(m_snapshot->progress, 1.0) * 1000)) : 0);
    m_progress->setVisible(busy);
    m_progress->setAccessibleName(tr("Progress of what happens now"));

    m_supervisionLabel->setText(tr("Your approval:"));
    for (int index = 0; index < 3; ++index)
        m_supervision->setItemText(index, label(static_cast<Supervision>(index)));
    m_supervision->setAccessibleName(tr("What waits for your approval"));
    m_supervision->setToolTip(tr("What has to wait for your approval before it counts"));
    m_supervision->setEnabled(m_snapshot && !m_snapshot->readOnly);
    if (m_snapshot)
        m_supervision->setCurrentIndex(static_cast<int>(m_snapshot->supervision));
}

void RunBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace kw
