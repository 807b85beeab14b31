// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kw {

/// Looks for names in pickled bytes that only make sense to run code ("posix system", "builtins eval" ...). LibTorch's
/// unpickler calls nothing, but a file that carries them is no honest model. Finds them in plain and zipped (stored)
/// pickles; free of LibTorch. Returns the name that was found.
std::optional<std::string> codeInPickles(std::string_view bytes);

} // namespace kw
