// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/thread_cpus.h"

#include <dirent.h>
#include <sched.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace kw {

bool leavesCpus(pid_t pid, const std::vector<int>& cpus)
{
    const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(tasks.c_str()), &::closedir);
    while (const dirent* entry = folder && !cpus.empty() ? ::readdir(folder.get()) : nullptr) {
        cpu_set_t allowed;
        if (entry->d_name[0] == '.' || ::sched_getaffinity(std::atoi(entry->d_name), sizeof allowed, &allowed) != 0)
            continue;
        for (const int cpu : cpus)
            CPU_CLR(static_cast<std::size_t>(cpu), &allowed);
        if (CPU_COUNT(&allowed) > 0)
            return true;
    }
    return false;
}

} // namespace kw
