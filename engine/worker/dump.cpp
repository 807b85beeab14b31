// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/dump.h"

#include "base/json_io.h"
#include "worker/capture.h"

#include <cstdio>

namespace kw {

int dumpGraph(const std::filesystem::path& path)
{
    auto model = loadModel(path);
    const auto fail = [](const Error& error) {
        std::fprintf(stderr, "%s\n%s\n", debugText(error.message).c_str(), error.detail.c_str());
        return 1;
    };
    if (!model)
        return fail(model.error());
    const auto seen = capture(*model);
    if (!seen)
        return fail(seen.error());
    const std::string text = dump(Json{{"graph", seen->graph}, {"statistics", seen->statistics}, {"sha256", model->sha256}}, 1);
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
    return 0;
}

} // namespace kw
