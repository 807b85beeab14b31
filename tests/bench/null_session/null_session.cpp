// SPDX-License-Identifier: GPL-3.0-or-later
// Real decisions about kernels whose true gain is known, through worker, sandbox and the loop's evaluator.
//
// usage: bench_null_session SECONDS identical COUNT | session COUNT | gain PERCENT COUNT > results/null_session_NAME.json
//   SECONDS     nothing new is begun after that time
//   identical   one verified kernel against itself, COUNT times, without screening; none may be kept
//   session     COUNT texts that differ in a comment, each built, verified, screened and measured as in a search
//   gain        a kernel against one that computes PERCENT % of its rows twice, COUNT times; nearly all must be kept
// Needs a machine that does nothing else. Environment, every pair's log ratio and every decision are written.
#include "judge/worker_judge.h"
#include "measure/comparison.h"
#include "support/decision.h"
#include "support/kernel_problems.h"
#include "support/kernel_texts.h"
#include "support/real_build.h"

#include <nlohmann/json.hpp>

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace kw {
namespace {

using test::Decisions;

// About 100 us of arithmetic in the second-level cache: what other machines' guests do to a shared cache hardly reaches it.
constexpr std::int64_t rows = 128, columns = 256;

/// The kernel with the first `repeated` of its `rows` rows computed twice: slower by that share, since its time is its rows.
std::string slowerText(std::int64_t repeated)
{
    const std::string text = test::replaced(test::geluText, "for (std::int64_t r = 0; r < rows; ++r)",
        "for (std::int64_t step = 0; step < rows + rows * " + std::to_string(repeated) + " / " + std::to_string(rows) + "; ++step)");
    return test::replaced(text, "const std::int64_t i = r * cols + c;",
        "const std::int64_t i = (step < rows ? step : step - rows) * cols + c;");
}

const char* nameOf(Decisions::End end)
{
    switch (end) {
    case Decisions::End::ScreenedOut: return "screened_out";
    case Decisions::End::NotFaster: return "not_faster";
    case Decisions::End::NotConfirmed: return "not_confirmed";
    case Decisions::End::Kept: return "kept";
    case Decisions::End::Failed: break;
    }
    return "failed";
}

class Bench {
public:
    Bench() : m_evaluator(&m_judge, {}, [this](const std::string& id) -> Result<Candidate> { return m_known.at(id); }) {}

    /// Builds and verifies; ends the program when the text is refused, since then nothing would be measured.
    Candidate verified(const std::string& text)
    {
        Experiment experiment;
        experiment.candidate = test::candidateOf(m_problem, text);
        m_known[experiment.candidate.id] = experiment.candidate;
        m_evaluator.verify(m_problem, experiment, {}, {});
        if (!experiment.verdict.passed) {
            std::cerr << "a kernel of the bench was refused: " << debugText(experiment.verdict.reason) << "\n";
            std::exit(1);
        }
        return experiment.candidate;
    }

    /// True when the candidate was kept.
    bool decide(const Candidate& best, const Candidate& candidate, bool screening)
    {
        const auto begin = std::chrono::steady_clock::now();
        Experiment experiment;
        experiment.problem = m_problem.id;
        experiment.best = best.id;
        experiment.candidate = candidate;
        const auto end = screening ? m_decisions.decide(m_problem, experiment) : m_decisions.decideUnscreened(m_problem, experiment);
        ++m_ends[nameOf(end)];
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        nlohmann::json row{{"end", nameOf(end)}, {"seconds", seconds}};
        for (const auto& [name, part] : {std::pair{"screening", &experiment.screening}, {"measurement", &experiment.measurement},
                 {"confirmation", &experiment.confirmation}, {"total", &experiment.total}}) {
            if (*part)
                row[name] = rowOf(**part);
        }
        m_rows.push_back(std::move(row));
        std::cerr << m_rows.size() << " " << nameOf(end) << " " << seconds << " s\n";
        return end == Decisions::End::Kept;
    }
    /// The displayed end of a session: its last best against its first, measured after all selection.
    void close(const Candidate& first, const Candidate& last)
    {
        Experiment experiment;
        experiment.problem = m_problem.id;
        experiment.best = first.id;
        experiment.candidate = last;
        m_evaluator.measure(m_problem, experiment, 1e9, {});
        if (experiment.measurement)
            m_end = rowOf(*experiment.measurement);
    }

    void write(const std::string& command, double trueGain)
    {
        const auto environment = m_judge.environment();
        cpu_set_t cpus;
        ::sched_getaffinity(0, sizeof cpus, &cpus);
        nlohmann::json machine{{"cores", CPU_COUNT(&cpus)}};
        if (environment)
            machine["cpu"] = environment->cpu;
        std::cout << nlohmann::json{{"benchmark", "null_session"}, {"command", command}, {"environment", machine}, {"true_gain", trueGain},
                         {"confirmations", m_decisions.confirmations()}, {"ends", m_ends}, {"last_best_against_first", m_end}, {"decisions", m_rows}}
                         .dump(1)
                  << "\n";
    }

private:
    nlohmann::json rowOf(const Measurement& measurement)
    {
        const int sound = static_cast<int>(
            std::count_if(measurement.pairs.begin(), measurement.pairs.end(), [](const PairBlock& pair) { return !pair.disturbed; }));
        return {{"ratio", measurement.ratio}, {"low", measurement.low}, {"high", measurement.high}, {"pairs", measurement.pairs.size()},
            {"sound_pairs", sound}, {"rejected_samples", measurement.rejectedSamples}, {"log_ratios", pairLogRatios(measurement.pairs)}};
    }

    WorkerJudge m_judge;
    Evaluator m_evaluator;
    Decisions m_decisions{m_evaluator};
    Problem m_problem = test::geluProblem(rows, columns);
    std::map<std::string, Candidate> m_known;
    std::map<std::string, int> m_ends;
    std::vector<nlohmann::json> m_rows;
    nlohmann::json m_end;
};

int run(const std::vector<std::string>& words)
{
    const bool gain = words.size() == 4 && words[1] == "gain";
    if (!gain && (words.size() != 3 || (words[1] != "identical" && words[1] != "session"))) {
        std::cerr << "usage: bench_null_session SECONDS identical COUNT | session COUNT | gain PERCENT COUNT\n";
        return 2;
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(words[0].c_str()));
    const auto timeLeft = [end] { return std::chrono::steady_clock::now() < end; };
    const int count = std::atoi(words.back().c_str());
    std::string command = "bench_null_session";
    for (const std::string& word : words)
        command += " " + word;
    Bench bench;
    const Candidate kernel = bench.verified(test::geluText);
    double trueGain = 1;
    if (gain) {
        const auto repeated = static_cast<std::int64_t>(static_cast<double>(rows) * std::atof(words[2].c_str()) / 100 + 0.999);
        trueGain = static_cast<double>(rows + repeated) / static_cast<double>(rows);
        const Candidate slower = bench.verified(slowerText(repeated));
        for (int index = 0; index < count && timeLeft(); ++index)
            bench.decide(slower, kernel, true);
    } else if (words[1] == "identical") {
        for (int index = 0; index < count && timeLeft(); ++index)
            bench.decide(kernel, kernel, false);
    } else {
        Candidate best = kernel;
        for (int index = 0; index < count && timeLeft(); ++index) {
            const Candidate copy = bench.verified(test::geluText + "// copy " + std::to_string(index) + "\n");
            if (bench.decide(best, copy, true))
                best = copy;
        }
        bench.close(kernel, best);
    }
    bench.write(command, trueGain);
    return 0;
}

} // namespace
} // namespace kw

int main(int argc, char** argv)
{
    return kw::run(std::vector<std::string>(argv + 1, argv + argc));
}
