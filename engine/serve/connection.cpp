// SPDX-License-Identifier: GPL-3.0-or-later
#include "serve/connection.h"

#include "base/json_io.h"
#include "base/local_socket.h"

#include <array>

namespace kw {

Connection::Connection(UniqueFd descriptor) : m_descriptor(std::move(descriptor))
{
    queue(Json{{"kernelwright", "session"}, {"version", serveVersion}});
}

void Connection::queue(const Json& json)
{
    if (m_outgoing.size() - m_sent > largestReply) {
        m_broken = true;
        return;
    }
    m_outgoing += frameOf(json);
}

bool Connection::read()
{
    std::array<char, 65536> bytes;
    for (;;) {
        // What is not yet answered stays in the kernel's buffer and slows the sender, not us.
        if (m_hasRequest || m_incoming.held() > largestRequest)
            return !m_broken;
        const auto count = receiveNow(m_descriptor, bytes.data(), bytes.size());
        if (!count || *count == 0)
            return count.has_value();
        m_incoming.add({bytes.data(), *count});
        if (!findRequest())
            return false;
    }
}

bool Connection::findRequest()
{
    if (m_hasRequest)
        return true;
    auto text = m_incoming.next();
    if (!text)
        return false;
    if (!text->has_value())
        return true;
    m_request = **std::move(text);
    m_hasRequest = true;
    return true;
}

bool Connection::answerOne(const std::function<Json(const Json&)>& answer)
{
    if (!m_hasRequest)
        return true;
    m_hasRequest = false;
    const auto request = parseJson(m_request, 64);
    if (!request)
        return false;
    if (m_greeted) {
        queue(answer(*request));
    } else {
        // The first frame is the client's greeting; another version is told ours by the greeting that it already has.
        if (!request->is_object() || request->value("version", Json()) != Json(serveVersion))
            return false;
        m_greeted = true;
    }
    return findRequest() && !m_broken;
}

bool Connection::write()
{
    while (wantsToWrite()) {
        const auto count = sendNow(m_descriptor, std::string_view(m_outgoing).substr(m_sent));
        if (!count || *count == 0)
            return count.has_value();
        m_sent += *count;
    }
    m_outgoing.clear();
    m_sent = 0;
    return true;
}

void Connection::offer(const std::shared_ptr<const Snapshot>& snapshot)
{
    if (!m_greeted || !snapshot || snapshot->sequence <= m_seen || wantsToWrite())
        return;
    m_seen = snapshot->sequence;
    queue(Json{{"snapshot", m_encoder.encode(snapshot)}});
}

} // namespace kw
