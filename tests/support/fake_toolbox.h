// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/toolbox.h"

#include <map>

namespace kw::test {

/// A toolbox over one problem whose history a test writes by hand. Nothing can be tried out.
class FakeToolbox final : public Toolbox {
public:
    std::vector<std::string> problems() const override { return {subject.id}; }
    Result<const Problem*> problem(const std::string& id) const override
    {
        return id == subject.id ? Result<const Problem*>(&subject) : error("toolbox.no_problem");
    }
    const Calibration& calibration() const override { return measured; }
    std::uint64_t seed() const override { return 11; }
    Result<Candidate> candidate(const std::string& id) override
    {
        for (const Experiment& experiment : experiments)
            if (experiment.candidate.id == id)
                return experiment.candidate;
        return error("journal.no_candidate");
    }
    std::optional<std::string> best(const std::string&) const override { return leading; }
    Result<std::span<const Experiment>> history(const std::string&) override { return std::span<const Experiment>(experiments); }
    std::vector<std::string> waiting(const std::string&) const override { return queue; }
    Result<BuildReport> compile(const Candidate&) override { return error("judge.stopped"); }
    Result<Verdict> verify(const Candidate&) override { return error("judge.stopped"); }
    Result<Measurement> measure(const Candidate&) override { return error("judge.stopped"); }
    Result<void> submit(Candidate candidate) override
    {
        submitted = std::move(candidate);
        return {};
    }
    /// What was submitted since the last call.
    std::optional<Candidate> take() { return std::exchange(submitted, std::nullopt); }

    Problem subject;
    Calibration measured;
    std::vector<Experiment> experiments;
    std::vector<std::string> queue;
    std::optional<std::string> leading;
    std::optional<Candidate> submitted;
};

} // namespace kw::test
