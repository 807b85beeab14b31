// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/language.h"

#include <cstdint>
#include <string>

namespace kw {

/// Numbers for people: always with their unit, three significant digits, the decimal sign of the language.
/// NaN and infinities are never shown: they become noNumber().
std::string noNumber();                                              ///< "–"
std::string plainNumber(double value, Language language);            ///< up to six significant digits
std::string countText(std::int64_t value, Language language);        ///< 12,345 or 12.345
std::string timeText(double seconds, Language language);             ///< "78.9 ns" ... "12.3 s", "2 min 5 s", "3 h 12 min"
std::string bytesText(double bytes, Language language);              ///< "512 B", "1.50 MiB"
std::string percentText(double fraction, Language language);         ///< 0.12: "12 %", in Turkish "%12"
std::string ratioText(double ratio, Language language);              ///< 1.234: "1.23 ×"; 0 is a ratio that was not measured
std::string bandwidthText(double bytesPerSecond, Language language); ///< "12.3 GB/s"
std::string flopRateText(double flopPerSecond, Language language);   ///< "38.4 GFLOP/s"
std::string hourlyText(double perHour, Language language);           ///< "640/h"

/// A ratio with its interval: "1.23 × (1.21–1.25)". Without a usable interval only the ratio.
std::string spreadText(double ratio, double low, double high, Language language);
/// "1.30 ms → 0.98 ms" with one unit for both, chosen by the larger one.
std::string fromToTime(double before, double after, Language language);

} // namespace kw
