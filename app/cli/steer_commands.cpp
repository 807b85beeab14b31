// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that ask a running session for something, and those that wait for what they asked for.
#include "cli/commands.h"
#include "cli/connection.h"
#include "cli/progress_line.h"

#include "base/file.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace kw::cli {
namespace {

struct Verb {
    std::string_view name;
    CommandKind kind;
    bool needsHost; ///< makes sense only while another process runs the session
};
constexpr std::array verbs{Verb{"pause", CommandKind::Pause, true}, Verb{"step", CommandKind::Step, true}, Verb{"stop", CommandKind::Stop, true},
    Verb{"approve", CommandKind::Approve, false}, Verb{"reject", CommandKind::Reject, false}, Verb{"rollback", CommandKind::RollBack, false},
    Verb{"pin", CommandKind::Pin, false}, Verb{"skip", CommandKind::Skip, false}, Verb{"evaluate", CommandKind::Evaluate, false},
    Verb{"apply", CommandKind::Apply, false}, Verb{"shutdown", CommandKind::Shutdown, true}};

std::string personName(const Options& options)
{
    if (!options.approver.empty())
        return options.approver;
    const char* user = std::getenv("USER");
    return user ? user : "";
}

/// An approval binds to exactly what waits: the binding comes from the queue, never from the command line.
Result<void> bind(SessionClient& client, Command& wish)
{
    KW_TRY(const SnapshotPointer snapshot, client.snapshot());
    for (const ApprovalRequest& request : snapshot->approvals) {
        if (wish.experiment != 0 && request.experiment != wish.experiment)
            continue;
        wish.experiment = request.experiment;
        wish.problem = request.problem;
        wish.binding = request.binding;
        return {};
    }
    return Error{Message("cli.nothing_waits").with("number", wish.experiment), {}};
}

bool working(LoopState state)
{
    return state != LoopState::Idle && state != LoopState::Paused && state != LoopState::Done && state != LoopState::Failed;
}

/// Waits until a session of our own has carried out what it was asked for: whatever is published after the answer shows it.
/// False: a signal came first.
Result<bool> settle(const Options& options, Connection& connection)
{
    if (!connection.host)
        return true;
    ProgressLine progress(options);
    KW_TRY(const SnapshotPointer now, connection.client->snapshot());
    while (!interrupted()) {
        KW_TRY(const SnapshotPointer snapshot, connection.client->snapshot());
        progress.show(*snapshot);
        if (snapshot->sequence > now->sequence && !working(snapshot->state))
            return snapshot->error ? Result<bool>(*snapshot->error) : Result<bool>(true);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
}

int send(const Options& options, Command wish, bool needsHost)
{
    interrupted();
    if (needsHost) {
        auto client = attach(options.session);
        if (!client)
            return fail(options, client.error());
        const auto sent = (*client)->send(wish);
        return sent ? Success : fail(options, sent.error());
    }
    auto connection = connect(options, Want::Steer);
    if (!connection)
        return fail(options, connection.error());
    if (wish.kind == CommandKind::Approve || wish.kind == CommandKind::Reject)
        if (const auto bound = bind(*connection->client, wish); !bound)
            return fail(options, bound.error());
    if (const auto sent = connection->client->send(wish); !sent)
        return fail(options, sent.error());
    const auto settled = settle(options, *connection);
    if (!settled)
        return fail(options, settled.error());
    if (!*settled)
        return stopInterrupted(options, *connection);
    if (wish.kind == CommandKind::Export)
        std::printf("%s\n", say(options, Message(connection->host ? "cli.exported" : "cli.export_asked")
            .with("folder", options.output.string())).c_str());
    return Success;
}

} // namespace

int steer(const Options& options, const char* what)
{
    Command wish;
    bool needsHost = false;
    for (const Verb& verb : verbs)
        if (verb.name == what) {
            wish.kind = verb.kind;
            needsHost = verb.needsHost;
        }
    wish.author.name = personName(options);
    wish.experiment = options.experiment;
    wish.problem = options.problem;
    wish.text = options.comment;
    if (wish.kind == CommandKind::Evaluate) {
        auto text = readFile(options.source, std::uintmax_t{4} << 20);
        if (!text)
            return fail(options, text.error());
        wish.text = *std::move(text);
    }
    return send(options, std::move(wish), needsHost);
}

int exportTo(const Options& options)
{
    Command wish;
    wish.kind = CommandKind::Export;
    wish.text = std::filesystem::absolute(options.output).string();
    return send(options, std::move(wish), false);
}

} // namespace kw::cli
