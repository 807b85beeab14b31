// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session.h"

#include "base/file.h"
#include "history/history.h"
#include "journal/journal.h"
#include "loop/recorder.h"
#include "support/sample_records.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace kw::test {

/// A session folder with experiments in it, as the loop's recorder writes them, and what has to be true of it at any time.
class StoredSession : public testing::Test {
protected:
    StoredSession() { EXPECT_TRUE(writeFileAtomically(m_model, "model")); }

    static std::string sourceOf(std::int64_t number) { return "int kernel_" + std::to_string(number) + ";\n"; }

    /// Every third one is kept, the others are rejected. Returns the first error.
    static Result<void> append(Session& session, std::int64_t first, std::int64_t last)
    {
        Recorder recorder(session.journal(), session.history());
        KW_CHECK(recorder.start());
        for (std::int64_t number = first; number <= last; ++number) {
            const Decision decision = number % 3 == 0 ? Decision::Kept : Decision::Rejected;
            Experiment experiment = sampleExperiment(number, "0123456789abcdef", decision, sourceOf(number));
            ExperimentRow row = sampleRow(experiment);
            KW_CHECK(recorder.add(experiment, row, 0));
        }
        return {};
    }

    /// At least `told` experiments are there, each once, and the history says what the journal says.
    static void expectWhole(Session& session, std::int64_t told)
    {
        const auto rows = session.journal().rows();
        ASSERT_TRUE(rows);
        ASSERT_GE(static_cast<std::int64_t>(rows->size()), told);
        for (std::size_t index = 0; index < rows->size(); ++index) {
            const auto number = static_cast<std::int64_t>(index + 1);
            const auto experiment = session.journal().experiment(number);
            ASSERT_TRUE(experiment) << number << " " << debugText(experiment.error().message);
            ASSERT_EQ(experiment->candidate.source, sourceOf(number));
        }
        const auto commits = session.journal().commits();
        ASSERT_TRUE(commits);
        ASSERT_EQ(commits->size(), rows->size());
        std::string main, attic;
        const std::string path = "kernels/0123456789abcdef.cpp";
        for (const CommitRecord& record : *commits) {
            (record.branch == CommitRecord::Branch::Main ? main : attic) = record.id;
            ASSERT_TRUE(session.history()->intact(record.id)) << record.sequence;
            const auto text = session.history()->file(record.id, path);
            ASSERT_TRUE(text) << record.sequence;
            ASSERT_EQ(*text, sourceOf(record.experiment));
        }
        EXPECT_EQ(*session.history()->head(HistoryBranch::Main), main);
        EXPECT_EQ(*session.history()->head(HistoryBranch::Attic), attic);
    }

    TemporaryFolder m_temporary;
    std::filesystem::path m_model = m_temporary.path() / "m.pt2", m_folder = m_temporary.path() / "session";
};

} // namespace kw::test
