// SPDX-License-Identifier: GPL-3.0-or-later
extern "C" __global__ void fill(int *out, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = i * 3 + 1;
}

extern "C" __global__ void spin(volatile int *out, int count)
{
    while (out[0] != count + 1)
        out[1] = count;
}

extern "C" __global__ void wild(int *out, int count)
{
    out[(1ull << 40) + count] = 1;
}
