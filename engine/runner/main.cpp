// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/broker_role.h"
#include "runner/call_role.h"
#include "runner/guard_role.h"

#include <cstdio>
#include <string_view>

#if defined(__SANITIZE_ADDRESS__)
// The leak check at the end attaches to its own process, which the filter answers with death.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

int main(int count, char** arguments)
{
    const std::string_view role = count > 1 ? arguments[1] : "";
    if (role == "broker")
        return kw::runBroker();
    if (role == "call")
        return kw::runCall();
    if (role == "guard" && count > 2)
        return kw::runGuard(arguments + 2);
    std::fputs("kernelwright-runner is started by Kernelwright itself\n", stderr);
    return 64;
}
