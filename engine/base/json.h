// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace kw {
/// The one JSON type of engine and worker. Include <nlohmann/json.hpp> only in .cpp files.
using Json = nlohmann::json;
} // namespace kw
