// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/index_map.h"

#include <gtest/gtest.h>

#include <set>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

std::int64_t evaluate(const IndexExpression& expression, const Shape& variables)
{
    std::int64_t index = expression.offset;
    for (const IndexTerm& term : expression.terms)
        index += term.coefficient * (variables[static_cast<std::size_t>(term.variable)] / term.divisor % term.extent);
    return index;
}

std::int64_t flat(const IndexMap& map, const Shape& shape, const Shape& variables)
{
    std::int64_t position = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const std::int64_t index = evaluate(map[axis], variables);
        EXPECT_TRUE(index >= 0 && index < shape[axis]);
        position = position * shape[axis] + index;
    }
    return position;
}

void expectSameElements(const Shape& from, const Shape& to)
{
    IndexMap map;
    for (std::size_t axis = 0; axis < from.size(); ++axis)
        map.push_back(wholeVariable(static_cast<std::int32_t>(axis), from[axis]));
    const auto other = reshaped(map, from, to);
    ASSERT_TRUE(other.has_value());
    EXPECT_TRUE(covers(*other, to));
    Shape variables(from.size(), 0);
    for (bool more = true; more;) {
        EXPECT_EQ(flat(map, from, variables), flat(*other, to, variables));
        more = false;
        for (std::size_t axis = from.size(); axis-- > 0 && !more;) {
            more = ++variables[axis] < from[axis];
            if (!more)
                variables[axis] = 0;
        }
    }
}

TEST(IndexMap, ReshapeKeepsTheElement)
{
    expectSameElements({6, 4}, {24});
    expectSameElements({24}, {2, 3, 4});
    expectSameElements({1, 8, 6}, {2, 4, 1, 6});
    expectSameElements({2, 12, 5}, {2, 3, 4, 5});
    expectSameElements({4, 6}, {2, 12});
    expectSameElements({4, 6, 5}, {8, 3, 5});
}

TEST(IndexMap, ReshapeThatIsNoSumOfDigitsIsRefused)
{
    const IndexMap map{wholeVariable(0, 4), wholeVariable(1, 6)};
    EXPECT_FALSE(reshaped(map, {4, 6}, {3, 8}).has_value()); // 6 does not split at 8
    IndexMap shifted = map;
    shifted[1].offset = 1;
    EXPECT_FALSE(reshaped(shifted, {4, 8}, {2, 16}).has_value() && covers(*reshaped(shifted, {4, 8}, {2, 16}), {2, 16}));
}

TEST(IndexMap, CoversMeansEveryElementOnce)
{
    const IndexMap map{wholeVariable(0, 4), wholeVariable(1, 6)};
    EXPECT_TRUE(covers(map, {4, 6}));
    EXPECT_FALSE(covers(map, {4, 7}));
    EXPECT_FALSE(covers({wholeVariable(0, 4), wholeVariable(0, 4)}, {4, 4})); // the diagonal
    IndexMap shifted = map;
    shifted[0].offset = 1;
    EXPECT_FALSE(covers(shifted, {4, 6}));
    IndexMap bordered = map;
    bordered[0].border = "p1";
    EXPECT_FALSE(covers(bordered, {4, 6}));
    EXPECT_NE(keyOf(map), keyOf(shifted));
    EXPECT_NE(keyOf(map), keyOf(bordered));
}

TEST(IndexMap, PointsCountDigitsOnceAndFixedIndicesArePointsOfMovingOnes)
{
    const IndexMap map{wholeVariable(0, 3), wholeVariable(1, 6)};
    EXPECT_EQ(pointsOf(map), 18);
    EXPECT_EQ(pointsOf({wholeVariable(0, 3), wholeVariable(0, 3)}), 3);
    EXPECT_EQ(pointsOf({}), 1);
    const IndexMap fixed{IndexExpression{2, {}, {}}, wholeVariable(1, 6)};
    EXPECT_TRUE(isPointOf(fixed, map, 8));
    EXPECT_FALSE(isPointOf(fixed, map, 2));
    EXPECT_FALSE(isPointOf(map, map, 8));
    EXPECT_FALSE(isPointOf(map, fixed, 8));
}

} // namespace
} // namespace kw
