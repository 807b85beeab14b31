// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace kw {

enum class StandardStream : std::uint8_t { Output, Error };

/// Whether a person watches the stream: it is a terminal that can move its cursor.
bool isTerminal(StandardStream stream);
/// Columns of the terminal; 80 when it does not say.
std::size_t terminalWidth(StandardStream stream);

} // namespace kw
