// SPDX-License-Identifier: GPL-3.0-or-later
// optimize, resume, watch: commands that follow a run to its end.
#include "cli/commands.h"
#include "cli/applied_text.h"
#include "cli/connection.h"
#include "cli/progress_line.h"

#include "base/json_io.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <thread>

namespace kw::cli {
namespace {

constexpr std::chrono::milliseconds pollInterval{100};

bool resting(const Snapshot& snapshot)
{
    return snapshot.state == LoopState::Idle || snapshot.state == LoopState::Paused || snapshot.state == LoopState::Done
        || snapshot.state == LoopState::Failed;
}

/// Shows progress until `enough` says so, the host goes, or a signal comes.
Result<SnapshotPointer> follow(SessionClient& client, ProgressLine& progress, const std::function<bool(const Snapshot&)>& enough)
{
    for (;;) {
        KW_TRY(SnapshotPointer snapshot, client.snapshot());
        progress.show(*snapshot);
        if (enough(*snapshot) || interrupted())
            return snapshot;
        std::this_thread::sleep_for(pollInterval);
    }
}

/// After a command was answered: every snapshot that is published from now on shows what it started, however short that was.
Result<SnapshotPointer> followToRest(SessionClient& client, ProgressLine& progress)
{
    KW_TRY(const SnapshotPointer now, client.snapshot());
    const std::int64_t sequence = now->sequence;
    return follow(client, progress, [sequence](const Snapshot& snapshot) { return snapshot.sequence > sequence && resting(snapshot); });
}

bool keptAny(const Snapshot& snapshot)
{
    return std::any_of(snapshot.problems->begin(), snapshot.problems->end(), [](const ProblemRow& row) { return !row.best.empty(); });
}

Command command(CommandKind kind)
{
    Command wish;
    wish.kind = kind;
    return wish;
}

Result<void> prepare(const Options& options, SessionClient& client)
{
    Command supervision = command(CommandKind::SetSupervision);
    supervision.supervision = options.supervision == "all" ? Supervision::All
        : options.supervision == "improvements" ? Supervision::Improvements : Supervision::None;
    KW_CHECK(client.send(supervision));
    Command budget = command(CommandKind::SetBudget);
    KW_TRY(const SnapshotPointer now, client.snapshot());
    budget.number = options.seconds > 0 ? now->usedSeconds + options.seconds : 0;
    KW_CHECK(client.send(budget));
    return client.send(command(CommandKind::Start));
}

/// Runs the search to its end, then puts what was kept into the whole model.
Result<SnapshotPointer> search(const Options& options, SessionClient& client, ProgressLine& progress)
{
    KW_CHECK(prepare(options, client));
    KW_TRY(SnapshotPointer last, followToRest(client, progress));
    if (interrupted() || last->state == LoopState::Failed || options.noApply)
        return last;
    if (!keptAny(*last))
        return last;
    KW_CHECK(client.send(command(CommandKind::Apply)));
    return followToRest(client, progress);
}

/// What came of it. A win that waits for an approval is one.
int outcome(const Options& options, const Snapshot& snapshot)
{
    const bool won = keptAny(snapshot) || !snapshot.approvals.empty();
    if (options.json) {
        std::printf("%s\n", dump(Json(snapshot), 1).c_str());
        return won ? Success : NothingWon;
    }
    if (snapshot.applied)
        std::printf("%s", appliedText(options, *snapshot.applied).c_str());
    else if (keptAny(snapshot))
        std::printf("%s\n", say(options, Message("cli.not_applied").with("ratio", snapshot.modelSpeedup)).c_str());
    for (const ApprovalRequest& request : snapshot.approvals)
        std::printf("%s\n", say(options, Message("cli.waits").with("number", request.experiment)).c_str());
    if (!won)
        std::printf("%s\n", say(options, "cli.nothing_won").c_str());
    return won ? Success : NothingWon;
}

int run(const Options& options)
{
    interrupted();
    auto connection = connect(options, Want::Steer);
    if (!connection)
        return fail(options, connection.error());
    ProgressLine progress(options);
    auto last = search(options, *connection->client, progress);
    progress.finish();
    if (!last)
        return fail(options, last.error());
    if (interrupted())
        return stopInterrupted(options, *connection);
    if ((*last)->state == LoopState::Failed)
        return fail(options, (*last)->error.value_or(Error{(*last)->now, {}}));
    if (connection->host)
        (void)connection->client->send(command(CommandKind::Shutdown));
    if ((*last)->error && !(*last)->applied)
        return fail(options, *(*last)->error);
    return outcome(options, **last);
}

} // namespace

int optimize(const Options& options) { return run(options); }
int resume(const Options& options) { return run(options); }

int watch(const Options& options)
{
    interrupted();
    auto client = attach(options.session);
    if (!client)
        return fail(options, client.error());
    ProgressLine progress(options);
    auto last = follow(**client, progress, [](const Snapshot& snapshot) { return resting(snapshot); });
    progress.finish();
    return last ? Success : fail(options, last.error());
}

} // namespace kw::cli
