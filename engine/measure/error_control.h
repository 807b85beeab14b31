// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace kw {

/// Error control over a whole session by alpha spending (Bonferroni over an endless sequence of tests; the idea of
/// spending is Lan & DeMets 1983, the weights are those of online testing, e.g. Javanmard & Montanari 2018, section 3).
///
/// Each candidate that seems faster is measured once more with fresh samples: confirmation number i. It may be kept
/// falsely with probability at most
///
///     alpha_i = alpha x w_i,   w_i = 1 / (2.1098 (i + 1) ln^2(i + 1)),   sum over all i of w_i <= 1,
///
/// so the probability that a session, however long, keeps even one candidate that is not faster than 1 + margin is at
/// most alpha (union bound: no independence needed, and it does not matter that the sequence of candidates depends on
/// earlier results). The sum of 1 / (n ln^2 n) over n >= 2 is 2.10974...; the weights decrease slowly enough that the
/// 1,000th confirmation still has 4e-7: with 30 pairs that widens an interval by a factor of three against 5 %.
///
/// Only confirmations spend: a first measurement that looks faster costs nothing but the confirmation that follows.
double confirmationAlpha(double sessionAlpha, std::int64_t index);

inline constexpr double defaultSessionAlpha = 0.05;

} // namespace kw
