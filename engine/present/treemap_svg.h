// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "present/language.h"
#include "problem/profile.h"

#include <string>

namespace kw {

/// The hot spots as one SVG picture for reports: area = time, colour = share that can be saved, both also as text.
/// Names are escaped; every cell carries its whole name and figures as <title>. Uses currentColor for free text, so
/// that it reads on light and dark pages.
std::string treemapSvg(const ProfileReport& report, double width, double height, Language language);

/// Text with &, <, >, quotes and controls made safe for HTML and SVG.
std::string escapeMarkup(const std::string& text);

} // namespace kw
