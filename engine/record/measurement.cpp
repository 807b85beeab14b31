// SPDX-License-Identifier: GPL-3.0-or-later
#include "record/measurement.h"

#include "record/word_tables.h"

namespace kw {
namespace {

// Thousands of samples per session: a short array each.
Json sampleToJson(const Sample& sample)
{
    return Json::array({words::number(sample.seconds), words::number(sample.cpuSeconds), sample.calls,
        sample.contextSwitches, words::number(sample.stolenSeconds), sample.rejected});
}

Sample sampleFrom(const Json& json)
{
    if (!json.is_array() || json.size() != 6)
        throw std::runtime_error("a sample has six members");
    Sample sample;
    sample.seconds = words::number(json.at(0));
    sample.cpuSeconds = words::number(json.at(1));
    sample.calls = words::integer<std::int32_t>(json.at(2));
    sample.contextSwitches = words::integer<std::int32_t>(json.at(3));
    sample.stolenSeconds = words::number(json.at(4));
    sample.rejected = json.at(5).get<bool>();
    return sample;
}

Json samplesToJson(const std::vector<Sample>& samples)
{
    Json json = Json::array();
    for (const Sample& sample : samples)
        json.push_back(sampleToJson(sample));
    return json;
}

std::vector<Sample> samplesFrom(const Json& json)
{
    if (!json.is_array())
        throw std::runtime_error("a list of samples is expected");
    std::vector<Sample> samples;
    for (const Json& entry : json)
        samples.push_back(sampleFrom(entry));
    return samples;
}

} // namespace

void to_json(Json& json, const Subject& subject)
{
    json = Json{{"kind", nameOf(subject.kind)}};
    if (!subject.candidate.empty())
        json["candidate"] = subject.candidate;
}

void from_json(const Json& json, Subject& subject)
{
    subject.kind = words::read<Subject::Kind>(json.at("kind"), words::subject);
    subject.candidate = json.value("candidate", std::string());
}

void to_json(Json& json, const PairBlock& pair)
{
    json = Json{{"a", samplesToJson(pair.a)}, {"b", samplesToJson(pair.b)}, {"disturbed", pair.disturbed}};
}

void from_json(const Json& json, PairBlock& pair)
{
    pair.a = samplesFrom(json.at("a"));
    pair.b = samplesFrom(json.at("b"));
    pair.disturbed = json.at("disturbed").get<bool>();
}

void to_json(Json& json, const Environment& environment)
{
    json = Json{{"cpu", environment.cpu}, {"kernel", environment.kernel}, {"compiler", environment.compiler},
        {"torch", environment.torch}, {"host", environment.host}, {"cores", environment.cores},
        {"threads", environment.threads}, {"frequency_mhz", words::number(environment.frequencyMHz)},
        {"allocation", environment.allocation}, {"unsafe", environment.unsafe}};
}

void from_json(const Json& json, Environment& environment)
{
    environment.cpu = json.at("cpu").get<std::string>();
    environment.kernel = json.at("kernel").get<std::string>();
    environment.compiler = json.at("compiler").get<std::string>();
    environment.torch = json.at("torch").get<std::string>();
    environment.host = json.at("host").get<std::string>();
    environment.cores = words::integer<std::int32_t>(json.at("cores"));
    environment.threads = words::integer<std::int32_t>(json.at("threads"));
    environment.frequencyMHz = words::number(json.at("frequency_mhz"));
    environment.allocation = json.at("allocation").get<std::string>();
    environment.unsafe = json.at("unsafe").get<bool>();
}

void to_json(Json& json, const Measurement& measurement)
{
    json = Json{{"a", measurement.a}, {"b", measurement.b}, {"cache", nameOf(measurement.cache)},
        {"dimensions", measurement.dimensions}, {"pairs", measurement.pairs},
        {"seconds_a", words::number(measurement.secondsA)}, {"seconds_b", words::number(measurement.secondsB)},
        {"ratio", words::number(measurement.ratio)}, {"low", words::number(measurement.low)},
        {"high", words::number(measurement.high)}, {"confidence", words::number(measurement.confidence)},
        {"margin", words::number(measurement.margin)}, {"outcome", nameOf(measurement.outcome)},
        {"rejected_samples", measurement.rejectedSamples}, {"method", measurement.method},
        {"environment", measurement.environment}};
}

void from_json(const Json& json, Measurement& measurement)
{
    measurement.a = json.at("a").get<Subject>();
    measurement.b = json.at("b").get<Subject>();
    measurement.cache = words::read<CacheState>(json.at("cache"), words::cache);
    measurement.dimensions.clear();
    for (const Json& entry : json.at("dimensions"))
        measurement.dimensions.push_back(words::integer<std::int64_t>(entry));
    measurement.pairs = json.at("pairs").get<std::vector<PairBlock>>();
    measurement.secondsA = words::number(json.at("seconds_a"));
    measurement.secondsB = words::number(json.at("seconds_b"));
    measurement.ratio = words::number(json.at("ratio"));
    measurement.low = words::number(json.at("low"));
    measurement.high = words::number(json.at("high"));
    measurement.confidence = words::number(json.at("confidence"));
    measurement.margin = words::number(json.at("margin"));
    measurement.outcome = words::read<Comparison>(json.at("outcome"), words::comparison);
    measurement.rejectedSamples = words::integer<std::int32_t>(json.at("rejected_samples"));
    measurement.method = json.at("method").get<std::string>();
    measurement.environment = json.at("environment").get<Environment>();
}

} // namespace kw
