// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/diff.h"
#include "record/experiment.h"
#include "record/snapshot.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLineEdit;
class QPushButton;
class QSplitter;

namespace kw {

class EvidencePanel;
class PanelPages;
class PlainLabel;
class ReviewPanel;

/// What a person decides about: everything is fetched before it is shown, so that nobody approves half a picture.
struct ShownApproval {
    ApprovalRequest request;
    QString kernel;                               ///< name of the problem
    std::shared_ptr<const Experiment> experiment;
    TextDiff difference;                          ///< from the last approved best (or the library) to the candidate
    std::size_t waiting = 1;                      ///< requests in the queue, this one included
};

/// One waiting improvement: hypothesis, schedule difference in words, text difference, verdict, numbers; approve, reject
/// with a comment, or accept only chosen changes. The answer carries the binding of exactly what was shown. Window thread.
class ApprovalPanel : public QWidget {
    Q_OBJECT
public:
    explicit ApprovalPanel(QWidget* parent = nullptr);

    void showApproval(const ShownApproval& approval);
    /// The queue is empty, or what is in it is being fetched.
    void showNothing(const QString& why);
    void setRefusal(const QString& reason);
    bool hasApproval() const { return m_shown.has_value(); }
    const std::optional<ShownApproval>& shownApproval() const { return m_shown; }
    QString reasonAgainst() const;                ///< why approve and reject are disabled; empty when they are not
    void approve();
    void reject();
    QPushButton* approveButton() { return m_approve; }
    QPushButton* rejectButton() { return m_reject; }
    QLineEdit* comment() { return m_comment; }
    ReviewPanel* review() { return m_review; }
    QString movesInWords() const;

signals:
    void approved(qint64 experiment, const QString& binding, const QString& comment);
    void rejected(qint64 experiment, const QString& binding, const QString& comment);
    void hunksAccepted(qint64 experiment, const QString& binding, const QList<int>& hunks);
    void availabilityChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void refresh();

    PlainLabel* m_title;
    PlainLabel* m_hypothesis;
    PlainLabel* m_moves;
    ReviewPanel* m_review;
    EvidencePanel* m_evidence;
    QLineEdit* m_comment;
    QPushButton* m_approve;
    QPushButton* m_reject;
    QSplitter* m_splitter;
    PanelPages* m_pages;
    std::optional<ShownApproval> m_shown;
    QString m_refusal;
};

} // namespace kw
