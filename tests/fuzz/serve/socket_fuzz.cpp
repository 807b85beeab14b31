// SPDX-License-Identifier: GPL-3.0-or-later
// What a client sends: frames, then requests. Nothing may crash, and every whole frame that is JSON gets an answer.
#include "base/file.h"
#include "base/json_io.h"
#include "serve/frame.h"
#include "serve/request.h"
#include "serve/snapshot_delta.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace kw;
    static const TemporaryFolder folder;
    static SessionReader reader(folder.path() / "journal.sqlite");
    FrameReader frames(largestRequest);
    frames.add({reinterpret_cast<const char*>(data), size});
    for (;;) {
        const auto text = frames.next();
        if (!text || !text->has_value())
            return 0;
        const auto json = parseJson(**text, 64);
        if (!json)
            continue;
        const Json answer = answerRequest(*json, reader, [](const Command& command) -> Result<void> {
            if (Json(command).get<Command>() != command)
                std::abort();
            return {};
        });
        if (!answer.contains("result") && !answer.contains("error"))
            std::abort();
        SnapshotDecoder decoder;
        (void)decoder.decode(*json);
    }
}
