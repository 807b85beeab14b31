// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kw::cli {

/// Parses the command line and runs the command. Returns an ExitCode.
int runProgram(int argc, char** argv);

/// "90", "90s", "3m", "1h30m" as seconds; negative when it is none of these.
double secondsOf(const char* text);

} // namespace kw::cli
