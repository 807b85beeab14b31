// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/frame_server.h"

#include "base/json_io.h"

#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>

namespace kw {
namespace {

constexpr std::size_t mostWaiting = 16;

struct Waiting {
    std::int64_t id = 0;
    std::string method;
    Json arguments;
    std::stop_source stop;
};

/// Requests between the reader thread and the thread that answers them.
class Inbox {
public:
    /// False: the peer sends more than it may.
    bool push(Waiting request)
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.size() >= mostWaiting)
            return false;
        m_waiting.push_back(std::move(request));
        m_arrived.notify_one();
        return true;
    }
    Waiting pop()
    {
        std::unique_lock lock(m_mutex);
        m_arrived.wait(lock, [this] { return !m_waiting.empty(); });
        Waiting request = std::move(m_waiting.front());
        m_waiting.pop_front();
        m_currentId = request.id;
        m_currentStop = request.stop;
        return request;
    }
    void cancel(std::int64_t id)
    {
        const std::lock_guard lock(m_mutex);
        if (m_currentId == id)
            m_currentStop.request_stop();
        for (auto& request : m_waiting)
            if (request.id == id)
                request.stop.request_stop();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<Waiting> m_waiting;
    std::int64_t m_currentId = 0;
    std::stop_source m_currentStop;
};

[[noreturn]] void end(const char* why)
{
    if (why)
        std::fprintf(stderr, "worker: %s\n", why);
    ::_exit(why ? 1 : 0);
}

void readFrame(const Frame& frame, Inbox& inbox)
{
    auto json = parseJson(frame.text);
    if (!json || !json->is_object())
        end("a frame is no JSON object");
    const auto number = [&json](const char* key) {
        const auto found = json->find(key);
        if (found == json->end() || !found->is_number_integer())
            end("a frame has another form");
        return found->get<std::int64_t>();
    };
    if (json->contains("cancel"))
        return inbox.cancel(number("cancel"));
    const auto method = json->find("method");
    const auto arguments = json->find("arguments");
    if (method == json->end() || !method->is_string() || arguments == json->end() || !arguments->is_object())
        end("a frame has another form");
    if (!inbox.push(Waiting{number("request"), method->get<std::string>(), std::move(*arguments), {}}))
        end("too many requests wait");
}

Frame answer(const ServedMethod& method, const Waiting& request, FrameChannel& channel)
{
    const ProgressCallback progress = [&](const JudgeProgress& now) {
        if (!channel.send(progressFrame(request.id, now.what, now.done, now.total)))
            end(nullptr);
    };
    try {
        auto reply = method(request.method, request.arguments, progress, request.stop.get_token());
        if (!reply)
            return errorFrame(request.id, reply.error());
        Frame frame = replyFrame(request.id, reply->json);
        frame.blobs = std::move(reply->blobs);
        return frame;
    } catch (const std::bad_alloc&) {
        return errorFrame(request.id, error("worker.out_of_memory"));
    } catch (const std::exception& exception) {
        return errorFrame(request.id, Error{Message("worker.failed").with("why", std::string(exception.what()).substr(0, 1000)), {}});
    }
}

} // namespace

int serveFrames(FrameChannel channel, const ServedMethod& method)
{
    if (!channel.send(helloFrame()))
        return 1;
    const auto greeting = channel.receive();
    if (!greeting)
        return 1;
    if (const auto hello = readHello(*greeting); !hello) {
        std::fprintf(stderr, "worker: %s\n", debugText(hello.error().message).c_str());
        return 1;
    }
    Inbox inbox;
    std::thread([&channel, &inbox] {
        for (;;) {
            const auto frame = channel.receive();
            if (!frame)
                end(frame.error().message.id == "protocol.closed" ? nullptr : "the protocol was broken");
            readFrame(*frame, inbox);
        }
    }).detach();
    for (;;) {
        const Waiting request = inbox.pop();
        auto sent = channel.send(answer(method, request, channel));
        if (!sent && sent.error().message.id == "protocol.too_large")
            sent = channel.send(errorFrame(request.id, Error{Message("worker.reply_too_large"), debugText(sent.error().message)}));
        if (!sent)
            end(nullptr);
    }
}

} // namespace kw
