// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/report.h"

#include "present/treemap_svg.h"
#include "session/report_lines.h"

namespace kw {

namespace {

/// Markdown gives meaning to these; a backslash takes it away.
std::string escapeMarkdown(const std::string& text)
{
    std::string escaped;
    for (const char letter : text) {
        if (std::string_view("\\`*_{}[]<>#|~").find(letter) != std::string_view::npos)
            escaped += '\\';
        escaped += letter == '\n' ? ' ' : letter;
    }
    return escaped;
}

void addRow(std::string& text, const std::vector<std::string>& cells)
{
    for (const std::string& cell : cells)
        text.append("| ").append(escapeMarkdown(cell)).append(" ");
    text += "|\n";
}

constexpr const char* style = "body{font-family:sans-serif;max-width:72em;margin:2em auto;padding:0 1em;line-height:1.5;"
                              "color:#1b1b1b;background:#fff}table{border-collapse:collapse}td,th{border:1px solid #999;"
                              "padding:.3em .6em;text-align:left}svg{max-width:100%;height:auto}"
                              "@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}}";

void addTable(std::string& page, const ReportText& text)
{
    page += "<table><thead><tr>";
    for (const std::string& column : text.columns)
        page.append("<th>").append(escapeMarkup(column)).append("</th>");
    page += "</tr></thead><tbody>\n";
    for (const auto& row : text.rows) {
        page += "<tr>";
        for (const std::string& cell : row)
            page.append("<td>").append(escapeMarkup(cell)).append("</td>");
        page += "</tr>\n";
    }
    page += "</tbody></table>\n";
}

void addList(std::string& page, const std::vector<std::string>& lines)
{
    page += "<ul>\n";
    for (const std::string& line : lines)
        page.append("<li>").append(escapeMarkup(line)).append("</li>\n");
    page += "</ul>\n";
}

} // namespace

SessionReport gatherReport(const Snapshot& snapshot, const std::function<Result<Experiment>(std::int64_t)>& experiment)
{
    SessionReport report{snapshot, {}};
    for (const ProblemRow& row : *snapshot.problems) {
        ProblemEvidence evidence{row, {}};
        std::int64_t number = 0;
        for (const ExperimentRow& tried : *snapshot.experiments) {
            if (!row.best.empty() && tried.candidate == row.best)
                number = tried.number;
        }
        if (number > 0) {
            if (auto found = experiment(number))
                evidence.best = *std::move(found);
        }
        report.problems.push_back(std::move(evidence));
    }
    return report;
}

std::string reportMarkdown(const SessionReport& report, Language language)
{
    const ReportText text = reportText(report, language);
    std::string page = "# " + escapeMarkdown(text.title) + "\n\n";
    for (const std::string& line : text.summary)
        page += "- " + escapeMarkdown(line) + "\n";
    page += "\n";
    addRow(page, text.columns);
    addRow(page, std::vector<std::string>(text.columns.size(), "---"));
    for (const auto& row : text.rows)
        addRow(page, row);
    page += "\n## " + escapeMarkdown(text.kernelsTitle) + "\n";
    for (const ReportText::Kernel& kernel : text.kernels) {
        page += "\n### " + escapeMarkdown(kernel.title) + "\n\n";
        for (const std::string& line : kernel.lines)
            page += "- " + escapeMarkdown(line) + "\n";
    }
    page += "\n## " + escapeMarkdown(text.methodTitle) + "\n\n";
    for (const std::string& line : text.method)
        page += "- " + escapeMarkdown(line) + "\n";
    return page;
}

std::string reportHtml(const SessionReport& report, Language language)
{
    const ReportText text = reportText(report, language);
    std::string page = "<!DOCTYPE html>\n<html lang=\"" + std::string(languageCode(language)) + "\"><head><meta charset=\"utf-8\"><title>"
        + escapeMarkup(text.title) + "</title><style>" + style + "</style></head><body>\n<h1>" + escapeMarkup(text.title) + "</h1>\n";
    addList(page, text.summary);
    if (report.snapshot.report)
        page += treemapSvg(*report.snapshot.report, 960, 420, language);
    addTable(page, text);
    page += "<h2>" + escapeMarkup(text.kernelsTitle) + "</h2>\n";
    for (const ReportText::Kernel& kernel : text.kernels) {
        page += "<h3>" + escapeMarkup(kernel.title) + "</h3>\n";
        addList(page, kernel.lines);
    }
    page += "<h2>" + escapeMarkup(text.methodTitle) + "</h2>\n";
    addList(page, text.method);
    return page + "</body></html>\n";
}

} // namespace kw
