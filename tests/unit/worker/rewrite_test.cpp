// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/rewrite.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kw {
namespace {

Json node(const std::string& target, const std::vector<std::string>& reads, const std::vector<std::string>& writes)
{
    Json json{{"target", target}, {"inputs", Json::array()}, {"outputs", Json::array()}, {"metadata", {{"torch_fn", "f"}}}};
    for (const std::string& name : reads)
        json["inputs"].push_back({{"name", "x"}, {"arg", {{"as_tensor", {{"name", name}}}}}, {"kind", 1}});
    for (const std::string& name : writes)
        json["outputs"].push_back({{"as_tensor", {{"name", name}}}});
    return json;
}

std::string model(const std::vector<Json>& nodes, const std::string& input, const std::string& output)
{
    Json types = Json::object();
    types[input] = 1;
    for (const Json& each : nodes)
        for (const Json& value : each["outputs"])
            types[value["as_tensor"]["name"].get<std::string>()] = 1;
    return Json{{"graph_module", {{"graph", {{"inputs", {{{"as_tensor", {{"name", input}}}}}},
        {"outputs", {{{"as_tensor", {{"name", output}}}}}}, {"nodes", nodes}, {"tensor_values", types}}}}}}.dump();
}

std::vector<std::string> targets(const std::string& json)
{
    std::vector<std::string> names;
    const Json model = Json::parse(json);
    for (const Json& each : model["graph_module"]["graph"]["nodes"])
        names.push_back(each["target"]);
    return names;
}

} // namespace

TEST(Rewrite, ReplacesAChainAndDropsWhatNothingReads)
{
    const auto text = model({node("a", {"x"}, {"v1"}), node("b", {"v1"}, {"v2"}), node("c", {"v2"}, {"v3"})}, "x", "v3");
    const auto result = rewriteModelJson(text, {{"new", {{"x", "x"}}, {"v2"}, {"v1", "v2"}}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->applied, std::vector<bool>{true});
    EXPECT_EQ(targets(result->json), (std::vector<std::string>{"new", "c"}));
    const Json types = Json::parse(result->json)["graph_module"]["graph"]["tensor_values"];
    EXPECT_FALSE(types.contains("v1"));
    EXPECT_TRUE(types.contains("v2"));
}

TEST(Rewrite, NamesACallWithSeveralResultsLikeNoneOfThem)
{
    // torch's reader creates one node under the call's name and one under each result's; equal names end in its error.
    std::vector<Json> nodes{node("a", {"x"}, {"v1"}), node("b", {"v1"}, {"v2"}), node("c", {"v2", "v1"}, {"v3"})};
    for (Json& each : nodes)
        each["name"] = each["outputs"][0]["as_tensor"]["name"];
    const auto several = rewriteModelJson(model(nodes, "x", "v3"), {{"new", {{"x", "x"}}, {"v1", "v2"}, {"v1", "v2"}}});
    ASSERT_TRUE(several);
    const Json call = Json::parse(several->json)["graph_module"]["graph"]["nodes"][0];
    EXPECT_EQ(call["target"], "new");
    for (const Json& output : call["outputs"])
        EXPECT_NE(call["name"], output["as_tensor"]["name"]);
    const auto single = rewriteModelJson(model(nodes, "x", "v3"), {{"new", {{"x", "x"}}, {"v1"}, {"v1"}}});
    ASSERT_TRUE(single);
    EXPECT_EQ(Json::parse(single->json)["graph_module"]["graph"]["nodes"][0]["name"], "v1");
}

TEST(Rewrite, KeepsAnAbsorbedNodeThatOthersStillRead)
{
    const auto text = model({node("a", {"x"}, {"v1"}), node("b", {"v1"}, {"v2"}), node("c", {"v2", "v1"}, {"v3"})}, "x", "v3");
    const auto result = rewriteModelJson(text, {{"new", {{"x", "x"}}, {"v2"}, {"v1", "v2"}}});
    ASSERT_TRUE(result);
    EXPECT_EQ(targets(result->json), (std::vector<std::string>{"new", "a", "c"}));
}

// The operator needs v2, which is made after the first consumer of v3: everything must still be defined before its use.
TEST(Rewrite, MovesConsumersBehindTheOperator)
{
    const auto text = model({node("a", {"x"}, {"v1"}), node("early", {"v1"}, {"v4"}), node("b", {"x"}, {"v2"}),
        node("c", {"v1", "v2"}, {"v3"}), node("d", {"v3", "v4"}, {"v5"})}, "x", "v5");
    const auto result = rewriteModelJson(text, {{"new", {{"x", "x"}, {"y", "v2"}}, {"v1", "v3"}, {"v1", "v3"}}});
    ASSERT_TRUE(result);
    EXPECT_EQ(targets(result->json), (std::vector<std::string>{"b", "new", "early", "d"}));
}

TEST(Rewrite, LeavesASiteAloneWhenAnInPlaceNodeWouldMove)
{
    const auto text = model({node("a", {"x"}, {"v1"}), node("torch.ops.aten.add_.Tensor", {"v1"}, {"v4"}), node("b", {"x"}, {"v2"}),
        node("c", {"v1", "v2"}, {"v3"}), node("d", {"v3", "v4"}, {"v5"})}, "x", "v5");
    const auto result = rewriteModelJson(text, {{"new", {{"x", "x"}, {"y", "v2"}}, {"v1", "v3"}, {"v1", "v3"}}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->applied, std::vector<bool>{false});
    EXPECT_EQ(Json::parse(result->json), Json::parse(text));
}

// v1.mul_() as a part of the region: the old content has no other reader.
TEST(Rewrite, TakesNodesAwayThatWriteInPlaceInsideOfTheRegion)
{
    const auto text = model({node("a", {"x"}, {"v1"}), node("torch.ops.aten.mul_.Tensor", {"v1"}, {"v2"}),
        node("torch.ops.aten.add_.Tensor", {"v2"}, {"v3"}), node("d", {"v3"}, {"v4"})}, "x", "v4");
    const auto result = rewriteModelJson(text, {{"new", {{"x", "x"}}, {"v3"}, {"v1", "v2", "v3"}}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->applied, std::vector<bool>{true});
    EXPECT_EQ(targets(result->json), (std::vector<std::string>{"new", "d"}));
}

// "b" reads v1 before it is overwritten; an operator that waits for v3 would read it afterwards.
TEST(Rewrite, LeavesASiteAloneWhenItsInputWouldBeOverwrittenBefore)
{
    const auto text = model({node("a", {"x"}, {"v1"}), node("b", {"v1"}, {"v2"}), node("torch.ops.aten.add_.Tensor", {"v1"}, {"v5"}),
        node("e", {"v5"}, {"v3"}), node("c", {"v2", "v3"}, {"v4"})}, "x", "v4");
    const auto result = rewriteModelJson(text, {{"new", {{"x", "v1"}, {"y", "v3"}}, {"v4"}, {"v2", "v4"}}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->applied, std::vector<bool>{false});
    EXPECT_EQ(Json::parse(result->json), Json::parse(text));
}

TEST(Rewrite, UnknownValuesAndBadTextAreNoCrash)
{
    const auto text = model({node("a", {"x"}, {"v1"})}, "x", "v1");
    const auto missing = rewriteModelJson(text, {{"new", {{"x", "x"}}, {"nothing"}, {"nothing"}}});
    ASSERT_TRUE(missing);
    EXPECT_EQ(missing->applied, std::vector<bool>{false});
    EXPECT_EQ(rewriteModelJson("{", {}).error().message.id, "json.malformed");
    EXPECT_EQ(rewriteModelJson("{}", {}).error().message.id, "apply.unexpected_model");
    EXPECT_EQ(rewriteModelJson(text, {{"new", {}, {}, {}}}).error().message.id, "apply.unexpected_model");
}

} // namespace kw
