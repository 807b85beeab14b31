// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/packer.h"

#include <vector>

namespace kw {

namespace {

namespace fs = std::filesystem;

struct LooseObject {
    git_oid id;
    fs::path file;
};

std::vector<LooseObject> looseObjects(const fs::path& objects)
{
    std::vector<LooseObject> found;
    std::error_code failed;
    for (const auto& folder : fs::directory_iterator(objects, failed)) {
        const std::string prefix = folder.path().filename().string();
        if (prefix.size() != 2)
            continue;
        for (const auto& file : fs::directory_iterator(folder.path(), failed)) {
            LooseObject object;
            const std::string name = prefix + file.path().filename().string();
            if (name.size() == GIT_OID_HEXSZ && git_oid_fromstr(&object.id, name.c_str()) == 0) {
                object.file = file.path();
                found.push_back(std::move(object));
            }
        }
    }
    return found;
}

std::vector<fs::path> packs(const fs::path& objects)
{
    std::vector<fs::path> found;
    std::error_code failed;
    for (const auto& file : fs::directory_iterator(objects / "pack", failed)) {
        if (file.path().extension() == ".pack")
            found.push_back(file.path());
    }
    return found;
}

/// Ids that the pack's index holds, read by an object database of that pack alone.
Result<std::size_t> countReadable(const fs::path& index, const std::vector<git_oid>& ids)
{
    git::Odb database;
    KW_GIT(git_odb_new(git::out(database)));
    git_odb_backend* backend = nullptr;
    KW_GIT(git_odb_backend_one_pack(&backend, index.c_str()));
    KW_GIT(git_odb_add_backend(database.get(), backend, 1));
    std::size_t count = 0;
    for (const git_oid& id : ids)
        count += git_odb_exists(database.get(), &id) == 1;
    return count;
}

/// Writes one pack of the objects and proves that they are all in it. Returns the pack's path.
Result<fs::path> writePack(git_repository* repository, const fs::path& objects, const std::vector<git_oid>& ids)
{
    git::PackBuilder builder;
    KW_GIT(git_packbuilder_new(git::out(builder), repository));
    git_packbuilder_set_threads(builder.get(), 1);
    for (const git_oid& id : ids)
        KW_GIT(git_packbuilder_insert(builder.get(), &id, nullptr));
    KW_GIT(git_packbuilder_write(builder.get(), (objects / "pack").c_str(), 0, nullptr, nullptr));
    const fs::path pack = objects / "pack" / ("pack-" + std::string(git_packbuilder_name(builder.get())) + ".pack");
    KW_TRY(const std::size_t readable, countReadable(fs::path(pack).replace_extension(".idx"), ids));
    if (readable != ids.size())
        return Error{Message("history.failed").with("what", "the new pack is incomplete"), {}};
    return pack;
}

int collect(const git_oid* id, void* list)
{
    static_cast<std::vector<git_oid>*>(list)->push_back(*id);
    return 0;
}

} // namespace

Result<bool> packObjects(git_repository* repository, const fs::path& folder, std::size_t loose)
{
    const fs::path objects = folder / "objects";
    const auto single = looseObjects(objects);
    if (single.size() <= loose)
        return false;
    const auto old = packs(objects);
    const bool merge = old.size() >= mostPacks;
    git::Odb database;
    KW_GIT(git_repository_odb(git::out(database), repository));
    KW_GIT(git_odb_refresh(database.get()));
    std::vector<git_oid> ids;
    if (merge) {
        KW_GIT(git_odb_foreach(database.get(), &collect, &ids));
    } else {
        for (const LooseObject& object : single)
            ids.push_back(object.id);
    }
    KW_TRY(const fs::path written, writePack(repository, objects, ids));
    std::error_code failed;
    for (const LooseObject& object : single)
        fs::remove(object.file, failed);
    if (merge) {
        for (const fs::path& pack : old) {
            if (pack == written)
                continue;
            fs::remove(fs::path(pack).replace_extension(".idx"), failed);
            fs::remove(pack, failed);
        }
    }
    KW_GIT(git_odb_refresh(database.get()));
    return merge;
}

} // namespace kw
