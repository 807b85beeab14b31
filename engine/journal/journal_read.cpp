// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/hash.h"
#include "base/json_io.h"
#include "journal/journal.h"
#include "journal/words.h"

#include <unordered_map>

namespace kw {

namespace {

Error missing(const char* id, const char* argument, const std::string& value)
{
    return Error{Message(id).with(argument, value), {}};
}

/// Most rows repeat a few hypotheses.
class MessageCache {
public:
    Result<Message> read(const std::string& json)
    {
        if (json.empty())
            return Message();
        if (const auto found = m_known.find(json); found != m_known.end())
            return found->second;
        KW_TRY(Message message, parseAs<Message>(json));
        m_known.emplace(json, message);
        return message;
    }

private:
    std::unordered_map<std::string, Message> m_known;
};

Result<ExperimentRow> readRow(const Statement& row, MessageCache& messages)
{
    ExperimentRow result;
    result.number = row.integer(0);
    result.problem = row.text(1);
    result.candidate = row.text(2);
    result.parent = row.text(3);
    KW_TRY(result.author.kind, enumOf(row.text(4), AuthorKind::Rule));
    result.author.name = row.text(5);
    KW_TRY(result.failure, enumOf(row.text(6), FailureKind::Harness));
    KW_TRY(result.failedStage, enumOf(row.text(7), Stage::Timing));
    KW_TRY(result.hypothesis, messages.read(row.text(8)));
    result.ratio = row.real(9);
    result.low = row.real(10);
    result.high = row.real(11);
    result.modelSpeedup = row.real(12);
    result.seconds = row.real(13);
    result.startTime = row.real(14);
    KW_TRY(result.decision, enumOf(row.text(15), lastDecision));
    result.commit = row.text(16);
    return result;
}

} // namespace

Result<std::int64_t> Journal::lastNumber()
{
    return m_database.integer("SELECT coalesce(max(number),0) FROM rows");
}

Result<std::int64_t> Journal::lastCommitSequence()
{
    return m_database.integer("SELECT coalesce(max(sequence),0) FROM commits");
}

Result<std::vector<ExperimentRow>> Journal::rows()
{
    KW_TRY(Statement statement,
        m_database.prepare("SELECT number,problem,candidate,parent,author_kind,author,failure,failed_stage,hypothesis,ratio,low,"
                           "high,model_speedup,seconds,start_time,decision,commit_id FROM rows ORDER BY number"));
    std::vector<ExperimentRow> rows;
    MessageCache messages;
    for (;;) {
        KW_TRY(const bool more, statement.step());
        if (!more)
            return rows;
        KW_TRY(ExperimentRow row, readRow(statement, messages));
        rows.push_back(std::move(row));
    }
}

Result<Experiment> Journal::experiment(std::int64_t number)
{
    KW_TRY(Statement statement,
        m_database.prepare("SELECT body,source,text,checksum,decision,approval,commit_id FROM experiments"
                           " JOIN rows USING(number) LEFT JOIN sources ON hash=source WHERE number=?"));
    statement.bind(0, number);
    KW_TRY(const bool found, statement.step());
    if (!found)
        return Error{Message("journal.no_experiment").with("number", number), {}};
    const std::string body = statement.text(0), source = statement.text(1), text = statement.text(2);
    if (sha256({source, body}) != statement.text(3) || sha256(text) != source)
        return Error{Message("journal.record_changed").with("number", number), {}};
    KW_TRY(Experiment experiment, parseAs<Experiment>(body));
    experiment.candidate.source = text;
    KW_TRY(experiment.decision, enumOf(statement.text(4), lastDecision));
    if (const std::string approval = statement.text(5); !approval.empty()) {
        KW_TRY(experiment.approval, parseAs<Approval>(approval));
    }
    experiment.commit = statement.text(6);
    return experiment;
}

Result<std::int64_t> Journal::experimentOf(const std::string& candidate)
{
    KW_TRY(Statement statement, m_database.prepare("SELECT coalesce(max(number),0) FROM rows WHERE candidate=?"));
    KW_TRY(const bool found, statement.bind(0, candidate).step());
    return found ? statement.integer(0) : std::int64_t{0};
}

Result<std::vector<std::int64_t>> Journal::numbersOf(const std::string& problem, std::int64_t after)
{
    KW_TRY(Statement statement, m_database.prepare("SELECT number FROM rows WHERE problem=? AND number>? ORDER BY number"));
    statement.bind(0, problem).bind(1, after);
    std::vector<std::int64_t> numbers;
    for (;;) {
        KW_TRY(const bool more, statement.step());
        if (!more)
            return numbers;
        numbers.push_back(statement.integer(0));
    }
}

Result<Decision> Journal::decision(std::int64_t number)
{
    KW_TRY(Statement statement, m_database.prepare("SELECT decision FROM rows WHERE number=?"));
    KW_TRY(const bool found, statement.bind(0, number).step());
    if (!found)
        return Error{Message("journal.no_experiment").with("number", number), {}};
    return enumOf(statement.text(0), lastDecision);
}

Result<Candidate> Journal::candidate(const std::string& id)
{
    KW_TRY(const std::int64_t number, experimentOf(id));
    if (number == 0)
        return missing("journal.no_candidate", "candidate", id);
    KW_TRY(Experiment found, experiment(number));
    return std::move(found.candidate);
}

Result<std::vector<Problem>> Journal::problems()
{
    KW_TRY(Statement statement, m_database.prepare("SELECT body FROM problems ORDER BY position"));
    std::vector<Problem> problems;
    for (;;) {
        KW_TRY(const bool more, statement.step());
        if (!more)
            return problems;
        KW_TRY(Problem problem, parseAs<Problem>(statement.text(0)));
        problems.push_back(std::move(problem));
    }
}

Result<Problem> Journal::problem(const std::string& id)
{
    KW_TRY(Statement statement, m_database.prepare("SELECT body FROM problems WHERE id=?"));
    KW_TRY(const bool found, statement.bind(0, id).step());
    if (!found)
        return missing("journal.no_problem", "problem", id);
    return parseAs<Problem>(statement.text(0));
}

Result<std::optional<std::string>> Journal::document(const std::string& name)
{
    KW_TRY(Statement statement, m_database.prepare("SELECT body FROM documents WHERE name=?"));
    KW_TRY(const bool found, statement.bind(0, name).step());
    return found ? std::optional<std::string>(statement.text(0)) : std::nullopt;
}

Result<std::vector<CommitRecord>> Journal::commits()
{
    KW_TRY(Statement statement,
        m_database.prepare("SELECT sequence,branch,decision,experiment,problem,comment,time,id FROM commits ORDER BY sequence"));
    std::vector<CommitRecord> commits;
    for (;;) {
        KW_TRY(const bool more, statement.step());
        if (!more)
            return commits;
        CommitRecord record;
        record.sequence = statement.integer(0);
        record.branch = statement.text(1) == "main" ? CommitRecord::Branch::Main : CommitRecord::Branch::Attic;
        KW_TRY(record.decision, enumOf(statement.text(2), lastDecision));
        record.experiment = statement.integer(3);
        record.problem = statement.text(4);
        record.comment = statement.text(5);
        record.time = statement.real(6);
        record.id = statement.text(7);
        commits.push_back(std::move(record));
    }
}

Result<std::vector<JournalEvent>> Journal::events(std::int64_t after, std::int64_t limit)
{
    KW_TRY(Statement statement, m_database.prepare("SELECT sequence,time,kind,body FROM events WHERE sequence>? ORDER BY sequence LIMIT ?"));
    statement.bind(0, after).bind(1, limit);
    std::vector<JournalEvent> events;
    for (;;) {
        KW_TRY(const bool more, statement.step());
        if (!more)
            return events;
        events.push_back({statement.integer(0), statement.real(1), statement.text(2), statement.text(3)});
    }
}

} // namespace kw
