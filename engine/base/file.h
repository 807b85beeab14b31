// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace kw {

/// The whole file. Errors: "file.cannot_open" (path, why), "file.too_large" (path, bytes, limit).
Result<std::string> readFile(const std::filesystem::path& path, std::uintmax_t limit = std::uintmax_t{1} << 32);

/// Writes beside the target, syncs, renames: readers see the old or the new file, never half of one.
/// Errors: "file.cannot_write" (path, why).
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

/// A fresh folder below TMPDIR that is removed with everything in it when the object goes. Movable.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(TemporaryFolder&& other) noexcept;
    TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// The folder of the running executable; the other executables of the product stand beside it.
std::filesystem::path executableFolder();

/// The product's read-only data (kernel headers, catalogues, skills): beside the build or in the installed share folder.
/// KERNELWRIGHT_RESOURCES overrides it.
std::filesystem::path resourceFolder();

} // namespace kw
