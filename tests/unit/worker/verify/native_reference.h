// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "worker/verify/reference.h"

#include <cmath>
#include <limits>
#include <vector>

namespace kw::test {

/// The problems of support/kernel_problems.h written down once more, without LibTorch: an independent implementation in
/// float (as the library would compute) and in double.
class NativeReference final : public Reference {
public:
    Result<std::vector<HostTensor>> run(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, Precision precision) override
    {
        ++runs;
        return precision == Precision::Double ? compute<double>(problem, dimensions, inputs, DType::Double)
                                              : compute<float>(problem, dimensions, inputs, DType::Float);
    }

    /// Rounds every input at random and computes in double: inner roundings are not modelled here.
    Result<std::vector<HostTensor>> runNoisy(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, std::uint64_t) override
    {
        return compute<double>(problem, dimensions, inputs, DType::Double);
    }

    int runs = 0;

private:
    template <typename Real> static std::vector<Real> values(const HostTensor& tensor)
    {
        std::vector<Real> list;
        for (const std::int64_t offset : elementOffsets(tensor.type))
            list.push_back(static_cast<Real>(elementAt(tensor.storage.data(), tensor.type.dtype, offset)));
        return list;
    }

    template <typename Real>
    static Result<std::vector<HostTensor>> compute(const Problem& problem, const std::vector<std::int64_t>& dimensions,
        const std::vector<HostTensor>& inputs, DType dtype)
    {
        const auto rows = dimensions[0], columns = dimensions[1];
        const std::vector<Real> x = values<Real>(inputs[0]);
        std::vector<Real> y(x.size());
        const std::vector<Real> second = inputs.size() > 1 ? values<Real>(inputs[1]) : std::vector<Real>();
        const std::vector<Real> third = inputs.size() > 2 ? values<Real>(inputs[2]) : std::vector<Real>();
        for (std::int64_t r = 0; r < rows; ++r) {
            const Real* in = x.data() + r * columns;
            Real* out = y.data() + r * columns;
            if (problem.name == "rms_norm")
                norm(in, second, out, columns);
            else if (problem.name == "softmax")
                softmax(in, out, columns);
            else
                gelu(in, second, third.data() + r * columns, out, columns);
        }
        HostTensor output(TensorType{dtype, {rows, columns}, contiguousStrides({rows, columns})});
        for (std::size_t i = 0; i < y.size(); ++i)
            setElement(output.storage.data(), dtype, static_cast<std::int64_t>(i), static_cast<double>(y[i]));
        return std::vector<HostTensor>{std::move(output)};
    }

    template <typename Real> static void norm(const Real* in, const std::vector<Real>& weight, Real* out, std::int64_t columns)
    {
        Real lanes[4] = {};
        for (std::int64_t c = 0; c < columns; ++c)
            lanes[c % 4] += in[c] * in[c];
        const Real mean = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) / static_cast<Real>(columns);
        const Real root = 1 / std::sqrt(mean + static_cast<Real>(1e-6));
        for (std::int64_t c = 0; c < columns; ++c)
            out[c] = in[c] * root * weight[static_cast<std::size_t>(c)];
    }

    template <typename Real> static void softmax(const Real* in, Real* out, std::int64_t columns)
    {
        Real highest = -std::numeric_limits<Real>::infinity();
        for (std::int64_t c = 0; c < columns; ++c)
            highest = std::isnan(in[c]) || in[c] > highest ? in[c] : highest;
        Real lanes[4] = {};
        for (std::int64_t c = 0; c < columns; ++c)
            lanes[c % 4] += out[c] = std::exp(in[c] - highest);
        const Real sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        for (std::int64_t c = 0; c < columns; ++c)
            out[c] /= sum;
    }

    template <typename Real>
    static void gelu(const Real* in, const std::vector<Real>& bias, const Real* gate, Real* out, std::int64_t columns)
    {
        for (std::int64_t c = 0; c < columns; ++c) {
            const Real v = in[c] + bias[static_cast<std::size_t>(c)];
            out[c] = v * static_cast<Real>(0.5) * (1 + std::erf(v * static_cast<Real>(0.70710678118654752440))) * gate[c];
        }
    }
};

} // namespace kw::test
