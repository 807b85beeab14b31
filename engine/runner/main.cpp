// SPDX-License-Identifier: GPL-3.0-or-later
#include "runner/broker_role.h"
#include "runner/call_role.h"
#include "runner/guard_role.h"

#include <cstdio>
#include <string_view>

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
