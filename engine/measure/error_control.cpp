// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/error_control.h"

#include <algorithm>
#include <cmath>

namespace kw {

double confirmationAlpha(double sessionAlpha, std::int64_t index)
{
    constexpr double total = 2.1098; // rounded up, so that the weights sum to less than one
    const double n = static_cast<double>(std::max<std::int64_t>(index, 1)) + 1;
    const double logarithm = std::log(n);
    return sessionAlpha / (total * n * logarithm * logarithm);
}

} // namespace kw
