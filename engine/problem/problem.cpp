// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/problem.h"

#include <algorithm>

namespace kw {

std::vector<std::int64_t> concreteShape(const std::vector<Size>& shape, const std::vector<std::int64_t>& dimensions)
{
    std::vector<std::int64_t> sizes;
    sizes.reserve(shape.size());
    for (const Size& size : shape)
        sizes.push_back(size.dimension < 0 ? size.constant : dimensions.at(static_cast<std::size_t>(size.dimension)));
    return sizes;
}

std::vector<std::int64_t> capturedDimensions(const Problem& problem)
{
    std::vector<std::int64_t> sizes;
    for (const Dimension& dimension : problem.dimensions)
        sizes.push_back(dimension.captured);
    return sizes;
}

namespace {

/// The axes from the innermost outwards, as the captured strides order them; axes of size 1 and broadcast ones are left out.
std::vector<std::size_t> memoryOrder(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides)
{
    std::vector<std::size_t> order;
    for (std::size_t axis = shape.size(); axis-- > 0;)
        if (strides[axis] != 0 && shape[axis] != 1)
            order.push_back(axis);
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t left, std::size_t right) { return strides[left] < strides[right]; });
    return order;
}

} // namespace

std::vector<std::int64_t> concreteStrides(const TensorArgument& argument, const std::vector<std::int64_t>& dimensions,
    const std::vector<std::int64_t>& captured)
{
    const auto shape = concreteShape(argument.shape, dimensions);
    const auto before = concreteShape(argument.shape, captured);
    if (shape == before)
        return argument.strides;
    std::vector<std::int64_t> strides(shape.size(), 0);
    // Outwards from the innermost axis. A gap that is a multiple of the inner part stays the same multiple, any other
    // gap keeps its number of elements.
    std::int64_t step = 1, capturedStep = 1;
    for (const std::size_t axis : memoryOrder(before, argument.strides)) {
        const std::int64_t actual = argument.strides[axis];
        strides[axis] = actual % capturedStep == 0 ? step * (actual / capturedStep)
                                                   : std::max<std::int64_t>(step + actual - capturedStep, 1);
        capturedStep = std::max<std::int64_t>(actual * before[axis], 1);
        step = strides[axis] * std::max<std::int64_t>(shape[axis], 1);
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (before[axis] == 1)
            strides[axis] = step;
    return strides;
}

} // namespace kw
