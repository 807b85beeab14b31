// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/arena.h"
#include "base/result.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace kw {

/// Descriptor numbers on the serving side.
struct RunnerFds {
    int control = 3, command = 4, reply = 5, inputs = 6, outputs = 7;
};

/// The serving end of the wire of base/runner_client.h: used by the sandboxed runner and by the worker's reference
/// role. Single-threaded. It allocates nothing after open().
class RunnerServer {
public:
    struct State;
    /// Maps pages and arena, closes their descriptors. Errors: "runner.no_channel" (why), ArenaView::map's.
    static Result<RunnerServer> open(const RunnerFds& descriptors = {});
    explicit RunnerServer(std::unique_ptr<State> state);
    ~RunnerServer();
    RunnerServer(RunnerServer&&) noexcept;

    const ArenaView& arena() const;
    const std::vector<std::int64_t>& dimensions() const;

    /// Tells the judge that everything is loaded. Returns false when the judge is gone.
    bool ready();
    /// Tells the judge why it will not become ready (a loader's text); then end the process.
    void refuse(const char* why);

    /// Serves batches until the judge hangs up: calls function(context, slot) for each slot of a batch, after
    /// clearing the zeroed workspaces of that slot. Returns 0 after a hang-up, 1 after an error of the wire.
    using Function = void (*)(void* context, std::uint32_t slot);
    int serve(Function function, void* context);

private:
    std::unique_ptr<State> m_state;
};

} // namespace kw
