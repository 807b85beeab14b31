// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/progress_line.h"

#include "base/terminal.h"
#include "present/catalogue.h"
#include "present/labels.h"
#include "present/numbers.h"
#include "present/visible.h"

#include <algorithm>
#include <cstdio>

namespace kw::cli {
namespace {

constexpr std::chrono::seconds plainInterval{5};

} // namespace

ProgressLine::ProgressLine(const Options& options) : m_options(options), m_terminal(isTerminal(StandardStream::Error)) {}

ProgressLine::~ProgressLine()
{
    finish();
}

std::string ProgressLine::lineFor(const Snapshot& snapshot) const
{
    const Language language = m_options.language;
    std::string line = snapshot.now.empty() ? labelOf(snapshot.state, language) : render(snapshot.now, language);
    const auto add = [&line](const std::string& part) { line += " · " + part; };
    if (snapshot.progress >= 0)
        add(percentText(snapshot.progress, language));
    if (!snapshot.experiments->empty())
        add(say(m_options, Message("cli.experiments").with("count", snapshot.experiments->size())));
    if (snapshot.experimentsPerHour > 0)
        add(hourlyText(snapshot.experimentsPerHour, language));
    if (snapshot.modelSpeedup != 1)
        add(say(m_options, Message("cli.model_speedup").with("ratio", snapshot.modelSpeedup)));
    if (snapshot.secondsLeft >= 0)
        add(say(m_options, Message("cli.time_left").with("seconds", snapshot.secondsLeft)));
    return line;
}

void ProgressLine::announce(const Snapshot& snapshot)
{
    const auto& rows = *snapshot.experiments;
    for (; m_announced < rows.size(); ++m_announced) {
        const ExperimentRow& row = rows[m_announced];
        const auto problem = std::find_if(snapshot.problems->begin(), snapshot.problems->end(),
            [&](const ProblemRow& candidate) { return candidate.id == row.problem; });
        const std::string name = problem == snapshot.problems->end() ? row.problem : problem->name;
        finish();
        std::fprintf(stderr, "%6lld  %s  %s\n", static_cast<long long>(row.number), visibleShort(name, 40).c_str(),
            experimentText(row, m_options.language).c_str());
    }
}

void ProgressLine::show(const Snapshot& snapshot)
{
    if (m_options.json)
        return;
    announce(snapshot);
    const std::string line = lineFor(snapshot);
    if (line == m_last)
        return;
    const auto now = std::chrono::steady_clock::now();
    if (m_terminal) {
        const std::size_t width = terminalWidth(StandardStream::Error);
        std::fprintf(stderr, "\r\033[K%s", visibleShort(line, width > 1 ? width - 1 : 79).c_str());
        m_open = true;
    } else if (now - m_lastTime >= plainInterval) {
        std::fprintf(stderr, "%s\n", line.c_str());
        m_lastTime = now;
    } else {
        return;
    }
    std::fflush(stderr);
    m_last = line;
}

void ProgressLine::finish()
{
    if (m_open)
        std::fputs("\r\033[K", stderr);
    m_open = false;
    m_last.clear();
}

} // namespace kw::cli
