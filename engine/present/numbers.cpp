// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace kw {
namespace {

/// In the language's own decimal sign, whatever the process' locale is.
std::string localised(std::string text, Language language)
{
    std::replace(text.begin(), text.end(), ',', '.');
    if (language == Language::Turkish)
        std::replace(text.begin(), text.end(), '.', ',');
    return text;
}

std::string fixedDigits(double value, int decimals, Language language)
{
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return localised(text.data(), language);
}

/// Decimals that give three significant digits to a number of this size.
int decimalsFor(double value)
{
    const double size = std::abs(value);
    // Bounds are where rounding reaches the next digit, so that 9.996 becomes 10.0 and not 10.00.
    return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

std::string threeDigits(double value, Language language)
{
    return fixedDigits(value, decimalsFor(value), language);
}

struct Unit {
    double size;
    const char* name;
};

template <std::size_t Count> const Unit& unitFor(double value, const std::array<Unit, Count>& units)
{
    const Unit* chosen = &units.front();
    for (const Unit& unit : units)
        if (std::abs(value) >= unit.size * 0.9995)
            chosen = &unit;
    return *chosen;
}

template <std::size_t Count>
std::string withUnit(double value, const std::array<Unit, Count>& units, Language language)
{
    if (!std::isfinite(value))
        return noNumber();
    const Unit& unit = unitFor(value, units);
    return threeDigits(value / unit.size, language) + " " + unit.name;
}

constexpr std::array shortTimes{Unit{1e-9, "ns"}, Unit{1e-6, "µs"}, Unit{1e-3, "ms"}, Unit{1, "s"}};

std::string longTime(double seconds, Language language)
{
    const bool turkish = language == Language::Turkish;
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    const char* minute = turkish ? " dk" : " min";
    const char* hour = turkish ? " sa" : " h";
    const char* second = turkish ? " sn" : " s";
    if (whole < 3600) {
        std::string text = std::to_string(whole / 60) + minute;
        return whole % 60 == 0 ? text : text + " " + std::to_string(whole % 60) + second;
    }
    const std::int64_t minutes = (whole + 30) / 60;
    std::string text = countText(minutes / 60, language) + hour;
    return minutes % 60 == 0 ? text : text + " " + std::to_string(minutes % 60) + minute;
}

} // namespace

std::string noNumber()
{
    return "\u2013";
}

std::string plainNumber(double value, Language language)
{
    if (!std::isfinite(value))
        return noNumber();
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return localised(text.data(), language);
}

std::string countText(std::int64_t value, Language language)
{
    std::string digits = std::to_string(value);
    const std::ptrdiff_t first = value < 0 ? 1 : 0;
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, language == Language::Turkish ? '.' : ',');
    return digits;
}

std::string timeText(double seconds, Language language)
{
    if (!std::isfinite(seconds))
        return noNumber();
    if (seconds == 0)
        return "0 s";
    if (seconds >= 59.95)
        return longTime(seconds, language);
    return withUnit(seconds, shortTimes, language);
}

std::string bytesText(double bytes, Language language)
{
    static constexpr std::array units{Unit{1, "B"}, Unit{1024, "KiB"}, Unit{1048576, "MiB"}, Unit{1073741824, "GiB"},
        Unit{1099511627776, "TiB"}};
    if (std::isfinite(bytes) && std::abs(bytes) < 1023.5)
        return fixedDigits(bytes, 0, language) + " B";
    return withUnit(bytes, units, language);
}

std::string percentText(double fraction, Language language)
{
    if (!std::isfinite(fraction))
        return noNumber();
    const double percent = fraction * 100;
    const double size = std::abs(percent);
    const std::string number = fixedDigits(percent, size == 0 || size >= 9.95 ? 0 : size >= 0.0995 ? 1 : 2, language);
    return language == Language::Turkish ? "%" + number : number + " %";
}

std::string ratioText(double ratio, Language language)
{
    return std::isfinite(ratio) && ratio > 0 ? threeDigits(ratio, language) + " ×" : noNumber();
}

std::string bandwidthText(double bytesPerSecond, Language language)
{
    static constexpr std::array units{Unit{1, "B/s"}, Unit{1e3, "kB/s"}, Unit{1e6, "MB/s"}, Unit{1e9, "GB/s"},
        Unit{1e12, "TB/s"}};
    return withUnit(bytesPerSecond, units, language);
}

std::string flopRateText(double flopPerSecond, Language language)
{
    static constexpr std::array units{Unit{1, "FLOP/s"}, Unit{1e3, "kFLOP/s"}, Unit{1e6, "MFLOP/s"},
        Unit{1e9, "GFLOP/s"}, Unit{1e12, "TFLOP/s"}, Unit{1e15, "PFLOP/s"}};
    return withUnit(flopPerSecond, units, language);
}

std::string hourlyText(double perHour, Language language)
{
    if (!std::isfinite(perHour))
        return noNumber();
    return countText(std::llround(perHour), language) + (language == Language::Turkish ? "/sa" : "/h");
}

std::string spreadText(double ratio, double low, double high, Language language)
{
    if (!std::isfinite(ratio) || ratio <= 0 || !std::isfinite(low) || !std::isfinite(high) || low <= 0 || low > high || (low == ratio && high == ratio))
        return ratioText(ratio, language);
    // One number of decimals for all three, so that they can be compared by eye.
    const int decimals = decimalsFor(std::max({std::abs(ratio), std::abs(low), std::abs(high)}));
    return fixedDigits(ratio, decimals, language) + " × (" + fixedDigits(low, decimals, language) + "\u2013"
        + fixedDigits(high, decimals, language) + ")";
}

std::string fromToTime(double before, double after, Language language)
{
    const double larger = std::max(std::abs(before), std::abs(after));
    if (!std::isfinite(before) || !std::isfinite(after) || larger == 0 || larger >= 59.95)
        return timeText(before, language) + " → " + timeText(after, language);
    const Unit& unit = unitFor(larger, shortTimes);
    const int decimals = decimalsFor(larger / unit.size);
    return fixedDigits(before / unit.size, decimals, language) + " " + unit.name + " → "
        + fixedDigits(after / unit.size, decimals, language) + " " + unit.name;
}

} // namespace kw
