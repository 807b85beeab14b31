// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/artifact_cache.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json_io.h"

#include <algorithm>
#include <vector>

namespace kw {
namespace {

constexpr std::uintmax_t largestFile = std::uintmax_t{256} << 20;

Json diagnosticJson(const Diagnostic& one)
{
    return {{"line", one.line}, {"column", one.column}, {"severity", static_cast<int>(one.severity)}, {"text", one.text}};
}

Diagnostic diagnosticFrom(const Json& json)
{
    return {json.at("line"), json.at("column"), static_cast<Diagnostic::Severity>(std::clamp(json.at("severity").get<int>(), 0, 2)), json.at("text")};
}

} // namespace

ArtifactCache::ArtifactCache(std::filesystem::path folder, std::uint64_t folderBytes, std::uint64_t memoryBytes)
    : m_folder(std::move(folder)), m_folderBytes(folderBytes), m_memoryBytes(memoryBytes)
{
    std::error_code ignored;
    if (!m_folder.empty())
        std::filesystem::create_directories(m_folder, ignored);
}

std::optional<Artifact> ArtifactCache::find(const std::string& key)
{
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_index.find(key); found != m_index.end()) {
        m_recent.splice(m_recent.begin(), m_recent, found->second);
        return found->second->second;
    }
    auto loaded = load(key);
    if (loaded)
        remember(key, *loaded);
    return loaded;
}

void ArtifactCache::store(const std::string& key, const Artifact& artifact)
{
    const std::lock_guard lock(m_mutex);
    if (m_index.contains(key))
        return;
    remember(key, artifact);
    save(key, artifact);
}

void ArtifactCache::remember(const std::string& key, const Artifact& artifact)
{
    m_recent.emplace_front(key, artifact);
    m_recent.front().second.cached = true;
    m_index[key] = m_recent.begin();
    m_used += artifact.bytes.size();
    while (m_used > m_memoryBytes && m_recent.size() > 1) {
        m_used -= m_recent.back().second.bytes.size();
        m_index.erase(m_recent.back().first);
        m_recent.pop_back();
    }
}

std::optional<Artifact> ArtifactCache::load(const std::string& key) const
{
    if (m_folder.empty())
        return std::nullopt;
    const std::filesystem::path path = m_folder / (key + ".kwa");
    const auto content = readFile(path, largestFile);
    const std::size_t end = content ? content->find('\n') : std::string::npos;
    if (end == std::string::npos)
        return std::nullopt;
    const auto json = parseJson(std::string_view(*content).substr(0, end), 10);
    if (!json)
        return std::nullopt;
    try {
        Artifact artifact;
        artifact.bytes = content->substr(end + 1);
        artifact.sha256 = json->at("sha256");
        artifact.seconds = json->at("seconds");
        artifact.compiler = json->at("compiler");
        artifact.flags = json->at("flags");
        for (const Json& one : json->at("diagnostics"))
            artifact.diagnostics.push_back(diagnosticFrom(one));
        artifact.cached = true;
        if (json->at("key") != key || sha256(artifact.bytes) != artifact.sha256)
            return std::nullopt;
        std::error_code ignored;
        std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), ignored);
        return artifact;
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

void ArtifactCache::save(const std::string& key, const Artifact& artifact) const
{
    if (m_folder.empty())
        return;
    Json diagnostics = Json::array();
    for (const Diagnostic& one : artifact.diagnostics)
        diagnostics.push_back(diagnosticJson(one));
    const Json json{{"key", key}, {"sha256", artifact.sha256}, {"seconds", artifact.seconds}, {"compiler", artifact.compiler},
        {"flags", artifact.flags}, {"diagnostics", diagnostics}};
    if (writeFileAtomically(m_folder / (key + ".kwa"), dump(json) + "\n" + artifact.bytes))
        trimFolder();
}

void ArtifactCache::trimFolder() const
{
    struct Entry {
        std::filesystem::file_time_type time;
        std::filesystem::path path;
        std::uintmax_t bytes;
    };
    std::vector<Entry> entries;
    std::uintmax_t total = 0;
    std::error_code failed;
    for (const auto& file : std::filesystem::directory_iterator(m_folder, failed)) {
        if (file.path().extension() != ".kwa")
            continue;
        const std::uintmax_t bytes = file.file_size(failed);
        entries.push_back({file.last_write_time(failed), file.path(), failed ? 0 : bytes});
        total += entries.back().bytes;
    }
    if (total <= m_folderBytes)
        return;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
    // A tenth more than needed, so that the folder is not listed for nothing at each of the next builds.
    for (const Entry& entry : entries) {
        if (total <= m_folderBytes / 10 * 9)
            return;
        if (std::filesystem::remove(entry.path, failed))
            total -= entry.bytes;
    }
}

} // namespace kw
