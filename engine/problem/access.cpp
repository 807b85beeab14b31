// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/access.h"

#include "graph/builder.h"
#include "graph/operators.h"
#include "problem/index_map.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace kw {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr std::size_t maximumInstances = 1500;
constexpr std::int64_t unrollLimit = 8;     ///< an axis this short may be written out
constexpr std::int64_t shortReduction = 4;  ///< so few terms are written out side by side, as colour channels are
constexpr double bandRows = 64, tileColumns = 512; ///< a window kernel prepares rows of such pieces, and their margins twice

/// A value at an index map.
struct Instance {
    ValueId value = noValue;
    IndexMap map;
    double weight = 1;   ///< share of the points at which it is needed (parts of a concatenation)
    double cost = 0;     ///< per point
    bool underWindow = false;
};

/// Walks one region. Used once, on one thread.
class Walker {
public:
    explicit Walker(const Decomposition& decomposition)
        : m_graph(decomposition.graph), m_producer(producers(m_graph))
    {
    }

    Result<AccessReport> run()
    {
        chooseSpace();
        for (const GraphOutput& output : m_graph.outputs)
            seed(valueOf(&output.value));
        if (!m_fault.empty())
            return Error{Message("problem.no_loop_space").with("why", m_fault), {}};
        AccessReport report;
        report.instances = static_cast<std::int32_t>(m_instances.size());
        report.arithmetic = arithmetic();
        report.kind = m_window ? RegionKind::Window
            : m_reduced.empty() ? RegionKind::Pointwise
            : m_reduced.contains(std::ssize(m_space) - 1) ? RegionKind::RowReduction : RegionKind::ColumnReduction;
        return report;
    }

private:
    const Shape& shape(ValueId id) const { return m_graph.values[static_cast<std::size_t>(id)].type->shape; }
    std::int64_t elements(ValueId id) const { return m_graph.values[static_cast<std::size_t>(id)].type->elements(); }
    const Node* producerOf(ValueId id) const
    {
        const std::int32_t index = m_producer[static_cast<std::size_t>(id)];
        return index < 0 ? nullptr : &m_graph.nodes[static_cast<std::size_t>(index)];
    }
    void fail(const char* why)
    {
        if (m_fault.empty())
            m_fault = why;
    }

    /// A sum of a few terms is arithmetic, not a loop.
    bool isShort(const Node& node) const
    {
        const ValueId input = readValues(node).front();
        const ValueId result = node.outputs.front().values.front();
        return elements(result) > 0 && elements(input) / elements(result) <= shortReduction;
    }

    static Shape axesOf(const Node& node) { return intsOf(findArgument(node, "dim")).value_or(Shape{}); }

    /// The space is the input of the first reduction, or else the largest output.
    void chooseSpace()
    {
        ValueId anchor = noValue;
        for (const Node& node : m_graph.nodes)
            if (operatorKind(m_graph, node) == OperatorKind::Reduction && !isShort(node)) {
                anchor = readValues(node).front();
                for (const std::int64_t axis : axesOf(node))
                    if (shape(anchor)[static_cast<std::size_t>(axis)] != 1)
                        m_reduced.insert(axis);
                break;
            }
        if (anchor == noValue)
            for (const GraphOutput& output : m_graph.outputs)
                if (const ValueId id = valueOf(&output.value); anchor == noValue || elements(id) > elements(anchor))
                    anchor = id;
        m_space = shape(anchor);
        for (std::size_t axis = 0; axis < m_space.size(); ++axis)
            m_anchorMap.push_back(wholeVariable(static_cast<std::int32_t>(axis), m_space[axis]));
        m_forward[anchor] = m_anchorMap;
        for (const Node& node : m_graph.nodes)
            carryForward(node);
    }

    /// Where the elements of a result lie in the loop space, when its operand's place is known.
    void carryForward(const Node& node)
    {
        const ValueId result = node.outputs.front().values.front();
        if (m_forward.contains(result))
            return;
        const OperatorKind kind = operatorKind(m_graph, node);
        for (const ValueId input : readValues(node)) {
            const auto known = m_forward.find(input);
            if (known == m_forward.end())
                continue;
            std::optional<IndexMap> map;
            if (kind == OperatorKind::Reduction)
                map = keptAxes(node, known->second);
            else if (node.target == "aten::reshape")
                map = reshaped(known->second, shape(input), shape(result));
            else if (node.target == "aten::permute")
                map = permuted(node, known->second);
            else if ((kind == OperatorKind::Pointwise || node.target == "aten::_to_copy") && shape(input) == shape(result))
                map = known->second;
            if (map) {
                m_forward[result] = std::move(*map);
                return;
            }
        }
    }

    static IndexMap keptAxes(const Node& node, const IndexMap& map)
    {
        const Shape axes = axesOf(node);
        const bool keep = boolOf(findArgument(node, "keepdim")).value_or(false);
        IndexMap kept;
        for (std::size_t axis = 0; axis < map.size(); ++axis) {
            const bool reduced = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
            if (!reduced || keep)
                kept.push_back(reduced ? IndexExpression{} : map[axis]);
        }
        return kept;
    }

    static IndexMap permuted(const Node& node, const IndexMap& map)
    {
        IndexMap result;
        for (const std::int64_t axis : intsOf(findArgument(node, "dims")).value_or(Shape{}))
            result.push_back(map.at(static_cast<std::size_t>(axis)));
        return result;
    }

    /// Starts the walk at an output; every element of it must be written exactly once.
    void seed(ValueId output)
    {
        IndexMap map;
        if (const auto known = m_forward.find(output); known != m_forward.end())
            map = known->second;
        else if (const auto placed = alignedMap(shape(output)))
            map = *placed;
        else
            return fail("an output does not fit the loop space");
        if (!covers(map, shape(output)))
            return fail("an output is not written once per element");
        visit(output, map, 1, 0);
    }

    /// Aligned at the last axis, each axis as in the loop space or 1.
    std::optional<IndexMap> alignedMap(const Shape& wanted) const
    {
        IndexMap map;
        if (wanted.size() > m_space.size())
            return std::nullopt;
        for (std::size_t axis = 0; axis < wanted.size(); ++axis) {
            const std::size_t place = m_space.size() - wanted.size() + axis;
            if (wanted[axis] != 1 && wanted[axis] != m_space[place])
                return std::nullopt;
            map.push_back(wanted[axis] == 1 ? IndexExpression{} : m_anchorMap[place]);
        }
        return map;
    }

    void visit(ValueId id, const IndexMap& map, double weight, int depth)
    {
        if (!m_fault.empty())
            return;
        if (depth > 400 || m_instances.size() > maximumInstances)
            return fail("the region unfolds into too much code");
        const std::string key = std::to_string(id) + keyOf(map);
        const auto [entry, fresh] = m_index.emplace(key, m_instances.size());
        if (!fresh) {
            m_instances[entry->second].weight = std::max(m_instances[entry->second].weight, weight);
            return;
        }
        const Node* node = producerOf(id);
        m_instances.push_back({id, map, weight, node ? operatorCost(node->target) : 0, m_insideWindow});
        if (node)
            descend(*node, id, map, weight, depth + 1);
    }

    void descend(const Node& node, ValueId id, const IndexMap& map, double weight, int depth)
    {
        switch (operatorKind(m_graph, node)) {
        case OperatorKind::Reduction:
            return isShort(node) ? terms(node, map, weight, depth) : reduction(node, map, depth);
        case OperatorKind::Concat:
            return concatenation(node, map, weight, depth);
        case OperatorKind::Pad:
            return pad(node, map, weight, depth);
        case OperatorKind::Window:
            return window(node, map, weight, depth);
        case OperatorKind::Creation:
            return;
        default:
            break;
        }
        const ValueId self = valueOf(findArgument(node, "self"));
        const auto integer = [&](const char* name) { return intOf(findArgument(node, name)).value_or(0); };
        if (node.target == "aten::reshape") {
            if (const auto inner = reshaped(map, shape(id), shape(self)))
                return visit(self, *inner, weight, depth);
            return fail("a view inside the region is not a sum of loop indices");
        }
        IndexMap inner = map;
        if (node.target == "aten::permute") {
            const Shape order = intsOf(findArgument(node, "dims")).value_or(Shape{});
            for (std::size_t axis = 0; axis < order.size(); ++axis)
                inner[static_cast<std::size_t>(order[axis])] = map[axis];
        } else if (node.target == "aten::slice.Tensor") {
            move(inner[static_cast<std::size_t>(integer("dim"))], integer("step"), integer("start"));
        } else if (node.target == "aten::select.int") {
            inner.insert(inner.begin() + integer("dim"), IndexExpression{integer("index"), {}, {}});
        } else if (node.target == "aten::flip") {
            for (const std::int64_t axis : intsOf(findArgument(node, "dims")).value_or(Shape{}))
                move(inner[static_cast<std::size_t>(axis)], -1, shape(id)[static_cast<std::size_t>(axis)] - 1);
        } else {
            for (const ValueId input : readValues(node))
                visit(input, broadcast(map, shape(input)), weight, depth);
            return;
        }
        visit(self, inner, weight, depth);
    }

    /// scale x index + offset
    static void move(IndexExpression& expression, std::int64_t scale, std::int64_t offset)
    {
        expression.offset = expression.offset * scale + offset;
        for (IndexTerm& term : expression.terms)
            term.coefficient *= scale;
    }

    static IndexMap broadcast(const IndexMap& map, const Shape& wanted)
    {
        IndexMap inner(map.end() - static_cast<std::ptrdiff_t>(wanted.size()), map.end());
        for (std::size_t axis = 0; axis < wanted.size(); ++axis)
            if (wanted[axis] == 1)
                inner[axis] = {};
        return inner;
    }

    /// Every term of a short reduction by itself.
    void terms(const Node& node, const IndexMap& map, double weight, int depth)
    {
        const ValueId input = readValues(node).front();
        const Shape axes = axesOf(node);
        const bool keep = boolOf(findArgument(node, "keepdim")).value_or(false);
        std::vector<IndexMap> maps{IndexMap{}};
        auto outer = map.begin();
        for (std::size_t axis = 0; axis < shape(input).size(); ++axis) {
            const bool reduced = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
            std::vector<IndexMap> longer;
            for (const IndexMap& each : maps)
                for (std::int64_t at = 0; at < (reduced ? shape(input)[axis] : 1); ++at) {
                    longer.push_back(each);
                    longer.back().push_back(reduced ? IndexExpression{at, {}, {}} : *outer);
                }
            maps = std::move(longer);
            outer += !reduced || keep ? 1 : 0;
        }
        for (const IndexMap& each : maps)
            visit(input, each, weight, depth);
    }

    /// All reductions run over the same loop variables, once per point of the others.
    void reduction(const Node& node, const IndexMap& map, int depth)
    {
        if (m_insideWindow)
            return fail("a window over a reduction");
        const ValueId input = readValues(node).front();
        const Shape axes = axesOf(node);
        const bool keep = boolOf(findArgument(node, "keepdim")).value_or(false);
        IndexMap inner;
        std::set<std::int64_t> space;
        auto outer = map.begin();
        for (std::size_t axis = 0; axis < shape(input).size(); ++axis) {
            const bool reduced = std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
            if (!reduced) {
                inner.push_back(*outer++);
                continue;
            }
            outer += keep ? 1 : 0;
            inner.push_back(reductionIndex(input, axis, space));
        }
        if (space != m_reduced)
            return fail("two reductions run over different axes");
        for (const IndexExpression& expression : inner)
            for (const IndexTerm& term : expression.terms)
                if (term.coefficient < 1)
                    return fail("a reduction is read backwards");
        if (!covers(inner, shape(input)))
            return fail("a reduction is needed at shifted or partial rows");
        visit(input, inner, 1, depth);
    }

    /// The loop variable that runs along a reduced axis: where the input lies in the loop space, or its aligned axis.
    IndexExpression reductionIndex(ValueId input, std::size_t axis, std::set<std::int64_t>& space)
    {
        if (shape(input)[axis] == 1)
            return {};
        std::optional<IndexMap> placed;
        if (const auto known = m_forward.find(input); known != m_forward.end())
            placed = known->second;
        else
            placed = alignedMap(shape(input));
        if (!placed) {
            fail("a reduction does not fit the loop space");
            return {};
        }
        for (const IndexTerm& term : (*placed)[axis].terms)
            space.insert(term.variable);
        return (*placed)[axis];
    }

    void concatenation(const Node& node, const IndexMap& map, double weight, int depth)
    {
        const auto axis = static_cast<std::size_t>(intOf(findArgument(node, "dim")).value_or(0));
        std::int64_t start = 0;
        double total = 0;
        for (const ValueId part : readValues(node))
            total += static_cast<double>(shape(part)[axis]);
        for (const ValueId part : readValues(node)) {
            const std::int64_t size = shape(part)[axis];
            IndexMap inner = map;
            if (map[axis].constant()) {
                if (map[axis].offset >= start && map[axis].offset < start + size) {
                    inner[axis].offset -= start;
                    visit(part, inner, weight, depth);
                }
            } else if (size > 0) {
                inner[axis].offset -= start;
                visit(part, inner, weight * static_cast<double>(size) / total, depth);
            }
            start += size;
        }
    }

    void pad(const Node& node, const IndexMap& map, double weight, int depth)
    {
        const bool constant = node.target == "aten::constant_pad_nd";
        const Shape amounts = intsOf(findArgument(node, constant ? "pad" : "padding")).value_or(Shape{});
        const ValueId self = valueOf(findArgument(node, "self"));
        IndexMap inner = map;
        for (std::size_t pair = 0; pair < amounts.size() / 2; ++pair) {
            IndexExpression& expression = inner[inner.size() - 1 - pair];
            if (amounts[2 * pair] == 0 && amounts[2 * pair + 1] == 0)
                continue;
            expression.offset -= amounts[2 * pair];
            expression.border += 'p' + std::to_string(amounts[2 * pair]) + ',' + std::to_string(amounts[2 * pair + 1]);
        }
        visit(self, inner, weight, depth);
    }

    void window(const Node& node, const IndexMap& map, double weight, int depth)
    {
        const Shape kernel = intsOf(findArgument(node, "kernel_size")).value_or(Shape{});
        const Shape stride = intsOf(findArgument(node, "stride")).value_or(Shape{});
        if (m_insideWindow || !m_reduced.empty())
            return fail("a window inside a window or beside a reduction");
        if (kernel.size() != 2 || stride != Shape{1, 1} || (m_window && m_kernel != kernel))
            return fail("windows of different shape or with steps");
        m_window = true;
        m_kernel = kernel;
        m_instances.back().cost = static_cast<double>(kernel[0] + kernel[1]); // a sum down, then one along
        IndexMap inner = map;
        for (std::size_t axis = 0; axis < 2; ++axis)
            inner[inner.size() - 2 + axis].border += 'w' + std::to_string(kernel[axis]);
        m_insideWindow = true;
        const std::size_t before = m_instances.size();
        visit(readValues(node).front(), inner, weight, depth);
        m_insideWindow = false;
        const double margins = (1 + static_cast<double>(kernel[0] - 1) / bandRows) * (1 + static_cast<double>(kernel[1] - 1) / tileColumns);
        for (std::size_t index = before; index < m_instances.size(); ++index)
            m_instances[index].cost *= margins;
    }

    /// Short axes at which a value is needed both at the loop's index and at fixed ones are written out, so that the
    /// fixed ones cost nothing more; what was prepared for a window is kept for the window's centre.
    void mergeUnrolled()
    {
        std::map<ValueId, std::vector<std::size_t>> byValue;
        for (std::size_t index = 0; index < m_instances.size(); ++index)
            byValue[m_instances[index].value].push_back(index);
        for (const auto& [id, indices] : byValue) {
            const bool prepared = std::any_of(indices.begin(), indices.end(), [&](std::size_t index) { return m_instances[index].underWindow; });
            for (const std::size_t index : indices)
                if (prepared && !m_instances[index].underWindow)
                    m_instances[index].cost = 0;
            for (const std::size_t fixed : indices)
                for (const std::size_t moving : indices)
                    if (fixed != moving && isPointOf(m_instances[fixed].map, m_instances[moving].map, unrollLimit))
                        m_instances[fixed].cost = 0;
        }
    }

    double arithmetic()
    {
        mergeUnrolled();
        double sum = 0;
        for (const Instance& instance : m_instances) {
            const Node* node = producerOf(instance.value);
            if (!node)
                continue;
            double count = pointsOf(instance.map) * instance.weight;
            if (operatorKind(m_graph, *node) == OperatorKind::Reduction)
                count = static_cast<double>(elements(readValues(*node).front()));
            sum += instance.cost * count;
        }
        return sum;
    }

    const Graph& m_graph;
    std::vector<std::int32_t> m_producer;
    Shape m_space, m_kernel;
    IndexMap m_anchorMap;
    std::set<std::int64_t> m_reduced; ///< loop variables
    std::map<ValueId, IndexMap> m_forward;
    std::vector<Instance> m_instances;
    std::unordered_map<std::string, std::size_t> m_index;
    bool m_window = false, m_insideWindow = false;
    std::string m_fault;
};

} // namespace

Result<AccessReport> analyseAccess(const Decomposition& decomposition) { return Walker(decomposition).run(); }

} // namespace kw
