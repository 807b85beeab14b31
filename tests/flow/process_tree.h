// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace kw::test {

struct RunningProcess {
    pid_t pid = 0, parent = 0;
    std::string name;
    std::uint64_t startTime = 0; ///< ticks since boot: with the pid it names one process for ever
};

inline std::vector<RunningProcess> allProcesses()
{
    std::vector<RunningProcess> found;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", failed)) {
        if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream file(entry.path() / "stat");
        std::string text;
        std::getline(file, text, '\0'); // says nothing of a process that has just gone
        const std::size_t open = text.find('('), close = text.rfind(')');
        if (open == std::string::npos || close == std::string::npos)
            continue;
        RunningProcess process;
        process.pid = static_cast<pid_t>(std::strtol(text.c_str(), nullptr, 10));
        process.name = text.substr(open + 1, close - open - 1);
        std::istringstream rest(text.substr(close + 2));
        char state = 0;
        rest >> state >> process.parent;
        std::string skipped;
        for (int field = 5; field < 22; ++field)
            rest >> skipped;
        rest >> process.startTime;
        if (state != 'Z')
            found.push_back(std::move(process));
    }
    return found;
}

/// Everything that a process started, at any depth.
inline std::vector<RunningProcess> below(pid_t root)
{
    std::map<pid_t, std::vector<RunningProcess>> children;
    for (const RunningProcess& process : allProcesses())
        children[process.parent].push_back(process);
    std::vector<RunningProcess> found;
    std::vector<pid_t> open{root};
    while (!open.empty()) {
        const pid_t parent = open.back();
        open.pop_back();
        for (const RunningProcess& child : children[parent]) {
            found.push_back(child);
            open.push_back(child.pid);
        }
    }
    return found;
}

/// Those of `earlier` that still run when `seconds` are over; returns as soon as there is none.
inline std::vector<RunningProcess> survivors(const std::vector<RunningProcess>& earlier, double seconds)
{
    const auto late = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    for (;;) {
        const auto now = allProcesses();
        std::vector<RunningProcess> left;
        std::copy_if(earlier.begin(), earlier.end(), std::back_inserter(left), [&](const RunningProcess& process) {
            return std::any_of(now.begin(), now.end(),
                [&](const RunningProcess& other) { return other.pid == process.pid && other.startTime == process.startTime; });
        });
        if (left.empty() || std::chrono::steady_clock::now() > late)
            return left;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
}

} // namespace kw::test
