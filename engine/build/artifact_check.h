// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/message.h"

#include <string>
#include <string_view>
#include <vector>

namespace kw {

/// What a candidate's object may not contain. Every finding is one message with the symbol, section or address.
/// Input is what compiler and linker made of untrusted text: sizes and offsets are checked. Free of threads.

/// The object before linking (where the toolchain has added nothing): undefined symbols outside the allow-list,
/// constructors, writable or thread-local data, indirect functions, data among code, executable stack.
std::vector<Message> checkObject(std::string_view object);

/// The linked library: libraries it needs, symbols it imports, start-up code, search paths, writable code, text relocations.
std::vector<Message> checkLibrary(std::string_view library);

/// The most findings that are told of one object.
inline constexpr std::size_t mostFindings = 20;
/// The disassembly by objdump -dw --no-show-raw-insn of the object: forbidden instructions, indirect branches,
/// branches into the middle of an instruction, segment registers, control-register writes.
std::vector<Message> checkInstructions(std::string_view disassembly);

/// The compiler's assembly text: inline assembly other than an empty template (a barrier).
std::vector<Message> checkAssembly(std::string_view assembly);

/// Whether a candidate may import the symbol.
bool symbolAllowed(std::string_view name);

} // namespace kw
