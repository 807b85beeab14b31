// SPDX-License-Identifier: GPL-3.0-or-later
#include "build/cpp_backend.h"

#include "base/file.h"
#include "build/artifact_cache.h"
#include "build/diagnostics.h"

#include <gtest/gtest.h>

namespace kw {
namespace {

Problem sampleProblem()
{
    Problem problem;
    TensorArgument tensor;
    tensor.shape = {Size{0, 0}};
    tensor.strides = {1};
    tensor.name = "x";
    TensorArgument mask = tensor;
    mask.name = "mask";
    mask.dtype = DType::Bool;
    problem.inputs = {tensor, mask};
    tensor.name = "y";
    tensor.dtype = DType::Double;
    problem.outputs = {tensor};
    problem.dimensions = {{"d0", 8, true}, {"d1", 4, true}};
    return problem;
}

TEST(Trampoline, PassesEachArgumentByItsPlaceAndType)
{
    CandidateHeader header;
    header.kernel = "k";
    header.workspaces = {{"partial", DType::Float, {}, false}};
    header.launches = {{"first", {"x", "mask", "partial", "d1"}, {3, 12}}, {"second", {"partial", "y", "d0", "16"}, {4, 12}}};
    EXPECT_EQ(trampolineText(sampleProblem(), header),
        "extern \"C\" __attribute__((visibility(\"default\"))) void kw_launch([[maybe_unused]] void* const* kwTensors,\n"
        "    [[maybe_unused]] const std::int64_t* kwDimensions, [[maybe_unused]] void* const* kwWorkspaces)\n{\n"
        "#line 3 \"candidate.cpp\"\n    first(static_cast<const float*>(kwTensors[0]), static_cast<const std::uint8_t*>(kwTensors[1]), "
        "static_cast<float*>(kwWorkspaces[0]), kwDimensions[1]);\n"
        "#line 4 \"candidate.cpp\"\n    second(static_cast<float*>(kwWorkspaces[0]), static_cast<double*>(kwTensors[2]), kwDimensions[0], std::int64_t{16});\n}\n");
}

TEST(Flags, OnlyTheListAndNothingThatChangesResults)
{
    EXPECT_EQ(allowedFlags(" -O2  -funroll-loops ").value(), (std::vector<std::string>{"-O2", "-funroll-loops"}));
    EXPECT_TRUE(allowedFlags("").value().empty());
    for (const char* flag : {"-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-fplugin=x.so", "-I/etc", "@file", "-wrapper", "-O2;id", "$(id)", "-fno-signed-zeros"}) {
        const auto refused = allowedFlags(flag);
        ASSERT_FALSE(refused.ok()) << flag;
        EXPECT_EQ(refused.error().message, Message("build.flag_refused").with("flag", flag));
    }
}

TEST(Diagnostics, ReadsTheCompilersJson)
{
    const auto diagnostics = parseDiagnostics(
        R"([{"kind": "error", "message": "'z' was not declared in this scope", "locations": [{"caret": {"file": "candidate.cpp", "line": 7, "column": 5}}],)"
        R"( "children": [{"kind": "note", "message": "suggested alternative", "locations": [{"caret": {"file": "/kernel/kw/vec.h", "line": 3, "column": 1}}]}]}])"
        "\nunit.s: Assembler messages:\n[]\n");
    ASSERT_EQ(diagnostics.size(), 3U);
    EXPECT_EQ(diagnostics[0], (Diagnostic{7, 5, Diagnostic::Severity::Error, "'z' was not declared in this scope"}));
    EXPECT_EQ(diagnostics[1], (Diagnostic{0, 0, Diagnostic::Severity::Note, "suggested alternative"}));
    EXPECT_EQ(diagnostics[2].text, "unit.s: Assembler messages:");
}

TEST(Diagnostics, HostileTextIsBounded)
{
    std::string lines;
    for (int i = 0; i < 1000; ++i)
        lines += "[{\"kind\": 3, \"message\": [1], \"locations\": [{\"caret\": 1}]}]\n[[[[[\n{}\n";
    EXPECT_LE(parseDiagnostics(lines).size(), 200U);
}

Artifact artifactOf(const std::string& bytes)
{
    Artifact artifact;
    artifact.bytes = bytes;
    artifact.sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // SHA-256 of nothing
    artifact.diagnostics = {{1, 2, Diagnostic::Severity::Warning, "w"}};
    artifact.seconds = 0.5;
    artifact.compiler = "c";
    artifact.flags = "f";
    return artifact;
}

TEST(ArtifactCache, SurvivesTheProcessAndRefusesDamage)
{
    const TemporaryFolder folder;
    ArtifactCache(folder.path(), 1 << 20).store("key", artifactOf(""));
    ArtifactCache again(folder.path(), 1 << 20);
    const auto found = again.find("key");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->cached);
    EXPECT_EQ(found->diagnostics, artifactOf("").diagnostics);
    EXPECT_EQ(found->flags, "f");
    EXPECT_FALSE(again.find("other"));
    auto content = readFile(folder.path() / "key.kwa");
    ASSERT_TRUE(content.ok());
    ASSERT_TRUE(writeFileAtomically(folder.path() / "key.kwa", *content + "x").ok());
    EXPECT_FALSE(ArtifactCache(folder.path(), 1 << 20).find("key")) << "the bytes no longer have their hash";
    ASSERT_TRUE(writeFileAtomically(folder.path() / "other.kwa", *content).ok());
    EXPECT_FALSE(ArtifactCache(folder.path(), 1 << 20).find("other")) << "another key's file";
}

TEST(ArtifactCache, LeastRecentlyUsedGoesFirst)
{
    ArtifactCache cache({}, 0, 250);
    for (const char* key : {"a", "b"})
        cache.store(key, artifactOf(std::string(100, 'x')));
    EXPECT_TRUE(cache.find("a"));
    cache.store("c", artifactOf(std::string(100, 'x')));
    EXPECT_TRUE(cache.find("a"));
    EXPECT_FALSE(cache.find("b"));
    EXPECT_TRUE(cache.find("c"));
}

TEST(ArtifactCache, FolderStaysBelowItsLimit)
{
    const TemporaryFolder folder;
    ArtifactCache cache(folder.path(), 4000, 1);
    for (int i = 0; i < 20; ++i)
        cache.store("key" + std::to_string(i), artifactOf(std::string(500, 'x')));
    std::uintmax_t total = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder.path()))
        total += file.file_size();
    EXPECT_LE(total, 4000U);
    EXPECT_GT(total, 0U);
}

} // namespace
} // namespace kw
