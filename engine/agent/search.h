// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/agent.h"
#include "codegen/cost_model.h"

#include <map>
#include <memory>
#include <string>

namespace kw {

/// The built-in agent. Starts from the schedules that the cost model likes best, then walks by ranked moves from a frontier
/// of measured candidates that is halved as evidence comes in. Deterministic by seed; everything that it knows is derived
/// from the experiments that the toolbox shows. Single-threaded.
class SearchAgent final : public Agent {
public:
    SearchAgent();
    ~SearchAgent() override;

    Author author() const override;
    void propose(Toolbox& toolbox, const std::string& problem) override;
    Message lastReason() const override { return m_lastReason; }

private:
    struct Knowledge;
    Result<Knowledge*> knowledge(Toolbox& toolbox, const std::string& problem);
    Result<Candidate> next(Toolbox& toolbox, const std::string& problem);

    std::map<std::string, std::unique_ptr<Knowledge>> m_problems; ///< lowered programs and emitted sources, by problem id
    Message m_lastReason;
};

} // namespace kw
