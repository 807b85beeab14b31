// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kw {

/// The journal's tables. Rows are only added; the three last columns of `rows` repeat the newest row of `decisions`, so that
/// lists need no join.
inline constexpr const char* journalSchema = R"sql(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources(hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE rows(
  number INTEGER PRIMARY KEY, problem TEXT NOT NULL, candidate TEXT NOT NULL, parent TEXT NOT NULL,
  author_kind TEXT NOT NULL, author TEXT NOT NULL, failure TEXT NOT NULL, failed_stage TEXT NOT NULL,
  hypothesis TEXT NOT NULL, ratio REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL, model_speedup REAL NOT NULL,
  seconds REAL NOT NULL, start_time REAL NOT NULL, decision TEXT NOT NULL, approval TEXT NOT NULL, commit_id TEXT NOT NULL);
CREATE INDEX rows_by_candidate ON rows(candidate);
CREATE INDEX rows_by_problem ON rows(problem, number);
CREATE TABLE experiments(number INTEGER PRIMARY KEY, source TEXT NOT NULL, body TEXT NOT NULL, checksum TEXT NOT NULL);
CREATE TABLE decisions(
  sequence INTEGER PRIMARY KEY, experiment INTEGER NOT NULL, decision TEXT NOT NULL, approval TEXT NOT NULL, time REAL NOT NULL);
CREATE TABLE commits(
  sequence INTEGER PRIMARY KEY, branch TEXT NOT NULL, decision TEXT NOT NULL, experiment INTEGER NOT NULL,
  problem TEXT NOT NULL, comment TEXT NOT NULL, time REAL NOT NULL, id TEXT NOT NULL);
CREATE TABLE problems(position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
CREATE TABLE documents(name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE events(sequence INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
)sql";

} // namespace kw
