// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/driver.h"

#include "base/json_io.h"
#include "loop/driver_private.h"

#include <algorithm>
#include <cmath>

namespace kw {

namespace {
constexpr std::chrono::milliseconds publishEvery{100};
constexpr std::size_t longestQueue = 10000;
constexpr double graceSeconds = 5; // after the budget, for work that ends by itself
}

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Driver::Private::Private(DriverParts chosenParts, DriverOptions chosenOptions)
    : parts(chosenParts), options(std::move(chosenOptions)), recorder(*parts.journal, parts.history),
      evaluator(parts.judge, options.evaluator,
          [file = options.journalFile](const std::string& id) -> Result<Candidate> {
              // The writer belongs to the control thread; this reads beside it.
              KW_TRY(Journal journal, Journal::open(file, Journal::Mode::ReadOnly));
              return journal.candidate(id);
          }),
      memory(options.journalFile)
{
}

Driver::Driver(std::unique_ptr<Private> state) : m_state(std::move(state)) {}

Result<std::unique_ptr<Driver>> Driver::start(DriverParts parts, DriverOptions options)
{
    auto state = std::make_unique<Private>(parts, std::move(options));
    KW_CHECK(state->recorder.start());
    KW_CHECK(state->resume());
    state->publish();
    Private* inside = state.get();
    state->workThread = std::jthread([inside](std::stop_token stop) { inside->workLoop(std::move(stop)); });
    state->controlThread = std::jthread([inside](std::stop_token stop) { inside->controlLoop(std::move(stop)); });
    return std::unique_ptr<Driver>(new Driver(std::move(state)));
}

Result<void> Driver::show(DriverParts parts, DriverOptions options)
{
    Private state(parts, std::move(options));
    KW_CHECK(state.recorder.start());
    KW_CHECK(state.resume());
    state.publish();
    return {};
}

Driver::~Driver()
{
    m_state->controlThread.request_stop();
    {
        const std::lock_guard lock(m_state->workMutex);
        m_state->workStop.request_stop();
    }
    m_state->workThread.request_stop();
    m_state->controlThread.join();
    m_state->workThread.join();
    const std::lock_guard lock(m_state->queueMutex);
    for (auto& item : m_state->queue) {
        if (auto* order = std::get_if<std::unique_ptr<Private::Order>>(&item))
            (*order)->answer.set_value(error("command.shutting_down"));
    }
}

Result<void> Driver::send(const Command& command)
{
    auto order = std::make_unique<Private::Order>();
    order->command = command;
    auto answer = order->answer.get_future();
    {
        const std::lock_guard lock(m_state->queueMutex);
        if (m_state->queue.size() >= longestQueue || m_state->controlThread.get_stop_token().stop_requested())
            return error("command.shutting_down");
        m_state->queue.push_back(std::move(order));
    }
    m_state->queueChanged.notify_all();
    return answer.get();
}

bool Driver::finished() const
{
    const std::lock_guard lock(m_state->finishMutex);
    return m_state->finishedFlag;
}

bool Driver::waitUntilFinished(double seconds) const
{
    std::unique_lock lock(m_state->finishMutex);
    return m_state->finishChanged.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return m_state->finishedFlag; });
}

void Driver::Private::post(Item item)
{
    {
        const std::lock_guard lock(queueMutex);
        queue.push_back(std::move(item));
    }
    queueChanged.notify_all();
}

/// When something has to be done although nothing happens: a snapshot is due, or the budget and its grace end.
std::optional<Driver::Private::Clock::time_point> Driver::Private::wakeTime() const
{
    std::optional<Clock::time_point> wake;
    if (dirty)
        wake = published + publishEvery;
    const double left = budgetLeft() + graceSeconds;
    if (!outOfTime && !cancelled && std::isfinite(left)) {
        const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::max(left, 0.0)));
        wake = wake ? std::min(*wake, end) : end;
    }
    return wake;
}

void Driver::Private::watchBudget()
{
    if (outOfTime || cancelled || budgetLeft() + graceSeconds > 0)
        return;
    outOfTime = true;
    const std::lock_guard lock(workMutex);
    workStop.request_stop();
}

/// The next item, or nothing when a changed snapshot is due, the budget ends or the driver ends.
std::optional<Driver::Private::Item> Driver::Private::take(std::stop_token stop)
{
    std::unique_lock lock(queueMutex);
    const auto filled = [&] { return !queue.empty(); };
    if (const auto wake = wakeTime())
        queueChanged.wait_until(lock, stop, *wake, filled);
    else
        queueChanged.wait(lock, stop, filled);
    if (queue.empty() || stop.stop_requested())
        return std::nullopt;
    Item item = std::move(queue.front());
    queue.pop_front();
    return item;
}

void Driver::Private::controlLoop(std::stop_token stop)
{
    machine.profileWanted = options.profileAtOnce && !machine.profiled;
    apply(event::Opened{}, nullptr);
    while (!stop.stop_requested()) {
        if (auto item = take(stop))
            handle(*std::move(item));
        watchBudget();
        if (dirty && Clock::now() - published >= publishEvery)
            publish();
    }
    publish();
}

void Driver::Private::handle(Item item)
{
    dirty = true;
    if (auto* happened = std::get_if<JudgeProgress>(&item)) {
        lastProgress = *happened;
        return;
    }
    if (auto* done = std::get_if<WorkDone>(&item)) {
        lastProgress.reset();
        const bool stopped = std::holds_alternative<event::WorkStopped>(done->event);
        const bool late = std::exchange(outOfTime, false);
        if (std::exchange(cancelled, false) || (stopped && !late))
            return apply(event::WorkStopped{}, nullptr);
        return apply(stopped ? Event(event::OutOfTime{flightSeconds()}) : std::move(done->event), nullptr);
    }
    Order& order = **std::get_if<std::unique_ptr<Order>>(&item);
    answering = order.command;
    if (order.command.text.size() < 4096)
        (void)parts.journal->log("command", dump(Json(order.command)), secondsNow());
    auto event = prepare(order.command);
    if (!event)
        return order.answer.set_value(event.error());
    apply(*event, &order.answer);
}

Result<void> Driver::Private::adopt(const Event& event)
{
    if (std::holds_alternative<event::Profiled>(event) && fresh) {
        const Fresh found = *std::exchange(fresh, std::nullopt);
        KW_CHECK(parts.journal->putProblems(found.partition.problems));
        KW_CHECK(parts.journal->putDocument("profile", dump(Json(found.profile))));
        KW_CHECK(parts.journal->putDocument("report", dump(Json(found.partition.report))));
        adoptPartition(found.partition.problems, found.partition.report, found.profile.calibration);
        return recorder.start();
    }
    if (freshApplied) {
        applied = std::exchange(freshApplied, std::nullopt);
        return parts.journal->putDocument("applied", dump(Json(*applied)));
    }
    if (std::holds_alternative<event::NothingProposed>(event) && machine.flight)
        refusals[machine.flight->problem] = refusal;
    return {};
}

/// Feeds the machine and carries out what it asks for. A command is answered when its own actions are done.
void Driver::Private::apply(Event event, std::promise<Result<void>>* answer)
{
    dirty = true;
    if (auto adopted = adopt(event); !adopted)
        event = event::WorkFailed{adopted.error()};
    Transition transition = step(std::move(machine), event, options.rules);
    machine = std::move(transition.state);
    Result<void> outcome;
    if (transition.refusal)
        outcome = *transition.refusal;
    for (const Action& action : transition.actions) {
        if (outcome = perform(action); !outcome)
            break;
    }
    if (!outcome && !transition.refusal) {
        (void)parts.journal->log("error", dump(Json(outcome.error())), secondsNow());
        // What could not be stored must not be built upon.
        follows.reset();
        machine = step(std::move(machine), event::WorkFailed{outcome.error()}, options.rules).state;
        machine.flight.reset();
        machine.run = false;
        machine.state = machine.rest = LoopState::Failed;
        machine.error = outcome.error();
    }
    if (answer)
        answer->set_value(std::move(outcome));
    if (follows)
        apply(*std::exchange(follows, std::nullopt), nullptr);
}

void Driver::Private::begin(Work work)
{
    {
        const std::lock_guard lock(workMutex);
        pendingWork = std::move(work);
        workStop = std::stop_source();
    }
    workChanged.notify_all();
}

void Driver::Private::workLoop(std::stop_token stop)
{
    for (;;) {
        Work work;
        std::stop_token ends;
        {
            std::unique_lock lock(workMutex);
            if (!workChanged.wait(lock, stop, [&] { return static_cast<bool>(pendingWork); }))
                return;
            work = std::exchange(pendingWork, nullptr);
            ends = workStop.get_token();
        }
        if (stop.stop_requested())
            return;
        post(WorkDone{work(ends)});
    }
}

ProgressCallback Driver::Private::progress()
{
    return [this, last = Clock::time_point{}](const JudgeProgress& happened) mutable {
        if (Clock::now() - last < publishEvery)
            return;
        last = Clock::now();
        post(happened);
    };
}

} // namespace kw
