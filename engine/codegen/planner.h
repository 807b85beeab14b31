// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "codegen/plan.h"

namespace kw {

/// Builds a plan. Used once, on one thread; throws CodegenRefused.
class Planner {
public:
    Planner(const ProgramData& data, const Schedule& schedule);
    Plan run();

private:
    /// An output over one rectangle of its loop space.
    struct Item {
        std::vector<AxisId> leaves;
        Ranges ranges;
        std::vector<StoreOp> stores;
        std::set<AxisId> kept;            ///< leaves that a reduction depends on
        std::set<std::int32_t> reduces;
        bool window = false;
    };
    void addItems(std::size_t output, const Ranges& ranges, int depth);
    Item resolveItem(std::size_t output, const Ranges& ranges);
    Affine outputOffset(std::size_t output, const std::vector<Affine>& index) const;
    void groupItems();
    bool joins(const std::vector<const Item*>& group, const Item& item) const;
    PlanPart makePart(const std::vector<const Item*>& group);
    void makeWindowPart(PlanPart& part, const std::vector<const Item*>& group);
    void mergeLoops(PlanPart& part, const std::vector<std::set<AxisId>>& spaces, const std::set<AxisId>& untouched);
    void chooseForm(PlanPart& part);
    std::vector<const Affine*> accesses(const PlanPart& part) const;
    double score(const PlanPart& part, AxisId loop, const std::vector<std::int32_t>& roots, const std::vector<StoreOp>& stores) const;
    AxisId bestVector(const PlanPart& part, const std::vector<AxisId>& loops, const std::vector<std::int32_t>& roots,
        const std::vector<StoreOp>& stores) const;
    void orderLoops(const PlanPart& part, std::vector<AxisId>& loops, const StoreOp* store) const;

    const ProgramData& m_data;
    const Schedule& m_schedule;
    Plan m_plan;
    std::set<AxisId> m_unrolled;
    std::unique_ptr<Resolver> m_resolver;
    std::vector<Item> m_items;
};

} // namespace kw
