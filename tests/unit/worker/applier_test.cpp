// SPDX-License-Identifier: GPL-3.0-or-later
// The operator library with the real compiler in its sandbox.
#include "worker/apply/applier.h"

#include "support/kernel_problems.h"
#include "support/kernel_texts.h"
#include "support/real_build.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

#include <memory>

namespace kw {
namespace {

TEST(OperatorLibrary, TwoKernelsMayHaveTheSameNameAndOtherHelpers)
{
    // Both call "rms_norm" and a helper without a namespace of its own, and neither may get the other's.
    const Problem problem = test::rmsNormProblem();
    const auto named = [&](const std::string& eps) {
        const std::string helper = "__attribute__((noinline)) float smallest() { return " + eps + "; }\n";
        return test::candidateOf(problem, test::replaced(test::replaced(test::rmsNormText, "void rms_norm", helper + "void rms_norm"), "1e-6f", "smallest()"));
    };
    std::vector<ExportedOperator> operators;
    for (const char* eps : {"1e-6f", "0.5f"}) {
        auto exported = exportedOperator(problem, named(eps));
        ASSERT_TRUE(exported) << debugText(exported.error().message);
        operators.push_back(*std::move(exported));
    }
    const test::RealBuild build;
    const TemporaryFolder folder;
    const auto library = buildOperatorLibrary(build.launcher(), operators, folder.path(), {});
    ASSERT_TRUE(library) << debugText(library.error().message) << library.error().detail;
    const std::unique_ptr<void, int (*)(void*)> loaded(::dlopen(library->path.c_str(), RTLD_NOW | RTLD_LOCAL), ::dlclose);
    EXPECT_TRUE(loaded) << ::dlerror();
    EXPECT_EQ(::dlsym(loaded.get(), "_Z8smallestv"), nullptr) << "nothing of a kernel is visible outside";
}

} // namespace
} // namespace kw
