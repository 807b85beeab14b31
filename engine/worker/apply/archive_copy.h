// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace kw {

/// The only `models/*.json` of a `.pt2` archive: its record name and text.
struct ModelRecord {
    std::string name, text;
};
/// Errors: "apply.cannot_read" (path, why), "apply.several_models" (path).
Result<ModelRecord> readModelRecord(const std::filesystem::path& archive);

/// Copies an archive record by record with one of them replaced. The target appears whole or not at all.
/// Errors: "apply.cannot_read" (path, why), "apply.cannot_write" (path, why).
Result<void> copyArchive(const std::filesystem::path& source, const std::filesystem::path& target, const ModelRecord& replaced);

} // namespace kw
