// SPDX-License-Identifier: GPL-3.0-or-later
#include "present/treemap_svg.h"

#include "present/catalogue.h"
#include "present/colour_scale.h"
#include "present/numbers.h"
#include "present/treemap.h"
#include "present/visible.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kw {
namespace {

std::string digits(double value)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.2f", value);
    std::string result = text.data();
    std::replace(result.begin(), result.end(), ',', '.');
    return result;
}

std::string cellTitle(const HotSpot& spot, Language language)
{
    Message message("present.hot_spot.title");
    message.with("name", spot.name);
    message.with("seconds", spot.seconds);
    message.with("share", spot.share);
    message.with("saving", spot.headroomSeconds);
    message.with("calls", spot.calls);
    return render(message, language);
}

/// How many characters of a proportional face fit: about 0.6 of the size each.
std::size_t fitting(double width, double size)
{
    return width <= size ? 0 : static_cast<std::size_t>((width - size) / (0.6 * size));
}

std::string cell(const HotSpot& spot, const TreemapRect& rect, Language language)
{
    const double part = spot.seconds > 0 ? spot.headroomSeconds / spot.seconds : 0;
    const Rgb fill = headroomColour(part, false);
    std::string out = "<g><title>" + escapeMarkup(cellTitle(spot, language)) + "</title><rect x=\"" + digits(rect.x)
        + "\" y=\"" + digits(rect.y) + "\" width=\"" + digits(std::max(0.0, rect.width - 1)) + "\" height=\""
        + digits(std::max(0.0, rect.height - 1)) + "\" fill=\"" + hexText(fill) + "\"/>";
    constexpr double size = 12;
    const auto line = [&](const std::string& text, double y) {
        out += "<text x=\"" + digits(rect.x + 5) + "\" y=\"" + digits(rect.y + y) + "\" fill=\""
            + hexText(readableOn(fill)) + "\">" + escapeMarkup(text) + "</text>";
    };
    const std::size_t room = fitting(rect.width, size);
    if (room >= 4 && rect.height >= 18)
        line(visibleShort(spot.name, room), 15);
    if (room >= 8 && rect.height >= 34)
        line(visibleShort(timeText(spot.seconds, language) + " · " + percentText(spot.share, language), room), 30);
    return out + "</g>\n";
}

HotSpot other(const std::vector<const HotSpot*>& spots, std::size_t first, Language language)
{
    HotSpot merged;
    for (std::size_t at = first; at < spots.size(); ++at) {
        merged.seconds += spots[at]->seconds;
        merged.share += spots[at]->share;
        merged.headroomSeconds += spots[at]->headroomSeconds;
        merged.calls += spots[at]->calls;
    }
    merged.name = render(Message("present.hot_spot.other").with("count", spots.size() - first), language);
    return merged;
}

} // namespace

std::string escapeMarkup(const std::string& text)
{
    std::string out;
    for (const char character : visible(text))
        switch (character) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += character;
        }
    return out;
}

std::string treemapSvg(const ProfileReport& report, double width, double height, Language language)
{
    std::vector<const HotSpot*> spots;
    for (const HotSpot& spot : report.hotSpots)
        spots.push_back(&spot);
    std::stable_sort(spots.begin(), spots.end(),
        [](const HotSpot* first, const HotSpot* second) { return first->seconds > second->seconds; });
    std::vector<double> values;
    for (const HotSpot* spot : spots)
        values.push_back(spot->seconds);
    const std::size_t kept = keptCells(values, 0.002, 200);
    std::vector<HotSpot> cells;
    for (std::size_t at = 0; at < kept; ++at)
        cells.push_back(*spots[at]);
    if (kept < spots.size())
        cells.push_back(other(spots, kept, language));
    values.clear();
    for (const HotSpot& spot : cells)
        values.push_back(spot.seconds);

    const std::string title = escapeMarkup(render(Message("present.hot_spot.picture"), language));
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + digits(width) + " " + digits(height)
        + "\" role=\"img\" aria-label=\"" + title + "\" font-family=\"sans-serif\" font-size=\"12\">\n";
    const auto rects = squarify(values, {0, 0, width, height});
    for (std::size_t at = 0; at < cells.size(); ++at)
        if (rects[at].area() > 0)
            out += cell(cells[at], rects[at], language);
    return out + "</svg>\n";
}

} // namespace kw
