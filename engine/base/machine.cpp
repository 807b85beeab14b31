// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

namespace kw {

std::string machineArchitecture()
{
    utsname name{};
    return ::uname(&name) == 0 ? name.machine : std::string();
}

std::string processIdText()
{
    return std::to_string(::getpid());
}

} // namespace kw
