// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loop/evaluator.h"

#include <cstdint>
#include <limits>
#include <variant>

// Header only, so that a test links no more layers than it tests.
namespace kw::test {

/// What the loop does with verified candidates, one after another, without journal and history: screening, measurement,
/// confirmation with the session's error control, total.
class Decisions {
public:
    enum class End : std::uint8_t { ScreenedOut, NotFaster, NotConfirmed, Kept, Failed };

    explicit Decisions(Evaluator& evaluator) : m_evaluator(evaluator) {}

    End decide(const Problem& problem, Experiment& experiment)
    {
        constexpr double noLimit = std::numeric_limits<double>::infinity();
        const Event screened = m_evaluator.screen(problem, experiment, noLimit, {});
        if (!std::holds_alternative<event::Screened>(screened))
            return End::Failed;
        if (std::get<event::Screened>(screened).rejected)
            return End::ScreenedOut;
        return decideUnscreened(problem, experiment);
    }
    /// As if screening let everything pass: the harder case for what follows.
    End decideUnscreened(const Problem& problem, Experiment& experiment)
    {
        constexpr double noLimit = std::numeric_limits<double>::infinity();
        const Event measured = m_evaluator.measure(problem, experiment, noLimit, {});
        if (!std::holds_alternative<event::Measured>(measured))
            return End::Failed;
        if (std::get<event::Measured>(measured).outcome != Comparison::Faster)
            return End::NotFaster;
        const Event confirmed = m_evaluator.confirm(problem, experiment, ++m_confirmations, noLimit, {});
        if (!std::holds_alternative<event::Confirmed>(confirmed))
            return End::Failed;
        if (!std::get<event::Confirmed>(confirmed).faster)
            return End::NotConfirmed;
        return std::holds_alternative<event::TotalMeasured>(m_evaluator.total(problem, experiment, noLimit, {})) ? End::Kept : End::Failed;
    }
    std::int64_t confirmations() const { return m_confirmations; }

private:
    Evaluator& m_evaluator;
    std::int64_t m_confirmations = 0;
};

} // namespace kw::test
