// SPDX-License-Identifier: GPL-3.0-or-later
#include "judge/protocol.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    kw::FrameLimits limits;
    limits.text = 4096;
    limits.blobBytes = 4096;
    kw::FrameDecoder decoder(limits);
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    // The same stream in two pieces must give the same frames as in one.
    decoder.feed(bytes.substr(0, size / 2));
    bool half = false;
    for (;;) {
        auto frame = decoder.next();
        if (!frame)
            return 0;
        if (!*frame && half)
            return 0;
        if (!*frame) {
            decoder.feed(bytes.substr(size / 2));
            half = true;
            continue;
        }
        if ((*frame)->text.size() > limits.text)
            std::abort();
        static_cast<void>(kw::readHello(**frame));
    }
}
