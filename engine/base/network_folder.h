// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kw {

/// Whether the folder lies on a file system of another machine, or on one that gives no shared memory maps.
bool onNetwork(const std::filesystem::path& folder);

} // namespace kw
