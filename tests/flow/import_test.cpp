// SPDX-License-Identifier: GPL-3.0-or-later
// Models as an independent Python run has exported them: the worker's executor must give the same bits at the same number of
// threads, and every file that is no model must end in one message.
#include "base/file.h"
#include "base/json_io.h"
#include "base/subprocess.h"
#include "support/paths.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

namespace kw {
namespace {

struct Ended {
    ExitCause cause;
    std::string errors;
};

Ended runWorker(const std::vector<std::string>& arguments, int threads)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "errors";
    const UniqueFd errors(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
    SubprocessOptions options;
    options.program = executableFolder() / "kernelwright-worker";
    options.arguments = arguments;
    options.environment = {"OMP_NUM_THREADS=" + std::to_string(threads), "MKL_NUM_THREADS=" + std::to_string(threads)};
    options.streams.error = errors.get();
    auto process = Subprocess::start(options);
    EXPECT_TRUE(process.ok());
    Ended ended;
    ended.cause = process->waitFor(300);
    ended.errors = *readFile(path);
    return ended;
}


class ImportedModels : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(ImportedModels, GiveTheSameBitsAsPython)
{
    const auto [name, threads] = GetParam();
    const auto expectedFolder = test::modelFolder() / (std::string(name) + ".expected");
    const auto expectedText = readFile(expectedFolder / "index.json");
    ASSERT_TRUE(expectedText.ok()) << "make_models.py has not run";
    const auto expected = *parseJson(*expectedText);
    const TemporaryFolder folder;
    const auto ended = runWorker({"--dump-outputs", folder.path().string(), "--model", (test::modelFolder() / (std::string(name) + ".pt2")).string(),
        "--threads", std::to_string(threads)}, threads);
    ASSERT_TRUE(ended.cause.success()) << ended.errors;
    const auto actual = *parseJson(*readFile(folder.path() / "outputs.json"));
    const Json& outputs = expected["outputs"][std::to_string(threads)];
    ASSERT_EQ(actual.size(), outputs.size());
    for (std::size_t index = 0; index < outputs.size(); ++index) {
        if (!outputs[index].contains("file")) {
            EXPECT_EQ(actual[index]["value"], outputs[index]["value"]);
            continue;
        }
        EXPECT_EQ(actual[index]["dtype"], outputs[index]["dtype"]);
        EXPECT_EQ(actual[index]["shape"], outputs[index]["shape"]);
        const auto ours = *readFile(folder.path() / actual[index]["file"].get<std::string>());
        const auto theirs = *readFile(expectedFolder / outputs[index]["file"].get<std::string>());
        EXPECT_TRUE(ours == theirs) << "output " << index << " differs";
    }
}

INSTANTIATE_TEST_SUITE_P(All, ImportedModels,
    testing::Combine(testing::Values("pointwise", "mlp", "layer_norm", "rms_norm", "softmax", "gelu_chain", "resnet18", "dynamic", "state",
                         "tied", "branches", "lstm", "products", "tone_mapping", "llama", "minilm"),
        testing::Values(1, 2)),
    [](const auto& parameters) {
        return std::string(std::get<0>(parameters.param)) + "_threads_" + std::to_string(std::get<1>(parameters.param));
    });

class BadFiles : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(BadFiles, EndInOneMessage)
{
    const auto [name, message] = GetParam();
    const auto path = test::modelFolder() / "bad" / (std::string(name) + ".pt2");
    ASSERT_TRUE(std::filesystem::exists(path)) << "make_models.py has not run";
    const auto ended = runWorker({"--dump-graph", path.string()}, 1);
    EXPECT_EQ(ended.cause.kind, ExitCause::Kind::Exited);
    EXPECT_EQ(ended.cause.code, 1);
    EXPECT_NE(("\n" + ended.errors).find("\n" + std::string(message)), std::string::npos) << ended.errors;
}

INSTANTIATE_TEST_SUITE_P(All, BadFiles,
    testing::Values(std::pair{"empty", "import.empty "}, std::pair{"text", "import.no_archive "}, std::pair{"truncated", "import.damaged "},
        std::pair{"directory", "import.is_folder "}, std::pair{"state_dict", "import.state_dict "},
        std::pair{"pickled_module", "import.state_dict "}, std::pair{"unknown_operator", "import.operator_library "},
        std::pair{"newer_schema", "import.newer_schema theirs=9 ours=8"}, std::pair{"short_weights", "import.short_weight "},
        std::pair{"broken_json", "import.malformed "}, std::pair{"dangling_value", "import.malformed "},
        std::pair{"reads_a_file", "import.forbidden_operator operator=aten::from_file"}),
    [](const auto& parameters) { return std::string(parameters.param.first); });

TEST(BadFiles, AMissingFileSaysSo)
{
    const auto ended = runWorker({"--dump-graph", "/nowhere/model.pt2"}, 1);
    EXPECT_EQ(ended.cause.code, 1);
    EXPECT_NE(("\n" + ended.errors).find("\nimport.cannot_open path=/nowhere/model.pt2"), std::string::npos) << ended.errors;
}

} // namespace
} // namespace kw
