// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/measure/machine.h"

#include "worker/measure/measurer.h"

#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace kw {

std::vector<int> usableCpus()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &set))
                cpus.push_back(cpu);
    if (cpus.empty())
        cpus.push_back(0);
    return cpus;
}

double stolenSeconds()
{
    std::ifstream file("/proc/stat");
    std::string line;
    std::getline(file, line);
    std::istringstream words(line);
    std::string name;
    words >> name;
    double ticks = 0;
    for (int column = 0; column < 8; ++column) // user nice system idle iowait irq softirq steal
        if (!(words >> ticks))
            return 0;
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

ThreadPin::ThreadPin(int cpu)
{
    if (cpu < 0)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    m_changed = sched_getaffinity(0, sizeof m_before, &m_before) == 0 && sched_setaffinity(0, sizeof set, &set) == 0;
}

ThreadPin::~ThreadPin()
{
    if (m_changed)
        sched_setaffinity(0, sizeof m_before, &m_before);
}

double lastLevelCacheBytes()
{
    double largest = 0;
    for (int index = 0; index < 8; ++index) {
        std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
        double size = 0;
        char unit = 'K';
        if (file >> size >> unit)
            largest = std::max(largest, size * (unit == 'M' ? 1048576.0 : 1024.0));
    }
    return largest > 0 ? largest : 32.0 * 1048576;
}

} // namespace kw
