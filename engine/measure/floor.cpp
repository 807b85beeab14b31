// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/floor.h"

#include <algorithm>

namespace kw {
namespace {

double uniqueBytes(const TensorArgument& argument, const std::vector<std::int64_t>& dimensions)
{
    double elements = 1;
    const auto shape = concreteShape(argument.shape, dimensions);
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (argument.strides[axis] != 0 || shape[axis] == 0)
            elements *= static_cast<double>(shape[axis]);
    return elements * static_cast<double>(itemSize(argument.dtype));
}

/// Reading and writing overlap, so the highest of the rates is the bound for any mixture of them.
double bestRate(const Calibration& calibration, double workingSet)
{
    double best = 0;
    const Calibration::Point* below = nullptr;
    for (const Calibration::Point& point : calibration.bandwidth) {
        if (point.bytes < workingSet)
            below = &point;
        else
            best = std::max({best, point.read, point.write, point.copy});
    }
    // Between two points the smaller working set is the faster one: no result may be refused for lying between them.
    if (below)
        best = std::max({best, below->read, below->write, below->copy});
    return best;
}

} // namespace

double compulsoryBytes(const Problem& problem, const std::vector<std::int64_t>& dimensions)
{
    double bytes = 0;
    for (const auto* list : {&problem.inputs, &problem.outputs})
        for (const TensorArgument& argument : *list)
            bytes += uniqueBytes(argument, dimensions);
    return bytes;
}

double leastSeconds(double bytes, double workingSet, const Calibration& calibration, double slack)
{
    const double rate = bestRate(calibration, workingSet);
    return rate > 0 ? slack * bytes / rate : 0;
}

bool tooFast(double secondsPerCall, double bytes, double workingSet, const Calibration& calibration)
{
    return secondsPerCall < leastSeconds(bytes, workingSet, calibration);
}

} // namespace kw
