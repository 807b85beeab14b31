// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace kw {

/// The one selection of the window: every view shows it and wishes for changes here. Window thread.
class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const QString& problem() const { return m_problem; }
    qint64 experiment() const { return m_experiment; }

    /// Another problem drops a selected experiment that does not belong to it: the caller knows and selects afterwards.
    void selectProblem(const QString& problem);
    /// 0 selects none.
    void selectExperiment(qint64 number, const QString& problem);

signals:
    void problemChanged(const QString& problem);
    void experimentChanged(qint64 number);

private:
    QString m_problem;
    qint64 m_experiment = 0;
};

} // namespace kw
