// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/loose_object.h"

#include "base/file.h"

#include <zlib.h>

#include <array>

namespace kw {

bool wholeLooseObject(const std::filesystem::path& file)
{
    auto bytes = readFile(file, std::uintmax_t{64} << 20);
    if (!bytes)
        return false;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK)
        return false;
    stream.next_in = reinterpret_cast<Bytef*>(bytes->data());
    stream.avail_in = static_cast<uInt>(bytes->size());
    std::array<Bytef, 16384> out;
    int code = Z_OK;
    while (code == Z_OK) {
        stream.next_out = out.data();
        stream.avail_out = static_cast<uInt>(out.size());
        code = inflate(&stream, Z_NO_FLUSH);
        if (code == Z_OK && stream.avail_in == 0 && stream.avail_out > 0)
            break;
    }
    inflateEnd(&stream);
    return code == Z_STREAM_END && stream.avail_in == 0;
}

} // namespace kw
