// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for libFuzzer where the compiler has none: runs a fuzz target over its corpus, every prefix of each seed and
// seeded random mutations of them, so that the targets are exercised by every test run.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int mutationsPerSeed = 2000;
constexpr std::size_t longestPrefixSweep = 4096;

void runOne(const std::string& bytes)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::string mutated(std::string bytes, std::mt19937_64& random)
{
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % (bound + 1)); };
    for (std::size_t edits = below(6) + 1; edits > 0; --edits) {
        const std::size_t at = below(bytes.size());
        switch (random() % 4) {
        case 0: bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), static_cast<char>(random())); break;
        case 1: bytes.erase(at, below(8)); break;
        case 2: bytes.insert(at, bytes.substr(below(bytes.size()), below(32))); break;
        default:
            if (at < bytes.size())
                bytes[at] = static_cast<char>(random());
        }
    }
    return bytes;
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> seeds{""};
    for (int index = 1; index < argc; ++index) {
        if (!std::filesystem::is_directory(argv[index]))
            continue;
        for (const auto& entry : std::filesystem::directory_iterator(argv[index])) {
            std::ifstream file(entry.path(), std::ios::binary);
            seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    }
    std::mt19937_64 random(20240229);
    std::size_t runs = 0;
    for (const auto& seed : seeds) {
        for (std::size_t length = 0; length < seed.size() && length < longestPrefixSweep; ++length, ++runs)
            runOne(seed.substr(0, length));
        runOne(seed);
        for (int count = 0; count < mutationsPerSeed; ++count, ++runs)
            runOne(mutated(seed, random));
    }
    std::printf("%zu inputs from %zu seeds\n", runs + seeds.size(), seeds.size());
}
