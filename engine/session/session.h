// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <filesystem>
#include <memory>
#include <string>

namespace kw {

class History;
class Journal;

/// What session.json says: enough to show a session in a list without opening its journal.
struct SessionInfo {
    static constexpr int version = 1;

    std::string id;                    ///< 32 hexadecimal digits, drawn when the session was created
    std::filesystem::path folder;      ///< absolute; not stored
    std::filesystem::path model;       ///< as given when it was created, absolute
    std::string modelSha256;           ///< empty until the model was loaded for the first time
    double created = 0;                ///< seconds since 1970
    std::string machine;               ///< a hash that names the machine where it was created
    bool foreign = false;              ///< created on another machine: numbers are "recorded, not reproduced"; not stored
};

/// Reads session.json alone. Errors: "session.not_a_session" (folder), "session.newer_version" (ours, theirs), "session.damaged" (what).
Result<SessionInfo> readSessionInfo(const std::filesystem::path& folder);

enum class SessionAccess : std::uint8_t { Write, ReadOnly };

/// An open session folder: session.json, journal.sqlite, history/, scratch/, applied/. With write access it holds a lock
/// that a second host cannot take. Journal and history belong to the thread that uses them. Needs neither torch nor a device.
class Session {
public:
    /// A new session in an empty or missing folder. Errors: "session.folder_in_use" (folder), "session.cannot_create" (folder, why),
    /// "session.no_model" (path).
    static Result<Session> create(const std::filesystem::path& folder, const std::filesystem::path& model);
    /// Errors: those of readSessionInfo, "session.locked" (folder, process), those of Journal::open.
    /// A folder that cannot be written is opened read-only; access() tells.
    static Result<Session> open(const std::filesystem::path& folder, SessionAccess access = SessionAccess::Write);

    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    const SessionInfo& info() const { return m_info; }
    SessionAccess access() const { return m_access; }
    Journal& journal() { return *m_journal; }
    /// Null when the session is read-only and the history cannot be opened.
    History* history() { return m_history.get(); }
    std::filesystem::path scratchFolder() const { return m_info.folder / "scratch"; }
    std::filesystem::path appliedFolder() const { return m_info.folder / "applied"; }

    /// Binds the session to a model file's content. Error: "session.model_changed" (path) when it is bound to another one.
    Result<void> bindModel(const std::string& sha256);

private:
    Session() = default;
    SessionInfo m_info;
    SessionAccess m_access = SessionAccess::Write;
    UniqueFd m_lock;
    std::unique_ptr<Journal> m_journal;
    std::unique_ptr<History> m_history;
};

} // namespace kw
