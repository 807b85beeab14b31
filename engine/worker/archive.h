// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace kw {

/// A model file opened for reading: a zip whose records sit under one root folder. Untrusted. Not thread-safe.
class Archive {
public:
    /// Errors: "import.cannot_open" (path, why), "import.is_folder" (path), "import.empty" (path), "import.no_archive" (path),
    /// "import.damaged" (path).
    static Result<Archive> open(const std::filesystem::path& path);
    Archive(Archive&&) noexcept;
    Archive& operator=(Archive&&) noexcept;
    ~Archive();

    const std::vector<std::string>& records() const { return m_records; }
    bool has(const std::string& record) const;
    /// Bytes of a record when unpacked. Error "import.damaged" (path).
    Result<std::uint64_t> size(const std::string& record);
    /// Errors: "import.missing_record" (path, record), "import.record_too_large" (path, record, bytes, limit), "import.damaged".
    Result<std::string> text(const std::string& record, std::uint64_t limit);
    /// Exactly `bytes` bytes, which must be the record's size.
    Result<void> read(const std::string& record, void* into, std::uint64_t bytes);

    /// The name of the one exported model inside. Errors: "import.torchscript", "import.compiled", "import.state_dict",
    /// "import.no_model", "import.several_models" (names), each with (path).
    Result<std::string> exportedModel() const;
    const std::filesystem::path& path() const { return m_path; }

private:
    struct Reader;
    Archive(std::filesystem::path path, std::unique_ptr<Reader> reader, std::vector<std::string> records);

    std::filesystem::path m_path;
    std::unique_ptr<Reader> m_reader;
    std::vector<std::string> m_records;    ///< sorted
};

/// SHA-256 of a file without reading it into memory. Error "import.cannot_open" (path, why).
Result<std::string> hashFile(const std::filesystem::path& path);

} // namespace kw
