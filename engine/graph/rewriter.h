// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "graph/builder.h"
#include "graph/decompose.h"

#include <functional>
#include <unordered_map>

namespace kw {

/// Writes the primitives of one graph, node by node; the rules of decompose() work through it. One thread.
/// A failed step sets refusal() and later steps do nothing, so rules need not check after every call.
class Rewriter {
public:
    explicit Rewriter(const Graph& source);

    Result<Decomposition> run();

    // --- reading the call at hand
    const Node& node() const { return *m_node; }
    bool has(std::string_view name) const;                      ///< given and not None
    const Argument* raw(std::string_view name) const;
    Argument operand(std::string_view name);                    ///< a tensor of the new graph, or a number
    ValueId tensor(std::string_view name);                      ///< a tensor of the new graph
    std::vector<ValueId> tensors(std::string_view name);
    double number(std::string_view name, double otherwise) const;
    bool truth(std::string_view name, bool otherwise) const;
    std::vector<std::int64_t> ints(std::string_view name, std::vector<std::int64_t> otherwise = {}) const;
    std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    const TensorType& result(std::size_t index = 0);            ///< captured type of a result
    std::size_t resultCount() const { return m_results.size(); }

    // --- writing
    const TensorType& type(ValueId value) const { return m_builder.type(value); }
    std::int64_t size(ValueId value, std::int64_t axis) const;
    std::int64_t rank(ValueId value) const { return static_cast<std::int64_t>(type(value).shape.size()); }
    ValueId unary(const char* name, ValueId self);
    /// Operands broadcast and are converted to `common` first; the result has that type, comparisons have bool.
    ValueId binary(const char* name, const Argument& self, const Argument& other, DType common);
    ValueId binary(const char* name, ValueId self, double other) { return binary(name, ValueRef{self}, other, type(self).dtype); }
    ValueId binary(const char* name, ValueId self, ValueId other);
    ValueId where(ValueId condition, const Argument& self, const Argument& other, DType common);
    ValueId convert(ValueId self, DType dtype);
    ValueId reduce(const char* name, ValueId self, std::vector<std::int64_t> axes, bool keep);
    ValueId reshape(ValueId self, std::vector<std::int64_t> shape);
    ValueId permute(ValueId self, std::vector<std::int64_t> order);
    ValueId expand(ValueId self, std::vector<std::int64_t> shape);
    ValueId slice(ValueId self, std::int64_t axis, std::int64_t start, std::int64_t end, std::int64_t step = 1);
    ValueId select(ValueId self, std::int64_t axis, std::int64_t index);
    ValueId cat(std::vector<ValueId> parts, std::int64_t axis);
    ValueId full(std::vector<std::int64_t> shape, const Argument& number, DType dtype);
    ValueId emit(const char* name, std::vector<NamedArgument> arguments, DType dtype, std::vector<std::int64_t> shape);
    void pin(ValueId value, std::int64_t axis) { m_pinned.emplace_back(value, static_cast<std::int32_t>(axis)); }

    /// The number of an argument as an operand keeps its kind (integer or real).
    static bool isTensor(const Argument& operand) { return std::holds_alternative<ValueRef>(operand); }
    static ValueId id(const Argument& operand) { return std::get<ValueRef>(operand).id; }
    /// Axis counted from the front; refuses when out of range.
    std::int64_t axis(std::int64_t wanted, std::int64_t rank);
    /// Distinct, ascending, non-negative; all axes when empty.
    std::vector<std::int64_t> axes(std::vector<std::int64_t> wanted, std::int64_t rank);
    /// torch's common type of two operands: category first (bool, integer, real), tensors with axes before scalars.
    DType common(const Argument& self, const Argument& other) const;

    /// Binds the index-th result of the call. Its shape and type must be the captured ones.
    void bind(ValueId value, std::size_t index = 0);
    void refuse(std::string why);
    bool refused() const { return !m_refusal.empty(); }

private:
    void copyInputs();
    void rewrite(std::int32_t index);
    void copyOutputs();
    Decomposition finished();
    ValueId mapped(ValueId original);

    const Graph& m_source;
    const Node* m_node = nullptr;
    std::int32_t m_nodeIndex = -1;
    std::vector<ValueId> m_results;
    GraphBuilder m_builder;
    std::vector<ValueId> m_valueOf;
    std::vector<std::int32_t> m_nodeOf;
    std::vector<std::pair<ValueId, std::int32_t>> m_pinned;
    std::size_t m_firstFresh = 0;
    std::string m_refusal;
};

/// Writes one call; refuses through the rewriter.
using Rule = void (*)(Rewriter&);
using RuleTable = std::unordered_map<std::string_view, Rule>;
void addPointwiseRules(RuleTable& table);
void addActivationRules(RuleTable& table);
void addReductionRules(RuleTable& table);
void addNormalisationRules(RuleTable& table);
void addViewRules(RuleTable& table);
void addCopyRules(RuleTable& table);

} // namespace kw
