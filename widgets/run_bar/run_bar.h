// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/snapshot.h"

#include <QWidget>

#include <memory>

class QAction;
class QComboBox;
class QHBoxLayout;
class QProgressBar;

namespace kw {

class PlainLabel;

/// Says in words what happens now, what comes next, the rate and the time left, beside the buttons of the run.
/// Buttons are the window's own actions. Window thread.
class RunBar : public QWidget {
    Q_OBJECT
public:
    explicit RunBar(QWidget* parent = nullptr);

    /// Start, pause, step, stop ...: one button each, in this order.
    void setActions(const QList<QAction*>& actions);
    /// Null: no session.
    void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    /// Shown beside the state until it is cleared, e.g. "The host has gone."
    void setTrouble(const QString& text);
    QString nowText() const;
    QString nextText() const;
    QString figuresText() const;
    QComboBox* supervision() { return m_supervision; }

signals:
    void supervisionWished(kw::Supervision supervision);

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString budgetText() const;

    QHBoxLayout* m_buttons;
    PlainLabel* m_now;
    PlainLabel* m_next;
    PlainLabel* m_figures;
    PlainLabel* m_trouble;
    PlainLabel* m_supervisionLabel;
    QProgressBar* m_progress;
    QComboBox* m_supervision;
    std::shared_ptr<const Snapshot> m_snapshot;
    QString m_troubleText;
};

} // namespace kw
