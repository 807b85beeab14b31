// SPDX-License-Identifier: GPL-3.0-or-later
// A session with very many experiments: how long each takes to store, how large the folder gets, how long it takes to open.
//
// usage: bench_big_session COUNT FOLDER > results/big_session.json
//   FOLDER   must not exist; it is left behind
// Experiments are stored by the loop's own recorder, each with a text of its own, as a search would have made them: one in two
// thousand is kept. Opened again by the session and shown by the host, five times each, after everything was closed.
#include "base/file.h"
#include "history/history.h"
#include "journal/journal.h"
#include "loop/recorder.h"
#include "serve/host.h"
#include "support/sample_records.h"

#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace kw {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int openings = 5;
constexpr std::int64_t keptEvery = 2000;

double since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// About as long as a real kernel, and different in a few lines.
std::string textOf(std::int64_t number)
{
    std::string text = "//! kernel sample\n";
    for (int line = 0; line < 60; ++line)
        text += "    const float v" + std::to_string(line) + " = x[" + std::to_string((number * (line % 3 + 1)) % 9973) + " + i];\n";
    return text + "// " + std::to_string(number) + "\n";
}

struct Size {
    std::int64_t bytes = 0, files = 0;
};

Size sizeOf(const fs::path& folder)
{
    Size size;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            size.bytes += static_cast<std::int64_t>(entry.file_size());
            ++size.files;
        }
    }
    return size;
}

nlohmann::json pointOf(const fs::path& folder, std::int64_t count, double seconds)
{
    const Size history = sizeOf(folder / "history");
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    std::int64_t journal = 0;
    for (const char* name : {"journal.sqlite", "journal.sqlite-wal"})
        journal += fs::exists(folder / name) ? static_cast<std::int64_t>(fs::file_size(folder / name)) : 0;
    return {{"experiments", count}, {"seconds", seconds}, {"journal_bytes", journal}, {"history_bytes", history.bytes},
        {"history_files", history.files}, {"peak_memory_bytes", used.ru_maxrss * 1024}};
}

Result<nlohmann::json> fill(const fs::path& folder, const fs::path& model, std::int64_t count)
{
    KW_TRY(Session session, Session::create(folder, model));
    Recorder recorder(session.journal(), session.history());
    KW_CHECK(recorder.start());
    nlohmann::json points = nlohmann::json::array();
    const auto start = Clock::now();
    for (std::int64_t number = 1; number <= count; ++number) {
        const Decision decision = number % keptEvery == 0 ? Decision::Kept : number % 3 == 0 ? Decision::NotFaster : Decision::Rejected;
        Experiment experiment = test::sampleExperiment(number, "0123456789abcdef", decision, textOf(number));
        ExperimentRow row = test::sampleRow(experiment);
        KW_CHECK(recorder.add(experiment, row, 0));
        if (number % std::max<std::int64_t>(count / 10, 1) == 0)
            points.push_back(pointOf(folder, number, since(start)));
    }
    return points;
}

Result<double> openOnce(const fs::path& folder, std::int64_t count)
{
    const auto start = Clock::now();
    KW_TRY(Session session, Session::open(folder));
    KW_TRY(const auto rows, session.journal().rows());
    const double seconds = since(start);
    if (static_cast<std::int64_t>(rows.size()) != count)
        return Error{Message("journal.damaged").with("what", "experiments are missing"), {}};
    return seconds;
}

/// Until the first snapshot with every experiment is there for a client, as a window would see it.
Result<double> showOnce(const fs::path& folder, std::int64_t count)
{
    HostOptions options;
    options.folder = folder;
    options.profileAtOnce = false;
    const auto start = Clock::now();
    KW_TRY(const auto host, SessionHost::start(options));
    const auto client = host->client();
    KW_TRY(SnapshotPointer snapshot, client->snapshot());
    while (!snapshot || static_cast<std::int64_t>(snapshot->experiments->size()) != count) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        KW_TRY(snapshot, client->snapshot());
    }
    return since(start);
}

Result<nlohmann::json> measure(const fs::path& folder, std::int64_t count)
{
    const fs::path model = folder.string() + ".pt2";
    KW_CHECK(writeFileAtomically(model, "model"));
    utsname machine{};
    ::uname(&machine);
    nlohmann::json all{{"command", "bench_big_session " + std::to_string(count) + " FOLDER"}, {"kernel", machine.release},
        {"machine", machine.machine}, {"processors", std::thread::hardware_concurrency()}, {"goal_open_seconds", 1.0}};
    KW_TRY(all["growth"], fill(folder, model, count));
    for (int round = 0; round < openings; ++round) {
        KW_TRY(const double opened, openOnce(folder, count));
        KW_TRY(const double shown, showOnce(folder, count));
        all["open_seconds"].push_back(opened);
        all["show_seconds"].push_back(shown);
    }
    all["closed"] = pointOf(folder, count, 0);
    return all;
}

} // namespace
} // namespace kw

int main(int count, char** arguments)
{
    if (count != 3)
        return 2;
    const auto measured = kw::measure(std::filesystem::absolute(arguments[2]), std::strtoll(arguments[1], nullptr, 10));
    if (!measured) {
        std::cerr << kw::debugText(measured.error().message) << "\n";
        return 1;
    }
    std::cout << measured->dump(1) << "\n";
    return 0;
}
