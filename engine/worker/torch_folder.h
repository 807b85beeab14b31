// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kw {

/// The installed torch package that this process runs with: it has include/ and lib/.
std::filesystem::path torchFolder();

} // namespace kw
