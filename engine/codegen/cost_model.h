// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/schedule.h"
#include "problem/profile.h"

#include <map>
#include <string>
#include <vector>

namespace kw {

/// What one call is expected to cost, by part. Seconds.
struct CostEstimate {
    double memorySeconds = 0;   ///< bytes over calibrated bandwidth
    double computeSeconds = 0;  ///< vector operations, transcendental functions
    double overheadSeconds = 0; ///< fork and join of threads, per-row prologues
    double seconds = 0;         ///< after the corrections that were learned
};

/// Predicts the time of a schedule by counting bytes and vector operations, and corrects itself by what was measured:
/// each value of each choice carries a factor that is moved towards measured / predicted. A value type; free of threads.
class CostModel {
public:
    explicit CostModel(Calibration calibration) : m_calibration(std::move(calibration)) {}

    /// At the problem's most frequent shape.
    CostEstimate predict(const Program& program, const Schedule& schedule) const;
    /// The moves with their expected gain, best first.
    std::vector<Move> rank(const Program& program, const Schedule& schedule, std::vector<Move> moves) const;
    /// Learns that `schedule` took `seconds` where `reference` took `referenceSeconds` (measured side by side).
    void learn(const Program& program, const Schedule& reference, double referenceSeconds, const Schedule& schedule, double seconds);

    const Calibration& calibration() const { return m_calibration; }
    /// "choice=value" -> factor on the predicted time; 1 where nothing was learned.
    const std::map<std::string, double>& factors() const { return m_factors; }

    /// The same from a surprise that was already worked out: (measured ratio) / (predicted ratio).
    void learnSurprise(const Schedule& reference, const Schedule& schedule, double surprise);
    /// What was learned about the schedule's choices: a factor on the counted time.
    double correction(const Schedule& schedule) const;

private:
    Calibration m_calibration;
    std::map<std::string, double> m_factors;
};

} // namespace kw
