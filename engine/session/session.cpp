// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "base/folder_lock.h"
#include "base/hash.h"
#include "base/random.h"
#include "history/history.h"
#include "journal/journal.h"
#include "loop/recorder.h"
#include "session/session_info.h"

#include <chrono>

namespace kw {

namespace fs = std::filesystem;

namespace {

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Result<UniqueFd> takeLock(const fs::path& folder)
{
    auto lock = lockFolder(folder);
    if (lock)
        return *std::move(lock);
    Message why("session.locked");
    if (lock.error().message.id != "lock.held")
        return lock.error();
    why.with("folder", folder.string());
    for (const auto& [name, value] : lock.error().message.arguments)
        why.arguments.emplace_back(name, value);
    return Error{std::move(why), {}};
}

Error cannotCreate(const fs::path& folder, const std::string& why)
{
    return Error{Message("session.cannot_create").with("folder", folder.string()).with("why", why), {}};
}

} // namespace

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

Result<Session> Session::create(const fs::path& folder, const fs::path& model)
{
    std::error_code failed;
    if (!fs::is_regular_file(model, failed))
        return Error{Message("session.no_model").with("path", model.string()), {}};
    if (fs::exists(folder, failed) && (!fs::is_directory(folder, failed) || !fs::is_empty(folder, failed)))
        return Error{Message("session.folder_in_use").with("folder", folder.string()), {}};
    fs::create_directories(folder / "scratch", failed);
    if (failed)
        return cannotCreate(folder, failed.message());
    SessionInfo info;
    info.folder = fs::absolute(folder, failed);
    info.model = fs::absolute(model, failed);
    info.id = sha256(std::to_string(secretSeed()) + std::to_string(secretSeed())).substr(0, 32);
    info.created = secondsNow();
    info.machine = thisMachine();
    KW_CHECK(writeSessionInfo(info));
    return open(folder);
}

Result<Session> Session::open(const fs::path& folder, SessionAccess access)
{
    Session session;
    KW_TRY(session.m_info, readSessionInfo(folder));
    const fs::path& place = session.m_info.folder;
    // Numbers of another machine are a record; going on with them would compare what cannot be compared.
    const bool writable = canWriteIn(place);
    session.m_access = writable && !session.m_info.foreign ? access : SessionAccess::ReadOnly;
    const bool write = session.m_access == SessionAccess::Write;
    if (write) {
        KW_TRY(session.m_lock, takeLock(place));
    }
    KW_TRY(Journal journal, Journal::open(place / "journal.sqlite", write ? Journal::Mode::Write : Journal::Mode::ReadOnly));
    session.m_journal = std::make_unique<Journal>(std::move(journal));
    if (write) {
        std::error_code failed;
        fs::create_directories(place / "scratch", failed);
        KW_TRY(History history, openHistory(*session.m_journal, place / "history"));
        session.m_history = std::make_unique<History>(std::move(history));
    } else if (auto history = History::open(place / "history", History::Access::ReadOnly)) {
        session.m_history = std::make_unique<History>(*std::move(history));
    }
    return session;
}

Result<void> Session::bindModel(const std::string& sha256)
{
    if (m_info.modelSha256 == sha256)
        return {};
    if (!m_info.modelSha256.empty())
        return Error{Message("session.model_changed").with("path", m_info.model.string()), {}};
    m_info.modelSha256 = sha256;
    return writeSessionInfo(m_info);
}

} // namespace kw
