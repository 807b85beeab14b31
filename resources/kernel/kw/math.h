// SPDX-License-Identifier: MIT-0
// Vectorised mathematics for emitted kernels. Each function states its largest error in units in the last place (ulp) of
// the correctly rounded result; the bounds hold for normal and subnormal arguments and are tested by dense sweeps.
// Not-a-number and infinities behave as in C's library. The *_fast forms trade accuracy for fewer operations.
// The polynomials are minimax fits made for these headers.
#pragma once

#include "kw/vec.h"

namespace kw {

KW_INLINE inline vf fma(vf a, vf b, vf c)
{
#if defined(__AVX512F__)
    return __builtin_ia32_vfmaddps512_mask(a, b, c, static_cast<short>(-1), 4);
#elif defined(__FMA__)
    return __builtin_ia32_vfmaddps256(a, b, c);
#else
    vf result{};
    for (int i = 0; i < width; ++i)
        result[i] = __builtin_fmaf(a[i], b[i], c[i]);
    return result;
#endif
}
KW_INLINE inline vf fma(vf a, float b, vf c) { return fma(a, splat(b), c); }
KW_INLINE inline vf fma(vf a, vf b, float c) { return fma(a, b, splat(c)); }

// A product that stays rounded: the compiler may not fuse it with the operation that uses it.
KW_INLINE inline vf roundedProduct(vf a, vf b)
{
    vf product = a * b;
#if defined(__SSE__)
    __asm__("" : "+x"(product));
#endif
    return product;
}

KW_INLINE inline vf abs(vf x) { return fromBits(bits(x) & 0x7fffffff); }
KW_INLINE inline vi isNan(vf x) { return x != x; }
KW_INLINE inline vi isFinite(vf x) { return abs(x) < __builtin_inff(); }
KW_INLINE inline vf withSignOf(vf magnitude, vf sign)
{
    return fromBits((bits(magnitude) & 0x7fffffff) | (bits(sign) & static_cast<std::int32_t>(0x80000000)));
}
// Bounds that are numbers; not-a-number in x stays.
KW_INLINE inline vf atLeast(vf x, vf low) { return select(low > x, low, x); }
KW_INLINE inline vf atMost(vf x, vf high) { return select(high < x, high, x); }
KW_INLINE inline vf atLeast(vf x, float low) { return atLeast(x, splat(low)); }
KW_INLINE inline vf atMost(vf x, float high) { return atMost(x, splat(high)); }
// Not-a-number on either side wins.
KW_INLINE inline vf maximum(vf a, vf b) { return select((a > b) | isNan(a), a, b); }
KW_INLINE inline vf minimum(vf a, vf b) { return select((a < b) | isNan(a), a, b); }
KW_INLINE inline vf sign(vf x) { return toFloat(x > 0.0f) - toFloat(x < 0.0f); }

KW_INLINE inline bool any(vi mask)
{
#if defined(__AVX512F__)
    return __builtin_ia32_ptestmd512(mask, mask, static_cast<unsigned short>(-1)) != 0;
#elif defined(__AVX__)
    return __builtin_ia32_movmskps256(fromBits(mask)) != 0;
#else
    std::int32_t all = 0;
    for (int i = 0; i < width; ++i)
        all |= mask[i];
    return all != 0;
#endif
}

// Exact roundings and square root.
template <int Mode> KW_INLINE inline vf rounded(vf x)
{
#if defined(__AVX512F__)
    return __builtin_ia32_rndscaleps_mask(x, Mode, x, static_cast<short>(-1), 4);
#elif defined(__AVX__)
    return __builtin_ia32_roundps256(x, Mode);
#else
    vf result{};
    for (int i = 0; i < width; ++i)
        result[i] = Mode == 9 ? __builtin_floorf(x[i]) : Mode == 10 ? __builtin_ceilf(x[i])
            : Mode == 11 ? __builtin_truncf(x[i]) : __builtin_rintf(x[i]);
    return result;
#endif
}
KW_INLINE inline vf round(vf x) { return rounded<8>(x); } // halves to even
KW_INLINE inline vf floor(vf x) { return rounded<9>(x); }
KW_INLINE inline vf ceil(vf x) { return rounded<10>(x); }
KW_INLINE inline vf trunc(vf x) { return rounded<11>(x); }
KW_INLINE inline vf sqrt(vf x)
{
#if defined(__AVX512F__)
    return __builtin_ia32_sqrtps512_mask(x, x, static_cast<short>(-1), 4);
#elif defined(__AVX__)
    return __builtin_ia32_sqrtps256(x);
#else
    vf result{};
    for (int i = 0; i < width; ++i)
        result[i] = __builtin_sqrtf(x[i]);
    return result;
#endif
}
KW_INLINE inline vf rsqrt(vf x) { return 1.0f / sqrt(x); } // two exact operations

// x * 2^n for n in [-250, 250], subnormal results included.
KW_INLINE inline vf scaled(vf x, vi n)
{
    const vi half = n >> 1;
    return x * fromBits((half + 127) << 23) * fromBits((n - half + 127) << 23);
}
inline constexpr float roundingMagic = 12582912.0f; // 1.5 * 2^23: adding it rounds to an integer

// 2^f for |f| <= 0.505 around 1.
KW_INLINE inline vf exp2Near(vf f)
{
    vf p = fma(f, 0.0001535232068f, splat(0.00134001702f));
    p = fma(p, f, 0.009618449951f);
    p = fma(p, f, 0.05550329349f);
    p = fma(p, f, 0.2402264774f);
    p = fma(p, f, 0.6931472042f);
    return fma(p, f, 1.0f);
}
// 2^(high + low), |low| < 1; saturates to 0 and infinity.
KW_INLINE inline vf exp2Of(vf high, vf low)
{
    const vf n = ((high + low) + roundingMagic) - roundingMagic;
    const vf f = (high - n) + low;
    return scaled(exp2Near(f), __builtin_convertvector(n, vi));
}
KW_INLINE inline vf exp2(vf x) // 1 ulp
{
    return exp2Of(atMost(atLeast(x, -152.0f), 129.0f), vf{});
}
KW_INLINE inline vf exp(vf x) // 1 ulp
{
    x = atMost(atLeast(x, -105.0f), 89.5f);
    const vf magic = fma(x, 1.44269504f, splat(roundingMagic));
    const vf n = magic - roundingMagic;
    vf r = fma(n, -0.693147182f, x);
    r = fma(n, 1.90465421e-9f, r);
    vf p = fma(r, 0.001381314098f, splat(0.008369418936f));
    p = fma(p, r, 0.04166845686f);
    p = fma(p, r, 0.1666651479f);
    p = fma(p, r, 0.4999999305f);
    p = fma(p, r * r, r) + 1.0f;
    return scaled(p, bits(magic) - 0x4b400000);
}
// 4 ulp; results below 2^-126 become 0.
KW_INLINE inline vf exp_fast(vf x)
{
    const vf clampedX = atMost(atLeast(x, -88.0f), 89.5f);
    const vf magic = fma(clampedX, 1.44269504f, splat(roundingMagic));
    const vf n = magic - roundingMagic;
    vf r = fma(n, -0.693147182f, clampedX);
    r = fma(n, 1.90465421e-9f, r);
    vf p = fma(r, 0.008312051869f, splat(0.04189449929f));
    p = fma(p, r, 0.1666713319f);
    p = fma(p, r, 0.4999920176f);
    p = fma(p, r * r, r) + 1.0f;
    const vi exponent = bits(magic) - 0x4b400000;
    const vf result = fromBits(bits(p) + (exponent << 23));
    return select(x > 88.7228f, splat(__builtin_inff()), select(x < -87.3365f, vf{}, select(isNan(x), x, result)));
}
KW_INLINE inline vf expm1(vf x) // 4 ulp
{
    vf p = fma(x, 0.0001991989544f, splat(0.001394511641f));
    p = fma(p, x, 0.008333263214f);
    p = fma(p, x, 0.0416663036f);
    p = fma(p, x, 0.1666666686f);
    p = fma(p, x, 0.5000000058f);
    const vf near = fma(p, x * x, x);
    return select(abs(x) < 0.35f, near, exp(x) - 1.0f);
}

// log2 of x as a sum of two floats, error below 2^-31 (relative next to 1 below 2^-27); for finite positive x.
struct TwoFloats {
    vf high, low;
};
template <bool Normal = false> KW_INLINE inline TwoFloats log2Of(vf x)
{
    const vi small = Normal ? vi{} : x < 1.17549435e-38f;
    const vi whole = bits(Normal ? x : select(small, x * 8388608.0f, x));
    const vi shifted = whole - 0x3f780000; // intervals centred on 1, 1.125, 1.25 ...
    const vi index = shifted >> 20;        // a shuffle looks at the lowest bits only
    const vi exponent = Normal ? shifted >> 23 : (shifted >> 23) + (small & -23);
    const vf m = fromBits(whole - (shifted & static_cast<std::int32_t>(0xff800000)));
    const auto table = [&](float a, float b, float c, float d, float e, float f, float g, float h) {
        vf values{};
        const float entries[8] = {a, b, c, d, e, f, g, h};
        for (int i = 0; i < width; ++i)
            values[i] = entries[i % 8];
        return __builtin_shuffle(values, index);
    };
    const vf c = table(1.0f, 0.890625f, 0.80078125f, 0.7265625f, 0.66796875f, 0.6171875f, 0.5703125f, 0.53515625f);
    const vf tableHigh = table(0.0f, 0.1669921875f, 0.320556640625f, 0.4609375f, 0.58203125f, 0.6962890625f,
        0.81005859375f, 0.90185546875f);
    const vf tableLow = table(0.0f, 0.0001177983358502388f, -3.6740129871759564e-05f, -9.631110879126936e-05f,
        0.00011623511090874672f, -6.98106741765514e-05f, 0.00011684736819006503f, 0.00011244828783674166f);
    const vf product = roundedProduct(m, c);
    const vf residue = fma(m, c, -product); // m * c - 1 = rHigh + residue exactly
    const vf rHigh = product - 1.0f;
    const vf r = rHigh + residue;
    vf p = fma(r, -0.2418176575f, splat(0.2896674002f));
    p = fma(p, r, -0.3606707753f);
    p = fma(p, r, 0.4808969772f);
    p = fma(p, r, -0.721347522f);
    const vf lead = roundedProduct(rHigh, splat(1.44269502f));
    vf low = fma(rHigh, 1.44269502f, -lead);
    low = fma(rHigh, 1.92596303e-8f, low);
    low = fma(residue, 1.44269502f, low);
    low = fma(p, r * r, low + tableLow);
    const vf base = __builtin_convertvector(exponent, vf) + tableHigh; // exact
    const vf high = base + lead;
    return {high, low + (lead - (high - base))};
}
// Puts the results of 0, negative numbers, infinity and not-a-number in place.
KW_INLINE inline vf logSpecials(vf x, vf result)
{
    const float infinity = __builtin_inff();
    result = select(x == infinity, x, result);
    result = select(x == 0.0f, splat(-infinity), result);
    return select(!(x >= 0.0f), splat(__builtin_nanf("")), result);
}
KW_INLINE inline vf logTimes(vf x, float factorHigh, float factorLow)
{
    const TwoFloats l = log2Of(x);
    const vf high = roundedProduct(l.high, splat(factorHigh));
    vf low = fma(l.high, splat(factorHigh), -high);
    low = fma(l.high, factorLow, low);
    low = fma(l.low, factorHigh, low);
    return logSpecials(x, high + low);
}
KW_INLINE inline vf log2(vf x) // 1 ulp
{
    const TwoFloats l = log2Of(x);
    return logSpecials(x, l.high + l.low);
}
KW_INLINE inline vf log(vf x) { return logTimes(x, 0.693147182f, -1.90465421e-9f); }    // 1 ulp
KW_INLINE inline vf log10(vf x) { return logTimes(x, 0.301030010f, -1.43209888e-8f); } // 1 ulp
KW_INLINE inline vf log1p(vf x) // 2 ulp
{
    const vf u = 1.0f + x;
    const vf lost = select(x < 1.0f, x - (u - 1.0f), 1.0f - (u - x)); // u + lost = 1 + x exactly
    const vf result = log(u) + select(isFinite(u) & (u > 0.0f), lost / u, vf{});
    return select(abs(x) < 1e-4f, fma(x * x, fma(x, 0.333333343f, splat(-0.5f)), x), result);
}

// |x|^(y + yLow) for finite non-zero x; saturates.
KW_INLINE inline vf powOf(vf magnitude, vf y, vf yLow)
{
    const TwoFloats l = log2Of(magnitude);
    const vf product = roundedProduct(y, l.high);
    const vf high = atMost(atLeast(product, -200.0f), 200.0f);
    vf low = fma(y, l.high, -product);
    low = fma(y, l.low, low);
    low = fma(yLow, l.high, low);
    return exp2Of(high, select(abs(product) < 200.0f, low, vf{}));
}
// The special cases of a constant exponent, out of the way of the usual ones.
__attribute__((noinline, cold)) inline vf powRare(vf x, float y, float yLow)
{
    const float infinity = __builtin_inff();
    const bool whole = yLow == 0.0f && __builtin_truncf(y) == y;
    const bool odd = whole && __builtin_fabsf(y) < 16777216.0f && (static_cast<i64>(y) & 1) != 0;
    vf result = powOf(whole ? abs(x) : x, splat(y), splat(yLow));
    result = select(abs(x) == infinity, splat(y > 0.0f ? infinity : 0.0f), result);
    result = select(x == 0.0f, splat(y > 0.0f ? 0.0f : infinity), result);
    if (odd)
        result = withSignOf(result, x);
    if (!whole)
        result = select((x < 0.0f) & isFinite(x), splat(__builtin_nanf("")), result);
    return select(isNan(x), x, result);
}
// x^y where neither x nor the result leaves the normal range.
KW_INLINE inline vf powUsual(vf x, float y, float yLow)
{
    const TwoFloats l = log2Of<true>(x);
    const vf high = roundedProduct(splat(y), l.high);
    vf low = fma(l.high, splat(y), -high);
    low = fma(l.low, y, low);
    low = fma(l.high, yLow, low);
    const vf magic = (high + low) + roundingMagic;
    const vf f = (high - (magic - roundingMagic)) + low;
    return fromBits(bits(exp2Near(f)) + (bits(magic) << 23));
}
// A constant exponent given as two floats: 2 ulp in the normal range. What depends on y alone vanishes when y is a literal.
KW_INLINE inline vf pow(vf x, float y, float yLow)
{
    if (y == 0.0f)
        return splat(1.0f);
    // |log2 x| below this keeps the result a normal number.
    const float size = __builtin_fabsf(y);
    const float limit = size < 1.0f ? 125.0f : 125.0f / size;
    const auto reach = static_cast<std::int32_t>(limit);
    const vi rare = (bits(x) < ((127 - reach) << 23)) | (bits(x) > ((127 + reach) << 23)); // negative numbers are below, too
    if (__builtin_expect(any(rare), 0))
        return powRare(x, y, yLow);
    return powUsual(x, y, yLow);
}
// Any exponent: 2 ulp in the normal range.
KW_INLINE inline vf pow(vf x, vf y)
{
    const float infinity = __builtin_inff();
    const vf magnitude = abs(x);
    vf result = powOf(magnitude, y, vf{});
    const vi rising = y > 0.0f;
    result = select(magnitude == infinity, select(rising, splat(infinity), vf{}), result);
    result = select(magnitude == 0.0f, select(rising, vf{}, splat(infinity)), result);
    const vi whole = trunc(y) == y;
    const vi odd = whole & (trunc(y * 0.5f) != y * 0.5f);
    result = select(odd, withSignOf(result, x), result);
    result = select((x < 0.0f) & isFinite(x) & ~whole, splat(__builtin_nanf("")), result);
    result = select(isNan(x) | isNan(y), x + y, result);
    result = select((magnitude == 1.0f) & (abs(y) == infinity), splat(1.0f), result);
    return select((y == 0.0f) | (x == 1.0f), splat(1.0f), result);
}

KW_INLINE inline vf tanh(vf x) // 2 ulp
{
    const vf t = abs(x);
    const vf s = x * x;
    vf p = fma(s, -0.005679308973f, splat(0.02061812696f));
    p = fma(p, s, -0.05373400149f);
    p = fma(p, s, 0.1333138367f);
    p = fma(p, s, -0.3333328022f);
    const vf near = fma(p, s * x, x);
    const vf far = withSignOf(1.0f - 2.0f / (exp(t + t) + 1.0f), x);
    return select(t < 0.625f, near, select(isNan(x), x, far));
}
KW_INLINE inline vf sigmoid(vf x) { return 1.0f / (1.0f + exp(-x)); } // 3 ulp
KW_INLINE inline vf sigmoid_fast(vf x) { return 1.0f / (1.0f + exp_fast(-x)); }
KW_INLINE inline vf erf(vf x) // 2 ulp
{
    const vf s = x * x;
    vf near = fma(s, 8.345218194e-5f, splat(-0.0008137435747f));
    near = fma(near, s, 0.00520063412f);
    near = fma(near, s, -0.0268592707f);
    near = fma(near, s, 0.1128369394f);
    near = fma(near, s, -0.376126337f);
    near = fma(near, s, 0.1283791666f);
    near = fma(near, x, x);
    const vf t = atMost(abs(x), 4.0f);
    vf q = fma(t, 3.043358045e-5f, splat(-0.0006267954378f));
    q = fma(q, t, 0.006017564277f);
    q = fma(q, t, -0.03623965367f);
    q = fma(q, t, 0.1562151185f);
    q = fma(q, t, 0.913726467f);
    q = fma(q, t, 1.629545576f);
    q = fma(q, t, -0.0002520138521f);
    const vf far = withSignOf(1.0f - exp2Of(-q, vf{}), x);
    return select(abs(x) < 0.925f, near, select(isNan(x), x, far));
}

// sin and cos: 2 ulp for |x| <= 1e5 except next to their zeros, where the absolute error stays below 2^-26;
// larger arguments go lane by lane through C's library.
KW_INLINE inline vf sinCos(vf x, int quarter)
{
    const vf magic = fma(x, 0.636619747f, splat(roundingMagic));
    const vf n = magic - roundingMagic;
    const vi quadrant = bits(magic) + quarter;
    vf r = fma(n, -1.57079637f, x);
    r = fma(n, 4.37113883e-8f, r);
    r = fma(n, 1.71512489e-15f, r);
    const vf s = r * r;
    vf sine = fma(s, 2.717564441e-6f, splat(-0.0001983925663f));
    sine = fma(sine, s, 0.008333329144f);
    sine = fma(sine, s, -0.1666666664f);
    sine = fma(sine, s * r, r);
    vf cosine = fma(s, -2.720330566e-7f, splat(2.479943644e-5f));
    cosine = fma(cosine, s, -0.001388888344f);
    cosine = fma(cosine, s, 0.04166666662f);
    cosine = fma(cosine, s * s, fma(s, splat(-0.5f), splat(1.0f)));
    const vf value = select((quadrant & 1) != 0, cosine, sine);
    vf result = fromBits(bits(value) ^ ((quadrant & 2) << 30));
    const vi large = abs(x) > 1e5f;
    for (int i = 0; i < width; ++i)
        if (__builtin_expect(large[i] != 0, 0))
            result[i] = quarter ? __builtin_cosf(x[i]) : __builtin_sinf(x[i]);
    return select(isFinite(x), result, x - x);
}
KW_INLINE inline vf sin(vf x) { return sinCos(x, 0); }
KW_INLINE inline vf cos(vf x) { return sinCos(x, 1); }

// The rest goes lane by lane through C's library.
#define KW_EACH(name)                                                                                                  \
    inline vf name(vf x)                                                                                               \
    {                                                                                                                  \
        for (int i = 0; i < width; ++i)                                                                                \
            x[i] = __builtin_##name##f(x[i]);                                                                          \
        return x;                                                                                                      \
    }
KW_EACH(tan) KW_EACH(asin) KW_EACH(acos) KW_EACH(atan) KW_EACH(sinh) KW_EACH(cosh) KW_EACH(asinh) KW_EACH(acosh)
KW_EACH(atanh) KW_EACH(erfc)
#undef KW_EACH
inline vf atan2(vf y, vf x)
{
    for (int i = 0; i < width; ++i)
        x[i] = __builtin_atan2f(y[i], x[i]);
    return x;
}
inline vf fmod(vf x, vf y)
{
    for (int i = 0; i < width; ++i)
        x[i] = __builtin_fmodf(x[i], y[i]);
    return x;
}

} // namespace kw
