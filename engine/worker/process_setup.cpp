// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/process_setup.h"

#include "base/sanitizer.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace kw {

bool keepFreedMemory()
{
    // One heap that never shrinks.
    constexpr int gigabyte = 1 << 30, padding = 64 << 20;
    return ::mallopt(M_MMAP_THRESHOLD, gigabyte) == 1 && ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()) == 1
        && ::mallopt(M_TOP_PAD, padding) == 1;
}

void boundMemory()
{
    if (shadowMemory)
        return;
    const auto pages = ::sysconf(_SC_PHYS_PAGES), pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0)
        return;
    const std::uint64_t physical = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageBytes);
    // Private writable memory, which is what models allocate; the libraries' read-only mappings do not count.
    rlimit limit{};
    if (::getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, std::max<std::uint64_t>(physical / 4 * 3, std::uint64_t{2} << 30));
    ::setrlimit(RLIMIT_DATA, &limit);
    rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
}

StandardPipes takeStandardPipes()
{
    StandardPipes pipes{UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10)), UniqueFd(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10))};
    const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing)
        ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    return pipes;
}

void hardenProcess()
{
    ::signal(SIGPIPE, SIG_IGN);
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

} // namespace kw
