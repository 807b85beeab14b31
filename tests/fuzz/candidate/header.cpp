// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate's text is anything. A header that is accepted keeps what the judge builds on.
#include "candidate/header.h"
#include "support/kernel_problems.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const kw::Problem problem = kw::test::rmsNormProblem();
    const std::string source(reinterpret_cast<const char*>(data), size);
    const auto header = kw::parseHeader(source, problem);
    if (!header)
        return 0;
    if (header->launches.empty() || *header != *kw::parseHeader(source, problem))
        std::abort();
    for (const std::vector<std::int64_t>& dimensions : {std::vector<std::int64_t>{48, 160}, {0, 1}, {std::int64_t{1} << 31, 7}}) {
        static_cast<void>(kw::inDomain(*header, problem, dimensions));
        for (const kw::Workspace& workspace : header->workspaces)
            static_cast<void>(kw::evaluate(workspace.elements, problem, dimensions));
    }
    // An output that no launch gets would never be written.
    for (const kw::TensorArgument& output : problem.outputs) {
        const bool passed = std::any_of(header->launches.begin(), header->launches.end(), [&output](const kw::Launch& launch) {
            return std::find(launch.arguments.begin(), launch.arguments.end(), output.name) != launch.arguments.end();
        });
        if (!passed)
            std::abort();
    }
    return 0;
}
