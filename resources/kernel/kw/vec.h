// SPDX-License-Identifier: MIT-0
// Explicit vectors for emitted kernels: one type of float lanes, masks, 64-bit integer lanes, loads and stores with
// masked tails that never touch memory behind the last element, and the loop that walks a row.
#pragma once

#include <cstdint>

#pragma GCC diagnostic ignored "-Wpsabi"
#define KW_INLINE __attribute__((always_inline))

namespace kw {

using i64 = std::int64_t;
#if defined(__AVX512F__)
inline constexpr int width = 16;
#else
inline constexpr int width = 8;
#endif

typedef float vf __attribute__((vector_size(4 * width)));        // float lanes
typedef std::int32_t vi __attribute__((vector_size(4 * width))); // masks (0 or -1) and the bits of floats
typedef std::uint32_t vu __attribute__((vector_size(4 * width))); // the same bits where sums may wrap
typedef std::int64_t vl __attribute__((vector_size(8 * width))); // integer lanes

// The lanes of one step: all of them, or the first few at the end of a row.
struct Full {
    static constexpr int count = width;
};
struct Tail {
    int count;
};
template <int Index> struct Slot {
    static constexpr int index = Index; // which of the unrolled steps: picks an accumulator
    constexpr operator int() const { return Index; }
};

KW_INLINE inline vf splat(float value) { return vf{} + value; }
KW_INLINE inline vl splatInt(i64 value) { return vl{} + value; }
KW_INLINE inline vi splatBool(bool value) { return vi{} - static_cast<std::int32_t>(value); }
KW_INLINE inline vi bits(vf x) { return reinterpret_cast<vi>(x); }
KW_INLINE inline vf fromBits(vi x) { return reinterpret_cast<vf>(x); }
KW_INLINE inline vf select(vi mask, vf yes, vf no) { return mask ? yes : no; }
KW_INLINE inline vi select(vi mask, vi yes, vi no) { return mask ? yes : no; }
KW_INLINE inline vl select(vi mask, vl yes, vl no) { return __builtin_convertvector(mask, vl) ? yes : no; }
KW_INLINE inline vi isNan(vf x) { return x != x; }
// a > b ? a : b and a < b ? a : b: b when one of them is not-a-number.
KW_INLINE inline vf greater(vf a, vf b)
{
#if defined(__AVX512F__)
    return __builtin_ia32_maxps512_mask(a, b, a, static_cast<unsigned short>(-1), 4);
#elif defined(__AVX__)
    return __builtin_ia32_maxps256(a, b);
#else
    return select(a > b, a, b);
#endif
}
KW_INLINE inline vf lesser(vf a, vf b)
{
#if defined(__AVX512F__)
    return __builtin_ia32_minps512_mask(a, b, a, static_cast<unsigned short>(-1), 4);
#elif defined(__AVX__)
    return __builtin_ia32_minps256(a, b);
#else
    return select(a < b, a, b);
#endif
}
KW_INLINE inline vi laneNumbers()
{
    vi lanes{};
    for (int i = 0; i < width; ++i)
        lanes[i] = i;
    return lanes;
}
KW_INLINE inline vi active(Full) { return ~vi{}; }
KW_INLINE inline vi active(Tail tail) { return laneNumbers() < tail.count; }

// What the lanes behind the end of a row count for in a reduction.
KW_INLINE inline vf only(vf value, float, Full) { return value; }
KW_INLINE inline vf only(vf value, float neutral, Tail tail) { return select(active(tail), value, splat(neutral)); }

KW_INLINE inline vf load(const float* from, Full)
{
    vf value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
KW_INLINE inline void store(float* to, vf value, Full) { __builtin_memcpy(to, &value, sizeof value); }
KW_INLINE inline vf load(const float* from, Tail tail)
{
#if defined(__AVX__) && !defined(__AVX512F__)
    typedef float Native __attribute__((vector_size(32)));
    return __builtin_ia32_maskloadps256(reinterpret_cast<const Native*>(from), active(tail));
#else
    vf value{};
    for (int i = 0; i < width; ++i)
        if (i < tail.count)
            value[i] = from[i];
    return value;
#endif
}
KW_INLINE inline void store(float* to, vf value, Tail tail)
{
#if defined(__AVX__) && !defined(__AVX512F__)
    typedef float Native __attribute__((vector_size(32)));
    __builtin_ia32_maskstoreps256(reinterpret_cast<Native*>(to), active(tail), value);
#else
    for (int i = 0; i < width; ++i)
        if (i < tail.count)
            to[i] = value[i];
#endif
}

// Elements `stride` apart: one by one.
template <typename Lanes> KW_INLINE inline vf loadStrided(const float* from, i64 stride, Lanes lanes)
{
    vf value{};
    for (int i = 0; i < width; ++i)
        if (i < lanes.count)
            value[i] = from[i * stride];
    return value;
}
template <typename Lanes> KW_INLINE inline void storeStrided(float* to, i64 stride, vf value, Lanes lanes)
{
    for (int i = 0; i < width; ++i)
        if (i < lanes.count)
            to[i * stride] = value[i];
}

// Writes past the caches when the address allows it; end such a loop with fence().
KW_INLINE inline void stream(float* to, vf value, Full)
{
#if defined(__AVX__)
    if ((reinterpret_cast<std::uintptr_t>(to) & (sizeof value - 1)) == 0) {
#if defined(__AVX512F__)
        __builtin_ia32_movntps512(to, value);
#else
        __builtin_ia32_movntps256(to, value);
#endif
        return;
    }
#endif
    store(to, value, Full{});
}
KW_INLINE inline void stream(float* to, vf value, Tail tail) { store(to, value, tail); }
KW_INLINE inline void fence()
{
#if defined(__SSE__)
    __builtin_ia32_sfence();
#endif
}

// Other element types. Booleans are bytes of 0 and 1, masks in registers are 0 and -1.
template <typename Lanes> KW_INLINE inline vi loadBool(const std::uint8_t* from, i64 stride, Lanes lanes)
{
    vi value{};
    for (int i = 0; i < width; ++i)
        if (i < lanes.count)
            value[i] = -(from[i * stride] != 0);
    return value;
}
template <typename Lanes> KW_INLINE inline void storeBool(std::uint8_t* to, i64 stride, vi value, Lanes lanes)
{
    for (int i = 0; i < width; ++i)
        if (i < lanes.count)
            to[i * stride] = static_cast<std::uint8_t>(value[i] & 1);
}
template <typename Integer, typename Lanes> KW_INLINE inline vl loadInt(const Integer* from, i64 stride, Lanes lanes)
{
    vl value{};
    for (int i = 0; i < width; ++i)
        if (i < lanes.count)
            value[i] = from[i * stride];
    return value;
}
KW_INLINE inline vf toFloat(vl value) { return __builtin_convertvector(value, vf); }
KW_INLINE inline vf toFloat(vi mask) { return select(mask, splat(1.0f), vf{}); }
KW_INLINE inline vl truncated(vf value) { return __builtin_convertvector(value, vl); }
KW_INLINE inline vl wrapped32(vl value) { return __builtin_convertvector(__builtin_convertvector(value, vi), vl); }
KW_INLINE inline vl toInt(vi mask) { return __builtin_convertvector(mask, vl) & 1; }
KW_INLINE inline vi asMask(vl comparison) { return __builtin_convertvector(comparison, vi); }

template <typename Integer, typename Lanes> KW_INLINE inline void storeInt(Integer* to, i64 stride, vl value, Lanes lanes)
{
    for (int i = 0; i < width; ++i)
        if (i < lanes.count)
            to[i * stride] = static_cast<Integer>(value[i]);
}

// Column numbers of a step, as floats (exact below 2^24) and as integers.
KW_INLINE inline vf columnFloat(i64 first, i64 step = 1)
{
    return __builtin_convertvector(laneNumbers() * static_cast<std::int32_t>(step) + static_cast<std::int32_t>(first), vf);
}
KW_INLINE inline vl columnInt(i64 first, i64 step = 1) { return __builtin_convertvector(laneNumbers(), vl) * step + first; }

// Not-a-number on either side wins.
KW_INLINE inline vf maximum(vf a, vf b) { return select(isNan(b), b, greater(b, a)); }
KW_INLINE inline vf minimum(vf a, vf b) { return select(isNan(b), b, lesser(b, a)); }

// Horizontal reductions into all lanes: pairwise, so that the error grows with the logarithm of the lanes.
KW_INLINE inline vf swapped(vf x, int distance) { return __builtin_shuffle(x, laneNumbers() ^ distance); }
KW_INLINE inline vf sum(vf x)
{
    for (int step = width / 2; step > 0; step /= 2)
        x += swapped(x, step);
    return x;
}
KW_INLINE inline vf largest(vf x)
{
    for (int step = width / 2; step > 0; step /= 2)
        x = maximum(x, swapped(x, step));
    return x;
}
KW_INLINE inline vf smallest(vf x)
{
    for (int step = width / 2; step > 0; step /= 2)
        x = minimum(x, swapped(x, step));
    return x;
}

template <int Index, int Unroll, typename Body> KW_INLINE inline void steps(i64 at, Body& body)
{
    if constexpr (Index < Unroll) {
        body(at + Index * width, Full{}, Slot<Index>{});
        steps<Index + 1, Unroll>(at, body);
    }
}

// Walks [begin, end): `Unroll` steps at a time, then single steps, then the masked tail.
template <int Unroll, typename Body> KW_INLINE inline void loop(i64 begin, i64 end, Body body)
{
    i64 at = begin;
    for (; at + Unroll * width <= end; at += Unroll * width)
        steps<0, Unroll>(at, body);
    if constexpr (Unroll > 1)
        for (; at + width <= end; at += width)
            body(at, Full{}, Slot<0>{});
    if (at < end)
        body(at, Tail{static_cast<int>(end - at)}, Slot<0>{});
}

KW_INLINE inline i64 least(i64 a, i64 b) { return a < b ? a : b; }
KW_INLINE inline i64 most(i64 a, i64 b) { return a > b ? a : b; }
// Index of a padded position inside [0, size): mirrored without the edge, or the edge repeated.
KW_INLINE inline i64 reflected(i64 index, i64 size)
{
    const i64 positive = index < 0 ? -index : index;
    return positive < size ? positive : 2 * (size - 1) - positive;
}
KW_INLINE inline i64 clamped(i64 index, i64 size) { return index < 0 ? 0 : index < size ? index : size - 1; }

// Partial results of a reduction along a row: `Count` independent accumulators hide the latency of the additions.
// settle() moves a block's sums into the totals, so that the rounding error of long rows grows with blocks, not elements.
template <int Count> struct Sums {
    vf part[Count] = {}, settled[Count] = {};
    template <typename Lanes> KW_INLINE void add(vf value, Lanes lanes, int slot) { part[slot] += only(value, 0.0f, lanes); }
    KW_INLINE void settle()
    {
        for (int i = 0; i < Count; ++i) {
            settled[i] += part[i];
            part[i] = vf{};
        }
    }
    KW_INLINE vf total() const
    {
        vf all[Count];
        for (int i = 0; i < Count; ++i)
            all[i] = part[i] + settled[i];
        for (int step = Count / 2; step > 0; step /= 2)
            for (int i = 0; i < step; ++i)
                all[i] += all[i + step];
        return sum(all[0]);
    }
};
template <int Count> struct Maxima {
    vf part[Count];
    KW_INLINE Maxima()
    {
        for (int i = 0; i < Count; ++i)
            part[i] = splat(-__builtin_inff());
    }
    template <typename Lanes> KW_INLINE void add(vf value, Lanes lanes, int slot)
    {
        part[slot] = maximum(part[slot], only(value, -__builtin_inff(), lanes));
    }
    KW_INLINE void settle() {}
    KW_INLINE vf total() const
    {
        vf best = part[0];
        for (int i = 1; i < Count; ++i)
            best = maximum(best, part[i]);
        return largest(best);
    }
};
template <int Count> struct Minima {
    vf part[Count];
    KW_INLINE Minima()
    {
        for (int i = 0; i < Count; ++i)
            part[i] = splat(__builtin_inff());
    }
    template <typename Lanes> KW_INLINE void add(vf value, Lanes lanes, int slot)
    {
        part[slot] = minimum(part[slot], only(value, __builtin_inff(), lanes));
    }
    KW_INLINE void settle() {}
    KW_INLINE vf total() const
    {
        vf best = part[0];
        for (int i = 1; i < Count; ++i)
            best = minimum(best, part[i]);
        return smallest(best);
    }
};

// A row or a strip of columns kept close by. Whole vectors may be written: there is room behind the last element.
template <i64 Size> struct Buffer {
    alignas(64) float values[Size + 2 * width];
    KW_INLINE vf at(i64 column) const { return load(values + column, Full{}); }
    KW_INLINE void set(i64 column, vf value) { store(values + column, value, Full{}); }
};
// Fills what a window reads beyond the image: `buffer` holds the columns [left - before, right + after) of a row of
// `size` columns, of which only those inside the image were written.
enum class Border { Zero, Reflect, Replicate };
template <Border Mode, i64 Size> KW_INLINE inline void fillBorder(Buffer<Size>& buffer, i64 left, i64 right, i64 before, i64 after, i64 size)
{
    float* const row = buffer.values + (before - left); // row[c] is column c
    const auto fill = [&](i64 column) {
        row[column] = Mode == Border::Zero ? 0.0f : row[Mode == Border::Reflect ? reflected(column, size) : clamped(column, size)];
    };
    for (i64 column = left - before; column < 0; ++column)
        fill(column);
    for (i64 column = size; column < right + after; ++column)
        fill(column);
}
// Sum of `Count` neighbours, from `column` on.
template <int Count, i64 Size> KW_INLINE inline vf alongColumns(const Buffer<Size>& buffer, i64 column)
{
    vf total = buffer.at(column);
    for (int i = 1; i < Count; ++i)
        total += buffer.at(column + i);
    return total;
}
template <i64 Size> KW_INLINE inline void clear(Buffer<Size>& buffer)
{
    for (i64 i = 0; i < Size; i += width)
        buffer.set(i, vf{});
}
// Reductions over rows for a strip of columns side by side.
template <i64 Size> struct ColumnSums {
    Buffer<Size> part{}, settled{};
    KW_INLINE void add(i64 column, vf value) { part.set(column, part.at(column) + value); }
    KW_INLINE void settle()
    {
        for (i64 i = 0; i < Size; i += width) {
            settled.set(i, settled.at(i) + part.at(i));
            part.set(i, vf{});
        }
    }
    KW_INLINE vf at(i64 column) const { return settled.at(column) + part.at(column); }
};
template <i64 Size, bool Largest> struct ColumnExtremes {
    Buffer<Size> part;
    KW_INLINE ColumnExtremes()
    {
        for (i64 i = 0; i < Size; i += width)
            part.set(i, splat(Largest ? -__builtin_inff() : __builtin_inff()));
    }
    KW_INLINE void add(i64 column, vf value)
    {
        part.set(column, Largest ? maximum(part.at(column), value) : minimum(part.at(column), value));
    }
    KW_INLINE void settle() {}
    KW_INLINE vf at(i64 column) const { return part.at(column); }
};
template <i64 Size> using ColumnMaxima = ColumnExtremes<Size, true>;
template <i64 Size> using ColumnMinima = ColumnExtremes<Size, false>;


} // namespace kw
