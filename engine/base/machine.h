// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kw {

/// The processor family as uname gives it: "x86_64", "aarch64".
std::string machineArchitecture();
/// The calling process, as a part of names of temporary files.
std::string processIdText();

} // namespace kw
