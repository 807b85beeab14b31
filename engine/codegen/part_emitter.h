// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/body_writer.h"

namespace kw {

/// What all parts of one text share.
struct EmitContext {
    const ProgramData& data;
    const Plan& plan;
    const Schedule& schedule;
    NameScope names;                                      ///< fresh for each part
    std::vector<std::string> inputs, outputs, dimensions; ///< C++ names
};

/// Writes one nest of loops. Used once, on one thread; throws CodegenRefused.
class PartEmitter {
public:
    PartEmitter(EmitContext& context, const PlanPart& part);
    std::string run();

private:
    void nameLoops();
    std::string named(AxisId loop, const std::string& wanted);
    std::string header(AxisId loop) const;         ///< "for (i64 row = 0; row < 32; ++row)"
    std::pair<std::string, std::string> bounds(AxisId loop, const Ranges& ranges) const;
    std::int64_t number(const char* choice, std::int64_t otherwise) const;
    bool parallel() const { return m_context.schedule["threads"] != "one"; }
    void openOuter(const std::vector<std::string>& extra); ///< pragma and loops; pushes the block inside
    void closeOuter();

    void pointwise();
    void rows();
    void rowPhase(const PhaseLoops& phase);
    void rowFinal(const FinalLoops& loops);
    void chooseKept();
    void columns();
    void columnPhase(const PhaseLoops& phase, std::size_t index);
    void columnFinal(const FinalLoops& loops);
    void materialise(const std::vector<std::int32_t>& roots);
    void window();
    void windowFill();
    void windowSums();
    void windowFinal();

    /// Opens scalar loops around a vector loop and returns after the body was written by `write`.
    void nest(const std::vector<AxisId>& loops, const Ranges& ranges, std::size_t next, const std::function<void()>& inner);
    void vectorLoop(AxisId loop, const std::string& begin, const std::string& end, std::int64_t unroll, bool slot,
        const std::set<AxisId>& loops, const std::function<void()>& body);
    bool streaming() const { return m_context.schedule["stores"] == "streaming"; }

    EmitContext& m_context;
    const ExprPool& m_pool;
    const PlanPart& m_part;
    BodyWriter m_writer;
    int m_outerLoops = 0;
    std::string m_outerText;
    std::map<std::int32_t, std::string> m_kept;    ///< values kept for a row or strip -> buffer
    std::set<std::int32_t> m_stored;               ///< kept values that a former loop has written
    std::map<std::int32_t, std::string> m_parts;   ///< reductions -> accumulator
    // Windows
    std::vector<std::int32_t> m_rings;             ///< prepared values with one row per row of the window
    std::vector<std::int32_t> m_windows;
    std::vector<std::int32_t> m_delayed;           ///< prepared values that only the outputs need
    std::map<std::int32_t, std::string> m_ringNames;
    std::vector<std::int64_t> m_window;            ///< height, width, top, left
};

/// Vector operations that one evaluation costs, shared values once; reductions count as free.
double costOf(const ExprPool& pool, const std::vector<std::int32_t>& roots);
double costOfNode(const Expr& expr);

} // namespace kw
