// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/worker_judge.h"

#include "base/json_io.h"
#include "judge/judge_json.h"
#include "judge/worker_process.h"

#include <algorithm>
#include <atomic>
#include <list>
#include <map>
#include <set>

namespace kw {
namespace {

constexpr double quickSeconds = 60;         ///< for requests that only look something up
constexpr std::size_t rememberedCandidates = 4096;

FrameChannel::Clock::time_point after(double seconds)
{
    return FrameChannel::Clock::now()
        + std::chrono::duration_cast<FrameChannel::Clock::duration>(std::chrono::duration<double>(seconds));
}

bool lostWorker(const Error& error)
{
    return error.message.id.starts_with("protocol.");
}

} // namespace

/// Everything that a fresh worker has to be told again, and the conversation with the running one.
struct WorkerJudge::State {
    explicit State(WorkerOptions chosen) : options(std::move(chosen)) {}

    WorkerOptions options;
    std::unique_ptr<WorkerProcess> process;
    std::atomic<int> processId = -1;
    std::int64_t lastRequest = 0;
    std::filesystem::path model;
    std::map<std::string, std::string> problems;          ///< id -> JSON of the problem
    std::set<std::string> problemsKnown;                  ///< to the running worker
    std::map<std::string, Candidate> candidates;
    std::list<std::string> candidateAge;                  ///< oldest first

    Result<Json> call(const std::string& method, const std::string& arguments, const std::stop_token& stop,
        const ProgressCallback& progress, double seconds = 0);
    template <typename Value>
    Result<Value> ask(const std::string& method, const Json& arguments, const std::stop_token& stop,
        const ProgressCallback& progress, double seconds = 0)
    {
        KW_TRY(const Json json, call(method, dump(arguments), stop, progress, seconds));
        auto value = fromJson<Value>(json);
        if (!value)
            return lose(Error{Message("protocol.malformed").with("what", "the reply to " + method + " has another form"),
                debugText(value.error().message)});
        return value;
    }
    Result<void> ensureModel(const std::stop_token& stop);
    Result<void> ensureProblem(const std::string& id, const std::stop_token& stop);
    void remember(const Candidate& candidate);
    Json known(const std::vector<std::string>& ids) const;

private:
    Result<void> ensureStarted();
    Result<Json> converse(const std::string& method, const std::string& arguments, const std::stop_token& stop,
        const ProgressCallback& progress, double seconds);
    Result<Json> await(std::int64_t id, const std::stop_token& stop, const ProgressCallback& progress,
        FrameChannel::Clock::time_point deadline);
    Result<std::optional<Json>> readReply(std::int64_t id, const Frame& frame, const ProgressCallback& progress);
    Error lose(Error why);
    Error cancel(std::int64_t id);
    bool modelKnown = false;
};

Result<void> WorkerJudge::State::ensureStarted()
{
    if (process)
        return {};
    problemsKnown.clear();
    modelKnown = false;
    KW_TRY(process, WorkerProcess::start(options));
    processId = process->pid();
    return {};
}

/// The worker is of no use any more: end it, and say how it died when it was its death that we noticed.
Error WorkerJudge::State::lose(Error why)
{
    if (!process)
        return why;
    const bool closed = why.message.id == "protocol.closed";
    if (!closed)
        process->kill();
    Error death = process->finish();
    process.reset();
    processId = -1;
    return closed ? death : why;
}

Error WorkerJudge::State::cancel(std::int64_t id)
{
    const Error stopped = error("judge.stopped");
    const auto deadline = after(options.cancelSeconds);
    if (process->channel().send(cancelFrame(id), {}, deadline)) {
        for (;;) {
            auto frame = process->channel().receive({}, deadline);
            if (!frame)
                break;
            auto reply = readReply(id, *frame, nullptr);
            // Any answer, a late result included, ends the request: the worker is free again.
            if (reply && !reply->has_value())
                continue;
            if (!reply && lostWorker(reply.error()))
                break;
            return stopped;
        }
    }
    process->kill();
    process->finish();
    process.reset();
    processId = -1;
    return stopped;
}

Result<std::optional<Json>> WorkerJudge::State::readReply(std::int64_t id, const Frame& frame, const ProgressCallback& progress)
{
    KW_TRY(Json json, parseJson(frame.text));
    const auto malformed = [](const char* what) { return Error{Message("protocol.malformed").with("what", what), {}}; };
    if (!json.is_object())
        return malformed("a frame is no object");
    if (json.contains("progress")) {
        auto what = fromJson<Message>(json.value("what", Json()));
        if (!what || !json.value("done", Json()).is_number() || !json.value("total", Json()).is_number())
            return malformed("a progress frame has another form");
        if (progress && json["progress"] == id)
            progress(JudgeProgress{*std::move(what), json["done"].get<double>(), json["total"].get<double>()});
        return std::optional<Json>{};
    }
    if (!json.contains("reply") || json["reply"] != id)
        return malformed("a reply to no request");
    if (json.contains("error")) {
        const Json& said = json["error"];
        if (!said.is_object() || !said.contains("message"))
            return malformed("an error has another form");
        KW_TRY(Message message, fromJson<Message>(said["message"]));
        const Json detail = said.value("detail", Json());
        Error failed{std::move(message), detail.is_string() ? detail.get<std::string>() : std::string()};
        if (failed.message.id.starts_with("protocol."))
            return Error{Message("protocol.malformed").with("what", "the worker did not understand a request"), debugText(failed.message)};
        return failed;
    }
    if (!json.contains("result"))
        return malformed("a reply without a result");
    return std::optional<Json>(std::move(json["result"]));
}

Result<Json> WorkerJudge::State::await(std::int64_t id, const std::stop_token& stop, const ProgressCallback& progress,
    FrameChannel::Clock::time_point deadline)
{
    for (;;) {
        auto frame = process->channel().receive(stop, deadline);
        if (!frame && frame.error().message.id == "protocol.stopped")
            return cancel(id);
        if (!frame)
            return lose(frame.error());
        auto reply = readReply(id, *frame, progress);
        if (!reply)
            return lostWorker(reply.error()) ? lose(reply.error()) : reply.error();
        if (reply->has_value())
            return **std::move(reply);
    }
}

Result<Json> WorkerJudge::State::converse(const std::string& method, const std::string& arguments, const std::stop_token& stop,
    const ProgressCallback& progress, double seconds)
{
    if (stop.stop_requested())
        return error("judge.stopped");
    KW_CHECK(ensureStarted());
    const std::int64_t id = ++lastRequest;
    const auto deadline = seconds > 0 ? after(seconds) : FrameChannel::never;
    // A half-sent frame cannot be taken back, so a stop while sending costs the worker.
    if (auto sent = process->channel().send(requestFrame({id, method}, arguments), stop, deadline); !sent) {
        const Error why = lose(sent.error());
        return why.message.id == "protocol.stopped" ? error("judge.stopped") : why;
    }
    auto reply = await(id, stop, progress, deadline);
    if (!reply && reply.error().message.id == "protocol.timed_out")
        return Error{Message("judge.timed_out").with("seconds", seconds), method};
    return reply;
}

Result<Json> WorkerJudge::State::call(const std::string& method, const std::string& arguments, const std::stop_token& stop,
    const ProgressCallback& progress, double seconds)
{
    auto reply = converse(method, arguments, stop, progress, seconds);
    if (reply && method == "load")
        modelKnown = true;
    return reply;
}

Result<void> WorkerJudge::State::ensureModel(const std::stop_token& stop)
{
    if (process && modelKnown)
        return {};
    if (model.empty())
        return error("judge.no_model");
    // A fresh worker need not send the graph again: the host has it.
    KW_TRY([[maybe_unused]] const Json json, call("load", dump(Json{{"path", model.string()}, {"brief", true}}), stop, nullptr));
    return {};
}

Result<void> WorkerJudge::State::ensureProblem(const std::string& id, const std::stop_token& stop)
{
    if (!model.empty())
        KW_CHECK(ensureModel(stop));
    if (process && problemsKnown.contains(id))
        return {};
    const auto found = problems.find(id);
    if (found == problems.end())
        return Error{Message("judge.unknown_problem").with("problem", id), {}};
    KW_TRY([[maybe_unused]] const Json json, call("define", found->second, stop, nullptr, quickSeconds));
    problemsKnown.insert(id);
    return {};
}

void WorkerJudge::State::remember(const Candidate& candidate)
{
    if (!candidates.insert_or_assign(candidate.id, candidate).second)
        candidateAge.remove(candidate.id);
    candidateAge.push_back(candidate.id);
    if (candidateAge.size() > rememberedCandidates) {
        candidates.erase(candidateAge.front());
        candidateAge.pop_front();
    }
}

Json WorkerJudge::State::known(const std::vector<std::string>& ids) const
{
    Json found = Json::array();
    for (const auto& id : ids)
        if (const auto entry = candidates.find(id); entry != candidates.end())
            found.push_back(entry->second);
    return found;
}

WorkerJudge::WorkerJudge(WorkerOptions options) : m_state(std::make_unique<State>(std::move(options))) {}
WorkerJudge::~WorkerJudge() = default;

int WorkerJudge::workerProcess() const
{
    return m_state->processId;
}

Result<WorkerInfo> WorkerJudge::info()
{
    return m_state->ask<WorkerInfo>("info", Json::object(), {}, nullptr, quickSeconds);
}

Result<LoadedModel> WorkerJudge::load(const std::filesystem::path& model, std::stop_token stop, const ProgressCallback& progress)
{
    m_state->model.clear();
    std::error_code ignored;
    const auto absolute = std::filesystem::absolute(model, ignored);
    auto loaded = m_state->ask<LoadedModel>("load", Json{{"path", absolute.string()}, {"brief", false}}, stop, progress);
    if (!loaded)
        return loaded;
    m_state->model = absolute;
    // The problems of another model mean nothing to this one's call sites.
    m_state->problems.clear();
    m_state->problemsKnown.clear();
    return loaded;
}

Result<Profile> WorkerJudge::profile(const ProfileOptions& options, std::stop_token stop, const ProgressCallback& progress)
{
    KW_CHECK(m_state->ensureModel(stop));
    return m_state->ask<Profile>("profile", Json(options), stop, progress);
}

Result<void> WorkerJudge::define(const Problem& problem)
{
    m_state->problems.insert_or_assign(problem.id, dump(Json(problem)));
    m_state->problemsKnown.erase(problem.id);
    return m_state->ensureProblem(problem.id, {});
}

Result<BuildReport> WorkerJudge::build(const Candidate& candidate, std::stop_token stop)
{
    m_state->remember(candidate);
    KW_CHECK(m_state->ensureProblem(candidate.problem, stop));
    return m_state->ask<BuildReport>("build", Json{{"candidate", candidate}}, stop, nullptr);
}

Result<Verdict> WorkerJudge::verify(const Candidate& candidate, const VerifyOptions& options, std::stop_token stop,
    const ProgressCallback& progress)
{
    m_state->remember(candidate);
    KW_CHECK(m_state->ensureProblem(candidate.problem, stop));
    return m_state->ask<Verdict>("verify", Json{{"candidate", candidate}, {"options", options}}, stop, progress);
}

Result<std::vector<PairBlock>> WorkerJudge::measure(const MeasureRequest& request, std::stop_token stop)
{
    KW_CHECK(m_state->ensureProblem(request.problem, stop));
    return m_state->ask<std::vector<PairBlock>>("measure",
        Json{{"request", request}, {"candidates", m_state->known({request.a.candidate, request.b.candidate})}}, stop, nullptr);
}

Result<Environment> WorkerJudge::environment()
{
    return m_state->ask<Environment>("environment", Json::object(), {}, nullptr, quickSeconds);
}

Result<AppliedFiles> WorkerJudge::apply(const ApplyRequest& request, std::stop_token stop, const ProgressCallback& progress)
{
    KW_CHECK(m_state->ensureModel(stop));
    for (const auto& kernel : request.kernels)
        KW_CHECK(m_state->ensureProblem(kernel.problem, stop));
    return m_state->ask<AppliedFiles>("apply", Json(request), stop, progress);
}

Result<std::vector<OutputComparison>> WorkerJudge::compareModel(const AppliedFiles& files, std::stop_token stop)
{
    KW_CHECK(m_state->ensureModel(stop));
    return m_state->ask<std::vector<OutputComparison>>("compare_model", Json(files), stop, nullptr);
}

Result<std::vector<PairBlock>> WorkerJudge::measureModel(const ModelMeasureRequest& request, std::stop_token stop)
{
    KW_CHECK(m_state->ensureModel(stop));
    return m_state->ask<std::vector<PairBlock>>("measure_model", Json(request), stop, nullptr);
}

} // namespace kw
