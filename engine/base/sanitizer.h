// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kw {

/// Whether this is an address- or thread-sanitizer build: its shadow takes terabytes of address space, so that limits on
/// memory cannot be set.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool shadowMemory = true;
#else
inline constexpr bool shadowMemory = false;
#endif

} // namespace kw
