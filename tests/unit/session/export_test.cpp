// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/file.h"
#include "base/json_io.h"
#include "session/cpu_flags.h"
#include "session/export.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kw {
namespace {

namespace fs = std::filesystem;

class Export : public testing::Test {
protected:
    void SetUp() override
    {
        fs::create_directories(m_folder.path() / "applied" / "sources");
        ASSERT_TRUE(writeFileAtomically(m_folder.path() / "applied" / "libkernelwright_ops.so", "library"));
        ASSERT_TRUE(writeFileAtomically(m_folder.path() / "applied" / "model.pt2", "rewritten"));
        ASSERT_TRUE(writeFileAtomically(m_folder.path() / "applied" / "sources" / "k.cpp", "text"));
        ASSERT_TRUE(writeFileAtomically(m_folder.path() / "user.pt2", "original"));
        m_input.model = m_folder.path() / "user.pt2";
        m_input.modelSha256 = "f00d";
        m_input.files.library = m_folder.path() / "applied" / "libkernelwright_ops.so";
        m_input.files.model = m_folder.path() / "applied" / "model.pt2";
        m_input.files.operatorNamespace = "kernelwright_x";
        m_input.files.operators = {{"k_1", "c1", "p1"}};
        m_input.files.sites = 3;
        ExportedKernel kernel;
        kernel.problem.id = "p1";
        kernel.problem.dimensions = {{"d0", 4, true}};
        kernel.problem.shapes = {{{4}, 1}};
        TensorArgument output;
        output.name = "y";
        output.shape = {Size{0, 0}, Size{8, -1}};
        output.strides = {8, 1};
        kernel.problem.outputs = {output};
        kernel.experiment.candidate.id = "c1";
        m_input.kernels = {kernel};
        m_input.graph.values = {{"x", ValueKind::Tensor, TensorType{DType::Float, {4, 8}, {8, 1}}},
            {"weight", ValueKind::Tensor, TensorType{DType::Float, {8}, {1}}}};
        GraphInput weight;
        weight.value = 1;
        weight.kind = InputKind::Parameter;
        GraphInput user;
        user.value = 0;
        m_input.graph.inputs = {weight, user};
    }

    Json manifest(const fs::path& folder) { return *parseJson(*readFile(folder / "manifest.json")); }

    TemporaryFolder m_folder;
    ExportInput m_input;
};

} // namespace

TEST_F(Export, WritesEverythingThatTheLoaderNeeds)
{
    const fs::path target = m_folder.path() / "out";
    const auto summary = writeExport(m_input, target);
    ASSERT_TRUE(summary) << debugText(summary.error().message);
    EXPECT_EQ(summary->sites, 3);
    for (const char* name : {"load.py", "example.py", "LICENSE", "README.md", "manifest.json", "evidence.json", "report.md",
             "report.html", "sources/k.cpp"})
        EXPECT_TRUE(fs::exists(target / name)) << name;
    EXPECT_EQ(*readFile(target / "original.pt2"), "original");
    EXPECT_EQ(*readFile(target / "model.pt2"), "rewritten");
    const Json json = manifest(target);
    EXPECT_EQ(json["inputs"], Json::parse(R"([{"dtype": "float32", "shape": [4, 8], "strides": [8, 1]}])"));
    EXPECT_EQ(json["operators"][0]["outputs"], Json::parse(R"([{"dtype": "float32", "shape": [4, 8], "strides": [8, 1]}])"));
    EXPECT_EQ(json["operators"][0]["name"], "k_1");
}

TEST_F(Export, LeavesAFilledFolderAlone)
{
    const fs::path target = m_folder.path() / "out";
    fs::create_directory(target);
    ASSERT_TRUE(writeFileAtomically(target / "precious", "data"));
    const auto summary = writeExport(m_input, target);
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().message.id, "export.folder_not_empty");
    EXPECT_EQ(*readFile(target / "precious"), "data");
}

TEST_F(Export, LeavesNothingBehindWhenAFileIsMissing)
{
    fs::remove(m_input.files.model);
    const auto summary = writeExport(m_input, m_folder.path() / "out");
    ASSERT_FALSE(summary);
    EXPECT_EQ(summary.error().message.id, "export.cannot_write");
    const auto entries = std::distance(fs::directory_iterator(m_folder.path()), fs::directory_iterator());
    EXPECT_EQ(entries, 2) << "applied and user.pt2 only";
}

TEST_F(Export, RefusesToExportNothing)
{
    m_input.kernels.clear();
    EXPECT_EQ(writeExport(m_input, m_folder.path() / "out").error().message.id, "export.no_kernels");
}

TEST_F(Export, SaysWhenTheRecordIsForeign)
{
    m_input.foreign = true;
    ASSERT_TRUE(writeExport(m_input, m_folder.path() / "out"));
    const Json json = *parseJson(*readFile(m_folder.path() / "out" / "evidence.json"));
    EXPECT_EQ(json["status"], "recorded, not reproduced");
}

// Each flag must be one that this processor reports; the loader compares with the same list of words.
TEST(CpuFlags, AreWordsOfThisProcessor)
{
    std::string info = *readFile("/proc/cpuinfo");
    for (const std::string& flag : vectorCpuFlags())
        EXPECT_NE(info.find(flag), std::string::npos) << flag;
}

} // namespace kw
