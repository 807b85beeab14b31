// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/compare_outputs.h"

#include "base/defence.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace kw {
namespace {

bool sameClass(double a, double b)
{
    if (std::isnan(a) || std::isnan(b))
        return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b))
        return a == b;
    return true;
}

bool withinKernelBench(double actual, double library)
{
    if (!std::isfinite(library) || !std::isfinite(actual))
        return sameClass(actual, library);
    return std::abs(actual - library) <= 1e-4 + 1e-4 * std::abs(library);
}

/// One element beyond its limit, for the second look.
struct Excess {
    std::int64_t position = 0;
    double error = 0, allowed = 0;
    FailureKind failure = FailureKind::WrongValue;
};

/// A unit whose RMS error is beyond its limit.
struct UnitExcess {
    std::int64_t begin = 0, end = 0;
    double rms = 0, allowed = 0;
};

/// Walks one output unit by unit. Lives for one comparison.
class Comparer {
public:
    Comparer(const ActualOutput& actual, const HostTensor& library, const HostTensor& precise, const ErrorBudget& budget,
        const ErrorScale* other)
        : m_actual(actual), m_library(library), m_precise(precise), m_budget(budget), m_other(other),
          m_dtype(actual.type.dtype), m_spacing(m_dtype), m_floating(isFloating(m_dtype)), m_offsets(elementOffsets(actual.type))
    {
    }

    OutputResult run(std::size_t index, const std::function<const Condition*()>& condition)
    {
        const auto total = static_cast<std::int64_t>(m_offsets.size());
        const std::int64_t row = m_actual.type.shape.empty() ? 1 : std::max<std::int64_t>(m_actual.type.shape.back(), 1);
        const std::int64_t unit = row >= unitElements ? row : row * ((unitElements + row - 1) / row);
        for (std::int64_t begin = 0; begin < total; begin += unit)
            compareUnit(begin, std::min(begin + unit, total));
        checkGaps();
        if (m_result.passed && (!m_excess.empty() || !m_units.empty()))
            secondLook(index, condition);
        return std::move(m_result);
    }

private:
    double actual(std::int64_t position) const { return elementAt(m_actual.storage, m_dtype, m_offsets[static_cast<std::size_t>(position)]); }
    double library(std::int64_t position) const { return elementAt(m_library.storage.data(), m_library.type.dtype, position); }
    double precise(std::int64_t position) const { return elementAt(m_precise.storage.data(), m_precise.type.dtype, position); }

    ErrorScale scaleOf(std::int64_t begin, std::int64_t end)
    {
        m_reference.clear();
        m_librarySide.clear();
        for (std::int64_t i = begin; i < end; ++i) {
            m_reference.push_back(m_spacing.inRange(precise(i)));
            m_librarySide.push_back(library(i));
        }
        const ErrorScale scale = errorScale(m_reference, m_librarySide);
        return m_other && end - begin < unitElements ? widest(scale, *m_other) : scale;
    }

    void compareUnit(std::int64_t begin, std::int64_t end)
    {
        ErrorScale scale = m_floating ? scaleOf(begin, end) : ErrorScale{};
        if (std::ssize(m_offsets) > mostStrictElements)
            scale.relative = HUGE_VAL;
        double squares = 0, ulps = 0;
        std::int64_t count = 0;
        for (std::int64_t i = begin; i < end; ++i) {
            const double value = actual(i);
            m_result.withinKernelBenchTolerance = m_result.withinKernelBenchTolerance && withinKernelBench(value, library(i));
            if (!m_floating) {
                compareExact(i, value);
                continue;
            }
            const double error = compareElement(i, value, scale);
            if (error < 0)
                continue;
            ++count;
            squares += error * error;
            const double ulp = m_spacing.at(precise(i));
            ulps += ulp * ulp;
        }
        if (count == 0)
            return;
        const double rms = std::sqrt(squares / static_cast<double>(count));
        const double allowed = allowedRms(scale, std::sqrt(ulps / static_cast<double>(count)), m_budget);
        m_result.budgetUsed = std::max(m_result.budgetUsed, allowed > 0 ? std::min(rms / allowed, 1e9) : 0);
        if (rms > allowed)
            m_units.push_back({begin, end, rms, allowed});
    }

    void compareExact(std::int64_t position, double value)
    {
        if (value == library(position) || value == precise(position))
            return;
        note(position, value, std::abs(value - precise(position)), 0, FailureKind::WrongValue);
    }

    /// The error that counts for the RMS, or -1 when the element is non-finite by right or wrong.
    double compareElement(std::int64_t position, double value, const ErrorScale& scale)
    {
        const double reference = m_spacing.inRange(precise(position));
        const double other = library(position);
        if (!std::isfinite(reference)) {
            const bool likeLibrary = std::isfinite(other) && std::isfinite(value)
                && std::abs(value - other) <= allowedError({}, other, m_spacing, m_budget);
            if (!(!std::isfinite(value) && (sameClass(value, reference) || sameClass(value, other))) && !likeLibrary)
                note(position, value, HUGE_VAL, 0, FailureKind::NonFinite);
            return -1;
        }
        if (!std::isfinite(value)) {
            // Where the library's overflow ended as NaN, whether Inf - Inf happened is an accident of the order of operations.
            const bool overflowed = std::isinf(value) && std::isnan(other);
            if (std::isfinite(other) || !(sameClass(value, other) || overflowed))
                note(position, value, HUGE_VAL, 0, FailureKind::NonFinite);
            return -1;
        }
        const double error = std::abs(value - precise(position));
        const double allowed = allowedError(scale, precise(position), m_spacing, m_budget);
        if (error > allowed)
            note(position, value, error, allowed, FailureKind::WrongValue);
        else if (allowed > 0 && error / allowed > m_worstShare)
            remember(position, value, error, allowed);
        return error;
    }

    void remember(std::int64_t position, double value, double error, double allowed)
    {
        m_worstShare = allowed > 0 ? std::min(error / allowed, 1e9) : 1e9;
        m_result.budgetUsed = std::max(m_result.budgetUsed, m_worstShare);
        const double reference = precise(position);
        m_result.worst = WorstElement{m_actual.name, indexOf(m_actual.type.shape, position), reference, value, error, allowed,
            std::abs(library(position) - reference)};
    }

    void note(std::int64_t position, double value, double error, double allowed, FailureKind failure)
    {
        const double share = allowed > 0 ? std::min(error / allowed, 1e9) : 1e9;
        if (share > m_worstShare || !m_result.worst)
            remember(position, value, error, allowed);
        m_excess.push_back({position, error, allowed, failure});
    }

    /// Bytes between the elements of a strided output belong to others.
    void checkGaps()
    {
        if (!m_actual.before || m_offsets.empty() || !standing(Defence::Canaries))
            return;
        const auto item = static_cast<std::size_t>(itemSize(m_dtype));
        const std::size_t elements = static_cast<std::size_t>(storageBytes(m_actual.type)) / item;
        if (elements == m_offsets.size())
            return;
        std::vector<bool> used(elements, false);
        for (const std::int64_t offset : m_offsets)
            used[static_cast<std::size_t>(offset)] = true;
        for (std::size_t i = 0; i < elements; ++i)
            if (!used[i] && std::memcmp(m_actual.storage + i * item, m_actual.before + i * item, item) != 0)
                return fail(FailureKind::GuardViolated, Message("verify.gap_written").with("output", m_actual.name));
    }

    bool unwritten(std::int64_t position) const
    {
        const auto item = static_cast<std::size_t>(itemSize(m_dtype));
        const std::size_t place = static_cast<std::size_t>(m_offsets[static_cast<std::size_t>(position)]) * item;
        return m_actual.before && std::memcmp(m_actual.storage + place, m_actual.before + place, item) == 0 && standing(Defence::Poison);
    }

    void secondLook(std::size_t index, const std::function<const Condition*()>& condition)
    {
        const std::int64_t total = static_cast<std::int64_t>(m_offsets.size());
        const auto left = std::count_if(m_excess.begin(), m_excess.end(), [this](const Excess& e) { return unwritten(e.position); });
        if (left > 0)
            return fail(FailureKind::NotWritten,
                Message("verify.not_written").with("output", m_actual.name).with("count", std::int64_t{left}).with("total", total));
        std::erase_if(m_excess, [](const Excess& excess) {
            return !standing(excess.failure == FailureKind::NonFinite ? Defence::NonFinite : Defence::ErrorBudget);
        });
        if (!standing(Defence::ErrorBudget))
            m_units.clear();
        const Condition* moved = condition ? condition() : nullptr;
        const std::vector<double>* moves = moved && index < moved->size() ? &(*moved)[index] : nullptr;
        m_result.usedCondition = moves != nullptr;
        const Excess* first = nullptr;
        std::int64_t wrong = 0;
        for (const Excess& excess : m_excess) {
            if (moves && excess.error <= (*moves)[static_cast<std::size_t>(excess.position)])
                continue;
            ++wrong;
            if (!first || (excess.failure == FailureKind::NonFinite && first->failure != FailureKind::NonFinite))
                first = &excess;
        }
        if (first)
            return failElements(*first, wrong, total);
        for (const UnitExcess& unit : m_units)
            if (!rmsExplained(unit, moves))
                return fail(FailureKind::WrongValue, Message("verify.wrong_rms").with("output", m_actual.name)
                    .with("error", unit.rms).with("allowed", unit.allowed));
        m_result.budgetUsed = std::min(m_result.budgetUsed, 1.0);
    }

    bool rmsExplained(const UnitExcess& unit, const std::vector<double>* moves) const
    {
        if (!moves)
            return false;
        double errors = 0, explained = 0;
        for (std::int64_t i = unit.begin; i < unit.end; ++i) {
            const double move = (*moves)[static_cast<std::size_t>(i)], error = std::abs(actual(i) - precise(i));
            if (!std::isfinite(move) || !std::isfinite(error))
                continue; // out of the type's range: compared by position above
            errors += error * error;
            explained += move * move;
        }
        return errors <= explained;
    }

    void failElements(const Excess& first, std::int64_t wrong, std::int64_t total)
    {
        m_worstShare = 0;
        remember(first.position, actual(first.position), first.error, first.allowed);
        const bool nonFinite = first.failure == FailureKind::NonFinite;
        fail(first.failure, Message(nonFinite ? "verify.non_finite" : "verify.wrong_value").with("output", m_actual.name)
            .with("count", wrong).with("total", total));
    }

    void fail(FailureKind failure, Message reason)
    {
        m_result.passed = false;
        m_result.failure = failure;
        m_result.reason = std::move(reason);
    }

    const ActualOutput& m_actual;
    const HostTensor& m_library;
    const HostTensor& m_precise;
    const ErrorBudget& m_budget;
    const ErrorScale* m_other;
    DType m_dtype;
    Spacing m_spacing;
    bool m_floating;
    std::vector<std::int64_t> m_offsets;
    std::vector<double> m_reference, m_librarySide;
    std::vector<Excess> m_excess;
    std::vector<UnitExcess> m_units;
    double m_worstShare = -1;
    OutputResult m_result;
};

} // namespace

OutputResult compareOutput(const ActualOutput& actual, std::size_t index, const Expected& expected, const ErrorBudget& budget,
    const ErrorScale* other, const std::function<const Condition*()>& condition)
{
    return Comparer(actual, expected.library[index], expected.precise[index], budget, other).run(index, condition);
}

ErrorScale wholeScale(const Expected& expected, std::size_t index)
{
    const HostTensor& library = expected.library[index];
    const HostTensor& precise = expected.precise[index];
    if (!isFloating(library.type.dtype))
        return {};
    const Spacing spacing(library.type.dtype);
    std::vector<double> reference, side;
    for (std::int64_t i = 0; i < library.type.elements(); ++i) {
        reference.push_back(spacing.inRange(elementAt(precise.storage.data(), precise.type.dtype, i)));
        side.push_back(elementAt(library.storage.data(), library.type.dtype, i));
    }
    return errorScale(reference, side);
}

} // namespace kw
