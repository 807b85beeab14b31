// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/snapshot.h"

#include <memory>
#include <vector>

namespace kw {

// The shared lists of snapshots, as views hold them. Never changed once published; null only before the first one.
using ReportPointer = std::shared_ptr<const ProfileReport>;
using ProblemRows = std::shared_ptr<const std::vector<ProblemRow>>;
using ExperimentRows = std::shared_ptr<const std::vector<ExperimentRow>>;

} // namespace kw
