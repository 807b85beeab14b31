// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <filesystem>
#include <string>

namespace kw {

/// An exclusive lock in a folder (its file "lock"), held as long as the descriptor is open, so that none survives its process.
/// Errors: "lock.held" (process), "lock.folder_failed" (why).
Result<UniqueFd> lockFolder(const std::filesystem::path& folder);

/// Whether files in the folder can be made and replaced.
bool canWriteIn(const std::filesystem::path& folder);

/// The machine's name in its network; empty when it has none.
std::string hostName();

} // namespace kw
