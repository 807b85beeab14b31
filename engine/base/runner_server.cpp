// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/runner_server.h"

#include "base/runner_wire.h"
#include "base/unique_fd.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <ctime>

namespace kw {

/// The mapped pages. Plain memory of the runner: a candidate can spoil it, and then only its own verdict.
struct RunnerServer::State {
    UniqueFd control;
    const wire::CommandPage* command = nullptr;
    wire::ReplyPage* reply = nullptr;
    ArenaView arena;
    std::vector<std::int64_t> dimensions;
    std::vector<std::uint32_t> zeroed;     ///< buffers to clear before each call
};

namespace {

constexpr double armedSeconds = 2;

Error noChannel(const char* why) { return Error{Message("runner.no_channel").with("why", why), {}}; }

double now()
{
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::uint32_t controlWord()
{
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr();
#else
    return 0;
#endif
}

void* mapPage(int file, std::size_t bytes, int protection)
{
    struct stat status {};
    if (::fstat(file, &status) != 0 || status.st_size < static_cast<off_t>(bytes))
        return nullptr;
    void* address = ::mmap(nullptr, bytes, protection, MAP_SHARED | MAP_POPULATE, file, 0);
    return address == MAP_FAILED ? nullptr : address;
}

Result<ArenaLayout> layoutOf(const wire::CommandPage& page)
{
    if (page.magic != wire::commandMagic)
        return noChannel("version");
    if (page.buffers > ArenaLayout::maxBuffers || page.dimensions > wire::maxDimensions)
        return noChannel("layout");
    ArenaLayout layout;
    layout.slots = page.slots;
    for (std::uint32_t i = 0; i < page.buffers; ++i) {
        const wire::WireBuffer& from = page.buffer[i];
        layout.buffers.push_back({from.bytes, from.alignment, from.offset, static_cast<BufferRole>(from.role), from.zeroed != 0});
    }
    return layout;
}

bool send(const UniqueFd& control, const wire::Packet& packet)
{
    ssize_t sent = -1;
    do {
        sent = ::send(control.get(), &packet, sizeof packet, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == sizeof packet;
}

/// Spins until the judge publishes the batch; false when it did not within `armedSeconds`.
bool waitForGo(const wire::CommandPage& command, std::uint32_t sequence)
{
    const double end = now() + armedSeconds;
    for (std::uint32_t turns = 0; command.go.load(std::memory_order_acquire) != sequence; ++turns) {
        wire::relax();
        if (turns % 4096 == 4095 && now() > end)
            return false;
    }
    return true;
}

} // namespace

RunnerServer::RunnerServer(std::unique_ptr<State> state) : m_state(std::move(state)) {}
RunnerServer::~RunnerServer() = default;
RunnerServer::RunnerServer(RunnerServer&&) noexcept = default;

Result<RunnerServer> RunnerServer::open(const RunnerFds& descriptors)
{
    auto state = std::make_unique<State>();
    state->control.reset(descriptors.control);
    const UniqueFd command(descriptors.command), reply(descriptors.reply), inputs(descriptors.inputs), outputs(descriptors.outputs);
    state->command = static_cast<const wire::CommandPage*>(mapPage(command.get(), sizeof(wire::CommandPage), PROT_READ));
    state->reply = static_cast<wire::ReplyPage*>(mapPage(reply.get(), sizeof(wire::ReplyPage), PROT_READ | PROT_WRITE));
    if (!state->command || !state->reply)
        return noChannel(std::strerror(errno));
    KW_TRY(const ArenaLayout layout, layoutOf(*state->command));
    KW_TRY(state->arena, ArenaView::map(layout, inputs.get(), outputs.get()));
    state->dimensions.assign(state->command->dimension, state->command->dimension + state->command->dimensions);
    for (std::uint32_t i = 0; i < layout.buffers.size(); ++i) {
        if (layout.buffers[i].zeroed && layout.buffers[i].role != BufferRole::Input)
            state->zeroed.push_back(i);
    }
    return RunnerServer(std::move(state));
}

const ArenaView& RunnerServer::arena() const { return m_state->arena; }
const std::vector<std::int64_t>& RunnerServer::dimensions() const { return m_state->dimensions; }

bool RunnerServer::ready()
{
    wire::Packet packet;
    packet.kind = wire::Packet::Ready;
    packet.mxcsr = controlWord();
    packet.nonce = m_state->command->setupNonce;
    return send(m_state->control, packet);
}

void RunnerServer::refuse(const char* why)
{
    wire::Packet packet;
    packet.kind = wire::Packet::Refused;
    packet.nonce = m_state->command->setupNonce;
    std::strncpy(packet.text, why, sizeof packet.text - 1);
    send(m_state->control, packet);
}

int RunnerServer::serve(Function function, void* context)
{
    const wire::CommandPage& command = *m_state->command;
    for (;;) {
        wire::Packet packet;
        const ssize_t got = ::recv(m_state->control.get(), &packet, sizeof packet, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            return 0;
        if (got != sizeof packet || packet.kind != wire::Packet::Arm)
            return 1;
        m_state->reply->armed.store(packet.sequence, std::memory_order_release);
        if (!waitForGo(command, packet.sequence))
            return 1;
        const double start = now();
        const std::uint32_t count = std::min(command.count, wire::maxCalls);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t slot = command.order[i] % m_state->arena.layout().slots;
            for (const std::uint32_t buffer : m_state->zeroed)
                std::memset(m_state->arena.address(slot, buffer), 0, m_state->arena.layout().buffers[buffer].bytes);
            function(context, slot);
        }
        packet.seconds = now() - start;
        packet.kind = wire::Packet::Reply;
        packet.nonce = command.nonce;
        packet.mxcsr = controlWord();
        if (!send(m_state->control, packet))
            return 1;
    }
}

} // namespace kw
