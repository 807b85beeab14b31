// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/defence.h"
#include "base/file.h"
#include "judge/worker_judge.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kw::redteam {

/// One candidate of tests/redteam/planted and what must become of it: a row of table.json.
struct Plant {
    std::string name, problem, about;
    std::vector<std::string> entries;      ///< of the list of cheats, e.g. "C03 a"
    bool accepted = false;                 ///< an honest twin
    std::string stage, reason;             ///< of the verdict with every defence standing
    std::vector<std::string> failures;     ///< classes, any of them
    std::optional<Defence> isolates;       ///< which it alone catches
    std::vector<Defence> with;             ///< the comparison that a defence of the kind "look here too" needs to see anything
    std::vector<std::string> aloneFailures;
    bool timed = false;                    ///< its cheat needs a measurement
    bool onlyInBench = false;              ///< costs seconds
    friend void PrintTo(const Plant& plant, std::ostream* stream) { *stream << plant.name; }
};

/// An entry of the list that no native CPU code or edit of a person expresses, or that another test proves.
struct Elsewhere {
    std::string entry, why;
};

struct Table {
    std::vector<Plant> plants;
    std::vector<Elsewhere> elsewhere;
};
const Table& table();
Problem problemNamed(const std::string& name);

/// What became of a candidate.
struct Outcome {
    bool accepted = false, broken = false; ///< broken: the judge gave an error
    std::string stage, failure, reason;
    std::string text() const { return stage + " " + failure + " " + reason; }
};

/// A worker of the test suite whose defences can be left out one by one while it runs. One thread.
class SwitchedJudge {
public:
    /// `without`: layers of the sandbox that are left out, for plants that need one away.
    explicit SwitchedJudge(const std::string& without = {});
    void onlyStanding(const std::vector<Defence>& defences);
    void allStanding();
    /// `variant` makes another text of the same program: outcomes of builds are kept by text.
    Outcome evaluate(const Plant& plant, const std::string& variant = {});
    Judge& judge() { return *m_judge; }

private:
    TemporaryFolder m_folder;
    std::string m_switches;
    std::unique_ptr<WorkerJudge> m_judge;
};

std::string textOf(const Plant& plant);
/// Whether the defence decides while a candidate is built.
bool defenceOfFindings(Defence defence);

} // namespace kw::redteam
