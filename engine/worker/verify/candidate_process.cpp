// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/candidate_process.h"

#include <algorithm>
#include <cstring>

namespace kw {
namespace {

ArenaBuffer bufferFor(const TensorType& type, std::int64_t claimed, Placement placement, BufferRole role)
{
    ArenaBuffer buffer;
    buffer.bytes = static_cast<std::uint64_t>(storageBytes(type));
    buffer.role = role;
    buffer.alignment = static_cast<std::uint32_t>(std::max<std::int64_t>(64, claimed));
    if (placement == Placement::Tight)
        buffer.alignment = static_cast<std::uint32_t>(claimed);
    if (placement == Placement::Shifted && claimed < 64)
        buffer.offset = static_cast<std::uint32_t>(claimed);
    return buffer;
}

} // namespace

Result<ArenaLayout> arenaLayout(const Problem& problem, const CandidateHeader* header,
    const std::vector<std::int64_t>& dimensions, Placement placement, std::uint32_t slots)
{
    ArenaLayout layout;
    layout.slots = slots;
    const CandidateHeader none;
    for (const TensorArgument& argument : problem.inputs)
        layout.buffers.push_back(bufferFor(concreteType(problem, argument, dimensions),
            claimedAlignment(header ? *header : none, argument), placement, BufferRole::Input));
    for (const TensorArgument& argument : problem.outputs)
        layout.buffers.push_back(bufferFor(concreteType(problem, argument, dimensions),
            claimedAlignment(header ? *header : none, argument), placement, BufferRole::Output));
    if (!header)
        return layout;
    for (const Workspace& workspace : header->workspaces) {
        KW_TRY(const std::int64_t elements, evaluate(workspace.elements, problem, dimensions));
        std::int64_t bytes = 0;
        if (elements < 0 || __builtin_mul_overflow(elements, itemSize(workspace.dtype), &bytes))
            return Error{Message("verify.bad_workspace").with("name", workspace.name), {}};
        ArenaBuffer buffer;
        buffer.bytes = static_cast<std::uint64_t>(bytes);
        buffer.role = BufferRole::Workspace;
        buffer.zeroed = workspace.zeroed;
        layout.buffers.push_back(buffer);
    }
    return layout;
}

Result<Arena> candidateArena(const Problem& problem, const CandidateHeader* header, const std::vector<std::int64_t>& dimensions,
    Placement placement, std::uint32_t slots, std::uint64_t memoryBytes)
{
    KW_TRY(const ArenaLayout layout, arenaLayout(problem, header, dimensions, placement, slots));
    if (!header || header->workspaces.empty())
        return Arena::create(layout);
    // Every page of it is touched in the judge's own process.
    KW_TRY(const ArenaLayout bare, arenaLayout(problem, nullptr, dimensions, placement, slots));
    KW_TRY(const ArenaPlan plan, planArena(bare));
    return Arena::create(layout, plan.mapBytes + memoryBytes);
}

bool isOutOfMemory(const Error& error)
{
    const std::string& id = error.message.id;
    return id == "arena.too_large" || id == "arena.no_memory" || id == "arena.bad_layout";
}

FailureKind failureKind(RunnerFailure failure)
{
    switch (failure) {
    case RunnerFailure::None:
    case RunnerFailure::Stopped: return FailureKind::None;
    case RunnerFailure::NotStarted: return FailureKind::Harness;
    case RunnerFailure::LoadFailed: return FailureKind::Crashed;
    case RunnerFailure::Crashed: return FailureKind::Crashed;
    case RunnerFailure::TimedOut: return FailureKind::TimedOut;
    case RunnerFailure::OutOfMemory: return FailureKind::OutOfMemory;
    case RunnerFailure::ProtocolViolated: return FailureKind::ProtocolViolated;
    case RunnerFailure::BackgroundWork: return FailureKind::BackgroundWork;
    }
    return FailureKind::Harness;
}

Result<CandidateProcess> CandidateProcess::start(const Launcher& launcher, const Problem& problem,
    const CandidateHeader& header, const Artifact& artifact, const CandidateProcessSpec& spec, std::stop_token stop)
{
    CandidateProcess process;
    KW_TRY(Arena arena, candidateArena(problem, &header, spec.dimensions, spec.placement, spec.slots, spec.memoryBytes));
    process.m_arena = std::make_unique<Arena>(std::move(arena));
    RunnerSpec runner;
    runner.artifact = artifact.bytes;
    runner.dimensions = spec.dimensions;
    runner.limits.memoryBytes = spec.memoryBytes;
    runner.cpus = spec.cpus;
    runner.threads = spec.threads;
    runner.environment = spec.environment;
    runner.unsafe = spec.unsafe;
    KW_TRY(RunnerClient client, RunnerClient::start(launcher, *process.m_arena, runner, stop));
    process.m_client = std::make_unique<RunnerClient>(std::move(client));
    return process;
}

void CandidateProcess::setInputs(std::uint32_t slot, const std::vector<HostTensor>& inputs)
{
    writeInputs(*m_arena, slot, inputs);
}

void writeInputs(Arena& arena, std::uint32_t slot, const std::vector<HostTensor>& inputs)
{
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto target = arena.bytes(slot, static_cast<std::uint32_t>(i));
        if (!inputs[i].storage.empty())
            std::memcpy(target.data(), inputs[i].storage.data(), std::min(target.size(), inputs[i].storage.size()));
    }
}

} // namespace kw
