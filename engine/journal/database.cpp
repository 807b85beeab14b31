// SPDX-License-Identifier: GPL-3.0-or-later
#include "journal/database.h"

#include <sqlite3.h>

namespace kw {

namespace {

constexpr int busyMilliseconds = 5000;

Error failure(sqlite3* connection, int code)
{
    const std::string what = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
    const char* id = "journal.failed";
    switch (code & 0xff) {
    case SQLITE_FULL: id = "journal.disk_full"; break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: id = "journal.damaged"; break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: id = "journal.busy"; break;
    default: break;
    }
    return Error{Message(id).with("what", what), "sqlite " + std::to_string(code)};
}

/// A path as a URI: everything that SQLite would take for syntax is escaped.
std::string uriOf(const std::filesystem::path& file, const char* parameters)
{
    constexpr char digits[] = "0123456789ABCDEF";
    std::string uri = "file:";
    for (const char raw : std::filesystem::absolute(file).string()) {
        const auto byte = static_cast<unsigned char>(raw);
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9')
            || byte == '/' || byte == '.' || byte == '-' || byte == '_';
        if (plain)
            uri += raw;
        else
            (uri += '%').append({digits[byte >> 4], digits[byte & 15]});
    }
    return uri + parameters;
}

} // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

Statement& Statement::bind(int parameter, std::int64_t number)
{
    sqlite3_bind_int64(m_statement.get(), parameter + 1, number);
    return *this;
}

Statement& Statement::bind(int parameter, double number)
{
    sqlite3_bind_double(m_statement.get(), parameter + 1, number);
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view text)
{
    sqlite3_bind_text64(m_statement.get(), parameter + 1, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

Result<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    return failure(sqlite3_db_handle(m_statement.get()), code);
}

Result<void> Statement::run()
{
    for (;;) {
        const auto more = step();
        if (!more) {
            reset();
            return more.error();
        }
        if (!*more)
            break;
    }
    reset();
    return {};
}

void Statement::reset()
{
    sqlite3_reset(m_statement.get());
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const
{
    return sqlite3_column_double(m_statement.get(), column);
}

std::string Statement::text(int column) const
{
    const void* bytes = sqlite3_column_blob(m_statement.get(), column);
    const int size = sqlite3_column_bytes(m_statement.get(), column);
    return bytes ? std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size)) : std::string();
}

void Database::Close::operator()(sqlite3* connection) const
{
    sqlite3_close_v2(connection);
}

Result<Database> Database::open(const std::filesystem::path& file, Access access)
{
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE;
    flags |= access == Access::Write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    sqlite3* connection = nullptr;
    const std::string uri = file == ":memory:" ? ":memory:" : uriOf(file, access == Access::Immutable ? "?immutable=1" : "");
    const int code = sqlite3_open_v2(uri.c_str(), &connection, flags, nullptr);
    Database database;
    database.m_connection.reset(connection);
    if (code != SQLITE_OK)
        return failure(connection, code);
    sqlite3_busy_timeout(connection, busyMilliseconds);
    // A session folder may come from anywhere: nothing in its schema may run code, and no value is larger than any of ours.
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 256 << 20);
    return database;
}

Result<void> Database::run(const std::string& sql)
{
    const int code = sqlite3_exec(m_connection.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        return failure(m_connection.get(), code);
    return {};
}

Result<Statement> Database::prepare(const std::string& sql)
{
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(m_connection.get(), sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
    if (code != SQLITE_OK)
        return failure(m_connection.get(), code);
    return Statement(statement);
}

Result<std::string> Database::value(const std::string& sql)
{
    KW_TRY(Statement statement, prepare(sql));
    KW_TRY(const bool row, statement.step());
    return row ? statement.text(0) : std::string();
}

Result<std::int64_t> Database::integer(const std::string& sql)
{
    KW_TRY(Statement statement, prepare(sql));
    KW_TRY(const bool row, statement.step());
    return row ? statement.integer(0) : std::int64_t{0};
}

Result<void> Database::copyInto(Database& target)
{
    sqlite3_backup* backup = sqlite3_backup_init(target.m_connection.get(), "main", m_connection.get(), "main");
    if (!backup)
        return failure(target.m_connection.get(), sqlite3_errcode(target.m_connection.get()));
    sqlite3_backup_step(backup, -1);
    const int code = sqlite3_backup_finish(backup);
    if (code != SQLITE_OK)
        return failure(target.m_connection.get(), code);
    return {};
}

Result<Transaction> Transaction::begin(Database& database)
{
    KW_CHECK(database.run("BEGIN IMMEDIATE"));
    return Transaction(database);
}

Transaction::~Transaction()
{
    if (m_database)
        (void)m_database->run("ROLLBACK");
}

Result<void> Transaction::commit()
{
    KW_CHECK(m_database->run("COMMIT"));
    m_database = nullptr;
    return {};
}

} // namespace kw
