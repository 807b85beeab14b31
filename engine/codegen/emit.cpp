// SPDX-License-Identifier: GPL-3.0-or-later
#include "codegen/emit.h"

#include "codegen/part_emitter.h"
#include "codegen/refusal.h"

#include <algorithm>

namespace kw {

namespace {

const char* elementType(DType dtype)
{
    switch (dtype) {
    case DType::Float: return "float";
    case DType::Bool: return "std::uint8_t";
    case DType::Int32: return "std::int32_t";
    default: return "std::int64_t";
    }
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text.empty() ? "one element" : text;
}

/// The whole text of one candidate.
class TextEmitter {
public:
    TextEmitter(const ProgramData& data, const Schedule& schedule) : m_data(data), m_plan(makePlan(data, schedule)), m_schedule(schedule) {}

    std::string run()
    {
        findUses();
        NameScope names;
        std::vector<std::string> inputs, outputs, dimensions;
        for (const TensorArgument& tensor : m_data.problem.inputs)
            inputs.push_back(names.unique(tensor.name));
        for (const TensorArgument& tensor : m_data.problem.outputs)
            outputs.push_back(names.unique(tensor.name));
        for (const Dimension& dimension : m_data.problem.dimensions)
            dimensions.push_back(names.unique(dimension.name));
        const std::string kernel = names.unique(identifierFrom(m_data.problem.name, "kernel"));
        std::string body;
        for (const PlanPart& part : m_plan.parts) {
            EmitContext context{m_data, m_plan, m_schedule, names, inputs, outputs, dimensions};
            const std::string text = PartEmitter(context, part).run();
            body += (body.empty() ? "" : "\n") + (m_plan.parts.size() > 1 ? "    {\n" + indented(text) + "    }\n" : text);
        }
        return head(kernel) + "#include \"kw/math.h\"\n\nusing namespace kw;\n\n" + signature(kernel, inputs, outputs, dimensions) + "\n{\n" + body + "}\n";
    }

private:
    static std::string indented(const std::string& text)
    {
        std::string result;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = text.find('\n', begin) + 1;
            result += "    " + text.substr(begin, end - begin);
            begin = end;
        }
        return result;
    }

    void findUses()
    {
        m_usedInputs.assign(m_data.problem.inputs.size(), false);
        std::vector<std::int32_t> roots;
        for (const PlanPart& part : m_plan.parts)
            for (const FinalLoops& loops : part.finals)
                for (const StoreOp& store : loops.stores)
                    roots.push_back(store.expr);
        for (const std::int32_t id : m_plan.pool.reachable(roots, true)) {
            const Expr& expr = m_plan.pool[id];
            if (expr.kind == ExprKind::Load)
                m_usedInputs[static_cast<std::size_t>(expr.input)] = true;
            if (expr.kind == ExprKind::Call && !expr.name.empty() && std::find(m_steps.begin(), m_steps.end(), expr.function) == m_steps.end())
                m_steps.push_back(expr.function);
            if (expr.kind == ExprKind::Reduce || expr.kind == ExprKind::Window)
                m_steps.push_back((expr.kind == ExprKind::Window ? "window " : "") + (expr.function.empty() ? "sum" : expr.function));
        }
    }

    std::string head(const std::string& kernel) const
    {
        const Problem& problem = m_data.problem;
        constexpr std::size_t mostSteps = 12;
        std::string steps;
        for (std::size_t i = 0; i < m_steps.size() && i < mostSteps; ++i)
            steps += (i ? ", " : "") + m_steps[i];
        if (m_steps.size() > mostSteps)
            steps += " ...";
        std::string text = "// SPDX-License-Identifier: MIT-0\n// " + kernel + ": " + (steps.empty() ? "a copy" : steps) + "\n";
        for (std::size_t i = 0; i < problem.outputs.size(); ++i)
            text += "// writes " + problem.outputs[i].name + ": " + shapeText(concreteShape(problem.outputs[i].shape, m_data.captured)) + "\n";
        text += "//\n//! kernel    " + kernel + "\n";
        for (const std::string& clause : domain())
            text += "//! domain    " + clause + "\n";
        std::string launch;
        const auto pass = [&](const std::string& name) { launch += (launch.empty() ? "" : ", ") + name; };
        for (std::size_t i = 0; i < problem.inputs.size(); ++i)
            if (m_usedInputs[i])
                pass(problem.inputs[i].name);
        for (const TensorArgument& tensor : problem.outputs)
            pass(tensor.name);
        for (std::size_t i = 0; i < problem.dimensions.size(); ++i)
            if (!m_plan.fixed[i])
                pass(problem.dimensions[i].name);
        return text + "//! launch    " + kernel + "(" + launch + ")\n";
    }

    /// Sizes that the text holds as numbers, and the layouts whose strides it holds.
    std::vector<std::string> domain() const
    {
        const Problem& problem = m_data.problem;
        const bool reduces = std::any_of(m_plan.parts.begin(), m_plan.parts.end(), [](const PlanPart& part) { return part.form != PartForm::Pointwise; });
        std::vector<std::string> clauses;
        std::string sizes, layouts;
        for (std::size_t i = 0; i < problem.dimensions.size(); ++i) {
            const std::string& name = problem.dimensions[i].name;
            if (m_plan.fixed[i])
                sizes += (sizes.empty() ? "" : ", ") + name + " == " + std::to_string(m_data.captured[i]);
            else if (reduces)
                sizes += (sizes.empty() ? "" : ", ") + name + " >= 1";
        }
        const auto layout = [&](const TensorArgument& tensor) {
            if (!tensor.shape.empty())
                layouts += (layouts.empty() ? "" : ", ") + std::string("layout(") + tensor.name + ")";
        };
        for (std::size_t i = 0; i < problem.inputs.size(); ++i)
            if (m_usedInputs[i])
                layout(problem.inputs[i]);
        for (const TensorArgument& tensor : problem.outputs)
            layout(tensor);
        if (!sizes.empty())
            clauses.push_back(sizes);
        if (!layouts.empty())
            clauses.push_back(layouts);
        return clauses;
    }

    std::string signature(const std::string& kernel, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
        const std::vector<std::string>& dimensions) const
    {
        const Problem& problem = m_data.problem;
        std::string parameters;
        const auto add = [&](const std::string& text) { parameters += (parameters.empty() ? "" : ", ") + text; };
        for (std::size_t i = 0; i < problem.inputs.size(); ++i)
            if (m_usedInputs[i])
                add(std::string("const ") + elementType(problem.inputs[i].dtype) + "* " + inputs[i]);
        for (std::size_t i = 0; i < problem.outputs.size(); ++i)
            add(std::string(elementType(problem.outputs[i].dtype)) + "* " + outputs[i]);
        for (std::size_t i = 0; i < problem.dimensions.size(); ++i)
            if (!m_plan.fixed[i])
                add("std::int64_t " + dimensions[i]);
        return "void " + kernel + "(" + parameters + ")";
    }

    const ProgramData& m_data;
    const Plan m_plan;
    const Schedule& m_schedule;
    std::vector<bool> m_usedInputs;
    std::vector<std::string> m_steps;
};

/// A product that is added to something and used elsewhere as well is fused with its sum in one loop and rounded in another. Below
/// a largest or smallest element that tells: the element that is recomputed to be compared with it has to be the same to the bit,
/// or the exponential of their difference is not one.
bool wouldFuseUnequally(const ProgramData& data)
{
    std::vector<int> users(data.nodes.size(), 0);
    for (const IrNode& node : data.nodes)
        for (const std::int32_t argument : node.arguments)
            ++users[static_cast<std::size_t>(argument)];
    for (const std::int32_t output : data.outputs)
        ++users[static_cast<std::size_t>(output)];
    std::vector<bool> below(data.nodes.size(), false);
    for (std::size_t index = data.nodes.size(); index-- > 0;) {
        const IrNode& node = data.nodes[index];
        if (below[index] && node.function == "mul" && users[index] > 1)
            return true;
        const bool extreme = node.kind == IrKind::Reduce && node.function != "sum";
        for (const std::int32_t argument : node.arguments)
            below[static_cast<std::size_t>(argument)] = below[static_cast<std::size_t>(argument)] || below[index] || extreme;
    }
    return false;
}

} // namespace

Result<Candidate> emit(const Program& program, const Schedule& schedule)
{
    KW_CHECK(check(program, schedule));
    try {
        Candidate candidate;
        candidate.problem = program.problem().id;
        candidate.backend = "cpp";
        candidate.source = TextEmitter(program.data(), schedule).run();
        if (wouldFuseUnequally(program.data()))
            candidate.flags = "-ffp-contract=off";
        candidate.schedule = scheduleText(schedule);
        candidate.author = Author{AuthorKind::Search, "generator"};
        candidate.id = candidateId(candidate);
        return candidate;
    } catch (const CodegenRefused& refusal) {
        return Error{refusal.message(), {}};
    } catch (const NeedSplit&) {
        return Error{Message("codegen.refused.mixed_index"), {}};
    } catch (const std::exception& exception) {
        return Error{Message("codegen.refused.internal"), exception.what()};
    }
}

} // namespace kw
