// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "build/backend.h"

#include <cstdint>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace kw {

/// Built artifacts by the hash of everything that decides them. In memory, and in a folder when there is one; the least
/// recently used go first in both. Thread-safe. A damaged file counts as absent.
class ArtifactCache {
public:
    ArtifactCache(std::filesystem::path folder, std::uint64_t folderBytes, std::uint64_t memoryBytes = std::uint64_t{64} << 20);

    std::optional<Artifact> find(const std::string& key);
    /// A folder that cannot be written costs later builds, never this one.
    void store(const std::string& key, const Artifact& artifact);

private:
    std::optional<Artifact> load(const std::string& key) const;
    void save(const std::string& key, const Artifact& artifact) const;
    void trimFolder() const;
    void remember(const std::string& key, const Artifact& artifact);

    std::filesystem::path m_folder;
    std::uint64_t m_folderBytes, m_memoryBytes, m_used = 0;
    std::mutex m_mutex;
    std::list<std::pair<std::string, Artifact>> m_recent; ///< most recent first
    std::unordered_map<std::string, std::list<std::pair<std::string, Artifact>>::iterator> m_index;
};

} // namespace kw
