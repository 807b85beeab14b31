// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/runner_channel.h"

#include "base/random.h"
#include "base/runner_server.h"
#include "base/sandbox/fd_message.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kw {
namespace {

Error noChannel(int number) { return Error{Message("runner.no_channel").with("why", std::strerror(number)), {}}; }

/// A shared file of fixed size, mapped; `oursOnly` keeps everybody else from ever mapping it writable.
template <typename Page> Result<Page*> makePage(UniqueFd& file, const char* name, bool oursOnly)
{
    file.reset(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || ::ftruncate(file.get(), sizeof(Page)) != 0)
        return noChannel(errno);
    void* address = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file.get(), 0);
    if (address == MAP_FAILED)
        return noChannel(errno);
    if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (oursOnly ? F_SEAL_FUTURE_WRITE : 0)) != 0) {
        const int number = errno;
        ::munmap(address, sizeof(Page));
        return noChannel(number);
    }
    return static_cast<Page*>(address);
}

} // namespace

RunnerChannel::State::~State()
{
    if (command)
        ::munmap(command, sizeof *command);
    if (reply)
        ::munmap(reply, sizeof *reply);
}

RunnerChannel::RunnerChannel(std::unique_ptr<State> state) : m_state(std::move(state)) {}
RunnerChannel::~RunnerChannel() = default;
RunnerChannel::RunnerChannel(RunnerChannel&&) noexcept = default;
RunnerChannel& RunnerChannel::operator=(RunnerChannel&&) noexcept = default;

Result<RunnerChannel> RunnerChannel::create(const Arena& arena, const std::vector<std::int64_t>& dimensions)
{
    const ArenaLayout& layout = arena.layout();
    const auto isWorkspace = [](const ArenaBuffer& buffer) { return buffer.role == BufferRole::Workspace; };
    if (dimensions.size() > wire::maxDimensions)
        return Error{Message("arena.bad_layout").with("what", "dimensions"), {}};
    if (!std::is_partitioned(layout.buffers.rbegin(), layout.buffers.rend(), isWorkspace))
        return Error{Message("arena.bad_layout").with("what", "order"), {}};
    auto state = std::make_unique<State>();
    if (!wire::makeSocketPair(state->control, state->remoteControl))
        return noChannel(errno);
    KW_TRY(state->command, makePage<wire::CommandPage>(state->commandFile, "kw-command", true));
    KW_TRY(state->reply, makePage<wire::ReplyPage>(state->replyFile, "kw-reply", false));
    wire::CommandPage& command = *state->command;
    command.magic = wire::commandMagic;
    command.setupNonce = secretSeed();
    command.slots = layout.slots;
    command.buffers = static_cast<std::uint32_t>(layout.buffers.size());
    command.dimensions = static_cast<std::uint32_t>(dimensions.size());
    for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
        const ArenaBuffer& from = layout.buffers[i];
        command.buffer[i] = {from.bytes, from.alignment, from.offset, static_cast<std::uint8_t>(from.role), from.zeroed};
    }
    std::copy(dimensions.begin(), dimensions.end(), command.dimension);
    state->inputs = arena.inputFd();
    state->outputs = arena.outputFd();
    return RunnerChannel(std::move(state));
}

std::vector<PassedFd> RunnerChannel::remoteFds() const
{
    const RunnerFds numbers;
    return {{m_state->remoteControl.get(), numbers.control}, {m_state->commandFile.get(), numbers.command},
        {m_state->replyFile.get(), numbers.reply}, {m_state->inputs, numbers.inputs}, {m_state->outputs, numbers.outputs}};
}

} // namespace kw
