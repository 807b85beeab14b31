// SPDX-License-Identifier: GPL-3.0-or-later
// A session folder from anywhere: the description or the journal holds any bytes. Opening it gives a session or a reason.
#include "base/file.h"
#include "history/history.h"
#include "journal/journal.h"
#include "session/session.h"

#include <fstream>

namespace {

/// Without a sync: thousands of inputs a minute.
void put(const std::filesystem::path& file, std::string_view bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace kw;
    static const TemporaryFolder folder;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    // A first byte of 'j' makes the rest a journal, anything else makes all of it the description.
    if (!bytes.empty() && bytes[0] == 'j') {
        put(folder.path() / "journal.sqlite", bytes.substr(1));
        if (auto journal = Journal::open(folder.path() / "journal.sqlite", Journal::Mode::ReadOnly)) {
            (void)journal->rows();
            (void)journal->experiment(1);
            (void)journal->problems();
            (void)journal->commits();
        }
        return 0;
    }
    put(folder.path() / "session.json", bytes);
    (void)readSessionInfo(folder.path());
    return 0;
}
