// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/schedule.h"

#include "base/json_io.h"
#include "codegen/keepable.h"
#include "codegen/part_emitter.h"
#include "codegen/refusal.h"

#include <algorithm>
#include <cmath>

namespace kw {

namespace {

/// What decides which choices a program has.
struct Traits {
    bool pointwise = false, rows = false, columns = false, window = false, blocks = false;
    bool powers = false, keepable = false, parallel = false, contiguousStores = false, together = false;
    std::int64_t outputBytes = 0, rowCount = 1;
    std::int64_t widest = 0;
};

bool isFastPower(const ExprPool& pool, const Expr& expr)
{
    return expr.function == "pow" && pool[expr.arguments[1]].kind == ExprKind::Number
        && std::abs(pool[expr.arguments[1]].number) <= mostFastExponent;
}

Traits traitsOf(const ProgramData& data)
{
    Schedule plain;
    const Plan plan = makePlan(data, plain);
    Traits traits;
    for (const PlanPart& part : plan.parts) {
        traits.pointwise = traits.pointwise || part.form == PartForm::Pointwise;
        traits.rows = traits.rows || part.form == PartForm::Rows;
        traits.columns = traits.columns || part.form == PartForm::Columns;
        traits.window = traits.window || part.form == PartForm::Window;
        std::int64_t outside = 1;
        for (const AxisId loop : part.outer)
            outside *= part.sizes.at(loop).at(data.captured);
        traits.rowCount = std::max(traits.rowCount, outside);
        const std::int64_t inside = part.vector == noAxis ? 1 : part.sizes.at(part.vector).at(data.captured);
        traits.widest = std::max(traits.widest, inside);
        traits.parallel = traits.parallel || outside > 1 || (part.form != PartForm::Rows && inside > 64);
        traits.blocks = traits.blocks || (part.form == PartForm::Pointwise && inside > 1024);
        for (const FinalLoops& loops : part.finals) {
            std::vector<std::int32_t> roots;
            for (const StoreOp& store : loops.stores) {
                roots.push_back(store.expr);
                traits.contiguousStores = traits.contiguousStores
                    || (loops.vector != noAxis && store.offset.coefficient(loops.vector) == Poly(1));
            }
            for (const std::int32_t id : plan.pool.reachable(roots, true))
                traits.powers = traits.powers || isFastPower(plan.pool, plan.pool[id]);
        }
        traits.keepable = traits.keepable || !keepableRow(plan.pool, part).values.empty()
            || (part.form == PartForm::Window && !windowValues(plan.pool, part).delayed.empty());
    }
    for (const TensorArgument& output : data.problem.outputs) {
        std::int64_t elements = 1;
        for (const std::int64_t size : concreteShape(output.shape, data.captured))
            elements *= size;
        traits.outputBytes += elements * itemSize(output.dtype);
    }
    traits.together = !unrollableLeaves(data).empty();
    return traits;
}

} // namespace

const std::string& Schedule::operator[](const std::string& name) const
{
    static const std::string none;
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == name; });
    return found == values.end() ? none : found->second;
}

void Schedule::set(const std::string& name, std::string value)
{
    const auto found = std::find_if(values.begin(), values.end(), [&](const auto& each) { return each.first == name; });
    if (found == values.end())
        values.emplace_back(name, std::move(value));
    else
        found->second = std::move(value);
}

std::vector<Choice> choices(const Program& program) { return program.data().choices; }

std::vector<Choice> findChoices(const ProgramData& data)
{
    std::vector<Choice> result;
    const Traits traits = traitsOf(data);
    constexpr std::int64_t streamable = 256 * 1024;
    if (traits.parallel)
        result.push_back({"threads", {"all", "one"}, Tier::BlockSizes});
    result.push_back({"unroll", {"1", "2", "4"}, Tier::BlockSizes});
    if (traits.rows)
        result.push_back({"accumulators", {"1", "2", "4", "8"}, Tier::BlockSizes});
    if (traits.blocks)
        result.push_back({"block", {"1024", "4096", "16384", "65536"}, Tier::BlockSizes});
    if (traits.columns)
        result.push_back({"strip", {"32", "64", "128", "256", "512"}, Tier::BlockSizes});
    if (traits.window) {
        result.push_back({"band", {"16", "32", "64", "128", "256"}, Tier::BlockSizes});
        result.push_back({"tile", {"128", "256", "512", "1024", "2048"}, Tier::BlockSizes});
    }
    if (traits.keepable)
        result.push_back({"rows", {"recompute", "keep"}, Tier::MemoryAccess});
    if (traits.contiguousStores && traits.outputBytes >= streamable)
        result.push_back({"stores", {"cached", "streaming"}, Tier::MemoryAccess});
    if (traits.powers)
        result.push_back({"math", {"full", "fast"}, Tier::Compute});
    if (traits.together)
        result.push_back({"channels", {"together", "apart"}, Tier::OperatorSpecific});
    if (traits.parallel && traits.rowCount > 8)
        result.push_back({"distribution", {"static", "dynamic"}, Tier::Advanced});
    const auto free = freeDimensions(data);
    const auto count = std::count(free.begin(), free.end(), true);
    if (count > 0)
        result.push_back({"sizes", count > 1 ? std::vector<std::string>{"fixed", "outer", "free"} : std::vector<std::string>{"fixed", "free"}, Tier::Advanced});
    return result;
}

Schedule defaultSchedule(const Program& program)
{
    Schedule schedule;
    const std::vector<std::pair<std::string, std::string>> usual{{"threads", "all"}, {"unroll", "2"}, {"accumulators", "4"}, {"block", "4096"},
        {"strip", "128"}, {"band", "64"}, {"tile", "512"}, {"rows", "recompute"}, {"stores", "cached"}, {"math", "full"},
        {"channels", "together"}, {"distribution", "static"}, {"sizes", "fixed"}};
    const auto legal = choices(program);
    for (const Choice& choice : legal)
        for (const auto& [name, value] : usual)
            if (name == choice.name)
                schedule.set(name, value);
    return schedule;
}

Result<void> check(const Program& program, const Schedule& schedule)
{
    const auto legal = choices(program);
    for (const auto& [name, value] : schedule.values) {
        const auto choice = std::find_if(legal.begin(), legal.end(), [&, name = name](const Choice& each) { return each.name == name; });
        if (choice == legal.end() || std::find(choice->values.begin(), choice->values.end(), value) == choice->values.end())
            return Error{Message("codegen.schedule.illegal").with("choice", name).with("value", value), {}};
    }
    return {};
}

Message moveReason(const std::string& choice, const std::string& from, const std::string& to)
{
    const bool numeric = !to.empty() && std::all_of(to.begin(), to.end(), [](char c) { return c >= '0' && c <= '9'; });
    std::string id = "codegen.move." + choice + (numeric ? (std::stoll(to) > std::stoll(from) ? ".more" : ".fewer") : "." + to);
    return Message(std::move(id)).with("from", from).with("to", to);
}

std::vector<Move> moves(const Program& program, const Schedule& schedule)
{
    std::vector<Move> result;
    for (const Choice& choice : choices(program)) {
        const std::string& now = schedule[choice.name];
        for (const std::string& value : choice.values)
            if (value != now)
                result.push_back({choice.name, now, value, choice.tier, 1, moveReason(choice.name, now, value)});
    }
    return result;
}

Schedule applied(Schedule schedule, const Move& move)
{
    schedule.set(move.choice, move.to);
    return schedule;
}

std::string scheduleText(const Schedule& schedule)
{
    Json json = Json::object();
    for (const auto& [name, value] : schedule.values)
        json[name] = value;
    return dump(json);
}

Result<Schedule> parseSchedule(const std::string& text)
{
    KW_TRY(const Json json, parseJson(text, 4));
    constexpr std::size_t mostChoices = 64;
    if (!json.is_object() || json.size() > mostChoices)
        return error("codegen.schedule.malformed");
    Schedule schedule;
    for (const auto& [name, value] : json.items()) {
        if (!value.is_string())
            return error("codegen.schedule.malformed");
        schedule.set(name, value.get<std::string>());
    }
    return schedule;
}

} // namespace kw
