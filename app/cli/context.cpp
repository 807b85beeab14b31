// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/context.h"

#include "base/json_io.h"
#include "present/catalogue.h"

#include <algorithm>
#include <cstdio>

namespace kw::cli {
namespace {

/// Characters of UTF-8 text; close enough to columns for the names and figures that we print.
std::size_t characters(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

int fail(const Options& options, const Error& error)
{
    if (options.json)
        std::fprintf(stderr, "%s\n", dump(Json{{"error", error}, {"text", render(error.message, options.language)}}).c_str());
    else
        std::fprintf(stderr, "%s\n", render(options.verbose ? error : Error{error.message, {}}, options.language).c_str());
    return Failure;
}

std::string say(const Options& options, const Message& message)
{
    return render(message, options.language);
}

std::string table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows,
    const std::vector<std::size_t>& rightAligned)
{
    std::vector<std::size_t> widths(header.size());
    const auto widen = [&](const std::vector<std::string>& row) {
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i)
            widths[i] = std::max(widths[i], characters(row[i]));
    };
    widen(header);
    std::for_each(rows.begin(), rows.end(), widen);
    std::string text;
    const auto line = [&](const std::vector<std::string>& row) {
        std::string joined;
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
            const std::string gap(widths[i] - characters(row[i]), ' ');
            const bool right = std::find(rightAligned.begin(), rightAligned.end(), i) != rightAligned.end();
            joined += (i ? "  " : "") + (right ? gap + row[i] : row[i] + gap);
        }
        joined.erase(joined.find_last_not_of(' ') + 1);
        text += joined + "\n";
    };
    line(header);
    std::for_each(rows.begin(), rows.end(), line);
    return text;
}

} // namespace kw::cli
