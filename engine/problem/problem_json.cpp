// SPDX-License-Identifier: GPL-3.0-or-later
#include "problem/problem.h"

#include "graph/json_checks.h"

namespace kw {
namespace {

constexpr std::array<std::string_view, 5> domainKinds = {"normal", "uniform", "integers", "boolean", "mask"};
constexpr std::array<std::string_view, 5> regionKinds = {"pointwise", "row_reduction", "column_reduction", "window", "epilogue"};

template <typename Element, typename Convert> std::vector<Element> listFrom(const Json& json, Convert convert)
{
    if (!json.is_array())
        throw std::runtime_error("a list is expected");
    std::vector<Element> list;
    list.reserve(json.size());
    for (const Json& entry : json)
        list.push_back(convert(entry));
    return list;
}

/// A constant is a number, a dimension its index in an object.
Json sizesToJson(const std::vector<Size>& sizes)
{
    Json json = Json::array();
    for (const Size& size : sizes)
        json.push_back(size.dimension < 0 ? Json(size.constant) : Json{{"dimension", size.dimension}});
    return json;
}

Size sizeFrom(const Json& json)
{
    if (json.is_object())
        return {0, integerFrom<std::int32_t>(json.at("dimension"))};
    return {integerFrom<std::int64_t>(json), -1};
}

Json domainToJson(const InputDomain& domain)
{
    return {{"kind", enumName(domain.kind, domainKinds)}, {"low", numberToJson(domain.low)}, {"high", numberToJson(domain.high)},
        {"mean", numberToJson(domain.mean)}, {"deviation", numberToJson(domain.deviation)}, {"bounded", domain.bounded}};
}

InputDomain domainFrom(const Json& json)
{
    return {enumFrom<DomainKind>(json.at("kind"), domainKinds), numberFrom(json.at("low")), numberFrom(json.at("high")),
        numberFrom(json.at("mean")), numberFrom(json.at("deviation")), json.at("bounded").get<bool>()};
}

Json tensorToJson(const TensorArgument& tensor)
{
    return {{"name", tensor.name}, {"dtype", tensor.dtype}, {"shape", sizesToJson(tensor.shape)}, {"strides", tensor.strides},
        {"value", tensor.value}, {"domain", domainToJson(tensor.domain)}, {"shared", tensor.sharedAcrossCalls}};
}

TensorArgument tensorFrom(const Json& json)
{
    TensorArgument tensor;
    tensor.name = json.at("name").get<std::string>();
    tensor.dtype = json.at("dtype").get<DType>();
    tensor.shape = listFrom<Size>(json.at("shape"), sizeFrom);
    tensor.strides = integersFrom<std::int64_t>(json.at("strides"));
    tensor.value = integerFrom<ValueId>(json.at("value"));
    tensor.domain = domainFrom(json.at("domain"));
    tensor.sharedAcrossCalls = json.at("shared").get<bool>();
    return tensor;
}

Json siteToJson(const CallSite& site)
{
    return {{"nodes", site.nodes}, {"inputs", site.inputs}, {"outputs", site.outputs}, {"module", site.modulePath},
        {"source", site.source}, {"seconds", numberToJson(site.seconds)}};
}

CallSite siteFrom(const Json& json)
{
    return {integersFrom<std::int32_t>(json.at("nodes")), integersFrom<ValueId>(json.at("inputs")),
        integersFrom<ValueId>(json.at("outputs")), json.at("module").get<std::string>(),
        json.at("source").get<SourceLocation>(), numberFrom(json.at("seconds"))};
}

template <typename List, typename Convert> Json listToJson(const List& list, Convert convert)
{
    Json json = Json::array();
    for (const auto& entry : list)
        json.push_back(convert(entry));
    return json;
}

} // namespace

void to_json(Json& json, const Problem& problem)
{
    json = Json{{"version", Problem::version}, {"id", problem.id}, {"name", problem.name},
        {"kind", enumName(problem.kind, regionKinds)}, {"reference", problem.reference},
        {"dimensions", listToJson(problem.dimensions,
             [](const Dimension& entry) {
                 return Json{{"name", entry.name}, {"captured", entry.captured}, {"free", entry.free}};
             })},
        {"inputs", listToJson(problem.inputs, tensorToJson)}, {"outputs", listToJson(problem.outputs, tensorToJson)},
        {"shapes", listToJson(problem.shapes,
             [](const UsedShape& entry) { return Json{{"dimensions", entry.dimensions}, {"calls", entry.calls}}; })},
        {"sites", listToJson(problem.sites, siteToJson)},
        {"budget", {{"factor", problem.budget.factor}, {"floor_ulps", problem.budget.floorUlps}}},
        {"compulsory_bytes", problem.compulsoryBytes}, {"flops", problem.flops}, {"seconds", problem.seconds},
        {"allocation_seconds", problem.allocationSeconds}, {"floor_seconds", problem.floorSeconds},
        {"predicted_seconds", problem.predictedSeconds}};
}

void from_json(const Json& json, Problem& problem)
{
    if (integerFrom<int>(json.at("version")) != Problem::version)
        throw std::runtime_error("unknown version of a problem");
    problem.id = json.at("id").get<std::string>();
    problem.name = json.at("name").get<std::string>();
    problem.kind = enumFrom<RegionKind>(json.at("kind"), regionKinds);
    problem.reference = json.at("reference").get<Graph>();
    problem.dimensions = listFrom<Dimension>(json.at("dimensions"), [](const Json& entry) {
        return Dimension{entry.at("name").get<std::string>(), integerFrom<std::int64_t>(entry.at("captured")),
            entry.at("free").get<bool>()};
    });
    problem.inputs = listFrom<TensorArgument>(json.at("inputs"), tensorFrom);
    problem.outputs = listFrom<TensorArgument>(json.at("outputs"), tensorFrom);
    problem.shapes = listFrom<UsedShape>(json.at("shapes"), [](const Json& entry) {
        return UsedShape{integersFrom<std::int64_t>(entry.at("dimensions")), integerFrom<std::int64_t>(entry.at("calls"))};
    });
    problem.sites = listFrom<CallSite>(json.at("sites"), siteFrom);
    problem.budget = {numberFrom(json.at("budget").at("factor")), numberFrom(json.at("budget").at("floor_ulps"))};
    problem.compulsoryBytes = numberFrom(json.at("compulsory_bytes"));
    problem.flops = numberFrom(json.at("flops"));
    problem.seconds = numberFrom(json.at("seconds"));
    problem.allocationSeconds = numberFrom(json.at("allocation_seconds"));
    problem.floorSeconds = numberFrom(json.at("floor_seconds"));
    problem.predictedSeconds = numberFrom(json.at("predicted_seconds"));
}

} // namespace kw
