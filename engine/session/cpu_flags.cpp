// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/cpu_flags.h"

#include <fstream>
#include <sstream>

namespace kw {
namespace {

/// Everything that GCC 12 and newer may emit for arithmetic and data movement when it targets the native processor.
bool usedByCompilers(const std::string& flag)
{
    for (const char* prefix : {"sse", "ssse", "avx", "amx", "bmi", "fma", "f16c", "popcnt", "abm", "lzcnt", "movbe", "adx",
             "gfni", "vaes", "vpclmulqdq", "pclmulqdq", "aes", "sha_ni", "asimd", "sve", "fphp"})
        if (flag.starts_with(prefix))
            return true;
    return false;
}

} // namespace

std::vector<std::string> vectorCpuFlags()
{
    std::ifstream info("/proc/cpuinfo");
    std::string line;
    while (std::getline(info, line)) {
        if (!line.starts_with("flags") && !line.starts_with("Features"))
            continue;
        std::istringstream words(line.substr(line.find(':') + 1));
        std::vector<std::string> flags;
        for (std::string word; words >> word;)
            if (usedByCompilers(word))
                flags.push_back(word);
        return flags;
    }
    return {};
}

} // namespace kw
