// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/apply/archive_copy.h"

#include <c10/util/Exception.h>
#include <caffe2/serialize/inline_container.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace kw {
namespace {

Error failure(const char* id, const std::filesystem::path& path, const std::exception& exception)
{
    const auto* torchError = dynamic_cast<const c10::Error*>(&exception);
    const std::string why = torchError ? torchError->what_without_backtrace() : exception.what();
    return Error{Message(id).with("path", path.string()).with("why", why), {}};
}

/// Records that the writer adds by itself.
bool writtenAnyway(const std::string& record)
{
    return record == ".data/version" || record == "version" || record == "byteorder" || record.starts_with(".data/serialization_id");
}

} // namespace

Result<ModelRecord> readModelRecord(const std::filesystem::path& archive)
{
    try {
        caffe2::serialize::PyTorchStreamReader reader(archive.string());
        ModelRecord model;
        for (const std::string& record : reader.getAllRecords()) {
            if (!record.starts_with("models/") || !record.ends_with(".json"))
                continue;
            if (!model.name.empty())
                return Error{Message("apply.several_models").with("path", archive.string()), {}};
            const auto [data, size] = reader.getRecord(record);
            model = {record, std::string(static_cast<const char*>(data.get()), size)};
        }
        if (model.name.empty())
            return Error{Message("apply.cannot_read").with("path", archive.string()).with("why", "models/*.json is missing"), {}};
        return model;
    } catch (const std::exception& exception) {
        return failure("apply.cannot_read", archive, exception);
    }
}

Result<void> copyArchive(const std::filesystem::path& source, const std::filesystem::path& target, const ModelRecord& replaced)
{
    const std::filesystem::path partial = target.string() + ".part";
    try {
        caffe2::serialize::PyTorchStreamReader reader(source.string());
        std::ofstream file(partial, std::ios::binary | std::ios::trunc);
        if (!file)
            return Error{Message("apply.cannot_write").with("path", target.string()).with("why", std::strerror(errno)), {}};
        const auto write = [&file](const void* data, std::size_t size) {
            file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
            return file ? size : std::size_t{0};
        };
        caffe2::serialize::PyTorchStreamWriter writer(write);
        for (const std::string& record : reader.getAllRecords()) {
            if (writtenAnyway(record))
                continue;
            if (record == replaced.name) {
                writer.writeRecord(record, replaced.text.data(), replaced.text.size());
                continue;
            }
            const auto [data, size] = reader.getRecord(record);
            writer.writeRecord(record, data.get(), size);
        }
        writer.writeEndOfFile();
        file.close();
        if (!file)
            return Error{Message("apply.cannot_write").with("path", target.string()).with("why", std::strerror(errno)), {}};
        std::filesystem::rename(partial, target);
        return {};
    } catch (const std::exception& exception) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        return failure("apply.cannot_write", target, exception);
    }
}

} // namespace kw
