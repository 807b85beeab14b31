// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/diagnostics.h"

#include "base/json_io.h"

namespace kw {
namespace {

constexpr std::size_t most = 200, longestText = 4000;

Diagnostic::Severity severityOf(const std::string& kind)
{
    if (kind == "warning")
        return Diagnostic::Severity::Warning;
    return kind == "note" ? Diagnostic::Severity::Note : Diagnostic::Severity::Error;
}

void add(std::vector<Diagnostic>& diagnostics, const Json& entry)
{
    if (!entry.is_object() || diagnostics.size() >= most)
        return;
    Diagnostic diagnostic;
    diagnostic.severity = severityOf(entry.value("kind", std::string("error")));
    diagnostic.text = entry.value("message", std::string()).substr(0, longestText);
    const auto locations = entry.find("locations");
    if (locations != entry.end() && locations->is_array() && !locations->empty() && locations->front().contains("caret")) {
        const Json& caret = locations->front()["caret"];
        if (caret.value("file", std::string()) == "candidate.cpp") {
            diagnostic.line = caret.value("line", 0);
            diagnostic.column = caret.value("column", 0);
        }
    }
    diagnostics.push_back(std::move(diagnostic));
    const auto children = entry.find("children");
    if (children != entry.end() && children->is_array()) {
        for (const Json& child : *children)
            add(diagnostics, child);
    }
}

void addArray(std::vector<Diagnostic>& diagnostics, const std::string& line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_array()) {
        if (line.find_first_not_of(" \t\r") != std::string::npos && diagnostics.size() < most)
            diagnostics.push_back({0, 0, Diagnostic::Severity::Error, line.substr(0, longestText)});
        return;
    }
    for (const Json& entry : *json) {
        try {
            add(diagnostics, entry);
        } catch (const Json::exception&) {
            diagnostics.push_back({0, 0, Diagnostic::Severity::Error, dump(entry).substr(0, longestText)});
        }
    }
}

} // namespace

std::vector<Diagnostic> parseDiagnostics(const std::string& compilerOutput)
{
    std::vector<Diagnostic> diagnostics;
    for (std::size_t start = 0; start < compilerOutput.size();) {
        std::size_t end = compilerOutput.find('\n', start);
        end = end == std::string::npos ? compilerOutput.size() : end;
        addArray(diagnostics, compilerOutput.substr(start, end - start));
        start = end + 1;
    }
    return diagnostics;
}

} // namespace kw
