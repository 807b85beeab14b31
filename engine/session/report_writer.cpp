// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/report_writer.h"

#include "present/treemap_svg.h"

#include <algorithm>

namespace kw {
namespace {

/// Plain text in Markdown: everything that could start markup, a link or HTML is escaped; line ends become spaces.
std::string escapeMarkdown(const std::string& text)
{
    std::string escaped;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            escaped += ' ';
            continue;
        }
        if (std::string_view("\\`*_{}[]<>#|!&~").find(c) != std::string_view::npos)
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

/// A fence that the text itself cannot end.
std::string fenceFor(const std::string& text)
{
    std::size_t longest = 0, run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return std::string(std::max<std::size_t>(3, longest + 1), '`');
}

constexpr std::string_view style =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;background:#fff}"
    "h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d0d7de;vertical-align:top}"
    "pre{overflow:auto;padding:.8rem;background:#f6f8fa;border-radius:.4rem;font-size:13px}"
    ".warning{border-left:4px solid #9a6700;padding:.4rem .8rem;background:#fff8c5;color:#1b1f24}"
    "@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}th,td{border-color:#30363d}pre{background:#161b22}}";

} // namespace

void MarkdownWriter::endList()
{
    if (m_inList)
        m_text += '\n';
    m_inList = false;
}

void MarkdownWriter::title(const std::string& text) { m_text += "# " + escapeMarkdown(text) + "\n\n"; }

void MarkdownWriter::heading(const std::string& text)
{
    endList();
    m_text += "## " + escapeMarkdown(text) + "\n\n";
}

void MarkdownWriter::paragraph(const std::string& text)
{
    endList();
    m_text += escapeMarkdown(text) + "\n\n";
}

void MarkdownWriter::warning(const std::string& text)
{
    endList();
    m_text += "> **" + escapeMarkdown(text) + "**\n\n";
}

void MarkdownWriter::item(const std::string& text)
{
    m_inList = true;
    m_text += "- " + escapeMarkdown(text) + "\n";
}

void MarkdownWriter::table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows)
{
    endList();
    const auto line = [this](const std::vector<std::string>& cells) {
        for (const std::string& cell : cells)
            m_text += "| " + escapeMarkdown(cell) + " ";
        m_text += "|\n";
    };
    line(header);
    for (std::size_t i = 0; i < header.size(); ++i)
        m_text += "|---";
    m_text += "|\n";
    for (const auto& row : rows)
        line(row);
    m_text += '\n';
}

void MarkdownWriter::code(const std::string& text)
{
    endList();
    const std::string fence = fenceFor(text);
    m_text += fence + "cpp\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n\n";
}

void MarkdownWriter::picture(const std::string&) { endList(); }

HtmlWriter::HtmlWriter(std::string_view languageCode) : m_language(languageCode) {}

void HtmlWriter::title(const std::string& text)
{
    m_title = escapeMarkup(text);
    m_body += "<h1>" + m_title + "</h1>\n";
}

void HtmlWriter::heading(const std::string& text) { m_body += "<h2>" + escapeMarkup(text) + "</h2>\n"; }
void HtmlWriter::paragraph(const std::string& text) { m_body += "<p>" + escapeMarkup(text) + "</p>\n"; }
void HtmlWriter::warning(const std::string& text) { m_body += "<p class=\"warning\">" + escapeMarkup(text) + "</p>\n"; }
void HtmlWriter::item(const std::string& text) { m_body += "<ul><li>" + escapeMarkup(text) + "</li></ul>\n"; }

void HtmlWriter::table(const std::vector<std::string>& header, const std::vector<std::vector<std::string>>& rows)
{
    m_body += "<table><thead><tr>";
    for (const std::string& cell : header)
        m_body += "<th>" + escapeMarkup(cell) + "</th>";
    m_body += "</tr></thead><tbody>\n";
    for (const auto& row : rows) {
        m_body += "<tr>";
        for (const std::string& cell : row)
            m_body += "<td>" + escapeMarkup(cell) + "</td>";
        m_body += "</tr>\n";
    }
    m_body += "</tbody></table>\n";
}

void HtmlWriter::code(const std::string& text) { m_body += "<pre><code>" + escapeMarkup(text) + "</code></pre>\n"; }
void HtmlWriter::picture(const std::string& svg) { m_body += "<figure>" + svg + "</figure>\n"; }

std::string HtmlWriter::text() const
{
    return "<!doctype html>\n<html lang=\"" + m_language + "\"><head><meta charset=\"utf-8\">"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
           "<meta name=\"viewport\" content=\"width=device-width\"><title>" + m_title + "</title><style>" + std::string(style)
        + "</style></head><body>\n" + m_body + "</body></html>\n";
}

} // namespace kw
