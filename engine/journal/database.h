// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace kw {

/// One prepared statement. Parameters and columns count from 0. Belongs to its Database's thread.
class Statement {
public:
    Statement(Statement&&) noexcept = default;
    Statement& operator=(Statement&&) noexcept = default;

    Statement& bind(int parameter, std::int64_t number);
    Statement& bind(int parameter, double number);
    Statement& bind(int parameter, std::string_view text);

    /// True when a row is there, false at the end.
    Result<bool> step();
    /// Runs to the end and makes the statement ready for new parameters.
    Result<void> run();
    void reset();

    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const;

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    explicit Statement(sqlite3_stmt* statement) : m_statement(statement) {}
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

/// One SQLite connection. Used by one thread at a time.
/// Errors of all calls: "journal.failed" (what), "journal.damaged" (what), "journal.disk_full", "journal.busy".
class Database {
public:
    enum class Access : std::uint8_t {
        Write,     ///< creates the file when it is missing
        Read,      ///< beside a writer in another thread or process
        Immutable, ///< nobody writes, and nothing may be written beside the file
    };
    static Result<Database> open(const std::filesystem::path& file, Access access);

    Database(Database&&) noexcept = default;
    Database& operator=(Database&&) noexcept = default;

    /// One or more statements without parameters or results.
    Result<void> run(const std::string& sql);
    Result<Statement> prepare(const std::string& sql);
    /// The first column of the first row; an empty text when there is none.
    Result<std::string> value(const std::string& sql);
    Result<std::int64_t> integer(const std::string& sql);
    /// Replaces everything in `target` by what is here.
    Result<void> copyInto(Database& target);

private:
    struct Close {
        void operator()(sqlite3* connection) const;
    };
    Database() = default;
    std::unique_ptr<sqlite3, Close> m_connection;
};

/// Rolls back unless commit() was called.
class Transaction {
public:
    static Result<Transaction> begin(Database& database);
    ~Transaction();
    Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
    Transaction& operator=(Transaction&&) = delete;
    Result<void> commit();

private:
    explicit Transaction(Database& database) : m_database(&database) {}
    Database* m_database;
};

} // namespace kw
