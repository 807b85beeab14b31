// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/arena.h"

#include "base/defence.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace kw {
namespace {

constexpr std::uint64_t pageSize = 4096;
constexpr std::uint64_t frontCanary = 64;
constexpr std::byte canaryByte{0xA5};

std::uint64_t roundUp(std::uint64_t bytes) { return (bytes + pageSize - 1) / pageSize * pageSize; }

Error noMemory(std::uint64_t bytes, int number)
{
    return Error{Message("arena.no_memory").with("bytes", static_cast<std::int64_t>(bytes)).with("why", std::strerror(number)), {}};
}

Error badLayout(const char* what) { return Error{Message("arena.bad_layout").with("what", what), {}}; }

Result<void> checkLayout(const ArenaLayout& layout)
{
    if (layout.slots < 1 || layout.slots > ArenaLayout::maxSlots)
        return badLayout("slots");
    if (layout.buffers.empty() || layout.buffers.size() > ArenaLayout::maxBuffers)
        return badLayout("buffers");
    if (layout.slots * layout.buffers.size() > ArenaLayout::maxRegions)
        return badLayout("regions");
    for (const ArenaBuffer& buffer : layout.buffers) {
        if (!std::has_single_bit(buffer.alignment) || buffer.alignment > pageSize || buffer.offset >= buffer.alignment)
            return badLayout("alignment");
        if (buffer.bytes > std::uint64_t{1} << 40)
            return badLayout("bytes");
    }
    return {};
}

Result<UniqueFd> sharedFile(const char* name, std::uint64_t bytes)
{
    UniqueFd file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || ::ftruncate(file.get(), static_cast<off_t>(bytes)) != 0 ||
        ::fallocate(file.get(), 0, 0, static_cast<off_t>(bytes)) != 0)
        return noMemory(bytes, errno);
    return file;
}

Result<std::byte*> mapWhole(int file, std::uint64_t bytes)
{
    void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (address == MAP_FAILED)
        return noMemory(bytes, errno);
    return static_cast<std::byte*>(address);
}

void fillPattern(std::span<std::byte> bytes, Poison kind)
{
    if (kind != Poison::QuietNan) {
        std::memset(bytes.data(), kind == Poison::AllOnes ? 0xFF : 0x7F, bytes.size());
        return;
    }
    constexpr std::uint32_t pattern = 0x7FC0BEEFU;
    std::size_t done = 0;
    for (; done + sizeof pattern <= bytes.size(); done += sizeof pattern)
        std::memcpy(bytes.data() + done, &pattern, sizeof pattern);
    if (done < bytes.size())
        std::memcpy(bytes.data() + done, &pattern, bytes.size() - done);
}

std::byte patternByte(std::size_t index, Poison kind)
{
    if (kind != Poison::QuietNan)
        return kind == Poison::AllOnes ? std::byte{0xFF} : std::byte{0x7F};
    return static_cast<std::byte>(0x7FC0BEEFU >> (8 * (index % 4)));
}

bool allCanary(const std::byte* bytes, std::uint64_t count)
{
    return std::all_of(bytes, bytes + count, [](std::byte byte) { return byte == canaryByte; });
}

} // namespace

Result<ArenaPlan> planArena(const ArenaLayout& layout, std::uint64_t limitBytes)
{
    KW_CHECK(checkLayout(layout));
    ArenaPlan plan;
    plan.regions.reserve(layout.slots * layout.buffers.size());
    for (std::uint32_t slot = 0; slot < layout.slots; ++slot) {
        for (const ArenaBuffer& buffer : layout.buffers) {
            ArenaRegion region;
            const std::uint64_t gap = (0 - buffer.bytes - buffer.offset) & (buffer.alignment - 1);
            std::uint64_t& file = buffer.role == BufferRole::Input ? plan.inputBytes : plan.outputBytes;
            region.pageBytes = roundUp(frontCanary + buffer.bytes + gap);
            region.mapOffset = plan.mapBytes + pageSize;
            region.fileOffset = file;
            region.dataBytes = buffer.bytes;
            region.dataOffset = region.pageBytes - gap - buffer.bytes;
            file += region.pageBytes;
            plan.mapBytes = region.mapOffset + region.pageBytes;
            plan.regions.push_back(region);
        }
        if (plan.mapBytes > limitBytes)
            return Error{Message("arena.too_large").with("bytes", static_cast<std::int64_t>(plan.mapBytes))
                             .with("limit", static_cast<std::int64_t>(limitBytes)), {}};
    }
    plan.mapBytes += pageSize;
    return plan;
}

void UnmapArena::operator()(std::byte* address) const { ::munmap(address, bytes); }

Result<Arena> Arena::create(const ArenaLayout& layout, std::uint64_t limitBytes)
{
    Arena arena;
    KW_TRY(arena.m_plan, planArena(layout, limitBytes));
    arena.m_layout = layout;
    // A page at least, so that both files can always be mapped and passed on.
    const std::uint64_t inputBytes = std::max(arena.m_plan.inputBytes, pageSize);
    const std::uint64_t outputBytes = std::max(arena.m_plan.outputBytes, pageSize);
    KW_TRY(arena.m_inputFile, sharedFile("kw-inputs", inputBytes));
    KW_TRY(arena.m_outputFile, sharedFile("kw-outputs", outputBytes));
    KW_TRY(std::byte* inputs, mapWhole(arena.m_inputFile.get(), inputBytes));
    arena.m_inputs = Mapping(inputs, UnmapArena{inputBytes});
    KW_TRY(std::byte* outputs, mapWhole(arena.m_outputFile.get(), outputBytes));
    arena.m_outputs = Mapping(outputs, UnmapArena{outputBytes});
    // Without the size seals the runner could cut the file and our next access would end us with SIGBUS.
    constexpr int fixedSize = F_SEAL_SHRINK | F_SEAL_GROW;
    const int readOnly = standing(Defence::InputSeal) ? F_SEAL_FUTURE_WRITE : 0;
    if (::fcntl(arena.m_inputFile.get(), F_ADD_SEALS, fixedSize | readOnly | F_SEAL_SEAL) != 0 ||
        ::fcntl(arena.m_outputFile.get(), F_ADD_SEALS, fixedSize | F_SEAL_SEAL) != 0)
        return noMemory(inputBytes, errno);
    for (std::uint32_t slot = 0; slot < layout.slots; ++slot) {
        for (std::uint32_t buffer = 0; buffer < layout.buffers.size(); ++buffer) {
            if (layout.buffers[buffer].role == BufferRole::Input)
                arena.fillCanary(arena.m_plan.regions[slot * layout.buffers.size() + buffer], buffer);
        }
        arena.poison(slot, Poison::AllOnes);
    }
    return arena;
}

std::byte* Arena::regionStart(const ArenaRegion& region, std::uint32_t buffer) const
{
    const Mapping& mapping = m_layout.buffers[buffer].role == BufferRole::Input ? m_inputs : m_outputs;
    return mapping.get() + region.fileOffset;
}

void Arena::fillCanary(const ArenaRegion& region, std::uint32_t buffer)
{
    std::byte* start = regionStart(region, buffer);
    const std::uint64_t end = region.dataOffset + region.dataBytes;
    std::fill_n(start, region.dataOffset, canaryByte);
    std::fill_n(start + end, region.pageBytes - end, canaryByte);
}

std::span<std::byte> Arena::bytes(std::uint32_t slot, std::uint32_t buffer)
{
    const ArenaRegion& region = m_plan.regions.at(std::size_t{slot} * m_layout.buffers.size() + buffer);
    return {regionStart(region, buffer) + region.dataOffset, region.dataBytes};
}

std::span<const std::byte> Arena::bytes(std::uint32_t slot, std::uint32_t buffer) const
{
    const ArenaRegion& region = m_plan.regions.at(std::size_t{slot} * m_layout.buffers.size() + buffer);
    return {regionStart(region, buffer) + region.dataOffset, region.dataBytes};
}

void Arena::poison(std::uint32_t slot, Poison kind)
{
    for (std::uint32_t buffer = 0; buffer < m_layout.buffers.size(); ++buffer) {
        if (m_layout.buffers[buffer].role == BufferRole::Input)
            continue;
        fillCanary(m_plan.regions.at(std::size_t{slot} * m_layout.buffers.size() + buffer), buffer);
        if (standing(Defence::Poison))
            fillPattern(bytes(slot, buffer), kind);
    }
}

bool Arena::stillPoisoned(std::uint32_t slot, std::uint32_t buffer, Poison kind) const
{
    if (!standing(Defence::Poison))
        return false;
    const std::span<const std::byte> content = bytes(slot, buffer);
    for (std::size_t i = 0; i < content.size(); ++i) {
        if (content[i] != patternByte(i, kind))
            return false;
    }
    return !content.empty();
}

bool Arena::canaryIntact(std::uint32_t slot, std::uint32_t buffer) const
{
    const ArenaRegion& region = m_plan.regions.at(std::size_t{slot} * m_layout.buffers.size() + buffer);
    const std::byte* start = regionStart(region, buffer);
    const std::uint64_t end = region.dataOffset + region.dataBytes;
    return !standing(Defence::Canaries) || (allCanary(start, region.dataOffset) && allCanary(start + end, region.pageBytes - end));
}

Result<ArenaView> ArenaView::map(const ArenaLayout& layout, int inputFd, int outputFd)
{
    ArenaView view;
    KW_TRY(view.m_plan, planArena(layout));
    view.m_layout = layout;
    void* base = ::mmap(nullptr, view.m_plan.mapBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return noMemory(view.m_plan.mapBytes, errno);
    view.m_base = static_cast<std::byte*>(base);
    for (std::size_t i = 0; i < view.m_plan.regions.size(); ++i) {
        const ArenaRegion& region = view.m_plan.regions[i];
        const bool input = layout.buffers[i % layout.buffers.size()].role == BufferRole::Input;
        const int protection = input ? PROT_READ : PROT_READ | PROT_WRITE;
        if (::mmap(view.m_base + region.mapOffset, region.pageBytes, protection, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                input ? inputFd : outputFd, static_cast<off_t>(region.fileOffset)) == MAP_FAILED)
            return noMemory(region.pageBytes, errno);
    }
    return view;
}

} // namespace kw
