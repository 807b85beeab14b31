// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace kw {

/// A stream socket at a path, for this user only (mode 0600). Replaces a dead one. Error: "socket.failed" (why).
Result<UniqueFd> listenLocal(const std::filesystem::path& path);
/// Connects and makes sure that the other side belongs to this user. Errors: "socket.nobody" (path) when nobody listens,
/// "socket.failed" (why).
Result<UniqueFd> connectLocal(const std::filesystem::path& path);
/// The next waiting client of this user (or of root); nothing when there is none. Does not block.
UniqueFd acceptLocal(const UniqueFd& listener);

/// How many bytes moved; 0 when it would block, nothing when the other side has gone.
std::optional<std::size_t> receiveNow(const UniqueFd& socket, char* bytes, std::size_t size);
std::optional<std::size_t> sendNow(const UniqueFd& socket, std::string_view bytes);
/// Waits for some bytes, at most `milliseconds` (negative: for ever). 0 at the end of the time, nothing when the other side has gone.
std::optional<std::size_t> receiveSome(const UniqueFd& socket, char* bytes, std::size_t size, int milliseconds = -1);
/// False when the other side has gone.
bool sendAll(const UniqueFd& socket, std::string_view bytes);
/// Wakes everybody who waits on it: both directions end.
void endSocket(const UniqueFd& socket);

/// Lets one thread wake another that waits in waitForAny().
class Wakeup {
public:
    Wakeup();
    void signal() const;
    void clear() const;
    const UniqueFd& descriptor() const { return m_event; }

private:
    UniqueFd m_event;
};

struct Waited {
    int descriptor = -1;
    bool wantsToRead = true, wantsToWrite = false;
    bool readable = false, writable = false, broken = false; ///< answers; readable also at the end of the stream
};
/// Waits until one of them is ready; false when waiting itself failed. `milliseconds` as above.
bool waitForAny(std::vector<Waited>& list, int milliseconds);

} // namespace kw
