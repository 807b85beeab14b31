// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/arena.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace kw::wire {

/// The wire between the judge and a runner. One batch: the judge sends Arm on the control socket; the runner wakes,
/// says so in ReplyPage::armed and spins on CommandPage::go; the judge starts its clock, writes patches, order and
/// nonce, then `go`; the runner calls, sends a Reply packet and sleeps in recv. Inside the clock lie one cache-line
/// transfer and one packet: a few microseconds, which an empty batch measures.
inline constexpr std::uint64_t commandMagic = 0x4B57'434D'4400'0002; ///< changes with the layout of the pages
inline constexpr std::uint32_t maxCalls = 65536;
inline constexpr std::uint32_t maxDimensions = 256;

/// MXCSR as every process begins: exceptions masked, round to nearest, denormals kept. Its lowest six bits only report.
#if defined(__x86_64__)
inline constexpr std::uint32_t controlWord = 0x1F80, controlMask = 0xFFC0;
#else
inline constexpr std::uint32_t controlWord = 0, controlMask = 0;
#endif

struct WireBuffer {
    std::uint64_t bytes;
    std::uint32_t alignment, offset;
    std::uint8_t role, zeroed;
};

/// Written by the judge only; the runner can never map it writable (sealed).
struct CommandPage {
    std::uint64_t magic;
    std::uint64_t setupNonce;              ///< answered by the Ready packet
    std::uint32_t slots, buffers, dimensions;
    WireBuffer buffer[ArenaLayout::maxBuffers];
    std::int64_t dimension[maxDimensions];
    alignas(64) std::atomic<std::uint32_t> go;      ///< sequence number of the batch whose order stands below
    alignas(64) std::uint64_t nonce;                ///< answered by the Reply packet
    std::uint32_t count;
    std::uint32_t order[maxCalls];
};

/// Written by the runner, before the clock starts; nothing in it decides anything.
struct ReplyPage {
    alignas(64) std::atomic<std::uint32_t> armed;
};

struct Packet {
    enum Kind : std::uint32_t { Ready = 1, Refused, Arm, Reply };
    std::uint32_t kind = 0;
    std::uint32_t sequence = 0;
    std::uint64_t nonce = 0;
    double seconds = 0;                    ///< Reply: the runner's own clock, a diagnostic
    std::uint32_t mxcsr = 0;
    char text[236] = {};                   ///< Refused: why, cut
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Eases the sibling hyper-thread and saves power while spinning.
inline void relax()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace kw::wire
