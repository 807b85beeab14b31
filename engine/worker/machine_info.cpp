// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/machine_info.h"

#include "worker/measure/machine.h"

#include <torch/version.h>

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace kw {
namespace {

/// The first value of a field of /proc/cpuinfo.
std::string cpuField(const std::string& name)
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(name))
            continue;
        const auto colon = line.find(": ");
        return colon == std::string::npos ? std::string() : line.substr(colon + 2);
    }
    return {};
}

} // namespace

Environment machineEnvironment()
{
    Environment environment;
    environment.cpu = cpuField("model name");
    environment.frequencyMHz = std::atof(cpuField("cpu MHz").c_str());
    utsname names{};
    if (::uname(&names) == 0) {
        environment.kernel = names.release;
        environment.host = names.nodename;
    }
    environment.torch = TORCH_VERSION;
    environment.cores = static_cast<std::int32_t>(usableCpus().size());
    return environment;
}

} // namespace kw
