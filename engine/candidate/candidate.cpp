// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate/candidate.h"

#include "base/hash.h"
#include "base/json_io.h"

#include <array>
#include <stdexcept>
#include <string_view>

namespace kw {

namespace {

constexpr std::array<std::string_view, 5> authorKindNames{"search", "person", "language_model", "tool", "rule"};
constexpr std::array<std::string_view, 6> tierNames{
    "block_sizes", "memory_access", "compute", "advanced", "architecture", "operator_specific"};

template <typename Enum, std::size_t Count>
std::string nameOf(Enum value, const std::array<std::string_view, Count>& names)
{
    return std::string(names.at(static_cast<std::size_t>(value)));
}

template <typename Enum, std::size_t Count>
Enum namedValue(const Json& json, const std::array<std::string_view, Count>& names)
{
    const auto text = json.get<std::string>();
    for (std::size_t i = 0; i < Count; ++i) {
        if (names[i] == text)
            return static_cast<Enum>(i);
    }
    throw std::runtime_error("unknown name \"" + text + "\"");
}

} // namespace

std::string candidateId(const Candidate& candidate)
{
    return sha256(std::vector<std::string_view>{candidate.problem, candidate.backend, candidate.flags, candidate.source});
}

void to_json(Json& json, const Author& author)
{
    json = Json{{"kind", nameOf(author.kind, authorKindNames)}, {"name", author.name}};
}

void from_json(const Json& json, Author& author)
{
    author.kind = namedValue<AuthorKind>(json.at("kind"), authorKindNames);
    author.name = json.at("name").get<std::string>();
}

void to_json(Json& json, const Move& move)
{
    json = Json{{"choice", move.choice}, {"from", move.from}, {"to", move.to}, {"tier", nameOf(move.tier, tierNames)},
        {"expectedGain", move.expectedGain}, {"reason", move.reason}};
}

void from_json(const Json& json, Move& move)
{
    move.choice = json.at("choice").get<std::string>();
    move.from = json.at("from").get<std::string>();
    move.to = json.at("to").get<std::string>();
    move.tier = namedValue<Tier>(json.at("tier"), tierNames);
    move.expectedGain = json.at("expectedGain").get<double>();
    move.reason = json.at("reason").get<Message>();
}

void to_json(Json& json, const Candidate& candidate)
{
    json = Json{{"id", candidate.id}, {"problem", candidate.problem}, {"backend", candidate.backend},
        {"flags", candidate.flags}, {"source", candidate.source}, {"author", candidate.author},
        {"hypothesis", candidate.hypothesis}, {"schedule", candidate.schedule}, {"moves", candidate.moves},
        {"predictedSeconds", candidate.predictedSeconds}};
    writeOptional(json, "parent", candidate.parent);
}

void from_json(const Json& json, Candidate& candidate)
{
    candidate.id = json.at("id").get<std::string>();
    candidate.problem = json.at("problem").get<std::string>();
    candidate.backend = json.at("backend").get<std::string>();
    candidate.flags = json.at("flags").get<std::string>();
    candidate.source = json.at("source").get<std::string>();
    readOptional(json, "parent", candidate.parent);
    candidate.author = json.at("author").get<Author>();
    candidate.hypothesis = json.at("hypothesis").get<Message>();
    candidate.schedule = json.at("schedule").get<std::string>();
    candidate.moves = json.at("moves").get<std::vector<Move>>();
    candidate.predictedSeconds = json.at("predictedSeconds").get<double>();
}

} // namespace kw
