// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/journal.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/json_io.h"
#include "base/network_folder.h"
#include "journal/schema.h"
#include "journal/words.h"

namespace kw {

namespace {

/// Larger files are checked in full only on request: opening 100,000 experiments takes at most a second.
constexpr std::uintmax_t fullCheckBytes = std::uintmax_t{16} << 20;

Error damaged(std::string what)
{
    return Error{Message("journal.damaged").with("what", std::move(what)), {}};
}

std::string jsonOf(const Message& message)
{
    return message.empty() ? std::string() : dump(Json(message));
}

std::string jsonOf(const std::optional<Approval>& approval)
{
    return approval ? dump(Json(*approval)) : std::string();
}

/// A read-only folder may hold a log that was not yet merged, which SQLite cannot read there: a copy elsewhere can be.
Result<Database> openUnmerged(const std::filesystem::path& file)
{
    const TemporaryFolder folder;
    std::error_code failed;
    for (const char* suffix : {"", "-wal"}) {
        const auto source = std::filesystem::path(file.string() + suffix);
        std::filesystem::copy_file(source, folder.path() / (std::string("journal") + suffix), failed);
        if (failed)
            return damaged(failed.message());
    }
    KW_TRY(Database merged, Database::open(folder.path() / "journal", Database::Access::Write));
    KW_TRY(Database memory, Database::open(":memory:", Database::Access::Write));
    KW_CHECK(merged.copyInto(memory));
    return memory;
}

Result<Database> openForReading(const std::filesystem::path& file)
{
    std::error_code failed;
    if (!std::filesystem::exists(file, failed))
        return Error{Message("journal.missing").with("path", file.string()), {}};
    auto database = Database::open(file, Database::Access::Read);
    if (database && database->integer("SELECT count(*) FROM sqlite_schema"))
        return database;
    const auto log = std::filesystem::file_size(file.string() + "-wal", failed);
    if (!failed && log > 0)
        return openUnmerged(file);
    return Database::open(file, Database::Access::Immutable);
}

} // namespace

Result<Journal> Journal::open(const std::filesystem::path& file, Mode mode)
{
    if (mode == Mode::ReadOnly) {
        KW_TRY(Database database, openForReading(file));
        Journal journal(std::move(database));
        KW_CHECK(journal.checkVersion());
        KW_CHECK(journal.checkNewest());
        return journal;
    }
    KW_TRY(Database database, Database::open(file, Database::Access::Write));
    // The write-ahead log needs shared memory, which network folders do not give.
    KW_CHECK(database.run(onNetwork(file.parent_path()) ? "PRAGMA journal_mode=DELETE" : "PRAGMA journal_mode=WAL"));
    KW_CHECK(database.run("PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA wal_autocheckpoint=1000"));
    Journal journal(std::move(database));
    KW_CHECK(journal.prepareSchema());
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(file, failed);
    KW_CHECK(!failed && bytes <= fullCheckBytes ? journal.checkAll() : journal.checkNewest());
    return journal;
}

Result<void> Journal::prepareSchema()
{
    KW_TRY(const std::int64_t tables, m_database.integer("SELECT count(*) FROM sqlite_schema"));
    if (tables > 0)
        return checkVersion();
    KW_TRY(Transaction transaction, Transaction::begin(m_database));
    KW_CHECK(m_database.run(journalSchema));
    KW_CHECK(m_database.run("INSERT INTO meta VALUES('version','" + std::to_string(version) + "')"));
    return transaction.commit();
}

Result<void> Journal::checkVersion()
{
    KW_TRY(const std::int64_t found, m_database.integer("SELECT CAST(value AS INTEGER) FROM meta WHERE name='version'"));
    if (found > version)
        return Error{Message("journal.newer_version").with("ours", version).with("theirs", found), {}};
    if (found < 1)
        return damaged("no version");
    return {};
}

Result<void> Journal::checkNewest()
{
    KW_TRY(const std::int64_t last, lastNumber());
    KW_TRY(const std::int64_t count, m_database.integer("SELECT count(*) FROM rows"));
    KW_TRY(const std::int64_t bodies, m_database.integer("SELECT count(*) FROM experiments"));
    if (count != last || bodies != last)
        return damaged("experiments are missing");
    return {};
}

Result<void> Journal::checkAll()
{
    auto answer = m_database.value("PRAGMA quick_check(1)");
    if (!answer)
        return answer.error();
    if (std::string_view(answer.value()) != "ok")
        return damaged(std::move(answer).value());
    return checkNewest();
}

Result<void> Journal::write(const JournalEntry& entry)
{
    KW_TRY(Transaction transaction, Transaction::begin(m_database));
    if (entry.experiment)
        KW_CHECK(insertExperiment(*entry.experiment, *entry.row));
    for (const DecisionRecord& record : entry.decisions)
        KW_CHECK(insertDecision(record));
    for (const CommitRecord& record : entry.commits)
        KW_CHECK(insertCommit(record));
    for (const auto& [name, json] : entry.documents)
        KW_CHECK(putDocument(name, json));
    return transaction.commit();
}

Result<void> Journal::insertExperiment(const Experiment& experiment, const ExperimentRow& row)
{
    const std::string source = sha256(experiment.candidate.source);
    Json json = experiment;
    json["candidate"]["source"] = "";
    const std::string body = dump(json);
    KW_TRY(Statement text, m_database.prepare("INSERT OR IGNORE INTO sources VALUES(?,?)"));
    KW_CHECK(text.bind(0, source).bind(1, experiment.candidate.source).run());
    KW_TRY(Statement full, m_database.prepare("INSERT INTO experiments VALUES(?,?,?,?)"));
    KW_CHECK(full.bind(0, experiment.number).bind(1, source).bind(2, body).bind(3, sha256({source, body})).run());
    KW_TRY(Statement light, m_database.prepare("INSERT INTO rows VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
    light.bind(0, row.number).bind(1, row.problem).bind(2, row.candidate).bind(3, row.parent);
    light.bind(4, nameOf(row.author.kind)).bind(5, row.author.name).bind(6, nameOf(row.failure)).bind(7, nameOf(row.failedStage));
    light.bind(8, jsonOf(row.hypothesis)).bind(9, row.ratio).bind(10, row.low).bind(11, row.high).bind(12, row.modelSpeedup);
    light.bind(13, row.seconds).bind(14, row.startTime).bind(15, nameOf(row.decision));
    light.bind(16, jsonOf(experiment.approval)).bind(17, row.commit);
    KW_CHECK(light.run());
    KW_TRY(Statement decision, m_database.prepare("INSERT INTO decisions(experiment,decision,approval,time) VALUES(?,?,?,?)"));
    decision.bind(0, row.number).bind(1, nameOf(row.decision)).bind(2, jsonOf(experiment.approval));
    return decision.bind(3, experiment.startTime + experiment.seconds).run();
}

Result<void> Journal::insertDecision(const DecisionRecord& record)
{
    KW_TRY(Statement statement, m_database.prepare("INSERT INTO decisions(experiment,decision,approval,time) VALUES(?,?,?,?)"));
    statement.bind(0, record.experiment).bind(1, nameOf(record.decision)).bind(2, jsonOf(record.approval)).bind(3, record.time);
    KW_CHECK(statement.run());
    KW_TRY(Statement row, m_database.prepare("UPDATE rows SET decision=?1, approval=CASE WHEN ?2='' THEN approval ELSE ?2 END,"
                                             " commit_id=CASE WHEN ?3='' THEN commit_id ELSE ?3 END WHERE number=?4"));
    row.bind(0, nameOf(record.decision)).bind(1, jsonOf(record.approval)).bind(2, record.commit).bind(3, record.experiment);
    return row.run();
}

Result<void> Journal::insertCommit(const CommitRecord& record)
{
    KW_TRY(Statement statement, m_database.prepare("INSERT INTO commits VALUES(?,?,?,?,?,?,?,?)"));
    statement.bind(0, record.sequence).bind(1, record.branch == CommitRecord::Branch::Main ? "main" : "attic");
    statement.bind(2, nameOf(record.decision)).bind(3, record.experiment).bind(4, record.problem);
    return statement.bind(5, record.comment).bind(6, record.time).bind(7, record.id).run();
}

Result<void> Journal::putProblems(const std::vector<Problem>& problems)
{
    KW_TRY(Transaction transaction, Transaction::begin(m_database));
    KW_CHECK(m_database.run("DELETE FROM problems"));
    KW_TRY(Statement statement, m_database.prepare("INSERT INTO problems VALUES(?,?,?)"));
    std::int64_t position = 0;
    for (const Problem& problem : problems)
        KW_CHECK(statement.bind(0, position++).bind(1, problem.id).bind(2, dump(Json(problem))).run());
    return transaction.commit();
}

Result<void> Journal::putDocument(const std::string& name, const std::string& json)
{
    KW_TRY(Statement statement, m_database.prepare("INSERT OR REPLACE INTO documents VALUES(?,?)"));
    return statement.bind(0, name).bind(1, json).run();
}

Result<void> Journal::log(const std::string& kind, const std::string& json, double time)
{
    KW_TRY(Statement statement, m_database.prepare("INSERT INTO events(time,kind,body) VALUES(?,?,?)"));
    return statement.bind(0, time).bind(1, kind).bind(2, json).run();
}

Result<void> Journal::replaceCommitIds(const std::vector<CommitRecord>& commits)
{
    KW_TRY(Transaction transaction, Transaction::begin(m_database));
    KW_TRY(Statement statement, m_database.prepare("UPDATE commits SET id=? WHERE sequence=?"));
    KW_TRY(Statement row, m_database.prepare("UPDATE rows SET commit_id=? WHERE number=?"));
    for (const CommitRecord& record : commits) {
        KW_CHECK(statement.bind(0, record.id).bind(1, record.sequence).run());
        if (record.decision != Decision::RolledBack)
            KW_CHECK(row.bind(0, record.id).bind(1, record.experiment).run());
    }
    return transaction.commit();
}

} // namespace kw
