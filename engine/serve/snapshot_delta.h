// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "record/snapshot.h"

#include <memory>

namespace kw {

/// Sends snapshots as differences: a session may hold a hundred thousand rows, of which one changes. One per connection.
class SnapshotEncoder {
public:
    Json encode(const std::shared_ptr<const Snapshot>& snapshot);

private:
    std::shared_ptr<const Snapshot> m_last;
};

/// The other end. Error "serve.malformed" (what) for a difference that does not fit to what came before.
class SnapshotDecoder {
public:
    Result<std::shared_ptr<const Snapshot>> decode(const Json& json);

private:
    std::shared_ptr<const Snapshot> m_last;
};

} // namespace kw
