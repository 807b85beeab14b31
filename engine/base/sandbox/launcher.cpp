// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sandbox/launcher.h"

#include "base/file.h"
#include "base/sandbox/broker.h"
#include "base/sandbox/process_state.h"

#include <cstring>

namespace kw {

/// The connection and what the probe found. Shared by all handles; immutable after start().
struct Launcher::Broker {
    explicit Broker(std::filesystem::path runner) : connection(std::move(runner)) {}
    BrokerConnection connection;
    std::uint32_t layers = wire::allLayers;
    SandboxReport report;
};

namespace {

std::string layerText(int layer)
{
    return layer >= 0 && layer < static_cast<int>(wire::layerCount) ? std::string(wire::layerNames[static_cast<std::size_t>(layer)]) : std::string();
}

Error spawnError(const wire::StatusMessage& status)
{
    std::string step(status.step, ::strnlen(status.step, sizeof status.step));
    if (status.layer >= 0)
        step.insert(0, layerText(status.layer).append(": "));
    return Error{Message("sandbox.spawn_failed").with("step", step).with("why", std::strerror(status.error)), {}};
}

/// Puts up fewer and fewer layers until a child comes through: what fails once is left out and reported.
Result<SandboxReport> probe(BrokerConnection& connection, std::uint32_t& layers)
{
    SandboxReport report;
    std::vector<std::string> reasons(wire::layerCount);
    layers = wire::allLayers;
    for (std::uint32_t attempt = 0; attempt <= wire::layerCount; ++attempt) {
        wire::SpawnRequest request;
        request.layers = layers;
        request.probe = true;
        request.policy.unsafe = true;
        const SpawnResult result = connection.spawn(request, {}, {}, {});
        if (result.brokerGone)
            return Error{Message("sandbox.broker_failed").with("why", std::strerror(result.status.error)), {}};
        if (result.status.kind == wire::StatusMessage::Started) {
            report.landlockVersion = result.status.landlockVersion;
            for (std::uint32_t layer = 0; layer < wire::layerCount; ++layer)
                report.layers.push_back({std::string(wire::layerNames[layer]), (layers >> layer & 1U) != 0, reasons[layer]});
            return report;
        }
        const auto failed = result.status.layer;
        if (failed < 0 || !(layers >> failed & 1U))
            return spawnError(result.status);
        reasons[static_cast<std::size_t>(failed)] =
            std::string(result.status.step, ::strnlen(result.status.step, sizeof result.status.step)) + ": " +
            std::strerror(result.status.error);
        layers &= ~(1U << failed);
    }
    return error("sandbox.spawn_failed");
}

std::string missingMinimum(const SandboxReport& report)
{
    std::string missing = report.active("seccomp") ? "" : "seccomp";
    if (!report.active("landlock") && !report.active("mount_namespace"))
        missing += missing.empty() ? "landlock, mount_namespace" : ", landlock, mount_namespace";
    return missing;
}

} // namespace

Result<Launcher> Launcher::start(const LauncherOptions& options)
{
    const auto runner = options.runner.empty() ? executableFolder() / "kernelwright-runner" : options.runner;
    auto broker = std::make_shared<Broker>(runner);
    KW_CHECK(broker->connection.ensureRunning());
    KW_TRY(broker->report, probe(broker->connection, broker->layers));
    return Launcher(std::move(broker));
}

const SandboxReport& Launcher::report() const { return m_broker->report; }

Result<SandboxedProcess> Launcher::spawn(const SandboxPolicy& policy, const std::vector<std::string>& arguments,
    std::span<const PassedFd> descriptors, StandardStreams streams) const
{
    if (!policy.unsafe && !m_broker->report.minimum())
        return Error{Message("sandbox.below_minimum").with("missing", missingMinimum(m_broker->report)), {}};
    wire::SpawnRequest request;
    request.layers = m_broker->layers;
    request.policy = policy;
    request.arguments = arguments;
    std::string bundle;
    for (SandboxFile& file : request.policy.files) {
        request.fileSizes.push_back(file.bytes.size());
        bundle += file.bytes;
        file.bytes.clear();
    }
    for (const PassedFd& one : descriptors)
        request.targets.push_back(one.theirs);
    auto state = std::make_unique<SandboxedProcess::State>();
    if (!m_broker->report.active("mount_namespace")) {
        state->scratch.emplace();
        request.scratch = state->scratch->path().string();
    }
    SpawnResult result = m_broker->connection.spawn(request, bundle, descriptors, streams);
    if (result.brokerGone)
        result = m_broker->connection.spawn(request, bundle, descriptors, streams);
    if (result.status.kind != wire::StatusMessage::Started)
        return spawnError(result.status);
    state->spawned = std::move(result);
    state->report = m_broker->report;
    state->limits = policy.limits;
    state->collectCount = policy.collect.size();
    state->pidNamespace = (m_broker->layers & wire::bit(wire::PidNamespace)) != 0;
    return SandboxedProcess(std::move(state));
}

} // namespace kw
