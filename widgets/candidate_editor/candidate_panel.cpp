// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_editor/candidate_panel.h"

#include "basis/panel_pages.h"
#include "basis/plain_label.h"
#include "candidate_editor/find_bar.h"
#include "theme/icons.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace kw {

CandidatePanel::CandidatePanel(QWidget* parent)
    : QWidget(parent), m_pages(new PanelPages(this)), m_title(new PlainLabel), m_origin(new PlainLabel),
      m_state(new PlainLabel), m_follow(new QCheckBox), m_evaluate(new QPushButton), m_revert(new QPushButton),
      m_editor(new KernelEditor), m_find(new FindBar(*m_editor))
{
    build();
    connect(m_editor, &KernelEditor::editedChanged, this, [this](bool edited) {
        if (edited)
            setFollowing(false);
        refreshState();
    });
    connect(m_evaluate, &QPushButton::clicked, this, &CandidatePanel::evaluate);
    connect(m_revert, &QPushButton::clicked, this, &CandidatePanel::revert);
    connect(m_follow, &QCheckBox::toggled, this, &CandidatePanel::followingChanged);
    m_follow->setChecked(true);
    retranslate();
}

void CandidatePanel::build()
{
    QVBoxLayout* column = m_pages->column();
    m_title->setTextScale(1.1, true);
    column->addWidget(m_title);
    column->addWidget(m_origin);
    column->addWidget(m_find);
    column->addWidget(m_editor, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_follow);
    row->addWidget(m_state, 1);
    row->addWidget(m_revert);
    row->addWidget(m_evaluate);
    column->addLayout(row);
}

void CandidatePanel::showNothing(const QString& why)
{
    m_pages->setEmptyText(why);
    if (!isEdited())
        m_pages->showPage(false);
}

void CandidatePanel::showCandidate(const ShownCandidate& candidate)
{
    m_pages->showPage();
    if (isEdited() && candidate.candidate != m_shown.candidate) {
        m_newer = candidate;
        refreshState();
        return;
    }
    load(candidate);
}

void CandidatePanel::load(const ShownCandidate& candidate)
{
    const bool sameText = candidate.candidate == m_shown.candidate && m_editor->kernelText() == candidate.text;
    m_shown = candidate;
    m_newer = {};
    m_title->setText(candidate.title);
    m_origin->setText(candidate.origin);
    m_origin->setVisible(!candidate.origin.isEmpty());
    if (!sameText && !isEdited())
        m_editor->setKernelText(candidate.text);
    m_editor->setChange(candidate.change);
    m_editor->setDiagnostics(candidate.diagnostics);
    refreshState();
}

void CandidatePanel::setEvaluationRefusal(const QString& reason)
{
    m_refusal = reason;
    refreshState();
}

void CandidatePanel::setFollowing(bool follow)
{
    m_follow->setChecked(follow);
}

bool CandidatePanel::following() const
{
    return m_follow->isChecked();
}

bool CandidatePanel::isEdited() const
{
    return m_editor->isEdited();
}

void CandidatePanel::evaluate()
{
    if (m_evaluate->isEnabled())
        emit evaluateRequested(m_shown.problem, m_editor->kernelText());
}

void CandidatePanel::revert()
{
    // Undoable: the person's text is one undo step away.
    const ShownCandidate next = m_newer.candidate.isEmpty() ? m_shown : m_newer;
    m_editor->beginUndoAction();
    m_editor->selectAll();
    m_editor->replaceSelectedText(next.text);
    m_editor->endUndoAction();
    m_editor->markerDeleteAll(KernelEditor::EditedMark);
    m_editor->setModified(false);
    load(next);
}

void CandidatePanel::find()
{
    m_find->open();
}

void CandidatePanel::refreshState()
{
    const bool edited = isEdited();
    QString state;
    if (edited && !m_newer.candidate.isEmpty())
        state = tr("Edited. A newer candidate waits until you evaluate or revert.");
    else if (edited)
        state = m_refusal.isEmpty() ? tr("Edited. Evaluate to have it built, checked and timed.") : m_refusal;
    m_state->setText(state);
    m_evaluate->setEnabled(edited && m_refusal.isEmpty() && !m_shown.problem.isEmpty());
    m_evaluate->setToolTip(m_evaluate->isEnabled() ? tr("Build, check and time this text as your own candidate")
            : !edited                              ? tr("Change the text first: this one is already known")
                                                   : m_refusal);
    m_revert->setEnabled(edited);
    m_revert->setToolTip(edited ? tr("Drop your changes; Undo brings them back") : tr("There are no changes of yours to drop"));
}

void CandidatePanel::retranslate()
{
    m_follow->setText(tr("Follow the search"));
    m_follow->setToolTip(tr("Always show the candidate that is being tried"));
    m_evaluate->setText(tr("Evaluate"));
    m_revert->setText(tr("Revert"));
    m_editor->setAccessibleName(tr("Text of the candidate"));
    m_evaluate->setIcon(themedIcon(QStringLiteral("evaluate"), palette()));
    m_revert->setIcon(themedIcon(QStringLiteral("revert"), palette()));
    refreshState();
}

void CandidatePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

} // namespace kw
