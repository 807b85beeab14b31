// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/git.h"

namespace kw::git {

void start()
{
    static const bool started = [] {
        git_libgit2_init();
        for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL})
            git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
        git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
        return true;
    }();
    (void)started;
}

Error lastError()
{
    const git_error* error = git_error_last();
    return Error{Message("history.failed").with("what", std::string(error && error->message ? error->message : "unknown")), {}};
}

} // namespace kw::git
