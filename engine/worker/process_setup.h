// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/unique_fd.h"

namespace kw {

/// Freed memory stays in the process instead of being unmapped and faulted in again. Call it before the first allocation
/// of the library. Returns false when the allocator does not know the switches.
bool keepFreedMemory();

/// The process cannot take all memory of the machine: a hostile model's allocation fails instead. Failures are ignored.
void boundMemory();

/// Takes standard input and output away from everybody else: the descriptors that come back carry frames; whatever is
/// printed from now on goes to the error stream.
struct StandardPipes {
    UniqueFd input, output;
};
StandardPipes takeStandardPipes();

/// Signals of a dead peer become errors, and no other process of the same user may look into this one.
void hardenProcess();

} // namespace kw
