// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/bounds.h"
#include "codegen/names.h"
#include "codegen/plan.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace kw {

/// The fast powers promise their error for exponents up to this.
inline constexpr double mostFastExponent = 4;

/// A piece of C++ that has a value, with what is needed to put it into a larger expression.
struct CodeText {
    enum Level { Other, Sum, Product, Atom };
    std::string text;
    Level level = Atom;
    bool scalar = false; ///< a plain number, not lanes
    AxisId within = noAxis; ///< a loop whose variable is in the text, whether or not the value depends on it
};

/// One block of emitted text: statements are appended to it while inner blocks are written.
struct CodeScope {
    std::set<AxisId> loops;              ///< loop variables that exist here and further in
    std::string text;
    int indent = 0;
    std::map<std::int32_t, CodeText> known; ///< values that already have a name or a short text here
};

/// Writes values as C++: names what is used more than once, puts everything as far out as it can stand.
/// One per emitted part, on one thread.
class BodyWriter {
public:
    BodyWriter(const ProgramData& data, const Plan& plan, const PlanPart& part, NameScope& names, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs, const std::vector<std::string>& dimensions, bool fastMath);

    CodeScope& push(const std::set<AxisId>& loops, int indent); ///< a block inside the current one
    std::string pop();                                          ///< leaves it and returns its text
    CodeScope& scope() { return *m_scopes.back(); }
    CodeScope& scopeAt(std::size_t index) { return *m_scopes.at(index); }
    std::size_t depth() const { return m_scopes.size(); }

    void line(const std::string& text);                         ///< one line into the current block
    /// Counts uses for the body that is about to be written.
    void begin(const std::vector<std::int32_t>& roots);
    CodeText value(std::int32_t id);
    std::string lanesOf(std::int32_t id);                       ///< the value as lanes: numbers are splat
    void store(const StoreOp& store, bool streaming);
    std::string offset(const Affine& affine, const Poly& plus = Poly()) const;
    std::string sizeText(const Poly& poly) const { return poly.text(m_dimensions); }
    Poly coefficient(const Affine& affine, AxisId loop) const { return affine.coefficient(loop); }

    std::map<AxisId, std::string> loopNames; ///< C++ names by loop
    AxisId vector = noAxis;                  ///< the loop whose lanes are in registers now
    /// Asked before a value is written; a text ends the descent (kept rows, windows).
    std::function<bool(std::int32_t, CodeText&)> intercept;
    /// Values that get a name in any case, and who is told of it.
    std::set<std::int32_t> watched;
    std::function<void(std::int32_t, const CodeText&)> named;

private:
    std::size_t homeOf(std::int32_t id) const;
    CodeText compose(std::int32_t id);
    CodeText loadText(const Expr& expr);
    CodeText positionText(const Expr& expr);
    CodeText callText(std::int32_t id);
    CodeText floatCall(std::int32_t id);
    CodeText comparison(const Expr& expr);
    CodeText logical(const Expr& expr);
    CodeText conversion(const Expr& expr);
    CodeText power(std::int32_t id);
    CodeText binary(const Expr& expr, const char* sign, CodeText::Level level);
    std::string asLanes(const CodeText& text, DType dtype) const;
    std::string operand(std::int32_t id, DType dtype);
    CodeText literal(double value, DType dtype) const;
    std::string boolean(std::int32_t id);
    void findGuards(const std::vector<std::int32_t>& exprs);
    bool isInt(std::int32_t id) const;

    const ProgramData& m_data;
    const Plan& m_plan;
    const PlanPart& m_part;
    NameScope& m_names;
    const std::vector<std::string>& m_inputs;
    const std::vector<std::string>& m_outputs;
    const std::vector<std::string>& m_dimensions;
    bool m_fast;
    BoundsFinder m_bounds;
    std::vector<std::unique_ptr<CodeScope>> m_scopes;
    std::map<std::int32_t, int> m_uses;
    std::map<std::int32_t, double> m_guards; ///< powers whose result counts only where the base is above the number
};

} // namespace kw
