// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/verdict.h"

#include <optional>
#include <string>

namespace kw {

/// A side of a measurement that failed while it was timed: a wrong inspected call, a crash, an impossible time.
/// It travels as an Error of Judge::measure and becomes the candidate's Timing stage.
struct TimingFailure {
    std::string candidate;                ///< id; empty when the library's own side failed (Harness)
    FailureKind failure = FailureKind::None;
    Message reason;
    friend bool operator==(const TimingFailure&, const TimingFailure&) = default;
};

/// Error id "timing.failed" (candidate, failure, reason); the reason's own message lies in Error::detail as JSON.
Error toError(const TimingFailure& failure);
/// The failure inside an error made by toError(); nothing for any other error.
std::optional<TimingFailure> timingFailure(const Error& error);
/// The verdict of a candidate that was verified and then failed while timed: Timing stage run and not passed.
void failTiming(Verdict& verdict, const TimingFailure& failure);
/// Timing stage run and passed: randomly chosen timed calls were compared with the expected outputs.
void passTiming(Verdict& verdict, double seconds);

} // namespace kw
