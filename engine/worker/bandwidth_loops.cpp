// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/bandwidth_loops.h"

namespace kw {
namespace {

// One text, compiled for three vector units. GCC's vector types keep the loops what they are under any optimiser.
// Twelve independent accumulators cover a latency of four cycles on two multiply-add units, with room.
#define KW_BANDWIDTH_LOOPS(name, options, bytes)                                                                       \
    namespace name {                                                                                                   \
    typedef float Vector __attribute__((vector_size(bytes), aligned(bytes), may_alias));                               \
    constexpr std::size_t width = (bytes) / sizeof(float), accumulators = 12;                                          \
    __attribute__((target(options))) float read(const float* from, std::size_t floats)                                 \
    {                                                                                                                  \
        const auto* vectors = reinterpret_cast<const Vector*>(from);                                                   \
        Vector sums[4] = {};                                                                                           \
        for (std::size_t index = 0; index < floats / width; index += 4)                                                \
            for (std::size_t lane = 0; lane < 4; ++lane)                                                               \
                sums[lane] += vectors[index + lane];                                                                   \
        const Vector sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);                                                  \
        float total = 0;                                                                                               \
        for (std::size_t lane = 0; lane < width; ++lane)                                                               \
            total += sum[lane];                                                                                        \
        return total;                                                                                                  \
    }                                                                                                                  \
    __attribute__((target(options))) void write(float* to, std::size_t floats, float value)                            \
    {                                                                                                                  \
        auto* vectors = reinterpret_cast<Vector*>(to);                                                                 \
        const Vector all = value - Vector{};                                                                           \
        for (std::size_t index = 0; index < floats / width; ++index) {                                                 \
            vectors[index] = all;                                                                                      \
            asm volatile("" ::: "memory");                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    __attribute__((target(options))) void copy(const float* from, float* to, std::size_t floats)                       \
    {                                                                                                                  \
        const auto* source = reinterpret_cast<const Vector*>(from);                                                    \
        auto* target = reinterpret_cast<Vector*>(to);                                                                  \
        for (std::size_t index = 0; index < floats / width; ++index) {                                                 \
            target[index] = source[index];                                                                             \
            asm volatile("" ::: "memory");                                                                             \
        }                                                                                                              \
    }                                                                                                                  \
    __attribute__((target(options))) float multiplyAdd(std::size_t rounds, float seed)                                 \
    {                                                                                                                  \
        Vector sums[accumulators];                                                                                     \
        for (std::size_t lane = 0; lane < accumulators; ++lane)                                                        \
            sums[lane] = (seed + static_cast<float>(lane)) - Vector{};                                                 \
        const Vector factor = 0.999f - Vector{}, term = 0.001f - Vector{};                                             \
        for (std::size_t round = 0; round < rounds; ++round)                                                           \
            for (std::size_t lane = 0; lane < accumulators; ++lane)                                                    \
                sums[lane] = sums[lane] * factor + term;                                                               \
        Vector all = sums[0];                                                                                          \
        for (std::size_t lane = 1; lane < accumulators; ++lane)                                                        \
            all += sums[lane];                                                                                         \
        float total = 0;                                                                                               \
        for (std::size_t lane = 0; lane < width; ++lane)                                                               \
            total += all[lane];                                                                                        \
        return total;                                                                                                  \
    }                                                                                                                  \
    constexpr BandwidthLoops loops{read, write, copy, multiplyAdd, 2.0 * static_cast<double>(width * accumulators)};   \
    }

#pragma GCC optimize("O3")
KW_BANDWIDTH_LOOPS(sse, "sse2", 16)
KW_BANDWIDTH_LOOPS(avx2, "avx2,fma", 32)
KW_BANDWIDTH_LOOPS(avx512, "avx512f", 64)

#undef KW_BANDWIDTH_LOOPS

} // namespace

BandwidthLoops bandwidthLoops()
{
    if (__builtin_cpu_supports("avx512f"))
        return avx512::loops;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2::loops;
    return sse::loops;
}

} // namespace kw
