// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/paths.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

// The vectorised functions of resources/kernel/kw against C's library in long double, over sweeps of all float patterns.

namespace kw::test {
namespace {

using Kernel = void (*)(const float*, float*, std::int64_t);
using Reference = long double (*)(long double);

struct Function {
    const char* name;
    const char* call;
    Reference reference;
    double bound;              ///< ulp, as the header states
    float low, high;           ///< range in which the bound is promised
};

const Function functions[] = {
    {"exp", "kw::exp(x)", std::exp, 1, -200, 200},
    {"exp2", "kw::exp2(x)", std::exp2, 1.1, -200, 200},
    {"exp_nonpositive", "kw::exp_nonpositive(kw::atMost(x, 0.0f))", [](long double x) { return x > 0 ? 1.0L : std::exp(x); }, 1, -3.4e38f, 3.4e38f},
    {"expm1", "kw::expm1(x)", std::expm1, 4, -200, 200},
    {"log", "kw::log(x)", std::log, 1, 0, 3.4e38f},
    {"log2", "kw::log2(x)", std::log2, 1, 0, 3.4e38f},
    {"log10", "kw::log10(x)", std::log10, 1, 0, 3.4e38f},
    {"log1p", "kw::log1p(x)", std::log1p, 2, -1, 3.4e38f},
    {"tanh", "kw::tanh(x)", std::tanh, 2, -100, 100},
    {"erf", "kw::erf(x)", std::erf, 2, -10, 10},
    {"sigmoid", "kw::sigmoid(x)", [](long double x) { return 1 / (1 + std::exp(-x)); }, 3, -200, 200},
    {"sin", "kw::sin(x)", std::sin, 2, -1e5f, 1e5f},
    {"cos", "kw::cos(x)", std::cos, 2, -1e5f, 1e5f},
    {"rsqrt", "kw::rsqrt(x)", [](long double x) { return 1 / std::sqrt(x); }, 1.5, 0, 3.4e38f},
    {"pow24", "kw::pow(x, 2.4f, -9.536743e-08f)", [](long double x) { return std::pow(x, 2.4L); }, 2, 0, 3.4e38f},
    {"powroot", "kw::pow(x, 0.41666666f, 9.934108e-09f)", [](long double x) { return std::pow(x, 1 / 2.4L); }, 2, 0, 3.4e38f},
    {"fast24", "kw::pow_fast(x, 2.4f, -9.536743e-08f)", [](long double x) { return std::pow(x, 2.4L); }, 4.4, 0, 3.4e38f},
    {"fastroot", "kw::pow_fast(x, 0.41666666f, 9.934108e-09f)", [](long double x) { return std::pow(x, 1 / 2.4L); }, 2.4, 0, 3.4e38f},
    {"above24", "kw::pow_above(kw::atLeast(x, 0x1p-50f), 2.4f, -9.536743e-08f)", [](long double x) { return std::pow(x < 0x1p-50L ? 0x1p-50L : x, 2.4L); }, 2.5, -3.4e38f, 3.4e38f},
    {"abovefast", "kw::pow_above_fast(kw::atLeast(x, 0x1p-50f), 2.4f, -9.536743e-08f)", [](long double x) { return std::pow(x < 0x1p-50L ? 0x1p-50L : x, 2.4L); }, 4.9, -3.4e38f, 3.4e38f},
    {"within24", "kw::pow_within(kw::atMost(kw::atLeast(x, 0x1p-50f), 0x1p50f), 2.4f, -9.536743e-08f)",
        [](long double x) { return std::pow(x < 0x1p-50L ? 0x1p-50L : x > 0x1p50L ? 0x1p50L : x, 2.4L); }, 2.5, -3.4e38f, 3.4e38f},
    {"fast3", "kw::pow_fast(x, -3.0f, 0.0f)", [](long double x) { return std::pow(x, -3.0L); }, 5, -3.4e38f, 3.4e38f},
    {"fast4", "kw::pow_fast(x, 4.0f, 0.0f)", [](long double x) { return std::pow(x, 4.0L); }, 6, -3.4e38f, 3.4e38f},
    {"pow3", "kw::pow(x, -3.0f, 0.0f)", [](long double x) { return std::pow(x, -3.0L); }, 2, -3.4e38f, 3.4e38f},
    {"powsame", "kw::pow(kw::abs(x), x)", [](long double x) { return std::pow(std::fabs(x), x); }, 2, -30, 30},
};

class Library {
public:
    Library()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "kw-math-XXXXXX").string();
        m_folder = mkdtemp(pattern.data());
        std::ofstream source(m_folder + "/math.cpp");
        source << "#include \"kw/math.h\"\n";
        for (const Function& function : functions)
            source << "extern \"C\" void " << function.name << "_kernel(const float* from, float* to, kw::i64 n)\n{\n"
                   << "    kw::loop<1>(0, n, [&](kw::i64 i, auto lanes, auto) KW_INLINE {\n        const kw::vf x = kw::load(from + i, lanes);\n"
                   << "        kw::store(to + i, " << function.call << ", lanes);\n    });\n}\n";
        source << "extern \"C\" void oneerf_kernel(const float* from, float* to, kw::i64 n)\n{\n"
               << "    kw::loop<1>(0, n, [&](kw::i64 i, auto lanes, auto) KW_INLINE { kw::store(to + i, kw::one_plus_erf(kw::load(from + i, lanes)), lanes); });\n}\n";
        source.close();
        const std::string command = "g++ -O3 -std=c++20 -march=native -fno-math-errno -fno-trapping-math -shared -fPIC -I'"
            + (sourceFolder() / "resources/kernel").string() + "' '" + m_folder + "/math.cpp' -o '" + m_folder + "/math.so'";
        if (std::system(command.c_str()) == 0)
            m_library = dlopen((m_folder + "/math.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    ~Library()
    {
        if (m_library)
            dlclose(m_library);
        std::filesystem::remove_all(m_folder);
    }
    Kernel kernel(const std::string& name) const { return m_library ? reinterpret_cast<Kernel>(dlsym(m_library, (name + "_kernel").c_str())) : nullptr; }

private:
    std::string m_folder;
    void* m_library = nullptr;
};

double ulpOf(long double value)
{
    const long double size = std::fabs(value);
    if (size < std::numeric_limits<float>::min())
        return std::ldexp(1.0, -149);
    return std::ldexp(1.0, std::ilogb(size) - 23);
}

TEST(VectorMath, OnePlusErfHasASmallAbsoluteErrorEverywhere)
{
    const Library library;
    const Kernel kernel = library.kernel("oneerf");
    ASSERT_NE(kernel, nullptr);
    std::vector<float> x{0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e-45f, -1e-45f, -1e30f, 1e30f, 4.0f, -4.0f};
    for (int i = -600000; i <= 600000; ++i)
        x.push_back(static_cast<float>(i) * 1e-5f);
    std::vector<float> y(x.size());
    kernel(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(x[i])) {
            EXPECT_TRUE(std::isnan(y[i]));
            continue;
        }
        ASSERT_NEAR(static_cast<double>(y[i]), static_cast<double>(1 + std::erf(static_cast<long double>(x[i]))), 1.3e-7) << x[i];
    }
    EXPECT_EQ(y[3], 0.0f);
    EXPECT_EQ(y[7], 0.0f) << "times a huge argument nothing may be left";
}

TEST(VectorMath, StaysWithinItsStatedBounds)
{
    const Library library;
    std::vector<float> x;
    constexpr std::uint32_t step = 4099; // about a million patterns, all exponents, both signs
    for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << 32); pattern += step)
        x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(pattern)));
    for (int i = -40000; i <= 40000; ++i) { // dense where people compute, and around 1
        x.push_back(static_cast<float>(i) * 1e-3f);
        x.push_back(1 + static_cast<float>(i) * 1e-5f);
    }
    for (const float special : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1.0f, -1.0f, 1e-45f, -1e-45f, 3.4028235e38f, -3.4028235e38f, 88.72284f, -87.33655f, -103.97f})
        x.push_back(special);
    std::vector<float> y(x.size());
    for (const Function& function : functions) {
        const Kernel kernel = library.kernel(function.name);
        ASSERT_NE(kernel, nullptr) << function.name;
        kernel(x.data(), y.data(), static_cast<std::int64_t>(x.size()));
        double worst = 0;
        float where = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const long double exact = function.reference(x[i]);
            const auto nearest = static_cast<float>(exact);
            if (!std::isfinite(nearest) || !std::isfinite(x[i])) {
                // Just below the largest float both neighbours are within half an ulp.
                const bool same = std::isnan(nearest) ? std::isnan(y[i]) : nearest == y[i] || std::fabs(y[i]) > 3.4028e38f;
                if (function.low <= x[i] || !std::isfinite(x[i]) || std::isnan(nearest)) {
                    EXPECT_TRUE(same) << function.name << "(" << x[i] << ") = " << y[i] << " instead of " << nearest;
                }
                continue;
            }
            if (x[i] < function.low || x[i] > function.high)
                continue;
            const double error = static_cast<double>(std::fabs(y[i] - exact)) / ulpOf(exact);
            if (!(error <= worst)) {
                worst = error;
                where = x[i];
            }
        }
        EXPECT_LE(worst, function.bound) << function.name << " at " << where;
        RecordProperty(function.name, std::to_string(worst));
    }
}

} // namespace
} // namespace kw::test
