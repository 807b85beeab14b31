// SPDX-License-Identifier: GPL-3.0-or-later
//! kernel    template_bomb
//! launch    scale(x, y, d0)
#include <cstdint>

template <int Depth, int Path = 0> struct Bomb {
    static constexpr int value = Bomb<Depth - 1, 2 * Path>::value + Bomb<Depth - 1, 2 * Path + 1>::value;
};
template <int Path> struct Bomb<0, Path> {
    static constexpr int value = 1;
};

void scale(const float* x, float* y, std::int64_t n)
{
    y[0] = x[n - 1] + static_cast<float>(Bomb<30>::value);
}
