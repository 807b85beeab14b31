// SPDX-License-Identifier: MIT-0
// Vectorised mathematics for emitted kernels. Each function states its largest error in units in the last place (ulp) of
// the correctly rounded result; the bounds hold for normal and subnormal arguments and are tested by dense sweeps.
// Not-a-number and infinities behave as in C's library. The *_fast forms trade accuracy for fewer operations, never the
// subnormal numbers.
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
KW_INLINE inline vi isFinite(vf x) { return abs(x) < __builtin_inff(); }
KW_INLINE inline vf withSignOf(vf magnitude, vf sign)
{
    return fromBits((bits(magnitude) & 0x7fffffff) | (bits(sign) & static_cast<std::int32_t>(0x80000000)));
}
// Bounds that are numbers; not-a-number in x stays.
KW_INLINE inline vf atLeast(vf x, vf low) { return greater(low, x); }
KW_INLINE inline vf atMost(vf x, vf high) { return lesser(high, x); }
KW_INLINE inline vf atLeast(vf x, float low) { return atLeast(x, splat(low)); }
KW_INLINE inline vf atMost(vf x, float high) { return atMost(x, splat(high)); }
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

// c0 + c1 x + c2 x^2 ...; the pairs come first, so that the chain of steps that wait for each other is half as long.
KW_INLINE inline vf polynomial(vf, vf, float c0) { return splat(c0); }
KW_INLINE inline vf polynomial(vf x, vf, float c0, float c1) { return fma(x, c1, splat(c0)); }
template <typename... More> KW_INLINE inline vf polynomial(vf x, vf square, float c0, float c1, More... more)
{
    return fma(polynomial(x, square, more...), square, fma(x, c1, splat(c0)));
}

inline constexpr float roundingMagic = 12582912.0f;          // 1.5 * 2^23: adding it rounds to an integer
inline constexpr float wideMagic = roundingMagic + 254.0f;   // leaves n + 254 in the lowest bits
inline constexpr float downMagic = roundingMagic + 191.0f;   // leaves the bits of 2^(n + 64) there

// x * 2^n for n in [-252, 254], subnormal results rounded once; `number` holds the bits of n + wideMagic.
KW_INLINE inline vf scaled(vf x, vi number)
{
    const vi half = number >> 1;
    return x * fromBits(half << 23) * fromBits((number - half) << 23);
}
// The same for n in [-180, 63] with the bits of n + downMagic.
KW_INLINE inline vf scaledDown(vf x, vi number) { return x * fromBits(number << 23) * 5.42101086e-20f; }

// 2^f for |f| <= 0.505 around 1.
KW_INLINE inline vf exp2Near(vf f)
{
    return fma(polynomial(f, f * f, 0.6931472042f, 0.2402264774f, 0.05550329349f, 0.009618449951f, 0.00134001702f, 0.0001535232068f), f, 1.0f);
}
// 2^(high + low), |low| < 1; saturates to 0 and infinity.
KW_INLINE inline vf exp2Of(vf high, vf low)
{
    const vf magic = (high + low) + wideMagic;
    return scaled(exp2Near((high - (magic - wideMagic)) + low), bits(magic));
}
KW_INLINE inline vf exp2(vf x) // 1.1 ulp
{
    return exp2Of(atMost(atLeast(x, -152.0f), 129.0f), vf{});
}
// e^r for r = x - n * log 2.
KW_INLINE inline vf expNear(vf x, vf n)
{
    vf r = fma(n, -0.693147182f, x);
    r = fma(n, 1.90465421e-9f, r);
    const vf p = polynomial(r, r * r, 0.4999999305f, 0.1666651479f, 0.04166845686f, 0.008369418936f, 0.001381314098f);
    return fma(p, r * r, r) + 1.0f;
}
KW_INLINE inline vf exp(vf x) // 1 ulp
{
    x = atMost(atLeast(x, -105.0f), 89.5f);
    const vf magic = fma(x, 1.44269504f, splat(wideMagic));
    return scaled(expNear(x, magic - wideMagic), bits(magic));
}
// For x <= 0, in fewer operations: 1 ulp.
KW_INLINE inline vf exp_nonpositive(vf x)
{
    x = atLeast(x, -105.0f);
    const vf magic = fma(x, 1.44269504f, splat(downMagic));
    return scaledDown(expNear(x, magic - downMagic), bits(magic));
}
KW_INLINE inline vf expm1(vf x) // 4 ulp
{
    const vf p = polynomial(x, x * x, 0.5000000058f, 0.1666666686f, 0.0416663036f, 0.008333263214f, 0.001394511641f, 0.0001991989544f);
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
    const vf p = polynomial(r, r * r, -0.721347522f, 0.4808969772f, -0.3606707753f, 0.2896674002f, -0.2418176575f);
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
// y * log2(x) for normal positive x: `high` and `low` add up to it.
KW_INLINE inline TwoFloats powerOf2(vf x, float y, float yLow)
{
    const TwoFloats l = log2Of<true>(x);
    const vf high = roundedProduct(splat(y), l.high);
    return {high, fma(l.high, yLow, fma(l.low, y, fma(l.high, splat(y), -high)))};
}
// The same with log2 from one polynomial: exact in the exponent's part, rounded like a float in the mantissa's.
KW_INLINE inline TwoFloats powerOf2Fast(vf x, float y, float yLow)
{
    const vi exponent = (bits(x) - 0x3f3504f3) >> 23; // the mantissa lies around 1
    const vf r = fromBits(bits(x) - (exponent << 23)) - 1.0f;
    const vf r2 = r * r;
    const vf far = polynomial(r, r2, -0.2387887325f, 0.2147308508f, -0.2081616032f, 0.1295649868f);
    const vf near = polynomial(r, r2, -0.7213472758f, 0.4809070187f, -0.3607111401f, 0.2880114338f);
    const vf p = fma(fma(far, r2 * r2, near), r, 1.44269504f);
    const vf whole = __builtin_convertvector(exponent, vf);
    const float coarse = static_cast<float>(static_cast<std::int32_t>(y * 256.0f)) / 256.0f; // times an exponent: exact
    return {whole * coarse, fma(whole, (y - coarse) + yLow, p * r * y)};
}
// x^y where neither x nor the result leaves the normal range.
template <bool Fast> KW_INLINE inline vf powUsual(vf x, float y, float yLow)
{
    const TwoFloats power = Fast ? powerOf2Fast(x, y, yLow) : powerOf2(x, y, yLow);
    const vf magic = (power.high + power.low) + roundingMagic;
    const vf f = (power.high - (magic - roundingMagic)) + power.low;
    return fromBits(bits(exp2Near(f)) + (bits(magic) << 23));
}
// Whether |log2 x| is beyond what keeps x^y a normal number in some lane; negative numbers and not-a-number are.
KW_INLINE inline bool anyRare(vf x, float y)
{
    const float size = __builtin_fabsf(y);
    const auto reach = static_cast<std::int32_t>(size < 1.0f ? 125.0f : 125.0f / size);
    // Shifted so that the usual numbers are the lowest integers: one comparison tells both ends.
    const auto shift = static_cast<std::int32_t>(0x80000000u - (static_cast<std::uint32_t>(127 - reach) << 23));
    return any(vi((vu(bits(x)) + static_cast<std::uint32_t>(shift))) > static_cast<std::int32_t>(0x80000000u + (static_cast<std::uint32_t>(2 * reach) << 23)));
}
template <bool Fast> KW_INLINE inline vf powAny(vf x, float y, float yLow)
{
    if (y == 0.0f)
        return splat(1.0f);
    if (__builtin_expect(anyRare(x, y), 0))
        return powRare(x, y, yLow);
    return powUsual<Fast>(x, y, yLow);
}
template <bool Fast> KW_INLINE inline vf powAbove(vf x, float y, float yLow)
{
    const TwoFloats power = Fast ? powerOf2Fast(x, y, yLow) : powerOf2(x, y, yLow);
    const vf result = exp2Of(atMost(power.high, 140.0f), power.low);
    return select(x < __builtin_inff(), result, x);
}
// A constant exponent given as two floats; what depends on it alone vanishes when it is a literal. 2 ulp, the fast forms
// 2 + |y| ulp for |y| <= 4.
KW_INLINE inline vf pow(vf x, float y, float yLow) { return powAny<false>(x, y, yLow); }
KW_INLINE inline vf pow_fast(vf x, float y, float yLow) { return powAny<true>(x, y, yLow); }
// For y > 0 and every x from a lower bound on for which x and x^y are normal numbers: no special cases to look for.
KW_INLINE inline vf pow_above(vf x, float y, float yLow) { return powAbove<false>(x, y, yLow); }
KW_INLINE inline vf pow_above_fast(vf x, float y, float yLow) { return powAbove<true>(x, y, yLow); }
// For x between two such bounds, or not-a-number.
KW_INLINE inline vf pow_within(vf x, float y, float yLow) { return select(isNan(x), x, powUsual<false>(x, y, yLow)); }
KW_INLINE inline vf pow_within_fast(vf x, float y, float yLow) { return select(isNan(x), x, powUsual<true>(x, y, yLow)); }
// Any exponent: 2 ulp.
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
    const vf p = polynomial(s, s * s, -0.3333328022f, 0.1333138367f, -0.05373400149f, 0.02061812696f, -0.005679308973f);
    const vf near = fma(p, s * x, x);
    const vf e = exp_nonpositive(t * -2.0f);
    const vf far = withSignOf((1.0f - e) / (1.0f + e), x);
    return select(t < 0.625f, near, select(isNan(x), x, far));
}
KW_INLINE inline vf sigmoid(vf x) // 3 ulp
{
    const vf e = exp_nonpositive(-abs(x));
    return select(x < 0.0f, e, splat(1.0f)) / (1.0f + e);
}
KW_INLINE inline vf erf(vf x) // 2 ulp
{
    const vf s = x * x;
    vf near = polynomial(s, s * s, 0.1283791666f, -0.376126337f, 0.1128369394f, -0.0268592707f, 0.00520063412f, -0.0008137435747f, 8.345218194e-5f);
    near = fma(near, x, x);
    const vf t = atMost(abs(x), 4.0f);
    const vf q = polynomial(t, t * t, -0.0002520138521f, 1.629545576f, 0.913726467f, 0.1562151185f, -0.03623965367f, 0.006017564277f,
        -0.0006267954378f, 3.043358045e-5f);
    const vf magic = downMagic - q;
    const vf far = withSignOf(1.0f - scaledDown(exp2Near((downMagic - magic) - q), bits(magic)), x);
    return select(abs(x) < 0.925f, near, select(isNan(x), x, far));
}

// 1 + erf(x), as a Gaussian's share uses it, with an absolute error below 1.3e-7: one polynomial for all x.
KW_INLINE inline vf one_plus_erf(vf x)
{
    const vf t = abs(x);
    const vf near = atMost(t, 4.0f);
    const vf q = polynomial(near, near * near, -3.099164034e-9f, 1.627907386f, 0.9184416655f, 0.1483134536f, -0.02773742511f, -6.764905213e-5f,
        0.002261485496f, -0.0008422901531f, 0.0001515525737f, -1.146742247e-5f);
    const vf magic = downMagic - q;
    const vf rest = select(t > 4.0f, vf{}, scaledDown(exp2Near((downMagic - magic) - q), bits(magic))); // 1 - erf(t)
    return select(x < 0.0f, rest, 2.0f - rest);
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
    const vf s2 = s * s;
    vf sine = polynomial(s, s2, -0.1666666664f, 0.008333329144f, -0.0001983925663f, 2.717564441e-6f);
    sine = fma(sine, s * r, r);
    vf cosine = polynomial(s, s2, 0.04166666662f, -0.001388888344f, 2.479943644e-5f, -2.720330566e-7f);
    cosine = fma(cosine, s2, fma(s, splat(-0.5f), splat(1.0f)));
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
