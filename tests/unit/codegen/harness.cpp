// SPDX-License-Identifier: GPL-3.0-or-later
#include "harness.h"

#include "candidate/header.h"
#include "support/paths.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>

namespace kw::test {

std::int64_t Dense::elements() const
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        count *= size;
    return count;
}

Problem problemOf(const Graph& graph, const std::map<std::int64_t, std::string>& dimensions)
{
    Problem problem;
    problem.id = "0123456789abcdef";
    problem.name = graph.name.empty() ? "kernel" : graph.name;
    problem.reference = graph;
    std::map<std::int64_t, std::int32_t> index;
    for (const auto& [size, name] : dimensions) {
        index[size] = static_cast<std::int32_t>(problem.dimensions.size());
        problem.dimensions.push_back({name, size, true});
    }
    const auto argument = [&](ValueId id) {
        const Value& value = graph.values.at(static_cast<std::size_t>(id));
        TensorArgument tensor;
        tensor.name = value.name;
        tensor.dtype = value.type.value().dtype;
        tensor.strides = value.type->strides;
        tensor.value = id;
        for (const std::int64_t size : value.type->shape) {
            const auto found = index.find(size);
            tensor.shape.push_back(found == index.end() ? Size{size, -1} : Size{0, found->second});
        }
        return tensor;
    };
    for (const GraphInput& input : graph.inputs)
        problem.inputs.push_back(argument(input.value));
    for (const GraphOutput& output : graph.outputs) {
        problem.outputs.push_back(argument(std::get<ValueRef>(output.value).id));
        problem.outputs.back().name = "out" + std::to_string(problem.outputs.size() - 1);
    }
    UsedShape used;
    used.dimensions = capturedDimensions(problem);
    problem.shapes = {used};
    return problem;
}

Dense randomDense(DType dtype, const std::vector<std::int64_t>& shape, unsigned seed, double scale)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Dense result{dtype, shape, {}};
    for (std::int64_t i = 0; i < result.elements(); ++i) {
        if (dtype == DType::Bool)
            result.values.push_back(static_cast<double>(random() % 2));
        else if (dtype == DType::Float)
            result.values.push_back(static_cast<double>(static_cast<float>(scale * normal(random))));
        else
            result.values.push_back(static_cast<double>(random() % 19) - 9);
    }
    return result;
}

Dense extremeDense(Extreme kind, DType dtype, const std::vector<std::int64_t>& shape, unsigned seed)
{
    if (dtype != DType::Float || kind == Extreme::Huge || kind == Extreme::Subnormal)
        return randomDense(dtype, shape, seed, kind == Extreme::Huge ? 1e25 : 1e-42);
    Dense result = randomDense(dtype, shape, seed);
    std::mt19937 random(seed + 1);
    const float specials[] = {INFINITY, -INFINITY, NAN, 3e38f, -3e38f, 1e-45f, -0.0f};
    for (double& value : result.values) {
        if (kind == Extreme::MixedScale)
            value = static_cast<double>(static_cast<float>(std::ldexp(value, static_cast<int>(random() % 241) - 140)));
        else if (random() % 12 == 0)
            value = static_cast<double>(specials[random() % std::size(specials)]);
    }
    return result;
}

std::string mismatch(const Dense& actual, const Dense& exact, const Dense& rounded, double tolerance)
{
    const auto kindOf = [](double value) {
        const auto asFloat = static_cast<float>(value);
        return std::isnan(asFloat) ? 2 : std::isinf(asFloat) ? (asFloat > 0 ? 1 : -1) : 0;
    };
    const auto isFinite = [&](double value) { return kindOf(value) == 0; };
    double scale = 0;
    for (std::size_t i = 0; i < exact.values.size(); ++i)
        if (isFinite(exact.values[i]) && isFinite(rounded.values[i]))
            scale = std::max(scale, std::abs(exact.values[i]));
    const auto describe = [&](std::size_t i) {
        char text[160];
        std::snprintf(text, sizeof text, "element %zu: %g instead of %g (rounded %g)", i, actual.values[i], exact.values[i], rounded.values[i]);
        return std::string(text);
    };
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
        const double a = actual.values[i], e = exact.values[i], r = rounded.values[i];
        if (kindOf(e) != kindOf(r))
            continue;
        if (kindOf(a) != kindOf(e))
            return describe(i);
        constexpr double leastStep = 0x1p-149;
        if (isFinite(e) && !(std::abs(a - e) <= 64 * std::abs(r - e) + tolerance * scale + 16 * leastStep))
            return describe(i);
    }
    return {};
}

namespace {

/// Memory whose last byte stands in front of a forbidden page.
class Guarded {
public:
    explicit Guarded(std::size_t bytes)
    {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        m_size = (bytes + page - 1) / page * page + 2 * page;
        m_base = static_cast<char*>(mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        if (m_base == MAP_FAILED)
            throw std::runtime_error("mmap");
        mprotect(m_base, page, PROT_NONE);
        mprotect(m_base + m_size - page, page, PROT_NONE);
        data = m_base + m_size - page - bytes;
    }
    ~Guarded() { munmap(m_base, m_size); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;
    char* data = nullptr;

private:
    char* m_base = nullptr;
    std::size_t m_size = 0;
};

template <typename Visit> void eachElement(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides, Visit visit)
{
    std::int64_t total = 1;
    for (const std::int64_t size : shape)
        total *= size;
    for (std::int64_t i = 0; i < total; ++i) {
        std::int64_t rest = i, offset = 0;
        for (std::size_t d = shape.size(); d-- > 0;) {
            offset += rest % shape[d] * strides[d];
            rest /= shape[d];
        }
        visit(i, offset);
    }
}

std::size_t storageElements(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides)
{
    std::int64_t last = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 0)
            return 0;
        last += (shape[d] - 1) * strides[d];
    }
    return static_cast<std::size_t>(last) + 1;
}

void writeElement(char* at, DType dtype, double value)
{
    const auto put = [&](auto typed) { std::memcpy(at, &typed, sizeof typed); };
    switch (dtype) {
    case DType::Float: put(static_cast<float>(value)); break;
    case DType::Bool: put(static_cast<std::uint8_t>(value != 0)); break;
    case DType::Int32: put(static_cast<std::int32_t>(value)); break;
    default: put(static_cast<std::int64_t>(value)); break;
    }
}

double readElement(const char* at, DType dtype)
{
    const auto get = [&](auto typed) {
        std::memcpy(&typed, at, sizeof typed);
        return static_cast<double>(typed);
    };
    switch (dtype) {
    case DType::Float: return get(0.0f);
    case DType::Bool: return get(std::uint8_t{});
    case DType::Int32: return get(std::int32_t{});
    default: return get(std::int64_t{});
    }
}

const char* cppType(DType dtype)
{
    return dtype == DType::Float ? "float" : dtype == DType::Bool ? "std::uint8_t" : dtype == DType::Int32 ? "std::int32_t" : "std::int64_t";
}

std::string trampoline(const Problem& problem, const CandidateHeader& header, std::size_t index)
{
    std::string text = "extern \"C\" void entry" + std::to_string(index) + "(void* const* tensors, const std::int64_t* dims)\n{\n";
    for (const Launch& launch : header.launches) {
        text += "    c" + std::to_string(index) + "::" + launch.function + "(";
        for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
            const std::string& name = launch.arguments[i];
            std::string value = name;
            for (std::size_t t = 0; t < problem.inputs.size() + problem.outputs.size(); ++t) {
                const bool input = t < problem.inputs.size();
                const TensorArgument& tensor = input ? problem.inputs[t] : problem.outputs[t - problem.inputs.size()];
                if (tensor.name == name)
                    value = std::string("static_cast<") + (input ? "const " : "") + cppType(tensor.dtype) + "*>(tensors[" + std::to_string(t) + "])";
            }
            for (std::size_t d = 0; d < problem.dimensions.size(); ++d)
                if (problem.dimensions[d].name == name)
                    value = "dims[" + std::to_string(d) + "]";
            text += (i ? ", " : "") + value;
        }
        text += ");\n";
    }
    return text + "    (void)dims;\n}\n";
}

} // namespace

std::string Built::build(const std::vector<Entry>& entries, const std::string& optimisation)
{
    std::string pattern = (std::filesystem::temp_directory_path() / "kw-codegen-XXXXXX").string();
    m_folder = mkdtemp(pattern.data());
    std::ofstream all(m_folder + "/all.cpp");
    all << "#include \"kw/math.h\"\n";
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto header = parseHeader(entries[i].source, *entries[i].problem);
        if (!header)
            return "header: " + debugText(header.error().message) + "\n" + entries[i].source;
        std::ofstream(m_folder + "/c" + std::to_string(i) + ".inc") << entries[i].source;
        all << "namespace c" << i << " {\n#include \"c" << i << ".inc\"\n}\n" << trampoline(*entries[i].problem, *header, i);
    }
    all.close();
    const std::string include = (sourceFolder() / "resources/kernel").string();
    const std::string command = "g++ " + optimisation + " -std=c++20 -march=native -fopenmp -fno-math-errno -fno-trapping-math -Wall -Wextra -Werror -shared -fPIC -I'" + include
        + "' '" + m_folder + "/all.cpp' -o '" + m_folder + "/all.so' 2> '" + m_folder + "/log'";
    const int status = std::system(command.c_str());
    std::ifstream log(m_folder + "/log");
    std::string text((std::istreambuf_iterator<char>(log)), {});
    if (status != 0)
        return text.empty() ? "the compiler failed" : text.substr(0, 2000);
    m_library = dlopen((m_folder + "/all.so").c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); // the threads of OpenMP outlive the test
    return m_library ? "" : dlerror();
}

Built::~Built()
{
    if (m_library)
        dlclose(m_library);
    if (!m_folder.empty() && !std::getenv("KW_KEEP_CODE"))
        std::filesystem::remove_all(m_folder);
}

std::vector<Dense> Built::run(std::size_t index, const Problem& problem, const std::vector<Dense>& inputs,
    const std::vector<std::int64_t>& dimensions) const
{
    using EntryPoint = void (*)(void* const*, const std::int64_t*);
    const auto entry = reinterpret_cast<EntryPoint>(dlsym(m_library, ("entry" + std::to_string(index)).c_str()));
    std::vector<std::unique_ptr<Guarded>> memory;
    std::vector<void*> pointers;
    const auto place = [&](const TensorArgument& tensor) {
        const auto shape = concreteShape(tensor.shape, dimensions);
        const auto strides = concreteStrides(tensor, dimensions, capturedDimensions(problem));
        memory.push_back(std::make_unique<Guarded>(storageElements(shape, strides) * static_cast<std::size_t>(itemSize(tensor.dtype))));
        pointers.push_back(memory.back()->data);
        return std::pair(shape, strides);
    };
    for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
        const auto [shape, strides] = place(problem.inputs[i]);
        eachElement(shape, strides, [&](std::int64_t at, std::int64_t offset) {
            writeElement(memory.back()->data + offset * itemSize(problem.inputs[i].dtype), problem.inputs[i].dtype, inputs[i].values.at(static_cast<std::size_t>(at)));
        });
    }
    for (const TensorArgument& tensor : problem.outputs) {
        const auto [shape, strides] = place(tensor);
        std::memset(memory.back()->data, 0xff, storageElements(shape, strides) * static_cast<std::size_t>(itemSize(tensor.dtype)));
    }
    entry(pointers.data(), dimensions.data());
    std::vector<Dense> results;
    for (std::size_t i = 0; i < problem.outputs.size(); ++i) {
        const TensorArgument& tensor = problem.outputs[i];
        Dense dense{tensor.dtype, concreteShape(tensor.shape, dimensions), {}};
        dense.values.resize(static_cast<std::size_t>(dense.elements()));
        const auto strides = concreteStrides(tensor, dimensions, capturedDimensions(problem));
        eachElement(dense.shape, strides, [&](std::int64_t at, std::int64_t offset) {
            dense.values[static_cast<std::size_t>(at)] = readElement(memory[problem.inputs.size() + i]->data + offset * itemSize(tensor.dtype), tensor.dtype);
        });
        results.push_back(std::move(dense));
    }
    return results;
}

double relativeError(const Dense& actual, const Dense& expected)
{
    if (actual.shape != expected.shape)
        return std::numeric_limits<double>::infinity();
    double scale = 1, worst = 0;
    constexpr double largest = std::numeric_limits<float>::max();
    for (const double value : expected.values)
        if (std::abs(value) <= largest)
            scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < expected.values.size(); ++i) {
        const double a = actual.values[i], e = expected.values[i];
        if (std::isnan(e) || std::isnan(a)) {
            if (std::isnan(e) != std::isnan(a))
                return std::numeric_limits<double>::infinity();
        } else if (std::abs(e) > largest || std::isinf(a)) {
            if (!(std::abs(e) > largest && std::isinf(a) && (a > 0) == (e > 0)))
                return std::numeric_limits<double>::infinity();
        } else {
            worst = std::max(worst, std::abs(a - e) / scale);
        }
    }
    return worst;
}

} // namespace kw::test
