// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"
#include "base/unique_fd.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kw {

enum class BufferRole : std::uint8_t { Input, Output, Workspace };

/// One tensor (or workspace) of every slot.
struct ArenaBuffer {
    std::uint64_t bytes = 0;
    std::uint32_t alignment = 64;      ///< a power of two up to 4096
    std::uint32_t offset = 0;          ///< address = offset (mod alignment): for misaligned cases; < alignment
    BufferRole role = BufferRole::Input;
    bool zeroed = false;               ///< the runner clears it before each call, inside the timed window
    friend bool operator==(const ArenaBuffer&, const ArenaBuffer&) = default;
};

/// A ring of slots; each slot has every buffer. Order: inputs, outputs, workspaces, in signature order.
struct ArenaLayout {
    std::vector<ArenaBuffer> buffers;
    std::uint32_t slots = 1;
    friend bool operator==(const ArenaLayout&, const ArenaLayout&) = default;

    static constexpr std::uint32_t maxBuffers = 256, maxSlots = 4096, maxRegions = 16384;
};

/// Where a buffer of a slot lies. Offsets are into the mapping (guard pages included) and into the shared file.
struct ArenaRegion {
    std::uint64_t mapOffset = 0;       ///< start of the data pages in the mapping
    std::uint64_t fileOffset = 0;      ///< start of the data pages in the file of its kind (inputs or outputs)
    std::uint64_t pageBytes = 0;       ///< whole pages
    std::uint64_t dataOffset = 0;      ///< start of the tensor within the data pages; before it and behind it: canaries
    std::uint64_t dataBytes = 0;
};

/// Deterministic placement, computed by both sides. Each tensor ends against a PROT_NONE page: less than `alignment`
/// canary bytes lie between its end and the guard; at least 64 canary bytes lie before it.
struct ArenaPlan {
    std::vector<ArenaRegion> regions;  ///< slot-major: regions[slot * buffers + buffer]
    std::uint64_t mapBytes = 0, inputBytes = 0, outputBytes = 0;
};
/// Errors: "arena.too_large" (bytes, limit), "arena.bad_layout" (what).
Result<ArenaPlan> planArena(const ArenaLayout& layout, std::uint64_t limitBytes = std::uint64_t{64} << 30);

/// What untouched outputs and workspaces hold before a call. Each reads as something no kernel computes by accident.
enum class Poison : std::uint8_t {
    AllOnes,   ///< 0xFF...: NaN in every float format, -1 in integers, "true" in bools
    QuietNan,  ///< 0x7FC0BEEF per 4 bytes
    Huge,      ///< 0x7F7F...: 3.4e38 as float, 1.4e306 as double
};
inline constexpr Poison everyPoison[] = {Poison::AllOnes, Poison::QuietNan, Poison::Huge};

/// Deleter of a mapping.
struct UnmapArena {
    std::size_t bytes = 0;
    void operator()(std::byte* address) const;
};

/// Shared memory between the judge and one runner: inputs in a file that only the judge can write (sealed
/// F_SEAL_FUTURE_WRITE, so the runner can never map it writable), outputs and workspaces in another.
/// The judge's side. Not thread-safe; movable.
class Arena {
public:
    /// Every canary is set, every output and workspace poisoned with AllOnes, inputs zero. All pages are touched.
    /// Errors: planArena's, "arena.no_memory" (bytes, why).
    static Result<Arena> create(const ArenaLayout& layout, std::uint64_t limitBytes = std::uint64_t{64} << 30);

    const ArenaLayout& layout() const { return m_layout; }
    std::uint32_t slots() const { return m_layout.slots; }

    /// The tensor's bytes. Inputs may be rewritten between calls.
    std::span<std::byte> bytes(std::uint32_t slot, std::uint32_t buffer);
    std::span<const std::byte> bytes(std::uint32_t slot, std::uint32_t buffer) const;

    /// Fills outputs and workspaces of the slot and restores the canaries around them.
    void poison(std::uint32_t slot, Poison kind);
    /// True when the whole buffer still holds that poison (nothing was written). False for an empty buffer.
    bool stillPoisoned(std::uint32_t slot, std::uint32_t buffer, Poison kind) const;
    /// True when the bytes before and behind the tensor are as poison() or create() left them.
    bool canaryIntact(std::uint32_t slot, std::uint32_t buffer) const;

    int inputFd() const { return m_inputFile.get(); }
    int outputFd() const { return m_outputFile.get(); }

private:
    using Mapping = std::unique_ptr<std::byte, UnmapArena>;

    Arena() = default;
    std::byte* regionStart(const ArenaRegion& region, std::uint32_t buffer) const;
    void fillCanary(const ArenaRegion& region, std::uint32_t buffer);

    ArenaLayout m_layout;
    ArenaPlan m_plan;
    UniqueFd m_inputFile, m_outputFile;
    Mapping m_inputs, m_outputs;
};

/// The runner's side: the same placement with guard pages, inputs read-only, everything faulted in.
class ArenaView {
public:
    /// Errors: "arena.bad_layout" (what), "arena.no_memory" (bytes, why).
    static Result<ArenaView> map(const ArenaLayout& layout, int inputFd, int outputFd);
    /// Start of the tensor; valid as long as the view lives.
    void* address(std::uint32_t slot, std::uint32_t buffer) const
    {
        const ArenaRegion& region = m_plan.regions[std::size_t{slot} * m_layout.buffers.size() + buffer];
        return m_base + region.mapOffset + region.dataOffset;
    }
    const ArenaLayout& layout() const { return m_layout; }

private:
    ArenaLayout m_layout;
    ArenaPlan m_plan;
    std::byte* m_base = nullptr;       ///< never unmapped: the runner ends with its arena
};

} // namespace kw
