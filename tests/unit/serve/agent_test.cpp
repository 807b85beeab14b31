// SPDX-License-Identifier: GPL-3.0-or-later
// An agent and the loop meet in the toolbox only: what it sees, what it may try out, and what becomes of what it submits.
#include "host_fixture.h"

#include "base/json_io.h"

#include <functional>

namespace kw {
namespace {

using test::HostTest;
using test::waitFor;

/// Does what a test wants, once per call.
class ScriptedAgent final : public Agent {
public:
    using Script = std::function<void(Toolbox&, const std::string& problem, int call)>;
    explicit ScriptedAgent(Script script) : m_script(std::move(script)) {}

    Author author() const override { return {AuthorKind::Tool, "scripted"}; }
    void propose(Toolbox& toolbox, const std::string& problem) override { m_script(toolbox, problem, m_calls++); }
    Message lastReason() const override { return Message("agent.exhausted").with("tried", m_calls); }

private:
    Script m_script;
    int m_calls = 0;
};

Candidate text(const std::string& problem, const std::string& source)
{
    Candidate candidate;
    candidate.problem = problem;
    candidate.source = source;
    candidate.id = candidateId(candidate);
    return candidate;
}

class AgentTest : public HostTest {
protected:
    /// Lets the script search until it submits nothing.
    SnapshotPointer play(ScriptedAgent::Script script)
    {
        HostOptions chosen = options({});
        chosen.makeAgent = [script = std::move(script)](std::uint64_t) { return std::make_unique<ScriptedAgent>(script); };
        m_host = start(std::move(chosen));
        m_client = m_host->client();
        return search(*m_client);
    }
    void TearDown() override
    {
        m_client.reset();
        m_host.reset();
    }

    std::unique_ptr<SessionHost> m_host;
    std::unique_ptr<SessionClient> m_client;
};

TEST_F(AgentTest, CompilesVerifiesMeasuresAndSubmits)
{
    const auto done = play([](Toolbox& toolbox, const std::string& problem, int call) {
        if (call > 0)
            return;
        EXPECT_EQ(toolbox.problems(), std::vector<std::string>{problem});
        EXPECT_EQ((*toolbox.problem(problem))->id, problem);
        EXPECT_FALSE(toolbox.problem("another"));
        EXPECT_GT(toolbox.calibration().lastLevelCacheBytes, 0);
        EXPECT_EQ(toolbox.seed(), 5U);
        EXPECT_FALSE(toolbox.best(problem));
        const Candidate slow = text(problem, "time 2"), fast = text(problem, "time 0.5");
        EXPECT_EQ(toolbox.measure(slow).error().message.id, "toolbox.not_verified");
        for (const Candidate& each : {slow, fast}) {
            EXPECT_TRUE(toolbox.compile(each)->built);
            EXPECT_TRUE(toolbox.verify(each)->passed);
        }
        EXPECT_NEAR(toolbox.measure(slow)->ratio, 0.5, 0.02);
        const auto measured = toolbox.measure(fast);
        EXPECT_NEAR(measured->ratio, 2, 0.05);
        EXPECT_TRUE(measured->pairs.empty()) << "figures, not samples";
        EXPECT_TRUE(toolbox.submit(fast));
        EXPECT_EQ(toolbox.waiting(problem), std::vector<std::string>{fast.id});
        EXPECT_EQ(toolbox.submit(slow).error().message.id, "toolbox.one_at_a_time");
    });
    ASSERT_TRUE(done);
    ASSERT_EQ(done->experiments->size(), 1U) << "what was only tried out is recorded nowhere";
    EXPECT_EQ(done->experiments->front().decision, Decision::Kept);
    EXPECT_EQ(done->experiments->front().author, (Author{AuthorKind::Tool, "scripted"}));
}

TEST_F(AgentTest, SeesOfAcceptanceCasesOnlyStageAndKind)
{
    std::vector<std::string> seen;
    Verdict tried;
    const auto done = play([&](Toolbox& toolbox, const std::string& problem, int call) {
        const auto history = toolbox.history(problem);
        ASSERT_TRUE(history);
        for (const Experiment& experiment : *history)
            seen.push_back(dump(Json(experiment)));
        if (call == 0) {
            tried = *toolbox.verify(text(problem, "hidden time 0.5"));
            EXPECT_TRUE(toolbox.submit(text(problem, "hidden time 0.5")));
        } else if (call == 1) {
            EXPECT_TRUE(toolbox.submit(text(problem, "wrong time 0.5")));
        }
    });
    ASSERT_TRUE(done);
    // Trying out runs development cases only, so it cannot be used to feel for the hidden ones.
    EXPECT_TRUE(tried.passed);
    ASSERT_EQ(done->experiments->size(), 2U);
    ASSERT_EQ(seen.size(), 3U);
    for (const std::string& record : seen)
        EXPECT_EQ(record.find("secret"), std::string::npos) << record;
    EXPECT_EQ(seen[0].find("[7,77]"), std::string::npos) << "the element that failed: " << seen[0];
    EXPECT_NE(seen[0].find("verify.acceptance_failed"), std::string::npos);
    EXPECT_NE(seen[0].find("wrong_value"), std::string::npos);
    EXPECT_NE(seen[2].find("reason of the development case"), std::string::npos);
    // The person sees everything.
    const auto whole = m_client->experiment(1);
    ASSERT_TRUE(whole);
    EXPECT_NE(dump(Json(*whole)).find("reason of the secret case"), std::string::npos);
}

TEST_F(AgentTest, RefusesWhatCannotBeJudged)
{
    const auto done = play([](Toolbox& toolbox, const std::string& problem, int call) {
        if (call == 0) {
            EXPECT_TRUE(toolbox.submit(text(problem, "time 2")));
        }
        if (call != 1)
            return;
        EXPECT_EQ(toolbox.submit(text(problem, "time 2")).error().message.id, "command.already_tried");
        EXPECT_EQ(toolbox.submit(text(problem, "")).error().message.id, "command.no_text");
        EXPECT_EQ(toolbox.submit(text(problem, std::string(300000, 'x'))).error().message.id, "command.text_too_long");
        EXPECT_EQ(toolbox.submit(text("another", "time 1")).error().message.id, "toolbox.other_problem");
        Candidate forged = text(problem, "time 3");
        forged.id = text(problem, "time 4").id;
        EXPECT_EQ(toolbox.compile(forged).error().message.id, "toolbox.other_id");
    });
    ASSERT_TRUE(done);
    EXPECT_EQ(done->experiments->size(), 1U);
}

TEST_F(AgentTest, AnOpenJudgementIsRepeatedAndSaysWhyInWords)
{
    std::atomic<int> disturb = 13; // the screening, and five pairs each until sixty were measured in vain
    m_fake.disturb = &disturb;
    const auto done = play([](Toolbox& toolbox, const std::string& problem, int call) {
        if (call == 0) {
            EXPECT_TRUE(toolbox.submit(text(problem, "time 0.5")));
        }
    });
    ASSERT_TRUE(done);
    ASSERT_EQ(done->experiments->size(), 2U);
    EXPECT_EQ(done->experiments->at(0).decision, Decision::Unsure);
    EXPECT_EQ(done->experiments->at(0).ratio, 0);
    EXPECT_EQ(done->experiments->at(1).decision, Decision::Kept);
    EXPECT_EQ(done->experiments->at(0).candidate, done->experiments->at(1).candidate);
    EXPECT_EQ(m_client->experiment(1)->note.id, "loop.note.disturbed_again");
}

TEST_F(AgentTest, ALateAnswerIsRepeatedAWrongOneIsNot)
{
    const auto done = play([](Toolbox& toolbox, const std::string& problem, int call) {
        if (call < 2) {
            EXPECT_TRUE(toolbox.submit(text(problem, call == 0 ? "late" : "timing")));
        }
    });
    ASSERT_TRUE(done);
    std::map<std::string, std::vector<Decision>> decisions;
    for (const ExperimentRow& row : *done->experiments)
        decisions[m_client->candidate(row.candidate)->source].push_back(row.decision);
    EXPECT_EQ(decisions["late"], (std::vector<Decision>{Decision::Unsure, Decision::Unsure, Decision::Rejected}));
    EXPECT_EQ(decisions["timing"], std::vector<Decision>{Decision::Rejected});
}

TEST_F(AgentTest, TheBudgetEndsAVerificationWhichGoesOnAfterReopening)
{
    HostOptions chosen = options({"slow time 0.5"});
    m_host = start(chosen);
    m_client = m_host->client();
    Command budget = command(CommandKind::SetBudget);
    budget.number = 0.5;
    ASSERT_TRUE(m_client->send(budget));
    const auto begin = std::chrono::steady_clock::now();
    const auto done = search(*m_client);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->state, LoopState::Done);
    EXPECT_EQ(done->now.id, "loop.reason.budget");
    EXPECT_LT(seconds, 7.5) << "it would have verified for eight";
    ASSERT_EQ(done->experiments->size(), 1U);
    EXPECT_EQ(done->experiments->front().decision, Decision::Unfinished);
    EXPECT_EQ(done->experiments->front().failure, FailureKind::None);
    EXPECT_EQ(m_client->experiment(1)->note.id, "loop.note.budget");
    TearDown();
    m_host = start(chosen);
    m_client = m_host->client();
    budget.number = 1000;
    ASSERT_TRUE(m_client->send(budget));
    const auto again = search(*m_client);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->experiments->size(), 2U);
    EXPECT_EQ(again->experiments->back().decision, Decision::Kept);
    EXPECT_EQ(again->experiments->back().candidate, done->experiments->front().candidate);
}

} // namespace
} // namespace kw
