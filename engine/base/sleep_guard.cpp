// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/sleep_guard.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace kw {

void SleepGuard::hold()
{
    if (m_asked)
        return;
    m_asked = true; // a machine that has no such service is not asked again and again
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return;
    const UniqueFd theirs(ends[0]);
    m_line = UniqueFd(ends[1]);
    SubprocessOptions options;
    options.program = "systemd-inhibit";
    options.arguments = {"--what=sleep:idle", "--who=Kernelwright", "--why=Kernels are being searched", "--mode=block", "cat"};
    options.streams.in = theirs.get();
    if (auto started = Subprocess::start(options))
        m_helper.emplace(*std::move(started));
}

void SleepGuard::release()
{
    m_line = UniqueFd();
    if (m_helper)
        (void)m_helper->waitFor(1); // what does not end by itself is killed
    m_helper.reset();
    m_asked = false;
}

bool SleepGuard::held()
{
    return m_helper && !m_helper->waitFor(0).ended();
}

} // namespace kw
