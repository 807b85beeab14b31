// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/file.h"
#include "serve/host.h"
#include "support/fake_judge.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace kw::test {

/// Waits for a snapshot that satisfies `wanted`; null when it does not come within a minute.
inline SnapshotPointer waitFor(SessionClient& client, const std::function<bool(const Snapshot&)>& wanted)
{
    std::mutex mutex;
    std::condition_variable changed;
    SnapshotPointer newest, found;
    const auto subscription = client.subscribe([&](const SnapshotPointer& snapshot, bool) {
        const std::lock_guard lock(mutex);
        newest = snapshot;
        if (snapshot && !found && wanted(*snapshot))
            found = snapshot;
        changed.notify_all();
    });
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(60), [&] { return found != nullptr; });
    return found;
}

inline bool atRest(const Snapshot& snapshot)
{
    return snapshot.state == LoopState::Done || snapshot.state == LoopState::Failed || snapshot.state == LoopState::Paused;
}

class HostTest : public testing::Test {
protected:
    HostTest() { EXPECT_TRUE(writeFileAtomically(m_model, "model")); }

    HostOptions options(std::vector<std::string> texts, bool endless = false)
    {
        HostOptions options;
        options.folder = m_session;
        options.model = m_model;
        options.seed = 5;
        options.makeJudge = [this]() -> Result<std::unique_ptr<Judge>> { return std::unique_ptr<Judge>(std::make_unique<FakeJudge>(m_fake)); };
        options.eagerSeconds = [](bool keepMemory, std::stop_token) -> Result<double> { return keepMemory ? 8e-3 : 9e-3; };
        options.makeAgent = [texts = std::move(texts), endless](std::uint64_t) { return std::make_unique<FakeAgent>(texts, endless); };
        return options;
    }
    std::unique_ptr<SessionHost> start(HostOptions chosen)
    {
        auto host = SessionHost::start(std::move(chosen));
        EXPECT_TRUE(host) << debugText(host.error().message);
        return host ? *std::move(host) : nullptr;
    }
    static Command command(CommandKind kind)
    {
        Command made;
        made.kind = kind;
        return made;
    }
    static Command supervise(Supervision supervision)
    {
        Command made = command(CommandKind::SetSupervision);
        made.supervision = supervision;
        return made;
    }
    /// Runs the search to its end.
    static SnapshotPointer search(SessionClient& client, Supervision supervision = Supervision::None)
    {
        EXPECT_TRUE(client.send(supervise(supervision)));
        EXPECT_TRUE(client.send(command(CommandKind::Start)));
        return waitFor(client, atRest);
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_model = m_folder.path() / "fake.pt2", m_session = m_folder.path() / "session";
    FakeOptions m_fake;
};

} // namespace kw::test
