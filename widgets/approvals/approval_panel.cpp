// SPDX-License-Identifier: GPL-3.0-or-later
#include "approvals/approval_panel.h"

#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "basis/text.h"
#include "evidence/evidence_panel.h"
#include "present/numbers.h"
#include "review/difference_view.h"
#include "review/review_panel.h"
#include "theme/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace kw {

ApprovalPanel::ApprovalPanel(QWidget* parent)
    : QWidget(parent), m_title(new PlainLabel), m_hypothesis(new PlainLabel), m_moves(new PlainLabel), m_review(new ReviewPanel),
      m_evidence(new EvidencePanel), m_comment(new QLineEdit), m_approve(new QPushButton), m_reject(new QPushButton),
      m_splitter(new QSplitter(Qt::Vertical)), m_pages(new PanelPages(this))
{
    build();
    connect(m_approve, &QPushButton::clicked, this, &ApprovalPanel::approve);
    connect(m_reject, &QPushButton::clicked, this, &ApprovalPanel::reject);
    connect(m_review, &ReviewPanel::keptChanged, this, &ApprovalPanel::refresh);
    refresh();
}

void ApprovalPanel::build()
{
    QVBoxLayout* column = m_pages->column();
    m_title->setTextScale(1.1, true);
    column->addWidget(m_title);
    column->addWidget(m_hypothesis);
    column->addWidget(m_moves);
    m_review->setHunksChoosable(true);
    m_evidence->setCompact(true);
    m_splitter->addWidget(m_review);
    m_splitter->addWidget(m_evidence);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setChildrenCollapsible(false);
    column->addWidget(m_splitter, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_comment, 1);
    row->addWidget(m_reject);
    row->addWidget(m_approve);
    column->addLayout(row);
}

void ApprovalPanel::showApproval(const ShownApproval& approval)
{
    const bool another = !m_shown || m_shown->request.binding != approval.request.binding;
    m_shown = approval;
    if (another)
        m_comment->clear();
    m_evidence->showExperiment(approval.experiment);
    const QString heading = approval.request.against.empty()
        ? tr("New text: so far the library's own operators run")
        : tr("Against the best that you approved last");
    m_review->showDifference(heading, approval.difference);
    m_pages->showPage();
    refresh();
}

void ApprovalPanel::showNothing(const QString& why)
{
    m_shown.reset();
    m_pages->showEmpty(why);
    refresh();
}

void ApprovalPanel::setRefusal(const QString& reason)
{
    m_refusal = reason;
    refresh();
}

QString ApprovalPanel::reasonAgainst() const
{
    return !m_shown ? tr("Nothing waits for approval") : m_refusal;
}

QString ApprovalPanel::movesInWords() const
{
    if (!m_shown || !m_shown->experiment)
        return {};
    QStringList lines;
    for (const std::string& line : movesText(m_shown->experiment->candidate.moves, uiLanguage()))
        lines << QStringLiteral("• ") + toQString(line);
    return lines.join(QLatin1Char('\n'));
}

void ApprovalPanel::approve()
{
    if (!reasonAgainst().isEmpty())
        return;
    const QString binding = toQString(m_shown->request.binding);
    if (m_review->view()->allKept()) {
        emit approved(m_shown->request.experiment, binding, m_comment->text().trimmed());
        return;
    }
    QList<int> hunks;
    for (const std::int32_t hunk : m_review->view()->keptHunks())
        hunks << hunk;
    emit hunksAccepted(m_shown->request.experiment, binding, hunks);
}

void ApprovalPanel::reject()
{
    if (reasonAgainst().isEmpty())
        emit rejected(m_shown->request.experiment, toQString(m_shown->request.binding), m_comment->text().trimmed());
}

void ApprovalPanel::refresh()
{
    const QString reason = reasonAgainst();
    const bool whole = m_review->view()->allKept(), none = m_review->view()->keptHunks().empty() && !whole;
    m_approve->setText(whole ? tr("Approve") : tr("Accept Chosen Changes"));
    m_approve->setIcon(themedIcon(QStringLiteral("approve"), palette()));
    m_approve->setEnabled(reason.isEmpty() && !none);
    m_approve->setToolTip(!reason.isEmpty() ? reason
            : none                          ? tr("Every change is left out: reject it instead")
            : whole                         ? tr("It becomes the best for this kernel (Ctrl+Return)")
                                            : tr("The chosen changes are built, checked and timed as your own candidate"));
    m_reject->setText(tr("Reject"));
    m_reject->setIcon(themedIcon(QStringLiteral("reject"), palette()));
    m_reject->setEnabled(reason.isEmpty());
    m_reject->setToolTip(reason.isEmpty() ? tr("The best stays as it is; your comment goes to whoever proposed this (Ctrl+Backspace)") : reason);
    m_comment->setPlaceholderText(tr("Comment, for the record and for the proposer"));
    m_comment->setAccessibleName(tr("Comment on this change"));
    emit availabilityChanged();
    if (!m_shown)
        return;
    QStringList title{tr("%1: improvement %2 waits for your approval").arg(m_shown->kernel, QString::number(m_shown->request.experiment))};
    if (m_shown->request.replaced > 0)
        title << tr("it takes the place of %n earlier one(s)", nullptr, static_cast<int>(m_shown->request.replaced));
    if (m_shown->waiting > 1)
        title << tr("%n waiting in all", nullptr, static_cast<int>(m_shown->waiting));
    m_title->setText(title.join(QStringLiteral(" · ")));
    m_hypothesis->setText(m_shown->experiment ? say(m_shown->experiment->candidate.hypothesis) : QString());
    m_hypothesis->setVisible(!m_hypothesis->text().isEmpty());
    m_moves->setText(movesInWords());
    m_moves->setVisible(!m_moves->text().isEmpty());
}

void ApprovalPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace kw
