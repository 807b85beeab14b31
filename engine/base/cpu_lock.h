// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <stop_token>

namespace kw {

/// The machine's CPU as a device that one measurement holds at a time: a file lock, so it ends with its process.
/// Whoever times a block holds it alone; builds and verification hold it shared, so they stand still meanwhile.
class CpuLock {
public:
    enum class Mode : std::uint8_t { Shared, Alone };
    /// Waits. Errors: "judge.stopped", "lock.no_folder" (path, why), "lock.failed" (path, why).
    static Result<CpuLock> acquire(Mode mode, std::stop_token stop = {});

private:
    explicit CpuLock(UniqueFd file) : m_file(std::move(file)) {}
    UniqueFd m_file;
};

} // namespace kw
