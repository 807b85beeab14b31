// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake_client.h"

#include "sample_session.h"
#include "soil.h"

#include <algorithm>

namespace kw::test {
namespace {

/// Whether experiments are going on.
bool searching(LoopState state)
{
    return state != LoopState::Idle && state != LoopState::Paused && state != LoopState::Done && state != LoopState::Failed;
}

} // namespace

class FakeSubscription : public Subscription {
public:
    FakeSubscription(FakeSession& session, int id) : m_session(session), m_id(id) {}
    ~FakeSubscription() override
    {
        std::unique_lock lock(m_session.m_mutex);
        std::erase_if(m_session.m_subscribers, [&](const auto& entry) { return entry.first == m_id; });
        m_session.m_wake.wait(lock, [&] { return !m_session.m_calling; });
    }

private:
    FakeSession& m_session;
    int m_id;
};

class FakeClient : public SessionClient {
public:
    explicit FakeClient(FakeSession& session) : m_session(session) {}

    Result<void> send(const Command& command) override { return m_session.handle(command); }

    Result<SnapshotPointer> snapshot() override { return std::make_shared<const Snapshot>(m_session.now()); }

    Result<Experiment> experiment(std::int64_t number) override
    {
        const std::lock_guard lock(m_session.m_mutex);
        for (Experiment experiment : m_session.m_experiments)
            if (experiment.number == number) {
                if (m_session.m_soiled)
                    soil(experiment);
                return experiment;
            }
        return error("test.no_such_experiment");
    }

    Result<Problem> problem(const std::string&) override { return error("test.no_such_problem"); }

    Result<Candidate> candidate(const std::string& id) override
    {
        for (int variant = 0; variant < 6; ++variant)
            if (Candidate made = sampleCandidate(variant); made.id == id)
                return made;
        return error("test.no_such_candidate");
    }

    Result<TextDiff> difference(const std::string&, const std::string&) override { return sampleDifference(); }

    std::unique_ptr<Subscription> subscribe(SnapshotCallback callback) override
    {
        const std::lock_guard lock(m_session.m_mutex);
        m_session.m_subscribers.emplace_back(++m_session.m_nextSubscriber, std::move(callback));
        m_session.publish();
        return std::make_unique<FakeSubscription>(m_session, m_session.m_nextSubscriber);
    }

private:
    FakeSession& m_session;
};

FakeSession::FakeSession()
{
    m_now.session = "session";
    m_now.model = "llama.pt2";
    m_now.report = sampleReport();
    m_now.problems = std::make_shared<const std::vector<ProblemRow>>(sampleProblems());
    m_now.experiments = std::make_shared<const std::vector<ExperimentRow>>();
    m_now.predictedSpeedup = 1.11;
    m_now.budgetSeconds = 180;
    m_now.historyHead = "0";
    m_thread = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

FakeSession::~FakeSession()
{
    m_thread.request_stop();
    m_wake.notify_all();
}

std::unique_ptr<SessionClient> FakeSession::client()
{
    return std::make_unique<FakeClient>(*this);
}

void FakeSession::run(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, stop, [&] { return m_dirty; })) {
        m_dirty = false;
        m_calling = true;
        auto published = std::make_shared<Snapshot>(m_now);
        if (m_soiled)
            soil(*published);
        const std::shared_ptr<const Snapshot> snapshot = std::move(published);
        const auto subscribers = m_subscribers;
        const bool connected = m_connected;
        lock.unlock();
        for (const auto& [id, callback] : subscribers)
            callback(snapshot, connected);
        lock.lock();
        m_calling = false;
        m_wake.notify_all();
    }
}

void FakeSession::publish()
{
    ++m_now.sequence;
    m_dirty = true;
    m_wake.notify_all();
}

void FakeSession::addExperiment(Decision decision, double ratio)
{
    const auto number = static_cast<std::int64_t>(m_experiments.size()) + 1;
    Experiment made = sampleExperiment(number, "p1", decision, ratio);
    m_experiments.push_back(made);
    auto rows = std::make_shared<std::vector<ExperimentRow>>(*m_now.experiments);
    if (decision == Decision::Kept)
        m_now.modelSpeedup = 1 + (ratio - 1) * 0.05;
    rows->push_back(rowOf(made, m_now.modelSpeedup));
    m_now.experiments = rows;
    m_now.currentCandidate = made.candidate.id;
    m_now.currentSource = made.candidate.source;
    m_now.activeProblem = "p1";
    m_now.usedSeconds += 4;
    m_now.experimentsPerHour = 640;
    m_now.secondsLeft = std::max(0.0, m_now.budgetSeconds - m_now.usedSeconds);
}

void FakeSession::setDecision(std::int64_t number, Decision decision)
{
    auto rows = std::make_shared<std::vector<ExperimentRow>>(*m_now.experiments);
    for (ExperimentRow& row : *rows)
        if (row.number == number) {
            row.decision = decision;
            if (decision == Decision::Kept) {
                row.modelSpeedup = m_now.modelSpeedup = 1 + (row.ratio - 1) * 0.05;
                row.commit = m_now.historyHead = "0123456789abcdef" + std::to_string(number);
                auto problems = std::make_shared<std::vector<ProblemRow>>(*m_now.problems);
                problems->front().best = row.candidate;
                problems->front().ratio = row.ratio;
                problems->front().low = row.low;
                problems->front().high = row.high;
                ++problems->front().kept;
                m_now.problems = problems;
            }
        }
    for (Experiment& experiment : m_experiments)
        if (experiment.number == number)
            experiment.decision = decision;
    m_now.experiments = rows;
}

void FakeSession::advance()
{
    const std::lock_guard lock(m_mutex);
    if (m_now.pausing) {
        m_now.pausing = false;
        m_now.state = LoopState::Paused;
    } else if (searching(m_now.state)) {
        static constexpr LoopState cycle[] = {LoopState::Proposing, LoopState::Building, LoopState::Verifying, LoopState::Measuring};
        m_now.state = cycle[m_turn % 4];
        m_now.progress = m_turn % 4 == 3 ? 0.6 : -1;
        if (++m_turn % 4 == 0)
            addExperiment(m_turn % 8 == 0 ? Decision::Rejected : Decision::NotFaster, 0.97 + 0.01 * (m_turn % 5));
    }
    publish();
}

void FakeSession::addExperiments(int count)
{
    const std::lock_guard lock(m_mutex);
    for (int made = 0; made < count; ++made) {
        const auto turn = static_cast<int>(m_experiments.size());
        const Decision decision = turn % 7 == 6 ? Decision::Kept : turn % 5 == 3 ? Decision::Rejected : Decision::NotFaster;
        addExperiment(decision, decision == Decision::Kept ? 1.1 + 0.12 * (turn / 7) : 0.92 + 0.03 * (turn % 6));
        if (decision == Decision::Kept)
            setDecision(static_cast<std::int64_t>(m_experiments.size()), Decision::Kept);
    }
    publish();
}

void FakeSession::addApproval()
{
    const std::lock_guard lock(m_mutex);
    addExperiment(Decision::Pending, 1.62);
    const Experiment& waiting = m_experiments.back();
    ApprovalRequest request;
    request.experiment = waiting.number;
    request.problem = waiting.problem;
    request.candidate = waiting.candidate.id;
    request.against = sampleCandidate(0).id;
    request.binding = "binding-" + std::to_string(waiting.number);
    m_now.approvals = {request};
    publish();
}

void FakeSession::finish()
{
    const std::lock_guard lock(m_mutex);
    m_now.state = LoopState::Done;
    publish();
}

void FakeSession::disconnect()
{
    const std::lock_guard lock(m_mutex);
    m_connected = false;
    publish();
}

void FakeSession::soilEverything()
{
    const std::lock_guard lock(m_mutex);
    m_soiled = true;
    publish();
}

void FakeSession::refuse(std::string id)
{
    const std::lock_guard lock(m_mutex);
    m_refusal = std::move(id);
}

std::vector<Command> FakeSession::commands() const
{
    const std::lock_guard lock(m_mutex);
    return m_commands;
}

Snapshot FakeSession::now() const
{
    const std::lock_guard lock(m_mutex);
    Snapshot now = m_now;
    if (m_soiled)
        soil(now);
    return now;
}

Result<void> FakeSession::handle(const Command& command)
{
    const std::lock_guard lock(m_mutex);
    m_commands.push_back(command);
    if (!m_refusal.empty())
        return error(std::exchange(m_refusal, {}));
    const bool bound = !m_now.approvals.empty() && m_now.approvals.front().experiment == command.experiment
        && m_now.approvals.front().binding == command.binding;
    switch (command.kind) {
    case CommandKind::Start:
    case CommandKind::Step: m_now.state = LoopState::Choosing; break;
    case CommandKind::Pause: m_now.pausing = true; break;
    case CommandKind::Stop: m_now.state = LoopState::Idle; m_now.pausing = false; break;
    case CommandKind::Approve:
    case CommandKind::Reject:
        if (!bound)
            return error("test.wrong_binding");
        m_now.approvals.clear();
        setDecision(command.experiment, command.kind == CommandKind::Approve ? Decision::Kept : Decision::Declined);
        break;
    case CommandKind::RollBack:
        m_now.historyHead += "r"; // a new commit
        setDecision(command.experiment, Decision::Kept);
        break;
    case CommandKind::SetSupervision: m_now.supervision = command.supervision; break;
    default: break;
    }
    publish();
    return {};
}

} // namespace kw::test
