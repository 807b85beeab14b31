// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/socket_client.h"

#include "base/file.h"
#include "base/json_io.h"
#include "base/local_socket.h"
#include "serve/board_subscription.h"

#include <array>

namespace kw {

namespace {

constexpr std::chrono::seconds longestAnswer{30};
constexpr int greetingMilliseconds = 10000;

Error disconnected()
{
    return error("serve.disconnected");
}

Error errorFrom(const Json& json)
{
    try {
        return json.get<Error>();
    } catch (const std::exception& wrong) {
        return Error{Message("serve.malformed").with("what", std::string(wrong.what())), {}};
    }
}

template <typename Value> Result<Value> valueOf(Result<Json> json)
{
    if (!json)
        return json.error();
    return fromJson<Value>(json.value());
}

} // namespace

Result<std::unique_ptr<SessionClient>> attach(const std::filesystem::path& session)
{
    const Error noHost{Message("serve.no_host").with("folder", session.string()), {}};
    const auto path = readFile(session / "socket", 4096);
    if (!path)
        return noHost;
    // A copied session folder may point anywhere: only a host of this user is talked to.
    auto socket = connectLocal(*path);
    if (!socket)
        return socket.error().message.id == "socket.nobody" ? noHost : socket.error();
    return SocketClient::over(*std::move(socket));
}

SocketClient::SocketClient(UniqueFd socket) : m_socket(std::move(socket)) {}

Result<std::unique_ptr<SessionClient>> SocketClient::over(UniqueFd socket)
{
    std::unique_ptr<SocketClient> client(new SocketClient(std::move(socket)));
    KW_CHECK(client->greet());
    SocketClient* inside = client.get();
    client->m_reader = std::jthread([inside] { inside->readAll(); });
    if (!client->m_board->waitNewer(0, {}))
        return disconnected();
    return std::unique_ptr<SessionClient>(std::move(client));
}

/// Reads the host's greeting frame and answers it.
Result<void> SocketClient::greet()
{
    for (;;) {
        KW_TRY(const std::optional<std::string> text, m_incoming.next());
        if (text) {
            KW_TRY(const Json greeting, parseJson(*text, 16));
            const Json theirs = greeting.is_object() ? greeting.value("version", Json()) : Json();
            if (!theirs.is_number_integer() || theirs != Json(serveVersion))
                return Error{Message("serve.version").with("ours", serveVersion).with("theirs", dump(theirs)), {}};
            return write(frameOf(Json{{"version", serveVersion}}));
        }
        std::array<char, 4096> bytes;
        const auto count = receiveSome(m_socket, bytes.data(), bytes.size(), greetingMilliseconds);
        if (!count)
            return disconnected();
        if (*count == 0)
            return error("serve.timeout");
        m_incoming.add({bytes.data(), *count});
    }
}

SocketClient::~SocketClient()
{
    endSocket(m_socket);
    if (m_reader.joinable())
        m_reader.join();
}

Result<void> SocketClient::write(const std::string& bytes)
{
    const std::lock_guard lock(m_writing);
    return sendAll(m_socket, bytes) ? Result<void>() : Result<void>(disconnected());
}

Result<Json> SocketClient::ask(const char* method, Json arguments)
{
    std::future<Result<Json>> answer;
    std::int64_t id = 0;
    {
        const std::lock_guard lock(m_waiting);
        if (m_gone)
            return disconnected();
        id = ++m_lastId;
        answer = m_answers[id].get_future();
    }
    const Json request{{"id", id}, {"method", method}, {"arguments", std::move(arguments)}};
    if (dump(request).size() > largestRequest)
        return error("command.text_too_long");
    KW_CHECK(write(frameOf(request)));
    if (answer.wait_for(longestAnswer) != std::future_status::ready) {
        const std::lock_guard lock(m_waiting);
        m_answers.erase(id);
        return error("serve.timeout");
    }
    return answer.get();
}

void SocketClient::readAll()
{
    std::array<char, 65536> bytes;
    for (bool good = true; good;) {
        for (;;) {
            auto text = m_incoming.next();
            good = text.ok();
            if (!good || !text->has_value())
                break;
            if (good = take(**text); !good)
                break;
        }
        if (!good)
            break;
        const auto count = receiveSome(m_socket, bytes.data(), bytes.size());
        if (!count)
            break;
        m_incoming.add({bytes.data(), *count});
    }
    disconnect();
}

bool SocketClient::take(const std::string& text)
{
    auto json = parseJson(text);
    if (!json || !json->is_object())
        return false;
    if (json->contains("snapshot")) {
        auto snapshot = m_decoder.decode((*json)["snapshot"]);
        if (snapshot)
            m_board->publish(*snapshot);
        return snapshot.ok();
    }
    const Json id = json->value("id", Json());
    if (!id.is_number_integer())
        return false;
    const std::lock_guard lock(m_waiting);
    const auto found = m_answers.find(id.get<std::int64_t>());
    if (found == m_answers.end())
        return true;
    if (json->contains("error")) {
        found->second.set_value(errorFrom((*json)["error"]));
    } else {
        found->second.set_value(Result<Json>(json->value("result", Json())));
    }
    m_answers.erase(found);
    return true;
}

void SocketClient::disconnect()
{
    {
        const std::lock_guard lock(m_waiting);
        m_gone = true;
        for (auto& [id, promise] : m_answers)
            promise.set_value(disconnected());
        m_answers.clear();
    }
    m_board->close();
}

Result<void> SocketClient::send(const Command& command)
{
    KW_TRY([[maybe_unused]] const Json done, ask("send", Json{{"command", command}}));
    return {};
}

Result<SnapshotPointer> SocketClient::snapshot()
{
    if (m_board->closed())
        return disconnected();
    return m_board->current();
}

Result<Experiment> SocketClient::experiment(std::int64_t number)
{
    return valueOf<Experiment>(ask("experiment", Json{{"number", number}}));
}

Result<Problem> SocketClient::problem(const std::string& id)
{
    return valueOf<Problem>(ask("problem", Json{{"problem", id}}));
}

Result<Candidate> SocketClient::candidate(const std::string& id)
{
    return valueOf<Candidate>(ask("candidate", Json{{"candidate", id}}));
}

Result<TextDiff> SocketClient::difference(const std::string& from, const std::string& to)
{
    return valueOf<TextDiff>(ask("difference", Json{{"from", from}, {"to", to}}));
}

std::unique_ptr<Subscription> SocketClient::subscribe(SnapshotCallback callback)
{
    return std::make_unique<BoardSubscription>(m_board, std::move(callback));
}

} // namespace kw
