// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/guard_role.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace kw {

int runGuard(char** arguments)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    ::execvp(arguments[0], arguments);
    return errno == ENOENT ? 127 : 126;
}

} // namespace kw
