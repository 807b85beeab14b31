// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/unique_fd.h"
#include "loop/snapshot_board.h"
#include "serve/client.h"
#include "serve/frame.h"
#include "serve/snapshot_delta.h"

#include <future>
#include <map>
#include <mutex>
#include <thread>

namespace kw {

/// A session of another process. One thread reads; calls wait for their answers on the caller's thread.
class SocketClient final : public SessionClient {
public:
    /// Takes over a connected socket. Errors: those of attach().
    static Result<std::unique_ptr<SessionClient>> over(UniqueFd socket);
    ~SocketClient() override;

    Result<void> send(const Command& command) override;
    Result<SnapshotPointer> snapshot() override;
    Result<Experiment> experiment(std::int64_t number) override;
    Result<Problem> problem(const std::string& id) override;
    Result<Candidate> candidate(const std::string& id) override;
    Result<TextDiff> difference(const std::string& from, const std::string& to) override;
    std::unique_ptr<Subscription> subscribe(SnapshotCallback callback) override;

private:
    explicit SocketClient(UniqueFd socket);
    Result<void> greet();
    Result<Json> ask(const char* method, Json arguments);
    Result<void> write(const std::string& bytes);
    void readAll();
    bool take(const std::string& text);
    void disconnect();

    UniqueFd m_socket;
    std::shared_ptr<SnapshotBoard> m_board = std::make_shared<SnapshotBoard>();
    FrameReader m_incoming{largestReply};         ///< reader thread, after greet()
    SnapshotDecoder m_decoder;                    ///< reader thread
    std::mutex m_writing, m_waiting;
    std::map<std::int64_t, std::promise<Result<Json>>> m_answers; ///< under m_waiting
    std::int64_t m_lastId = 0;
    bool m_gone = false;
    std::jthread m_reader;
};

} // namespace kw
