// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/candidate.h"
#include "codegen/emit.h"
#include "graph/builder.h"
#include "problem/problem.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kw::test {

/// A tensor of the interpreter: row-major doubles, whatever the dtype.
struct Dense {
    DType dtype = DType::Float;
    std::vector<std::int64_t> shape;
    std::vector<double> values;
    std::int64_t elements() const;
};

/// Computes a graph of ATen calls in double, one naive loop per call. Knows nothing of the generator. `rounded`: every
/// result and every partial sum is rounded to a float, as the library computes: overflows happen where they happen there.
std::vector<Dense> interpret(const Graph& graph, const std::vector<Dense>& inputs, bool rounded = false);

/// A problem with the graph's inputs and outputs. Sizes named in `dimensions` (captured size -> name) become free dimensions.
Problem problemOf(const Graph& graph, const std::map<std::int64_t, std::string>& dimensions = {});

/// Random values that suit the dtype; floats standard normal times `scale`.
Dense randomDense(DType dtype, const std::vector<std::int64_t>& shape, unsigned seed, double scale = 1);

/// Many candidates built as one shared object by the system's compiler, with the flags that candidates get.
class Built {
public:
    struct Entry {
        const Problem* problem = nullptr;
        std::string source;
    };
    /// Empty text on success, else the compiler's output.
    std::string build(const std::vector<Entry>& entries, const std::string& optimisation = "-O3");
    ~Built();
    /// Runs entry `index` on tensors of the problem's layout; every tensor ends at a page that may not be touched.
    std::vector<Dense> run(std::size_t index, const Problem& problem, const std::vector<Dense>& inputs,
        const std::vector<std::int64_t>& dimensions) const;

private:
    void* m_library = nullptr;
    std::string m_folder;
};

/// Values far from one: what the names say, over all lanes.
enum class Extreme : std::uint8_t { Huge, Subnormal, MixedScale, NonFinite };
Dense extremeDense(Extreme kind, DType dtype, const std::vector<std::int64_t>& shape, unsigned seed);
/// What is wrong with `actual`, or nothing: not-a-number and infinities stand where both references have them, and finite
/// values are as near as their rounding allows. Where the references disagree, an overflow in between decides: either is right.
std::string mismatch(const Dense& actual, const Dense& exact, const Dense& rounded, double tolerance);

/// Largest error of `actual`, relative to max(1, largest finite value of `expected`); infinite when NaN or Inf differ in place.
double relativeError(const Dense& actual, const Dense& expected);

} // namespace kw::test
