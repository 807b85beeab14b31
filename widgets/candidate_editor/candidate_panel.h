// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate_editor/kernel_editor.h"
#include "record/diff.h"

#include <QWidget>

class QCheckBox;
class QPushButton;

namespace kw {

class FindBar;
class PanelPages;
class PlainLabel;

/// What the editor shows: one candidate's text and where it comes from.
struct ShownCandidate {
    QString problem;        ///< id
    QString candidate;      ///< id
    QString title;          ///< e.g. "rms_norm, experiment 12"
    QString origin;         ///< author and parent, in words
    QString text;
    TextDiff change;        ///< from the parent
    std::vector<LineNote> diagnostics;
    friend bool operator==(const ShownCandidate& one, const ShownCandidate& two) { return one.candidate == two.candidate; }
};

/// The editor with its heading and wishes: Evaluate sends the person's text down the same road as any candidate.
/// A text that the person has edited is never replaced by a newer candidate: that one waits until Revert. Window thread.
class CandidatePanel : public QWidget {
    Q_OBJECT
public:
    explicit CandidatePanel(QWidget* parent = nullptr);

    void showCandidate(const ShownCandidate& candidate);
    /// No session or no candidate yet; says why.
    void showNothing(const QString& why);
    /// Empty when evaluation is possible; else the reason why the button is disabled.
    void setEvaluationRefusal(const QString& reason);
    void setFollowing(bool follow);
    bool following() const;
    bool isEdited() const;
    KernelEditor* editor() { return m_editor; }
    QPushButton* evaluateButton() { return m_evaluate; }
    void evaluate();
    void revert();
    void find();

signals:
    void evaluateRequested(const QString& problem, const QString& text);
    void followingChanged(bool follow);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void retranslate();
    void refreshState();
    void load(const ShownCandidate& candidate);

    PanelPages* m_pages;
    PlainLabel* m_title;
    PlainLabel* m_origin;
    PlainLabel* m_state;
    QCheckBox* m_follow;
    QPushButton* m_evaluate;
    QPushButton* m_revert;
    KernelEditor* m_editor;
    FindBar* m_find;
    ShownCandidate m_shown, m_newer;
    QString m_refusal;
};

} // namespace kw
