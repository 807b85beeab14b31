// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "judge/judge.h"
#include "record/timing_failure.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <thread>

// A judge and an agent without worker and compiler: a candidate's text says how it behaves. Times are simulated with seeded noise, so
// that the loop's decisions are those of theory. Header only, so that a test links no more layers than it tests.
namespace kw::test {

/// x -> exp(x) * x over a megabyte-sized tensor: one region.
inline Graph fakeGraph()
{
    const TensorType type{DType::Float, {1024, 1024}, {1024, 1}};
    Graph graph;
    graph.name = "fake";
    graph.values = {{"x", ValueKind::Tensor, type}, {"e", ValueKind::Tensor, type}, {"y", ValueKind::Tensor, type}};
    Node exp;
    exp.target = "aten::exp";
    exp.arguments = {{"self", ValueRef{0}}};
    exp.outputs = {{{1}, false}};
    exp.modulePath = "layer.0";
    Node mul;
    mul.target = "aten::mul.Tensor";
    mul.arguments = {{"self", ValueRef{1}}, {"other", ValueRef{0}}};
    mul.outputs = {{{2}, false}};
    mul.modulePath = "layer.0";
    graph.nodes = {exp, mul};
    GraphInput input;
    input.value = 0;
    graph.inputs = {input};
    GraphOutput output;
    output.value = ValueRef{2};
    graph.outputs = {output};
    return graph;
}

struct FakeOptions {
    double delaySeconds = 0;             ///< of every request, ended by stop
    double noise = 0.002;                ///< relative deviation of a sample
    std::atomic<int>* failVerify = nullptr; ///< that many next verifications die like a worker
    bool sandboxSufficient = true;
    std::atomic<int>* disturb = nullptr; ///< that many next measurements see nothing but disturbed samples
    std::function<PairBlock(double gain, int blocks)> machine; ///< times pairs instead; gain: time of a / time of b
};

/// Texts: "time 0.5" takes half the library's time; "wrong" fails verification in a development case, "hidden" in an acceptance
/// case; "slow" verifies for eight seconds; "timing" fails while it is timed, "late" answers too late.
class FakeJudge final : public Judge {
public:
    explicit FakeJudge(FakeOptions options = {}) : m_options(options) {}

    static double factorOf(const std::string& source)
    {
        const std::size_t at = source.find("time ");
        return at == std::string::npos ? 1.0 : std::strtod(source.c_str() + at + 5, nullptr);
    }

    Result<WorkerInfo> info() override
    {
        WorkerInfo info;
        info.sandboxSufficient = m_options.sandboxSufficient;
        return info;
    }
    Result<LoadedModel> load(const std::filesystem::path&, std::stop_token stop, const ProgressCallback&) override
    {
        KW_CHECK(wait(stop));
        LoadedModel model;
        model.graph = fakeGraph();
        model.sha256 = "f00d";
        model.name = "fake.pt2";
        return model;
    }
    Result<Profile> profile(const ProfileOptions&, std::stop_token stop, const ProgressCallback& progress) override
    {
        KW_CHECK(wait(stop));
        if (progress)
            progress({Message("loop.now.profiling"), 1, 2});
        Profile profile;
        profile.seconds = profile.nodeSeconds = 4e-3;
        profile.defaultSeconds = 4.1e-3;
        profile.nodes = {{0, 2e-3, 0, 8e6, 1e6}, {1, 2e-3, 0, 12e6, 1e6}};
        profile.calibration.bandwidth = {{1e6, 2e10, 2e10, 2e10}, {1e9, 1e10, 1e10, 1e10}};
        profile.calibration.flops = 1e11;
        profile.calibration.lastLevelCacheBytes = 32e6;
        profile.calibration.threads = 1;
        profile.threads = 1;
        profile.runs = 5;
        return profile;
    }
    Result<void> define(const Problem&) override { return {}; }
    Result<BuildReport> build(const Candidate& candidate, std::stop_token stop) override
    {
        KW_CHECK(wait(stop));
        m_factors[candidate.id] = factorOf(candidate.source);
        BuildReport report;
        report.built = true;
        return report;
    }
    Result<Verdict> verify(const Candidate& candidate, const VerifyOptions& options, std::stop_token stop, const ProgressCallback&) override
    {
        KW_CHECK(wait(stop));
        if (candidate.source.find("slow") != std::string::npos)
            KW_CHECK(wait(stop, 8));
        if (m_options.failVerify && m_options.failVerify->load() > 0 && m_options.failVerify->fetch_sub(1) > 0)
            return Error{Message("judge.worker_died").with("how", "signal 9"), {}};
        m_factors[candidate.id] = factorOf(candidate.source);
        for (const auto& [word, failure] : {std::pair{"timing", FailureKind::WrongValue}, {"late", FailureKind::TimedOut}}) {
            if (candidate.source.find(word) != std::string::npos)
                m_timingFails[candidate.id] = failure;
        }
        Verdict verdict;
        verdict.candidate = candidate.id;
        verdict.artifact = "artifact of " + candidate.id;
        verdict.stages.resize(stageCount);
        for (int stage = 0; stage < stageCount; ++stage)
            verdict.stages[static_cast<std::size_t>(stage)].stage = static_cast<Stage>(stage);
        StageResult& smoke = verdict.stages[static_cast<std::size_t>(Stage::Smoke)];
        smoke.run = true;
        smoke.cases = {resultOf("development case", CaseTier::Development, candidate.source.find("wrong") == std::string::npos)};
        if (options.acceptance)
            smoke.cases.push_back(resultOf("secret case", CaseTier::Acceptance, candidate.source.find("hidden") == std::string::npos));
        smoke.passed = verdict.passed = std::all_of(smoke.cases.begin(), smoke.cases.end(), [](const CaseResult& each) { return each.passed; });
        if (!verdict.passed) {
            verdict.failure = FailureKind::WrongValue;
            verdict.failedStage = Stage::Smoke;
            verdict.reason = smoke.cases.back().passed ? smoke.cases.front().reason : smoke.cases.back().reason;
        }
        return verdict;
    }
    Result<std::vector<PairBlock>> measure(const MeasureRequest& request, std::stop_token stop) override
    {
        KW_CHECK(wait(stop));
        for (const Subject& side : {request.a, request.b}) {
            if (side.kind == Subject::Kind::Candidate && !m_factors.contains(side.candidate))
                return Error{Message("journal.no_candidate").with("candidate", side.candidate), {}};
            if (const auto fails = m_timingFails.find(side.candidate); fails != m_timingFails.end())
                return toError({side.candidate, fails->second, Message("loop.reason.stopped")});
        }
        const bool disturbed = m_options.disturb && m_options.disturb->load() > 0 && m_options.disturb->fetch_sub(1) > 0;
        std::vector<PairBlock> pairs(static_cast<std::size_t>(request.pairs));
        for (PairBlock& pair : pairs) {
            if (m_options.machine) {
                pair = m_options.machine(factorOf(request.a) / factorOf(request.b), request.blocks);
                continue;
            }
            for (int block = 0; block < request.blocks; ++block) {
                pair.a.push_back(sample(request.a));
                pair.b.push_back(sample(request.b));
                pair.a.back().rejected = pair.b.back().rejected = disturbed;
            }
            pair.disturbed = disturbed;
        }
        return pairs;
    }
    Result<Environment> environment() override
    {
        Environment machine;
        machine.cpu = "simulated";
        return machine;
    }
    Result<AppliedFiles> apply(const ApplyRequest& request, std::stop_token stop, const ProgressCallback&) override
    {
        KW_CHECK(wait(stop));
        AppliedFiles files;
        files.sites = static_cast<std::int64_t>(request.kernels.size());
        m_applied = request.kernels.empty() ? 1 : factorOf(request.kernels.front().candidate.source);
        return files;
    }
    Result<std::vector<OutputComparison>> compareModel(const AppliedFiles&, std::stop_token) override
    {
        OutputComparison output;
        output.name = "y";
        output.passed = true;
        output.allowedError = 1;
        return std::vector<OutputComparison>{output};
    }
    Result<std::vector<PairBlock>> measureModel(const ModelMeasureRequest& request, std::stop_token stop) override
    {
        KW_CHECK(wait(stop));
        const bool applied = request.b == ModelVariant::Applied;
        std::vector<PairBlock> pairs(static_cast<std::size_t>(request.pairs));
        for (PairBlock& pair : pairs) {
            for (int block = 0; block < request.blocks; ++block) {
                pair.a.push_back(timed(4e-3));
                pair.b.push_back(timed(applied ? 4e-3 * m_applied : 4e-3));
            }
        }
        return pairs;
    }

private:
    static CaseResult resultOf(const char* name, CaseTier tier, bool passed)
    {
        CaseResult result;
        result.name = Message(name);
        result.tier = tier;
        result.passed = passed;
        if (!passed) {
            result.failure = FailureKind::WrongValue;
            result.reason = Message(std::string("reason of the ") + name);
            result.worst = WorstElement{"y", {7, 77}, 1, 2, 1, 0.5, 0.25};
        }
        return result;
    }
    Result<void> wait(const std::stop_token& stop) const { return wait(stop, m_options.delaySeconds); }
    static Result<void> wait(const std::stop_token& stop, double seconds)
    {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (!stop.stop_requested() && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return stop.stop_requested() ? Result<void>(error("judge.stopped")) : Result<void>();
    }
    Sample timed(double seconds)
    {
        std::normal_distribution<double> noise(0, m_options.noise);
        Sample sample;
        sample.seconds = sample.cpuSeconds = seconds * std::exp(noise(m_random));
        sample.calls = 10;
        return sample;
    }
    double factorOf(const Subject& subject) { return subject.kind == Subject::Kind::Library ? 1.0 : m_factors[subject.candidate]; }
    Sample sample(const Subject& subject) { return timed(4e-3 * factorOf(subject)); }

    FakeOptions m_options;
    std::map<std::string, double> m_factors;
    std::map<std::string, FailureKind> m_timingFails;
    double m_applied = 1;
    std::mt19937_64 m_random{11};
};

/// Proposes the texts in order, one per experiment that is there; then has no further idea. After the list, with `endless`, slower
/// texts for ever.
class FakeAgent final : public Agent {
public:
    explicit FakeAgent(std::vector<std::string> texts, bool endless = false) : m_texts(std::move(texts)), m_endless(endless) {}

    Author author() const override { return {AuthorKind::Search, "fake"}; }
    void propose(Toolbox& toolbox, const std::string& problem) override
    {
        const auto history = toolbox.history(problem);
        if (!history)
            return;
        for (std::size_t index = 0; index < m_texts.size() || m_endless; ++index) {
            Candidate candidate;
            candidate.problem = problem;
            candidate.source = index < m_texts.size() ? m_texts[index] : "// text " + std::to_string(index) + " time 1.5\n";
            candidate.author = author();
            candidate.hypothesis = Message("loop.hypothesis.person");
            candidate.parent = toolbox.best(problem);
            candidate.id = candidateId(candidate);
            bool tried = false;
            for (const Experiment& experiment : *history)
                tried = tried || experiment.candidate.id == candidate.id;
            if (!tried)
                return (void)toolbox.submit(candidate);
        }
    }
    Message lastReason() const override { return Message("loop.reason.nothing_left"); }

private:
    std::vector<std::string> m_texts;
    bool m_endless;
};

} // namespace kw::test
