// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/unique_fd.h"
#include "judge/frame_channel.h"
#include "judge/worker_judge.h"

namespace kw {

/// One worker process and the channel to it, after a successful exchange of greetings. Ends it on destruction.
class WorkerProcess {
public:
    /// Errors: "judge.no_worker" (path, why), "judge.worker_died" (how), "judge.timed_out" (seconds), "protocol.*".
    static Result<std::unique_ptr<WorkerProcess>> start(const WorkerOptions& options);
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    FrameChannel& channel() { return *m_channel; }
    int pid() const { return m_pid; }
    /// Ends it and everything in its process group at once.
    void kill();
    /// Kills (when it still runs) and reaps it. "judge.worker_died" with the cause and, as detail, the end of what it wrote
    /// to its error stream.
    Error finish();

private:
    WorkerProcess() = default;

    int m_pid = -1;
    std::optional<FrameChannel> m_channel;
    UniqueFd m_errors;
};

} // namespace kw
