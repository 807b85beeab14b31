// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/import_graph.h"

#include "base/json_io.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kw {
namespace {

/// The smallest model: y = relu(x), with one parameter that nothing uses.
Json smallModel()
{
    return Json::parse(R"json({
      "schema_version": {"major": 8, "minor": 17}, "torch_version": "2.11.0",
      "range_constraints": {"s0": {"min_val": 2, "max_val": null}},
      "graph_module": {
        "graph": {
          "inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}, {"as_bool": true}],
          "outputs": [{"as_tensor": {"name": "relu"}}],
          "nodes": [{"target": "torch.ops.aten.relu.default",
                     "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}],
                     "outputs": [{"as_tensor": {"name": "relu"}}],
                     "metadata": {"stack_trace": "File \"lib/model.py\", line 7, in forward\n    return torch.relu(x)\n  File \"lib/torch/nn/functional.py\", line 9, in relu\n    y",
                                  "nn_module_stack": "L__self__,,__main__.Net;L__self__act,block.act,torch.nn.modules.activation.ReLU"}}],
          "tensor_values": {"x": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "s0", "hint": {"as_int": 4}}}], "requires_grad": false,
                            "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}},
          "sym_int_values": {}, "sym_bool_values": {}},
        "signature": {
          "input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
                          {"user_input": {"arg": {"as_tensor": {"name": "x"}}}},
                          {"constant_input": {"name": "flag", "value": {"as_bool": true}}}],
          "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "relu"}}}}]},
        "module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": "[1]", "out_spec": "[2]"}}]}})json");
}

Json& node(Json& model) { return model["graph_module"]["graph"]["nodes"][0]; }

Result<ImportedModel> importJson(const Json& json) { return importModel(dump(json)); }

std::string refusal(const Json& json)
{
    const auto model = importJson(json);
    return model ? "accepted" : model.error().message.id;
}

TEST(ImportGraph, ReadsASmallModel)
{
    const auto model = importJson(smallModel());
    ASSERT_TRUE(model.ok()) << debugText(model.error().message);
    const Graph& graph = model->graph;
    ASSERT_EQ(graph.inputs.size(), 3U);
    EXPECT_EQ(graph.inputs[0].kind, InputKind::Parameter);
    EXPECT_EQ(graph.inputs[0].target, "w");
    EXPECT_EQ(graph.inputs[1].kind, InputKind::User);
    EXPECT_EQ(graph.inputs[2].kind, InputKind::Scalar);
    EXPECT_EQ(std::get<bool>(graph.inputs[2].constant), true);
    ASSERT_EQ(graph.nodes.size(), 1U);
    EXPECT_EQ(graph.nodes[0].target, "aten::relu");
    EXPECT_EQ(graph.nodes[0].source.file, "lib/model.py");
    EXPECT_EQ(graph.nodes[0].source.line, 7);
    EXPECT_EQ(graph.nodes[0].source.code, "return torch.relu(x)");
    EXPECT_EQ(graph.nodes[0].modulePath, "block.act");
    EXPECT_EQ(graph.nodes[0].moduleClass, "ReLU");
    EXPECT_EQ(model->tensors.at("x").sizes[0], (FileSize{4, "s0"}));
    EXPECT_EQ(model->ranges.at("s0").least, 2);
    EXPECT_FALSE(model->ranges.at("s0").most.has_value());
    EXPECT_EQ(model->inputSpec, "[1]");
}

TEST(ImportGraph, KeepsTargetsOfEveryNamespaceApart)
{
    Json model = smallModel();
    node(model)["target"] = "torch.ops.aten.add.Tensor";
    EXPECT_EQ(importJson(model)->graph.nodes[0].target, "aten::add.Tensor");
    node(model)["target"] = "_operator.floordiv";
    EXPECT_EQ(importJson(model)->graph.nodes[0].target, "python::floordiv");
    node(model)["target"] = "torch.ops.higher_order.cond";
    EXPECT_EQ(importJson(model)->graph.nodes[0].target, "higher_order::cond");
}

TEST(ImportGraph, ReadsEveryKindOfArgument)
{
    Json model = smallModel();
    node(model)["inputs"] = Json::parse(R"([
      {"name": "a", "arg": {"as_none": true}}, {"name": "b", "arg": {"as_float": "-Infinity"}}, {"name": "c", "arg": {"as_ints": [1, -1]}},
      {"name": "d", "arg": {"as_scalar_type": 13}}, {"name": "e", "arg": {"as_device": {"type": "cuda", "index": 1}}},
      {"name": "f", "arg": {"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}]}},
      {"name": "g", "arg": {"as_sym_ints": [{"as_int": 3}]}}, {"name": "h", "arg": {"as_memory_format": 2}},
      {"name": "i", "arg": {"as_complex": {"real": 1.5, "imag": -2}}}, {"name": "j", "arg": {"as_string": "mean"}},
      {"name": "k", "arg": {"as_floats": [0.5, "NaN"]}}, {"name": "l", "arg": {"as_bools": [true, false]}}, {"name": "m", "arg": {"as_layout": 7}}])");
    const auto imported = importJson(model);
    ASSERT_TRUE(imported.ok()) << debugText(imported.error().message);
    const Node& read = imported->graph.nodes[0];
    EXPECT_TRUE(std::holds_alternative<std::monostate>(read.arguments[0].value));
    EXPECT_EQ(std::get<double>(read.arguments[1].value), -INFINITY);
    EXPECT_EQ(std::get<std::vector<IntItem>>(read.arguments[2].value), (std::vector<IntItem>{{1, noValue}, {-1, noValue}}));
    EXPECT_EQ(std::get<DType>(read.arguments[3].value), DType::BFloat16);
    EXPECT_EQ(std::get<DeviceName>(read.arguments[4].value).name, "cuda:1");
    EXPECT_EQ(std::get<std::vector<ValueRef>>(read.arguments[5].value)[0].id, noValue);
    EXPECT_EQ(std::get<std::vector<IntItem>>(read.arguments[6].value)[0].number, 3);
    EXPECT_EQ(std::get<MemoryFormat>(read.arguments[7].value), MemoryFormat::ChannelsLast);
    EXPECT_EQ(std::get<std::complex<double>>(read.arguments[8].value), std::complex<double>(1.5, -2));
    EXPECT_TRUE(std::isnan(std::get<std::vector<double>>(read.arguments[10].value)[1]));
}

TEST(ImportGraph, RefusesOtherSchemasAndBrokenGraphs)
{
    Json model = smallModel();
    model["schema_version"]["major"] = 9;
    EXPECT_EQ(refusal(model), "import.newer_schema");
    model["schema_version"]["major"] = 7;
    EXPECT_EQ(refusal(model), "import.older_schema");
    model = smallModel();
    model["schema_version"]["minor"] = 99;
    EXPECT_EQ(refusal(model), "accepted");
    node(model)["inputs"][0]["arg"]["as_tensor"]["name"] = "relu";
    EXPECT_EQ(refusal(model), "import.malformed") << "a node that reads its own result is a cycle";
    model = smallModel();
    node(model)["outputs"][0]["as_tensor"]["name"] = "x";
    EXPECT_EQ(refusal(model), "import.malformed") << "a value that is defined twice";
    model = smallModel();
    node(model)["inputs"][0]["arg"] = Json{{"as_int_lists", Json::array({Json::array({1})})}};
    EXPECT_EQ(refusal(model), "import.unsupported_argument");
    model = smallModel();
    model["graph_module"]["signature"]["input_specs"].erase(0);
    EXPECT_EQ(refusal(model), "import.malformed");
    model = smallModel();
    model["graph_module"]["signature"]["input_specs"][1] = Json{{"token", {{"arg", {{"name", "t"}}}}}};
    EXPECT_EQ(refusal(model), "import.unsupported_input");
    EXPECT_EQ(importModel("").error().message.id, "import.malformed");
    EXPECT_EQ(importModel("[]").error().message.id, "import.malformed");
    EXPECT_EQ(importModel(std::string(100000, '[')).error().message.id, "import.malformed");
}

TEST(ImportGraph, RefusesTooManyNodes)
{
    Json model = smallModel();
    Json& nodes = model["graph_module"]["graph"]["nodes"];
    Json proto = nodes[0];
    proto.erase("metadata");
    for (std::size_t index = 0; index < maxNodes; ++index) {
        proto["outputs"][0]["as_tensor"]["name"] = "v" + std::to_string(index);
        nodes.push_back(proto);
    }
    EXPECT_EQ(refusal(model), "import.too_many_nodes");
}

TEST(ImportGraph, RefusesEndlessSubgraphs)
{
    Json inner = smallModel()["graph_module"]["graph"];
    inner["nodes"] = Json::array();
    inner["outputs"] = Json::array();
    for (int depth = 0; depth < maxSubgraphDepth + 2; ++depth) {
        Json outer = inner;
        outer["nodes"] = Json::array({Json{{"target", "torch.ops.higher_order.cond"},
            {"inputs", Json::array({Json{{"name", "g"}, {"arg", {{"as_graph", {{"name", "sub"}, {"graph", inner}}}}}}})},
            {"outputs", Json::array()}}});
        inner = outer;
    }
    Json model = smallModel();
    model["graph_module"]["graph"]["nodes"].push_back(inner["nodes"][0]);
    EXPECT_EQ(refusal(model), "import.malformed");
}

TEST(ImportGraph, ReadsPayloads)
{
    const auto config = importPayloads(R"({"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta":
        {"dtype": 6, "sizes": [{"as_int": 2}], "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}],
         "storage_offset": {"as_int": 5}, "layout": 7}}, "o": {"path_name": "obj", "is_param": false, "use_pickle": true, "tensor_meta": null}}})");
    ASSERT_TRUE(config.ok());
    EXPECT_EQ(config->at("w").tensor->dtype, DType::Half);
    EXPECT_EQ(config->at("w").tensor->offset.number, 5);
    EXPECT_TRUE(config->at("w").tensor->requiresGrad);
    EXPECT_TRUE(config->at("o").pickled);
    EXPECT_FALSE(importPayloads("{}").ok());
    EXPECT_FALSE(importPayloads(R"({"config": {"w": {"path_name": 1}}})").ok());
}

} // namespace
} // namespace kw
