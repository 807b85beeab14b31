// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/verify/case_runner.h"

#include "base/defence.h"
#include "base/random.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace kw {
namespace {

/// A kernel may be fifty times slower than the library before it counts as hanging; two seconds are for a busy machine.
double patience(const CaseData& data)
{
    return 2 + 50 * data.librarySeconds;
}

} // namespace

void failCase(CaseResult& result, FailureKind failure, Message reason)
{
    result.passed = false;
    result.failure = failure;
    result.reason = std::move(reason);
}

Result<CaseResult> CaseRunner::run(const CaseSpec& spec, const CaseData& data, std::stop_token stop)
{
    CaseResult result;
    result.name = spec.name;
    result.tier = spec.tier;
    if (auto prepared = prepare(spec, stop); !prepared) {
        const std::string& id = prepared.error().message.id;
        if (isOutOfMemory(prepared.error()) && !m_header.workspaces.empty()) {
            failCase(result, FailureKind::OutOfMemory, prepared.error().message);
            return result;
        }
        if (id != "verify.bad_workspace" && id.rfind("candidate.", 0) != 0)
            return prepared.error();
        failCase(result, FailureKind::OutOfDomain, prepared.error().message);
        return result;
    }
    result.passed = true;
    for (const CaseDraw& draw : data.draws)
        if (!runDraw(spec, data, draw, result, stop))
            break;
    if (stop.stop_requested())
        return error("judge.stopped");
    if (!result.passed)
        m_process.reset();
    return result;
}

Result<void> CaseRunner::prepare(const CaseSpec& spec, std::stop_token stop)
{
    if (m_process && m_dimensions == spec.dimensions && m_placement == spec.placement)
        return {};
    m_process.reset();
    CandidateProcessSpec process = m_settings.process;
    process.dimensions = spec.dimensions;
    process.placement = spec.placement;
    KW_TRY(CandidateProcess started, CandidateProcess::start(m_launcher, m_problem, m_header, m_artifact, process, stop));
    m_process = std::move(started);
    m_dimensions = spec.dimensions;
    m_placement = spec.placement;
    return {};
}

bool CaseRunner::runDraw(const CaseSpec& spec, const CaseData& data, const CaseDraw& draw, CaseResult& result, std::stop_token stop)
{
    m_process->setInputs(0, draw.inputs);
    const std::size_t firstPoison = m_random() % std::size(everyPoison);
    for (int repeat = 0; repeat < spec.repeats; ++repeat) {
        const Poison poison = everyPoison[(firstPoison + static_cast<std::size_t>(repeat)) % std::size(everyPoison)];
        if (!call(data, poison, draw, result, stop))
            return false;
        if (repeat == 0 && !compare(spec, data, draw, result))
            return false;
        if (repeat > 0 && !sameAsBefore(result))
            return false;
        if (repeat == 0 && spec.repeats > 1) {
            m_first.clear();
            for (std::size_t output = 0; output < m_problem.outputs.size(); ++output)
                m_first.push_back(writtenBytes(output));
        }
    }
    return true;
}

bool CaseRunner::call(const CaseData& data, Poison poison, const CaseDraw& draw, CaseResult& result, std::stop_token stop)
{
    Arena& arena = m_process->arena();
    arena.poison(0, poison);
    m_before.clear();
    for (std::size_t output = 0; output < m_problem.outputs.size(); ++output) {
        const auto bytes = std::as_const(arena).bytes(0, static_cast<std::uint32_t>(m_problem.inputs.size() + output));
        m_before.emplace_back(bytes.begin(), bytes.end());
    }
    const CallOutcome outcome = m_process->client().call(0, 1, patience(data), stop);
    if (outcome.failure == RunnerFailure::Stopped)
        return false;
    if (!outcome.ok()) {
        failCase(result, failureKind(outcome.failure), outcome.reason);
        return false;
    }
    return guards(draw, result);
}

bool CaseRunner::guards(const CaseDraw& draw, CaseResult& result)
{
    const Arena& arena = m_process->arena();
    const auto nameOfBuffer = [&](std::size_t buffer) {
        const std::size_t inputs = m_problem.inputs.size(), outputs = m_problem.outputs.size();
        if (buffer < inputs)
            return m_problem.inputs[buffer].name;
        return buffer < inputs + outputs ? m_problem.outputs[buffer - inputs].name : m_header.workspaces[buffer - inputs - outputs].name;
    };
    for (std::size_t buffer = 0; buffer < arena.layout().buffers.size(); ++buffer)
        if (!arena.canaryIntact(0, static_cast<std::uint32_t>(buffer))) {
            failCase(result, FailureKind::GuardViolated, Message("verify.guard_violated").with("tensor", nameOfBuffer(buffer)));
            return false;
        }
    for (std::size_t i = 0; i < draw.inputs.size(); ++i) {
        const auto now = arena.bytes(0, static_cast<std::uint32_t>(i));
        if (standing(Defence::InputCompare) && !std::equal(now.begin(), now.end(), draw.inputs[i].storage.begin(), draw.inputs[i].storage.end())) {
            failCase(result, FailureKind::InputChanged, Message("verify.input_changed").with("tensor", m_problem.inputs[i].name));
            return false;
        }
    }
    return true;
}

bool CaseRunner::compare(const CaseSpec& spec, const CaseData& data, const CaseDraw& draw, CaseResult& result)
{
    const auto condition = [&] { return m_store.condition(m_problem, spec.dimensions, draw); };
    const Arena& arena = m_process->arena();
    for (std::size_t output = 0; output < m_problem.outputs.size(); ++output) {
        ActualOutput actual;
        actual.name = m_problem.outputs[output].name;
        actual.type = concreteType(m_problem, m_problem.outputs[output], spec.dimensions);
        actual.storage = arena.bytes(0, static_cast<std::uint32_t>(m_problem.inputs.size() + output)).data();
        actual.before = m_before[output].data();
        OutputResult compared = compareOutput(actual, output, draw.expected, data.budget, &data.scales[output], condition);
        result.withinKernelBenchTolerance = result.withinKernelBenchTolerance && compared.withinKernelBenchTolerance;
        if (compared.worst && (!result.worst || compared.budgetUsed >= result.budgetUsed || !compared.passed))
            result.worst = compared.worst;
        result.budgetUsed = std::max(result.budgetUsed, compared.budgetUsed);
        if (!compared.passed) {
            failCase(result, compared.failure, std::move(compared.reason));
            return false;
        }
    }
    return true;
}

std::vector<std::byte> CaseRunner::writtenBytes(std::size_t output)
{
    const TensorType type = concreteType(m_problem, m_problem.outputs[output], m_dimensions);
    const auto item = static_cast<std::size_t>(itemSize(type.dtype));
    const std::byte* storage = std::as_const(m_process->arena()).bytes(0, static_cast<std::uint32_t>(m_problem.inputs.size() + output)).data();
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(type.elements()) * item);
    for (const std::int64_t offset : elementOffsets(type)) {
        const std::byte* element = storage + static_cast<std::size_t>(offset) * item;
        bytes.insert(bytes.end(), element, element + item);
    }
    return bytes;
}

bool CaseRunner::sameAsBefore(CaseResult& result)
{
    for (std::size_t output = 0; output < m_problem.outputs.size(); ++output) {
        const std::vector<std::byte> bytes = writtenBytes(output);
        if (!standing(Defence::Determinism) || bytes == m_first[output])
            continue;
        const auto item = static_cast<std::size_t>(itemSize(m_problem.outputs[output].dtype));
        std::int64_t differing = 0;
        for (std::size_t i = 0; i < bytes.size(); i += item)
            differing += std::memcmp(bytes.data() + i, m_first[output].data() + i, item) != 0;
        failCase(result, FailureKind::NotDeterministic, Message("verify.not_deterministic").with("output", m_problem.outputs[output].name)
            .with("count", differing).with("total", bytes.size() / item));
        return false;
    }
    return true;
}

} // namespace kw
