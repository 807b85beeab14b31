// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/weights.h"

#include "worker/torch_types.h"

#include <ATen/ops/empty.h>

#include <limits>

namespace kw {
namespace {

constexpr std::uint64_t configLimit = std::uint64_t{64} << 20;

Error aboutWeight(const char* id, const std::string& name)
{
    return Error{Message(id).with("weight", name), {}};
}

Error unsupported(const std::string& name, const char* what)
{
    return Error{Message("import.unsupported_weight").with("weight", name).with("what", what), {}};
}

/// Sizes, strides and offset as plain numbers, and the elements that the storage must have for them.
struct StoredTensor {
    std::vector<std::int64_t> sizes, strides;
    std::int64_t offset = 0;
    std::uint64_t elements = 0;
};

Result<StoredTensor> storedTensor(const std::string& name, const TensorDescription& description)
{
    if (description.symbolic() || description.layout != Layout::Strided)
        return unsupported(name, "only strided tensors of fixed sizes can be read");
    if (description.sizes.size() != description.strides.size() || description.offset.number < 0)
        return unsupported(name, "sizes and strides do not fit together");
    StoredTensor stored;
    stored.offset = description.offset.number;
    constexpr std::uint64_t most = std::uint64_t{1} << 48;
    auto last = static_cast<std::uint64_t>(stored.offset);
    bool empty = false;
    for (std::size_t dim = 0; dim < description.sizes.size(); ++dim) {
        const std::int64_t size = description.sizes[dim].number, stride = description.strides[dim].number;
        if (size < 0 || stride < 0)
            return unsupported(name, "a size or a stride is negative");
        empty = empty || size == 0;
        std::uint64_t extent = 0;
        const bool overflow = size > 0
            && __builtin_mul_overflow(static_cast<std::uint64_t>(size - 1), static_cast<std::uint64_t>(stride), &extent);
        if (overflow || extent > most || last > most)
            return unsupported(name, "it is too large");
        last += extent;
        stored.sizes.push_back(size);
        stored.strides.push_back(stride);
    }
    stored.elements = empty ? 0 : static_cast<std::uint64_t>(last) + 1;
    return stored;
}

/// Hands out one storage per file.
class StorageReader {
public:
    explicit StorageReader(Archive& archive) : m_archive(archive) {}

    Result<c10::Storage> storage(const std::string& record, const std::string& weight)
    {
        if (const auto found = m_storages.find(record); found != m_storages.end())
            return found->second;
        KW_TRY(const std::uint64_t bytes, m_archive.size(record));
        try {
            c10::Storage storage(c10::Storage::use_byte_size_t(), static_cast<std::int64_t>(bytes), c10::GetAllocator(c10::kCPU), true);
            KW_CHECK(m_archive.read(record, storage.mutable_data(), bytes));
            m_storages.emplace(record, storage);
            return storage;
        } catch (const std::exception& exception) {
            return Error{Message("import.out_of_memory").with("weight", weight).with("bytes", std::size_t{bytes}), shortText(exception)};
        }
    }

private:
    Archive& m_archive;
    std::map<std::string, c10::Storage> m_storages;
};

Result<at::Tensor> loadTensor(StorageReader& storages, const std::string& folder, const std::string& name, const PayloadEntry& entry)
{
    if (entry.pickled || !entry.tensor)
        return aboutWeight("import.pickled_weight", name);
    KW_TRY(const StoredTensor stored, storedTensor(name, *entry.tensor));
    KW_TRY(c10::Storage storage, storages.storage(folder + entry.path, name));
    const std::uint64_t needed = stored.elements * static_cast<std::uint64_t>(itemSize(entry.tensor->dtype));
    if (needed > storage.nbytes())
        return Error{Message("import.short_weight").with("weight", name).with("bytes", storage.nbytes())
                         .with("needed", std::size_t{needed}), {}};
    at::Tensor tensor = at::empty({0}, c10::TensorOptions().dtype(toTorch(entry.tensor->dtype)));
    tensor.set_(storage, stored.offset, stored.sizes, stored.strides);
    tensor.set_requires_grad(entry.tensor->requiresGrad);
    return tensor;
}

Result<PayloadConfig> payloads(Archive& archive, const std::string& record)
{
    if (!archive.has(record))
        return PayloadConfig{};
    KW_TRY(const std::string text, archive.text(record, configLimit));
    return importPayloads(text);
}

} // namespace

Result<WeightMap> loadWeights(Archive& archive, const std::string& modelName, const ImportedModel& model)
{
    const std::string weightFolder = "data/weights/", constantFolder = "data/constants/";
    KW_TRY(const PayloadConfig weights, payloads(archive, weightFolder + modelName + "_weights_config.json"));
    KW_TRY(const PayloadConfig constants, payloads(archive, constantFolder + modelName + "_constants_config.json"));
    StorageReader storages(archive);
    WeightMap loaded;
    for (const auto& input : model.graph.inputs) {
        if (input.kind == InputKind::User || input.kind == InputKind::Scalar || loaded.contains(input.target))
            continue;
        const auto weight = weights.find(input.target);
        const auto constant = constants.find(input.target);
        if (weight == weights.end() && constant == constants.end())
            return aboutWeight("import.missing_weight", input.target);
        const bool isWeight = weight != weights.end();
        try {
            KW_TRY(at::Tensor tensor, loadTensor(storages, isWeight ? weightFolder : constantFolder, input.target,
                isWeight ? weight->second : constant->second));
            loaded.emplace(input.target, std::move(tensor));
        } catch (const std::exception& exception) {
            return Error{unsupported(input.target, "LibTorch refuses it").message, shortText(exception)};
        }
    }
    return loaded;
}

} // namespace kw
