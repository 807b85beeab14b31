// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/import_graph.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto model = kw::importModel(text)) {
        // Whatever is accepted must be a graph that every consumer can rely on.
        if (!kw::validate(model->graph))
            std::abort();
        static_cast<void>(kw::print(model->graph));
    }
    static_cast<void>(kw::importPayloads(text));
    return 0;
}
