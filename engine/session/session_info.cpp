// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_info.h"

#include "base/file.h"
#include "base/folder_lock.h"
#include "base/hash.h"
#include "base/json_io.h"

namespace kw {

namespace {

constexpr const char* format = "kernelwright session";
constexpr std::uintmax_t largestInfo = 1 << 16;

Error damaged(std::string what)
{
    return Error{Message("session.damaged").with("what", std::move(what)), {}};
}

} // namespace

std::string thisMachine()
{
    const std::string host = hostName();
    const auto id = readFile("/etc/machine-id", 4096);
    return sha256({"kernelwright machine", id ? std::string_view(id.value()) : std::string_view(), host}).substr(0, 32);
}

Result<void> writeSessionInfo(const SessionInfo& info)
{
    const Json json{{"format", format}, {"version", SessionInfo::version}, {"id", info.id}, {"model", info.model.string()},
        {"model_sha256", info.modelSha256}, {"created", info.created}, {"machine", info.machine}};
    return writeFileAtomically(info.folder / "session.json", dump(json, 2) + "\n");
}

Result<SessionInfo> readSessionInfo(const std::filesystem::path& folder)
{
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(folder, failed);
    if (!std::filesystem::exists(absolute / "session.json", failed))
        return Error{Message("session.not_a_session").with("folder", folder.string()), {}};
    KW_TRY(const std::string text, readFile(absolute / "session.json", largestInfo));
    const auto json = parseJson(text);
    if (!json || !json->is_object() || json->value("format", "") != format)
        return damaged("session.json");
    SessionInfo info;
    try {
        const auto theirs = json->at("version").get<std::int64_t>();
        if (theirs > SessionInfo::version)
            return Error{Message("session.newer_version").with("ours", SessionInfo::version).with("theirs", theirs), {}};
        info.id = json->at("id").get<std::string>();
        info.model = json->at("model").get<std::string>();
        info.modelSha256 = json->at("model_sha256").get<std::string>();
        info.created = json->at("created").get<double>();
        info.machine = json->at("machine").get<std::string>();
    } catch (const std::exception& wrong) {
        return damaged(wrong.what());
    }
    // The id becomes part of a socket's path.
    if (info.id.size() != 32 || info.id.find_first_not_of("0123456789abcdef") != std::string::npos)
        return damaged("id");
    info.folder = absolute;
    info.foreign = info.machine != thisMachine();
    return info;
}

} // namespace kw
