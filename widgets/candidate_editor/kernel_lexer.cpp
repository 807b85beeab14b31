// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_editor/kernel_lexer.h"

namespace kw {

KernelLexer::KernelLexer(QObject* parent) : QsciLexerCPP(parent) {}

const char* KernelLexer::keywords(int set) const
{
    if (set == 1)
        return "alignas alignof auto break case catch class concept const consteval constexpr constinit const_cast continue "
               "decltype default delete do dynamic_cast else enum explicit export extern final for friend goto if inline "
               "mutable namespace new noexcept operator override private protected public register reinterpret_cast requires "
               "return sizeof static static_assert static_cast struct switch template this thread_local throw try typedef "
               "typeid typename union using virtual volatile while true false nullptr "
               "__global__ __device__ __host__ __shared__ __constant__ __managed__ __restrict__ __restrict __launch_bounds__ "
               "__forceinline__ __noinline__ __grid_constant__ __cluster_dims__";
    if (set == 2)
        return "void bool char short int long float double signed unsigned wchar_t char8_t char16_t char32_t size_t ptrdiff_t "
               "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t "
               "half half2 __half __half2 __nv_bfloat16 __nv_bfloat162 float2 float3 float4 double2 int2 int3 int4 uint2 uint4 dim3 "
               "threadIdx blockIdx blockDim gridDim warpSize clusterIdx v4 v8 v16";
    return nullptr;
}

} // namespace kw
