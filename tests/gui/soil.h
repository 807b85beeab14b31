// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace kw {
struct Snapshot;
struct Experiment;
}

namespace kw::test {

/// Markup, a script, a terminal sequence, a right-to-left override, a zero-width space and a bell.
extern const std::string plant;

/// Every text that comes from a model, an agent, a compiler or another machine ends with the plant; ids stay what they are.
void soil(Snapshot& snapshot);
void soil(Experiment& experiment);

/// What of a text would act instead of being read: characters that hide or move others; with `rich`, markup of the plant.
QString actingPart(const QString& text, bool rich);

} // namespace kw::test
