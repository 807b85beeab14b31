// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "candidate/header.h"
#include "record/verdict.h"
#include "worker/verify/inputs.h"

#include <cstdint>
#include <vector>

namespace kw {

/// Where the tensors of a case lie. A claim align(x, n) of the candidate is always kept.
enum class Placement : std::uint8_t {
    Aligned,  ///< starts at a multiple of 64 bytes
    Tight,    ///< the last byte lies directly before the guard page
    Shifted,  ///< starts one element behind a multiple of 64 bytes
};

/// One case before anything of it is computed. A value type.
struct CaseSpec {
    Stage stage = Stage::Smoke;
    CaseTier tier = CaseTier::Development;
    Message name;
    std::vector<std::int64_t> dimensions;
    Pattern pattern = Pattern::Fresh;
    Placement placement = Placement::Aligned;
    std::uint64_t seed = 0;
    int draws = 1;           ///< different contents at the same addresses, one after the other
    int repeats = 1;         ///< runs of the same content that must agree bit by bit
    friend bool operator==(const CaseSpec&, const CaseSpec&) = default;
};

struct CaseSeeds {
    std::uint64_t development = 0; ///< the same for all candidates of a session
    std::uint64_t acceptance = 0;  ///< secret, drawn for every experiment
};

/// Every case for a candidate with this header, in the order in which they are run: stages in order, development first.
/// Torch-free and deterministic. `withAcceptance` false: development cases only.
std::vector<CaseSpec> planCases(const Problem& problem, const CandidateHeader& header, const CaseSeeds& seeds, bool withAcceptance);

/// Sizes at the corners of the claimed domain: 1, 0, odd, prime, around powers of two, large in one direction.
std::vector<std::vector<std::int64_t>> cornerSizes(const Problem& problem, const CandidateHeader& header);

/// Whether sizes, layouts and alignments that the problem gives satisfy what the candidate claims.
bool claims(const CandidateHeader& header, const Problem& problem, const std::vector<std::int64_t>& dimensions);

/// Alignment in bytes that the candidate claims for a tensor; its item size without a claim.
std::int64_t claimedAlignment(const CandidateHeader& header, const TensorArgument& argument);

/// Elements of all inputs and outputs together.
std::int64_t totalElements(const Problem& problem, const std::vector<std::int64_t>& dimensions);

/// Cases beyond the really used shapes stay below this, so that a verification takes about a second.
inline constexpr std::int64_t caseElements = std::int64_t{1} << 18;

} // namespace kw
