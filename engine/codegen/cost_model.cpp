// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/cost_model.h"

#include "codegen/keepable.h"
#include "codegen/part_emitter.h"
#include "codegen/refusal.h"

#include <algorithm>
#include <cmath>

namespace kw {

namespace {

constexpr double lanes = 8;
constexpr double reachedShare = 0.7;            // of the peak rate, beyond the stalls that body() counts; see problem/cut.cpp
constexpr double forkSeconds = 4e-6;            // waking the threads of a parallel loop and waiting for them
constexpr double rowOperations = 40;            // horizontal sums, tails and the scalar part of a row
constexpr double fallbackBandwidth = 8e9;       // when nothing was calibrated
constexpr double fallbackFlops = 40e9;
constexpr double fastPowerShare = 0.75;         // measured: 45 of 60 multiply-adds
constexpr double nearCacheBytes = 256 * 1024;   // what one core keeps close

double number(const Schedule& schedule, const char* choice, double otherwise)
{
    const std::string& text = schedule[choice];
    return text.empty() ? otherwise : std::stod(text);
}

/// Vector operations of one call, and the rows on which fixed costs fall.
struct Work {
    double operations = 0, rows = 0, outputBytes = 0, inputBytes = 0;
    bool parallel = false;
};

/// Counts what a plan executes.
class WorkCounter {
public:
    WorkCounter(const ProgramData& data, const Plan& plan, const Schedule& schedule) : m_data(data), m_plan(plan), m_schedule(schedule) {}

    Work run()
    {
        for (const PlanPart& part : m_plan.parts)
            count(part);
        for (const TensorArgument& tensor : m_data.problem.inputs)
            m_work.inputBytes += bytes(tensor);
        for (const TensorArgument& tensor : m_data.problem.outputs)
            m_work.outputBytes += bytes(tensor);
        return m_work;
    }

private:
    double bytes(const TensorArgument& tensor) const
    {
        double count = static_cast<double>(itemSize(tensor.dtype));
        for (const std::int64_t size : concreteShape(tensor.shape, m_data.captured))
            count *= static_cast<double>(size);
        return count;
    }
    double size(const PlanPart& part, AxisId loop, const Ranges& ranges) const
    {
        const auto found = ranges.find(loop);
        if (found != ranges.end() && !found->second.whole)
            return static_cast<double>(found->second.high - found->second.low);
        return static_cast<double>(part.sizes.at(loop).at(m_data.captured));
    }
    double steps(double elements) const { return std::ceil(elements / lanes); }

    /// Operations of one step; a dependent chain that is not unrolled leaves part of the machine idle.
    double body(const PlanPart& part, const std::vector<std::int32_t>& roots, AxisId vector, double unroll, double without = 0) const
    {
        double total = -without;
        for (const std::int32_t id : m_plan.pool.reachable(roots, false)) {
            const Expr& expr = m_plan.pool[id];
            const auto loops = part.loopsOf(expr.variables);
            const bool inside = vector == noAxis || loops.count(vector) != 0;
            double cost = inside ? costOfNode(expr) : 0;
            if (m_schedule["math"] == "fast" && expr.function == "pow" && m_plan.pool[expr.arguments[1]].kind == ExprKind::Number)
                cost *= fastPowerShare;
            if (expr.kind == ExprKind::Load && vector != noAxis) {
                const Poly step = expr.index.coefficient(vector);
                if (!step.isZero() && step != Poly(1))
                    cost *= lanes;
            }
            total += cost;
        }
        constexpr double loopCost = 1;
        const double stall = total > 24 ? 0.15 : 0.05;
        return std::max(total, 0.5) * (1 + stall / unroll) + loopCost / unroll;
    }

    void count(const PlanPart& part)
    {
        double outside = 1;
        for (const AxisId loop : part.outer)
            outside *= size(part, loop, part.ranges);
        m_work.parallel = m_work.parallel || outside > 1 || part.form != PartForm::Rows;
        if (part.form == PartForm::Window)
            return countWindow(part, outside);
        const double accumulators = number(m_schedule, "accumulators", 4);
        const double unroll = number(m_schedule, "unroll", 2);
        const bool keep = m_schedule["rows"] == "keep";
        const KeepableRow kept = keep ? keepableRow(m_plan.pool, part) : KeepableRow{};
        const double strips = part.form == PartForm::Columns ? steps(size(part, part.vector, part.ranges)) : 1;
        std::set<std::int32_t> stored;
        const auto saved = [&](const std::vector<std::int32_t>& roots) {
            double total = 0;
            for (const std::int32_t id : m_plan.pool.reachable(roots, false)) {
                if (std::find(kept.values.begin(), kept.values.end(), id) == kept.values.end())
                    continue;
                total += stored.insert(id).second ? -1 : costOf(m_plan.pool, {id}) - 1;
            }
            return total;
        };
        for (const PhaseLoops& phase : part.phases) {
            double elements = 1;
            for (const AxisId loop : phase.loops)
                elements *= size(part, loop, phase.ranges);
            const double inner = phase.vector == noAxis ? strips : steps(size(part, phase.vector, phase.ranges));
            std::vector<std::int32_t> roots;
            for (const std::int32_t id : phase.reduces)
                roots.push_back(m_plan.pool[id].arguments[0]);
            double each = body(part, roots, phase.vector == noAxis ? part.vector : phase.vector, accumulators, saved(roots));
            // An addition takes four cycles: few accumulators wait for it.
            constexpr double latency = 8;
            each = std::max(each, part.form == PartForm::Rows ? latency / accumulators : 3.0);
            m_work.operations += outside * elements * inner * each;
        }
        for (const FinalLoops& loops : part.finals) {
            double elements = 1;
            for (const AxisId loop : loops.loops)
                elements *= size(part, loop, loops.ranges);
            const double inner = loops.vector == noAxis ? 1 : steps(size(part, loops.vector, loops.ranges));
            std::vector<std::int32_t> roots;
            double stores = 0;
            for (const StoreOp& store : loops.stores) {
                roots.push_back(store.expr);
                stores += loops.vector != noAxis && store.offset.coefficient(loops.vector) != Poly(1) ? lanes : 1;
            }
            m_work.operations += outside * elements * inner * (body(part, roots, loops.vector, unroll, saved(roots)) + stores);
        }
        m_work.rows += part.phases.empty() ? 0 : outside * (part.form == PartForm::Columns ? strips / 4 : 1);
        if (part.form == PartForm::Pointwise)
            m_work.rows += outside * 0.1;
    }

    void countWindow(const PlanPart& part, double outside)
    {
        const WindowValues values = windowValues(m_plan.pool, part);
        const auto& window = m_plan.pool[values.windows.front()].window;
        const double height = size(part, part.rows, {}), width = size(part, part.vector, {});
        const double band = std::min(number(m_schedule, "band", 64), height), tile = std::min(number(m_schedule, "tile", 512), width);
        const double halo = (1 + static_cast<double>(window[0] - 1) / band) * (1 + static_cast<double>(window[1] - 1) / tile);
        const double unroll = number(m_schedule, "unroll", 2);
        std::vector<std::int32_t> roots;
        for (const StoreOp& store : part.finals.front().stores)
            roots.push_back(store.expr);
        double without = 0;
        for (const std::int32_t id : m_schedule["rows"] == "recompute" ? std::vector<std::int32_t>{} : values.delayed)
            without += costOf(m_plan.pool, {id}) - 2;
        const double pixels = outside * height * steps(width);
        double perRow = 0.5 * static_cast<double>(values.rings.size()); // loads go beside the additions
        for (const std::int32_t id : values.windows) {
            const std::int32_t child = m_plan.pool[id].arguments[0];
            const bool stored = std::find(values.rings.begin(), values.rings.end(), child) != values.rings.end();
            perRow += stored ? 1 : 1 + costOfNode(m_plan.pool[child]);
        }
        const double down = static_cast<double>(window[0]) * perRow;
        m_work.operations += pixels * halo * (body(part, values.rings, part.vector, unroll) + down);
        m_work.operations += pixels * (body(part, roots, part.vector, unroll, without) + static_cast<double>(roots.size()));
        const double rows = static_cast<double>(values.rings.size()) * static_cast<double>(window[0]) + static_cast<double>(values.delayed.size()) * 4 + 2;
        if (rows * tile * 4 > nearCacheBytes)
            m_work.operations *= 1.1;
        m_work.rows += outside * height * width / tile;
    }

    const ProgramData& m_data;
    const Plan& m_plan;
    const Schedule& m_schedule;
    Work m_work;
};

double bandwidthAt(const Calibration& calibration, double bytes)
{
    return calibration.bandwidth.empty() ? fallbackBandwidth : std::max(copyBandwidth(calibration, bytes), 1e8);
}

} // namespace

double CostModel::correction(const Schedule& schedule) const
{
    double product = 1;
    for (const auto& [name, value] : schedule.values)
        if (const auto found = m_factors.find(name + "=" + value); found != m_factors.end())
            product *= found->second;
    return product;
}

CostEstimate CostModel::predict(const Program& program, const Schedule& schedule) const
{
    CostEstimate estimate;
    try {
        const Plan plan = makePlan(program.data(), schedule);
        const Work work = WorkCounter(program.data(), plan, schedule).run();
        const double threads = std::max(1, m_calibration.threads);
        const bool one = schedule["threads"] == "one" || !work.parallel;
        const double flops = m_calibration.flops > 0 ? m_calibration.flops : fallbackFlops * threads;
        // A multiply-add of all lanes counts as one operation of ours.
        const double rate = flops / (2 * lanes) * reachedShare / (one ? threads : 1);
        double bytes = work.inputBytes + work.outputBytes;
        const double bandwidth = bandwidthAt(m_calibration, bytes) / (one ? std::min(threads, 1.5) : 1);
        const bool beyondCache = bytes > std::max(m_calibration.lastLevelCacheBytes, 1e6);
        if (schedule["stores"] == "streaming")
            bytes += work.outputBytes * (beyondCache ? -0.5 : 3.0); // no read before the write; but out of the caches
        estimate.memorySeconds = bytes / bandwidth;
        estimate.computeSeconds = work.operations / rate;
        estimate.overheadSeconds = (one ? 0 : forkSeconds) + work.rows * rowOperations / rate;
        // Memory and arithmetic overlap for the larger part; stores past the caches less (measured: they gain a quarter where
        // memory decides and cost a twentieth where arithmetic does).
        const double exposed = schedule["stores"] == "streaming" ? 0.5 : 0.3;
        const double longer = std::max(estimate.memorySeconds, estimate.computeSeconds);
        const double shorter = std::min(estimate.memorySeconds, estimate.computeSeconds);
        estimate.seconds = (longer + exposed * shorter + estimate.overheadSeconds) * correction(schedule);
    } catch (const CodegenRefused&) {
        estimate.seconds = std::numeric_limits<double>::infinity();
    } catch (const NeedSplit&) {
        estimate.seconds = std::numeric_limits<double>::infinity();
    }
    return estimate;
}

std::vector<Move> CostModel::rank(const Program& program, const Schedule& schedule, std::vector<Move> moves) const
{
    const double now = predict(program, schedule).seconds;
    for (Move& move : moves) {
        const double then = predict(program, applied(schedule, move)).seconds;
        move.expectedGain = std::isfinite(then) && then > 0 ? now / then : 0;
    }
    std::stable_sort(moves.begin(), moves.end(), [](const Move& a, const Move& b) { return a.expectedGain > b.expectedGain; });
    return moves;
}

void CostModel::learn(const Program& program, const Schedule& reference, double referenceSeconds, const Schedule& schedule, double seconds)
{
    if (!(referenceSeconds > 0) || !(seconds > 0))
        return;
    const double before = predict(program, reference).seconds, after = predict(program, schedule).seconds;
    if (std::isfinite(before) && std::isfinite(after) && before > 0 && after > 0)
        learnSurprise(reference, schedule, (seconds / referenceSeconds) / (after / before));
}

void CostModel::learnSurprise(const Schedule& reference, const Schedule& schedule, double surprise)
{
    std::vector<std::string> differing;
    for (const auto& [name, value] : schedule.values)
        if (reference[name] != value)
            differing.push_back(name + "=" + value);
    if (differing.empty() || !std::isfinite(surprise) || !(surprise > 0))
        return;
    // The surprise is shared by the values that differ; half of it is believed, so that noise does not swing the ranking.
    const double step = std::pow(std::clamp(surprise, 0.2, 5.0), 0.5 / static_cast<double>(differing.size()));
    for (const std::string& each : differing) {
        double& factor = m_factors.emplace(each, 1.0).first->second;
        factor = std::clamp(factor * step, 0.2, 5.0);
    }
}

} // namespace kw
