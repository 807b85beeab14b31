// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/result.h"

#include <git2.h>

#include <memory>
#include <string>

// Owning handles for libgit2's objects. For this folder's .cpp files only.
namespace kw::git {

template <auto free> struct Free {
    template <typename Object> void operator()(Object* object) const { free(object); }
};
using Repository = std::unique_ptr<git_repository, Free<git_repository_free>>;
using Odb = std::unique_ptr<git_odb, Free<git_odb_free>>;
using Reference = std::unique_ptr<git_reference, Free<git_reference_free>>;
using Commit = std::unique_ptr<git_commit, Free<git_commit_free>>;
using Tree = std::unique_ptr<git_tree, Free<git_tree_free>>;
using TreeEntry = std::unique_ptr<git_tree_entry, Free<git_tree_entry_free>>;
using TreeBuilder = std::unique_ptr<git_treebuilder, Free<git_treebuilder_free>>;
using Blob = std::unique_ptr<git_blob, Free<git_blob_free>>;
using Signature = std::unique_ptr<git_signature, Free<git_signature_free>>;
using PackBuilder = std::unique_ptr<git_packbuilder, Free<git_packbuilder_free>>;
using Patch = std::unique_ptr<git_patch, Free<git_patch_free>>;

/// Starts the library once for the process; it neither reads the person's own git settings nor cares who owns a session's folder,
/// since a session holds no hooks and may have been copied from elsewhere.
void start();

/// The library's text is lost as soon as another call is made: it is read at once. Error id: "history.failed" (what).
Error lastError();

/// Out-parameter adaptor: git_x_lookup(out(handle), ...). The handle is filled at the end of the full expression.
template <typename Handle> class Out {
public:
    explicit Out(Handle& handle) : m_handle(handle) {}
    ~Out() { m_handle.reset(m_object); }
    Out(const Out&) = delete;
    Out& operator=(const Out&) = delete;
    operator typename Handle::pointer*() { return &m_object; }

private:
    Handle& m_handle;
    typename Handle::pointer m_object = nullptr;
};
template <typename Handle> Out<Handle> out(Handle& handle) { return Out<Handle>(handle); }

inline std::string text(const git_oid& id)
{
    std::string hex(GIT_OID_HEXSZ, '0');
    git_oid_fmt(hex.data(), &id);
    return hex;
}

} // namespace kw::git

/// KW_GIT(call): the enclosing function returns the library's error.
#define KW_GIT(call)                                                                                                   \
    if ((call) < 0)                                                                                                    \
    return kw::git::lastError()
