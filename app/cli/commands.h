// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/context.h"

namespace kw::cli {

// One function per command; each returns the program's exit code.
int profileModelFile(const Options& options);  ///< MODEL: hot spots, advice, what there is to win
int optimize(const Options& options);          ///< MODEL --session: the whole main job, then apply
int resume(const Options& options);            ///< --session: the same for a session that is there
int status(const Options& options);
int problems(const Options& options);
int show(const Options& options);              ///< one experiment, with verdict and numbers
int difference(const Options& options);
int watch(const Options& options);             ///< progress of a session that another process runs
int steer(const Options& options, const char* what); ///< pause, step, stop, approve, reject, rollback, apply, evaluate
int exportTo(const Options& options);
int report(const Options& options);
int doctor(const Options& options);

} // namespace kw::cli
