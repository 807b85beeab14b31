// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/session_bridge.h"

#include <QString>

namespace kw {

/// Where sessions that the window creates are kept.
QString sessionsFolder();
/// Where the set-up script leaves the example models.
QString examplesFolder();
/// A folder for a new session on a model: its name and the time.
QString newSessionFolder(const QString& model);

bool looksLikeSession(const QString& path);
bool looksLikeModel(const QString& path);

// Openers run in the bridge's thread and may take as long as they need.

/// A new session on a model; profiling starts at once, experiments on the person's wish.
SessionBridge::Opener openModel(const QString& model, const QString& folder);
/// Attaches when a host runs on the folder, else becomes its host.
SessionBridge::Opener openSession(const QString& folder);
/// Only attaches.
SessionBridge::Opener attachSession(const QString& folder);
/// Starts a headless process that goes on with the session; false when it cannot be started.
bool continueHeadless(const QString& folder);

} // namespace kw
