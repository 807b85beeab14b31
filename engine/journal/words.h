// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "record/names.h"

#include <string_view>

namespace kw {

/// The enumeration's value that is stored as `word`; `last` is its last value. Error: "journal.damaged" (what).
template <typename Enum> Result<Enum> enumOf(std::string_view word, Enum last)
{
    for (int index = 0; index <= static_cast<int>(last); ++index) {
        if (nameOf(static_cast<Enum>(index)) == word)
            return static_cast<Enum>(index);
    }
    return Error{Message("journal.damaged").with("what", "unknown word " + std::string(word)), {}};
}

} // namespace kw
