// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/host.h"

#include "agent/search.h"
#include "base/file.h"
#include "base/random.h"
#include "base/sleep_guard.h"
#include "journal/journal.h"
#include "judge/worker_judge.h"
#include "loop/driver.h"
#include "serve/board_subscription.h"
#include "serve/server.h"
#include "session/export_session.h"
#include "session/python_eager.h"

namespace kw {

namespace {

/// A client in the host's own process. Any thread.
class LocalClient final : public SessionClient {
public:
    LocalClient(std::shared_ptr<SnapshotBoard> board, std::function<Result<void>(const Command&)> send, std::filesystem::path journal)
        : m_board(std::move(board)), m_send(std::move(send)), m_reader(std::move(journal))
    {
    }

    Result<void> send(const Command& command) override { return m_send(command); }
    Result<SnapshotPointer> snapshot() override { return m_board->current(); }
    Result<Experiment> experiment(std::int64_t number) override { return m_reader.experiment(number); }
    Result<Problem> problem(const std::string& id) override { return m_reader.problem(id); }
    Result<Candidate> candidate(const std::string& id) override { return m_reader.candidate(id); }
    Result<TextDiff> difference(const std::string& from, const std::string& to) override { return m_reader.difference(from, to); }
    std::unique_ptr<Subscription> subscribe(SnapshotCallback callback) override
    {
        return std::make_unique<BoardSubscription>(m_board, std::move(callback));
    }

private:
    std::shared_ptr<SnapshotBoard> m_board;
    std::function<Result<void>(const Command&)> m_send;
    SessionReader m_reader;
};

bool working(LoopState state)
{
    switch (state) {
    case LoopState::Idle:
    case LoopState::Paused:
    case LoopState::Done:
    case LoopState::Failed: return false;
    default: return true;
    }
}

/// Members in the order in which they are needed: the driver ends first, the session with its lock last.
class Host final : public SessionHost {
public:
    Host(HostOptions options, Session session) : m_options(std::move(options)), m_session(std::move(session)) {}
    ~Host() override
    {
        m_awake.reset();
        m_server.reset();
        m_driver.reset();
        m_board->close();
    }

    Result<void> begin();

    std::unique_ptr<SessionClient> client() override
    {
        return std::make_unique<LocalClient>(m_board, [this](const Command& command) { return send(command); }, journalFile());
    }
    bool finished() const override { return !m_driver || m_driver->finished(); }
    bool waitUntilFinished(double seconds) override { return !m_driver || m_driver->waitUntilFinished(seconds); }

private:
    std::filesystem::path journalFile() const { return m_session.info().folder / "journal.sqlite"; }
    Result<void> send(const Command& command) { return m_driver ? m_driver->send(command) : Result<void>(error("command.read_only")); }
    Result<std::uint64_t> seed();
    Result<void> makeParts(std::uint64_t seed);
    DriverOptions driverOptions(std::uint64_t seed);

    HostOptions m_options;
    Session m_session;
    std::shared_ptr<SnapshotBoard> m_board = std::make_shared<SnapshotBoard>();
    std::unique_ptr<Judge> m_judge;
    std::unique_ptr<Agent> m_agent;
    std::unique_ptr<PythonEager> m_eager;
    std::unique_ptr<Driver> m_driver;
    std::unique_ptr<Server> m_server;
    SleepGuard m_guard;
    std::unique_ptr<Subscription> m_awake;
};

/// The same in every process that opens the session, so that a resumed search goes on as it would have gone on.
Result<std::uint64_t> Host::seed()
{
    KW_TRY(const auto stored, m_session.journal().document("seed"));
    if (stored)
        return std::strtoull(stored->c_str(), nullptr, 10);
    const std::uint64_t drawn = m_options.seed != 0 ? m_options.seed : secretSeed();
    KW_CHECK(m_session.journal().putDocument("seed", std::to_string(drawn)));
    return drawn;
}

Result<void> Host::makeParts(std::uint64_t seed)
{
    if (m_options.makeJudge) {
        KW_TRY(m_judge, m_options.makeJudge());
    } else {
        WorkerOptions worker;
        worker.unsafe = m_options.unsafe;
        m_judge = std::make_unique<WorkerJudge>(worker);
    }
    m_agent = m_options.makeAgent ? m_options.makeAgent(seed) : std::make_unique<SearchAgent>();
    return {};
}

DriverOptions Host::driverOptions(std::uint64_t seed)
{
    DriverOptions options;
    options.session = m_session.info().folder;
    options.model = m_session.info().model;
    options.journalFile = journalFile();
    options.appliedFolder = m_session.appliedFolder();
    options.profileAtOnce = m_options.profileAtOnce;
    options.unsafe = m_options.unsafe;
    options.readOnly = m_session.access() == SessionAccess::ReadOnly;
    options.seed = options.evaluator.seed = seed;
    options.rules.targetSpeedup = m_options.targetSpeedup;
    options.eagerSeconds = m_options.eagerSeconds;
    if (!options.eagerSeconds) {
        m_eager = std::make_unique<PythonEager>(m_session.info().model, m_options.unsafe);
        options.eagerSeconds = [this](bool keepMemory, std::stop_token stop) { return m_eager->run(keepMemory, std::move(stop)); };
    }
    options.bindModel = [this](const std::string& sha256) { return m_session.bindModel(sha256); };
    options.writeExport = [this](const ExportWish& wish) { return exportSession(m_session.info(), wish, m_options.unsafe, *m_board->current()); };
    return options;
}

Result<void> Host::begin()
{
    DriverParts parts;
    parts.journal = &m_session.journal();
    parts.history = m_session.history();
    parts.board = m_board.get();
    if (m_session.access() == SessionAccess::ReadOnly)
        return Driver::show(parts, driverOptions(0));
    KW_TRY(const std::uint64_t chosen, seed());
    KW_CHECK(makeParts(chosen));
    parts.judge = m_judge.get();
    parts.agent = m_agent.get();
    KW_TRY(m_driver, Driver::start(parts, driverOptions(chosen)));
    m_awake = std::make_unique<BoardSubscription>(m_board, [this](const SnapshotPointer& snapshot, bool) {
        if (snapshot && working(snapshot->state))
            m_guard.hold();
        else
            m_guard.release();
    });
    if (m_options.listen) {
        KW_TRY(m_server, Server::start(m_session.info().folder, m_session.info().id, m_board,
                             [this](const Command& command) { return send(command); }));
    }
    return {};
}

} // namespace

Result<std::unique_ptr<SessionHost>> SessionHost::start(HostOptions options)
{
    std::error_code failed;
    const bool exists = std::filesystem::exists(options.folder / "session.json", failed);
    const auto access = options.readOnly ? SessionAccess::ReadOnly : SessionAccess::Write;
    auto session = exists || options.model.empty() ? Session::open(options.folder, access) : Session::create(options.folder, options.model);
    if (!session)
        return session.error();
    if (exists && !options.model.empty() && std::filesystem::absolute(options.model, failed) != session->info().model)
        return Error{Message("session.other_model").with("path", session->info().model.string()), {}};
    auto host = std::make_unique<Host>(std::move(options), *std::move(session));
    KW_CHECK(host->begin());
    return std::unique_ptr<SessionHost>(std::move(host));
}

} // namespace kw
