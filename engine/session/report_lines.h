// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/report.h"

#include <string>
#include <vector>

namespace kw {

/// The report before it becomes Markdown or HTML: plain text in cells and lines. For this folder's .cpp files only.
struct ReportText {
    std::string title;
    std::vector<std::string> summary;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;    ///< one per problem, as many cells as columns
    struct Kernel {
        std::string title;
        std::vector<std::string> lines;
    };
    std::string kernelsTitle;
    std::vector<Kernel> kernels;
    std::string methodTitle;
    std::vector<std::string> method;
};

ReportText reportText(const SessionReport& report, Language language);

} // namespace kw
