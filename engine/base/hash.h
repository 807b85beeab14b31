// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// SHA-256 over several parts; lengths are hashed too, so ("ab","c") and ("a","bc") differ.
std::string sha256(const std::vector<std::string_view>& parts);

} // namespace kw
