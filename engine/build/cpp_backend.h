// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/sandbox/launcher.h"
#include "build/backend.h"

#include <filesystem>
#include <memory>

namespace kw {

struct CppBackendOptions {
    std::string compiler = "g++";
    std::filesystem::path kernelHeaders;   ///< empty: resourceFolder()/kernel; candidates include "kw/..." from it
    std::filesystem::path cacheFolder;     ///< empty: memory only
    std::uint64_t cacheBytes = std::uint64_t{256} << 20; ///< of the folder; least recently used go first
    double seconds = 20;                   ///< wall time of one compilation
    SandboxLimits limits;
    bool unsafe = false;
};

/// C++20 + OpenMP candidates, compiled by g++ inside the tool sandbox, checked as objects before and after linking.
/// The built object exports one function:
///     extern "C" void kw_launch(void* const* tensors, const std::int64_t* dims, void* const* workspaces)
/// tensors: inputs then outputs in signature order; dims: in the order of Problem::dimensions.
class CppBackend final : public Backend {
public:
    /// Errors: "build.no_compiler" (compiler, why), "build.no_headers" (path), and the launcher's.
    static Result<std::unique_ptr<CppBackend>> create(const Launcher& launcher, const CppBackendOptions& options = {});
    ~CppBackend() override;

    std::string name() const override { return "cpp"; }
    std::string toolchain() const override;
    BuildOutcome build(const Candidate& candidate, const Problem& problem, const CandidateHeader& header,
        std::stop_token stop = {}) override;

private:
    struct State;
    explicit CppBackend(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// The trusted C++ text behind a candidate's own: declarations are the candidate's, the entry calls its launches in order.
std::string trampolineText(const Problem& problem, const CandidateHeader& header);

/// The flags that every candidate is compiled with (language, optimisation, target, floating-point rules), without
/// include folders, output and linking: an exported library is built with the same ones.
std::vector<std::string> kernelFlags();

/// Compiler flags that a candidate may ask for (Candidate::flags). Error "build.flag_refused" (flag).
Result<std::vector<std::string>> allowedFlags(const std::string& flags);

} // namespace kw
