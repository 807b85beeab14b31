// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/archive.h"

#include "base/hash.h"
#include "base/unique_fd.h"

#include <caffe2/serialize/inline_container.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kw {
namespace {

Error about(const char* id, const std::filesystem::path& path)
{
    return Error{Message(id).with("path", path.string()), {}};
}

Error cannotOpen(const std::filesystem::path& path, int number)
{
    return Error{Message("import.cannot_open").with("path", path.string()).with("why", std::strerror(number)), {}};
}

Error damaged(const std::filesystem::path& path, const std::exception& exception)
{
    Error failed = about("import.damaged", path);
    const auto* torchError = dynamic_cast<const c10::Error*>(&exception);
    failed.detail = torchError ? torchError->what_without_backtrace() : exception.what();
    return failed;
}

/// What the file system and the first bytes already tell.
Result<void> checkFile(const std::filesystem::path& path)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        return cannotOpen(path, errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        return cannotOpen(path, errno);
    if (S_ISDIR(status.st_mode))
        return about("import.is_folder", path);
    if (!S_ISREG(status.st_mode))
        return about("import.no_archive", path);
    if (status.st_size == 0)
        return about("import.empty", path);
    char start[2] = {};
    if (::pread(file.get(), start, sizeof start, 0) != sizeof start || start[0] != 'P' || start[1] != 'K')
        return about("import.no_archive", path);
    return {};
}

} // namespace

struct Archive::Reader {
    explicit Reader(const std::string& path) : stream(path) {}
    caffe2::serialize::PyTorchStreamReader stream;
};

Archive::Archive(std::filesystem::path path, std::unique_ptr<Reader> reader, std::vector<std::string> records)
    : m_path(std::move(path)), m_reader(std::move(reader)), m_records(std::move(records))
{
}
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;
Archive::~Archive() = default;

Result<Archive> Archive::open(const std::filesystem::path& path)
{
    KW_CHECK(checkFile(path));
    try {
        auto reader = std::make_unique<Reader>(path.string());
        auto records = reader->stream.getAllRecords();
        std::sort(records.begin(), records.end());
        return Archive(path, std::move(reader), std::move(records));
    } catch (const std::exception& exception) {
        return damaged(path, exception);
    }
}

bool Archive::has(const std::string& record) const
{
    return std::binary_search(m_records.begin(), m_records.end(), record);
}

Result<std::uint64_t> Archive::size(const std::string& record)
{
    if (!has(record))
        return Error{Message("import.missing_record").with("path", m_path.string()).with("record", record), {}};
    try {
        return std::uint64_t{m_reader->stream.getRecordSize(record)};
    } catch (const std::exception& exception) {
        return damaged(m_path, exception);
    }
}

Result<std::string> Archive::text(const std::string& record, std::uint64_t limit)
{
    KW_TRY(const std::uint64_t bytes, size(record));
    if (bytes > limit)
        return Error{Message("import.record_too_large").with("path", m_path.string()).with("record", record)
                         .with("bytes", std::size_t{bytes}).with("limit", std::size_t{limit}), {}};
    std::string text(static_cast<std::size_t>(bytes), '\0');
    KW_CHECK(read(record, text.data(), bytes));
    return text;
}

Result<void> Archive::read(const std::string& record, void* into, std::uint64_t bytes)
{
    if (bytes == 0)
        return {};
    try {
        m_reader->stream.getRecord(record, into, static_cast<std::size_t>(bytes));
        return {};
    } catch (const std::exception& exception) {
        return damaged(m_path, exception);
    }
}

Result<std::string> Archive::exportedModel() const
{
    constexpr std::string_view folder = "models/", suffix = ".json";
    std::vector<std::string> names;
    bool compiled = false;
    for (const auto& record : m_records) {
        if (record.starts_with(folder) && record.ends_with(suffix) && record.size() > folder.size() + suffix.size())
            names.push_back(record.substr(folder.size(), record.size() - folder.size() - suffix.size()));
        compiled = compiled || record.starts_with("data/aotinductor/");
    }
    if (names.size() == 1)
        return names.front();
    if (names.size() > 1) {
        std::string list;
        for (const auto& name : names)
            list.append(list.empty() ? "" : ", ").append(name);
        return Error{Message("import.several_models").with("path", m_path.string()).with("names", list), {}};
    }
    if (compiled)
        return about("import.compiled", m_path);
    if (has("constants.pkl"))
        return about("import.torchscript", m_path);
    return about(has("data.pkl") ? "import.state_dict" : "import.no_model", m_path);
}

Result<std::string> hashFile(const std::filesystem::path& path)
{
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0)
        return cannotOpen(path, errno);
    const auto bytes = static_cast<std::size_t>(status.st_size);
    if (bytes == 0)
        return sha256(std::string_view());
    void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (mapped == MAP_FAILED)
        return cannotOpen(path, errno);
    const auto hash = sha256(std::string_view(static_cast<const char*>(mapped), bytes));
    ::munmap(mapped, bytes);
    return hash;
}

} // namespace kw
