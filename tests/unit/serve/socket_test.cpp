// SPDX-License-Identifier: GPL-3.0-or-later
#include "host_fixture.h"

#include "base/json_io.h"
#include "serve/frame.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>

namespace kw {
namespace {

using test::HostTest;
using test::waitFor;

/// A client that need not keep to the rules.
class RawClient {
public:
    explicit RawClient(const std::filesystem::path& session)
    {
        const std::string path = *readFile(session / "socket");
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        m_socket.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        EXPECT_EQ(::connect(m_socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        const timeval limit{10, 0};
        ::setsockopt(m_socket.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    void send(const std::string& bytes) { (void)::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    /// The next frame that is no snapshot; an empty object once the host has hung up.
    Json receive()
    {
        for (;;) {
            while (auto text = m_reader.next()) {
                if (!text->has_value())
                    break;
                const Json json = *parseJson(**text);
                if (!json.contains("snapshot"))
                    return json;
            }
            std::array<char, 65536> bytes;
            const ssize_t count = ::recv(m_socket.get(), bytes.data(), bytes.size(), 0);
            if (count <= 0)
                return Json::object();
            m_reader.add({bytes.data(), static_cast<std::size_t>(count)});
        }
    }
    void greet()
    {
        EXPECT_EQ(receive().at("version"), serveVersion);
        send(frameOf(Json{{"version", serveVersion}}));
    }

private:
    UniqueFd m_socket;
    FrameReader m_reader{largestReply};
};

TEST_F(HostTest, ASocketClientSeesAndDoesWhatALocalOneDoes)
{
    const auto host = start(options({"wrong", "time 0.5"}));
    const auto local = host->client();
    auto attached = attach(m_session);
    ASSERT_TRUE(attached) << debugText(attached.error().message);
    SessionClient& remote = **attached;
    const auto done = search(remote);
    ASSERT_TRUE(done);
    const auto same = waitFor(*local, [&](const Snapshot& snapshot) { return snapshot.experiments->size() == 2 && test::atRest(snapshot); });
    EXPECT_EQ(*done->experiments, *same->experiments);
    EXPECT_EQ(*done->problems, *same->problems);
    EXPECT_EQ(*done->report, *same->report);
    EXPECT_EQ(done->historyHead, same->historyHead);
    EXPECT_EQ(*remote.experiment(2), *local->experiment(2));
    const std::string problem = done->problems->front().id, candidate = done->experiments->back().candidate;
    EXPECT_EQ(*remote.problem(problem), *local->problem(problem));
    EXPECT_EQ(*remote.candidate(candidate), *local->candidate(candidate));
    EXPECT_EQ(*remote.difference("", candidate), *local->difference("", candidate));
    EXPECT_EQ(remote.experiment(99).error().message.id, "journal.no_experiment");
    EXPECT_EQ(remote.send(command(CommandKind::Pause)).error().message.id, "command.not_running");
}

TEST_F(HostTest, TheSocketIsPrivateAndGoesWithTheHost)
{
    std::filesystem::path socket;
    std::unique_ptr<SessionClient> client;
    {
        const auto host = start(options({}));
        socket = *readFile(m_session / "socket");
        struct stat found {};
        ASSERT_EQ(::stat(socket.c_str(), &found), 0);
        EXPECT_EQ(found.st_mode & 0777, 0600U);
        ASSERT_EQ(::stat(socket.parent_path().c_str(), &found), 0);
        EXPECT_EQ(found.st_mode & 0777, 0700U);
        client = *attach(m_session);
    }
    EXPECT_FALSE(std::filesystem::exists(socket));
    EXPECT_EQ(attach(m_session).error().message.id, "serve.no_host");
    EXPECT_EQ(client->send(command(CommandKind::Start)).error().message.id, "serve.disconnected");
    bool told = false;
    std::mutex mutex;
    std::condition_variable changed;
    const auto subscription = client->subscribe([&](const SnapshotPointer&, bool connected) {
        const std::lock_guard lock(mutex);
        told = told || !connected;
        changed.notify_all();
    });
    std::unique_lock lock(mutex);
    EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds(10), [&] { return told; }));
}

TEST_F(HostTest, AnotherProtocolVersionIsTurnedAway)
{
    const auto host = start(options({}));
    RawClient other(m_session);
    EXPECT_EQ(other.receive().at("version"), serveVersion);
    other.send(frameOf(Json{{"version", serveVersion + 1}}));
    EXPECT_TRUE(other.receive().empty()) << "the host hangs up";
}

TEST_F(HostTest, NonsenseIsAnsweredOrDisconnectedAndOthersGoOn)
{
    const auto host = start(options({"time 0.5"}));
    const std::vector<std::string> nonsense{std::string("\xff\xff\xff\xff", 4), std::string("\0\0\0\3{{{", 7), std::string("\0\0\0\2[]", 6),
        frameOf(Json{{"version", "1"}}), std::string(100000, 'x')};
    for (const std::string& bytes : nonsense) {
        RawClient client(m_session);
        EXPECT_EQ(client.receive().at("version"), serveVersion);
        client.send(bytes);
        EXPECT_TRUE(client.receive().empty());
    }
    RawClient client(m_session);
    client.greet();
    const std::vector<Json> requests{Json::array(), Json{{"id", 1}}, Json{{"id", 1}, {"method", "rm"}}, Json{{"id", 1}, {"method", "experiment"}},
        Json{{"id", 1}, {"method", "experiment"}, {"arguments", {{"number", "x"}}}}, Json{{"id", 1}, {"method", "send"}, {"arguments", 3}},
        Json{{"id", 1}, {"method", "send"}, {"arguments", {{"command", {{"kind", "format_disk"}}}}}},
        Json{{"id", 1}, {"method", "candidate"}, {"arguments", {{"candidate", "' OR 1=1"}}}}};
    for (const Json& request : requests) {
        client.send(frameOf(request));
        EXPECT_TRUE(client.receive().contains("error")) << dump(request);
    }
    EXPECT_TRUE(search(**attach(m_session)));
}

TEST_F(HostTest, AClientThatNeverReadsHoldsUpNobody)
{
    const auto host = start(options({}, true));
    std::vector<std::unique_ptr<RawClient>> silent;
    for (int number = 0; number < 5; ++number) {
        silent.push_back(std::make_unique<RawClient>(m_session));
        silent.back()->greet();
        for (int request = 0; request < 200; ++request)
            silent.back()->send(frameOf(Json{{"id", request}, {"method", "problem"}, {"arguments", {{"problem", "none"}}}}));
    }
    const auto client = *attach(m_session);
    ASSERT_TRUE(client->send(supervise(Supervision::None)));
    ASSERT_TRUE(client->send(command(CommandKind::Start)));
    EXPECT_TRUE(waitFor(*client, [](const Snapshot& snapshot) { return snapshot.experiments->size() >= 10; }));
    EXPECT_TRUE(client->send(command(CommandKind::Stop)));
}

} // namespace
} // namespace kw
