// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/wire.h"

#include <cstring>

namespace kw::wire {
namespace {

class Writer {
public:
    void number(std::uint64_t value) { m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void text(const std::string& value)
    {
        number(value.size());
        m_bytes += value;
    }
    void texts(const std::vector<std::string>& values)
    {
        number(values.size());
        for (const std::string& value : values)
            text(value);
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

/// Reads what Writer wrote; anything else turns it bad and yields zeros.
class Reader {
public:
    explicit Reader(std::string_view bytes) : m_bytes(bytes) {}
    bool good() const { return m_good; }
    bool atEnd() const { return m_bytes.empty(); }
    std::uint64_t number()
    {
        std::uint64_t value = 0;
        if (m_bytes.size() < sizeof value) {
            m_good = false;
            m_bytes = {};
            return 0;
        }
        std::memcpy(&value, m_bytes.data(), sizeof value);
        m_bytes.remove_prefix(sizeof value);
        return value;
    }
    std::string text()
    {
        const std::uint64_t size = number();
        if (size > m_bytes.size()) {
            m_good = false;
            m_bytes = {};
            return {};
        }
        std::string value(m_bytes.substr(0, size));
        m_bytes.remove_prefix(size);
        return value;
    }
    /// Every element takes eight bytes at least, so a hostile count cannot ask for more than the message holds.
    std::uint64_t count()
    {
        const std::uint64_t value = number();
        if (value <= m_bytes.size() / sizeof value)
            return value;
        m_good = false;
        m_bytes = {};
        return 0;
    }
    std::vector<std::string> texts()
    {
        std::vector<std::string> values(count());
        for (std::string& value : values)
            value = text();
        return values;
    }

private:
    std::string_view m_bytes;
    bool m_good = true;
};

} // namespace

std::string encode(const SpawnRequest& request)
{
    Writer writer;
    const SandboxPolicy& policy = request.policy;
    writer.number(request.layers);
    writer.number(request.probe);
    writer.number(static_cast<std::uint64_t>(policy.role));
    writer.number(policy.unsafe);
    for (const std::uint64_t limit : {policy.limits.memoryBytes, policy.limits.cpuSeconds, policy.limits.fileBytes,
             policy.limits.processes, policy.limits.openFiles, policy.limits.stackBytes})
        writer.number(limit);
    writer.number(policy.binds.size());
    for (const SandboxBind& bind : policy.binds) {
        writer.text(bind.source);
        writer.text(bind.target);
    }
    writer.number(policy.files.size());
    for (std::size_t i = 0; i < policy.files.size(); ++i) {
        writer.text(policy.files[i].name);
        writer.number(request.fileSizes.at(i));
    }
    writer.texts(policy.collect);
    writer.texts(policy.environment);
    writer.number(policy.cpus.size());
    for (const int cpu : policy.cpus)
        writer.number(static_cast<std::uint64_t>(cpu));
    writer.texts(request.arguments);
    writer.number(request.targets.size());
    for (const std::int32_t target : request.targets)
        writer.number(static_cast<std::uint64_t>(target));
    writer.text(request.scratch);
    return writer.take();
}

std::optional<SpawnRequest> decode(std::string_view bytes)
{
    Reader reader(bytes);
    SpawnRequest request;
    SandboxPolicy& policy = request.policy;
    request.layers = static_cast<std::uint32_t>(reader.number()) & allLayers;
    request.probe = reader.number() != 0;
    policy.role = reader.number() == 0 ? SandboxPolicy::Role::Call : SandboxPolicy::Role::Tool;
    policy.unsafe = reader.number() != 0;
    for (std::uint64_t* limit : {&policy.limits.memoryBytes, &policy.limits.cpuSeconds, &policy.limits.fileBytes,
             &policy.limits.processes, &policy.limits.openFiles, &policy.limits.stackBytes})
        *limit = reader.number();
    policy.binds.resize(reader.count());
    for (SandboxBind& bind : policy.binds) {
        bind.source = reader.text();
        bind.target = reader.text();
    }
    policy.files.resize(reader.count());
    for (SandboxFile& file : policy.files) {
        file.name = reader.text();
        request.fileSizes.push_back(reader.number());
    }
    policy.collect = reader.texts();
    policy.environment = reader.texts();
    policy.cpus.resize(reader.count());
    for (int& cpu : policy.cpus)
        cpu = static_cast<int>(reader.number());
    request.arguments = reader.texts();
    request.targets.resize(reader.count());
    for (std::int32_t& target : request.targets)
        target = static_cast<std::int32_t>(reader.number());
    request.scratch = reader.text();
    if (!reader.good() || !reader.atEnd())
        return std::nullopt;
    return request;
}

} // namespace kw::wire
