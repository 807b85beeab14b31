// SPDX-License-Identifier: GPL-3.0-or-later
#include "basis/selection.h"

namespace kw {

void Selection::selectProblem(const QString& problem)
{
    if (problem == m_problem)
        return;
    m_problem = problem;
    const bool had = m_experiment != 0;
    m_experiment = 0;
    emit problemChanged(m_problem);
    if (had)
        emit experimentChanged(0);
}

void Selection::selectExperiment(qint64 number, const QString& problem)
{
    if (number == m_experiment && (problem == m_problem || number == 0))
        return;
    const bool moved = number != 0 && problem != m_problem;
    if (number != 0)
        m_problem = problem;
    m_experiment = number;
    if (moved)
        emit problemChanged(m_problem);
    emit experimentChanged(m_experiment);
}

} // namespace kw
