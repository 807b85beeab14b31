// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history.h"

#include "history/git.h"
#include "history/loose_object.h"
#include "history/packer.h"

#include <cstring>

namespace kw {

struct History::Private {
    git::Repository repository;
    std::filesystem::path folder;
};

namespace {

const char* nameOf(HistoryBranch branch)
{
    return branch == HistoryBranch::Main ? "refs/heads/main" : "refs/kernelwright/attic";
}

Result<git_oid> idOf(const std::string& text)
{
    git_oid id;
    if (text.size() != GIT_OID_HEXSZ || git_oid_fromstr(&id, text.c_str()) < 0)
        return Error{Message("history.failed").with("what", "not a commit id"), {}};
    return id;
}

Result<git::Commit> commitOf(git_repository* repository, const std::string& text)
{
    KW_TRY(const git_oid id, idOf(text));
    git::Commit commit;
    KW_GIT(git_commit_lookup(git::out(commit), repository, &id));
    return commit;
}

/// The tree of `parent` with one file put in or taken away; without a parent a tree of that file alone.
Result<git_oid> treeWith(git_repository* repository, git_tree* parent, const CommitContent& content)
{
    git_tree_update update{};
    update.path = content.path.c_str();
    update.action = GIT_TREE_UPDATE_REMOVE;
    if (content.text) {
        update.action = GIT_TREE_UPDATE_UPSERT;
        update.filemode = GIT_FILEMODE_BLOB;
        KW_GIT(git_blob_create_from_buffer(&update.id, repository, content.text->data(), content.text->size()));
    }
    git_oid tree;
    bool present = content.text.has_value();
    if (!present && parent) {
        git::TreeEntry entry;
        present = git_tree_entry_bypath(git::out(entry), parent, content.path.c_str()) == 0;
    }
    if (!present && parent)
        return *git_tree_id(parent);
    git::Tree empty;
    if (!parent) {
        git::TreeBuilder builder;
        KW_GIT(git_treebuilder_new(git::out(builder), repository, nullptr));
        KW_GIT(git_treebuilder_write(&tree, builder.get()));
        if (!present)
            return tree;
        KW_GIT(git_tree_lookup(git::out(empty), repository, &tree));
    }
    KW_GIT(git_tree_create_updated(&tree, repository, parent ? parent : empty.get(), 1, &update));
    return tree;
}

/// False when the object's own file is cut; an object inside a pack is covered by the pack's checks.
bool whole(git_repository* repository, const git_oid* id)
{
    const std::string name = git::text(*id);
    const auto file = std::filesystem::path(git_repository_path(repository)) / "objects" / name.substr(0, 2) / name.substr(2);
    std::error_code failed;
    return !std::filesystem::exists(file, failed) || wholeLooseObject(file);
}

bool readable(git_repository* repository, const git_tree* tree, int depth)
{
    if (depth > 8)
        return false;
    for (std::size_t index = 0; index < git_tree_entrycount(tree); ++index) {
        const git_tree_entry* entry = git_tree_entry_byindex(tree, index);
        if (!whole(repository, git_tree_entry_id(entry)))
            return false;
        if (git_tree_entry_type(entry) == GIT_OBJECT_TREE) {
            git::Tree inner;
            if (git_tree_lookup(git::out(inner), repository, git_tree_entry_id(entry)) < 0)
                return false;
            if (!readable(repository, inner.get(), depth + 1))
                return false;
        } else {
            git::Blob blob;
            if (git_blob_lookup(git::out(blob), repository, git_tree_entry_id(entry)) < 0)
                return false;
        }
    }
    return true;
}

} // namespace

History::History(std::unique_ptr<Private> state) : m_state(std::move(state)) {}
History::~History() = default;
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;

Result<History> History::open(const std::filesystem::path& folder, Access access)
{
    git::start();
    auto state = std::make_unique<Private>();
    state->folder = folder;
    const int code = git_repository_open_ext(git::out(state->repository), folder.c_str(),
        GIT_REPOSITORY_OPEN_BARE | GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT, nullptr);
    if (code == 0)
        return History(std::move(state));
    if (access == Access::ReadOnly)
        return git::lastError();
    git_repository_init_options options;
    git_repository_init_options_init(&options, GIT_REPOSITORY_INIT_OPTIONS_VERSION);
    options.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_MKPATH;
    options.initial_head = "main";
    KW_GIT(git_repository_init_ext(git::out(state->repository), folder.c_str(), &options));
    return History(std::move(state));
}

Result<std::string> History::head(HistoryBranch branch) const
{
    git_oid id;
    const int code = git_reference_name_to_id(&id, m_state->repository.get(), nameOf(branch));
    if (code == GIT_ENOTFOUND)
        return std::string();
    KW_GIT(code);
    return git::text(id);
}

Result<std::string> History::writeCommit(HistoryBranch branch, const std::string& parent, const CommitContent& content)
{
    git_repository* repository = m_state->repository.get();
    git::Commit parentCommit;
    git::Tree parentTree;
    if (!parent.empty()) {
        KW_TRY(parentCommit, commitOf(repository, parent));
        if (branch == HistoryBranch::Main)
            KW_GIT(git_commit_tree(git::out(parentTree), parentCommit.get()));
    }
    KW_TRY(const git_oid treeId, treeWith(repository, parentTree.get(), content));
    git::Tree tree;
    KW_GIT(git_tree_lookup(git::out(tree), repository, &treeId));
    git::Signature author;
    KW_GIT(git_signature_new(git::out(author), "Kernelwright", "kernelwright@localhost", content.time, 0));
    const git_commit* parents[] = {parentCommit.get()};
    git_oid id;
    KW_GIT(git_commit_create(&id, repository, nullptr, author.get(), author.get(), nullptr, content.message.c_str(), tree.get(),
        parentCommit ? 1 : 0, parents));
    return git::text(id);
}

Result<void> History::moveHead(HistoryBranch branch, const std::string& text)
{
    git_repository* repository = m_state->repository.get();
    if (text.empty()) {
        const int code = git_reference_remove(repository, nameOf(branch));
        if (code < 0 && code != GIT_ENOTFOUND)
            return git::lastError();
        return {};
    }
    KW_TRY(const git_oid id, idOf(text));
    git::Reference reference;
    KW_GIT(git_reference_create(git::out(reference), repository, nameOf(branch), &id, 1, nullptr));
    return {};
}

bool History::intact(const std::string& text) const
{
    git_repository* repository = m_state->repository.get();
    const auto id = idOf(text);
    if (!id || !whole(repository, &id.value()))
        return false;
    git::Commit commit;
    git::Tree tree;
    if (git_commit_lookup(git::out(commit), repository, &id.value()) < 0)
        return false;
    if (!whole(repository, git_commit_tree_id(commit.get())) || git_commit_tree(git::out(tree), commit.get()) < 0)
        return false;
    return readable(repository, tree.get(), 0);
}

Result<std::string> History::file(const std::string& text, const std::string& path) const
{
    KW_TRY(const git::Commit commit, commitOf(m_state->repository.get(), text));
    git::Tree tree;
    KW_GIT(git_commit_tree(git::out(tree), commit.get()));
    git::TreeEntry entry;
    KW_GIT(git_tree_entry_bypath(git::out(entry), tree.get(), path.c_str()));
    git::Blob blob;
    KW_GIT(git_blob_lookup(git::out(blob), m_state->repository.get(), git_tree_entry_id(entry.get())));
    return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())), static_cast<std::size_t>(git_blob_rawsize(blob.get())));
}

Result<std::string> History::message(const std::string& text) const
{
    KW_TRY(const git::Commit commit, commitOf(m_state->repository.get(), text));
    return std::string(git_commit_message(commit.get()));
}

Result<std::vector<std::string>> History::log(HistoryBranch branch, std::size_t limit) const
{
    KW_TRY(std::string next, head(branch));
    std::vector<std::string> ids;
    while (!next.empty() && ids.size() < limit) {
        KW_TRY(const git::Commit commit, commitOf(m_state->repository.get(), next));
        ids.push_back(std::move(next));
        next = git_commit_parentcount(commit.get()) > 0 ? git::text(*git_commit_parent_id(commit.get(), 0)) : std::string();
    }
    return ids;
}

Result<void> History::packWhenNeeded(std::size_t loose)
{
    KW_TRY(const bool merged, packObjects(m_state->repository.get(), m_state->folder, loose));
    if (merged) {
        // The merged packs are still open in the old handle.
        KW_TRY(History fresh, open(m_state->folder, Access::Write));
        *this = std::move(fresh);
    }
    return {};
}

std::size_t History::objectFiles() const
{
    std::size_t count = 0;
    std::error_code failed;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_state->folder / "objects", failed))
        count += entry.is_regular_file();
    return count;
}

} // namespace kw
