// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "cli/connection.h"

#include "base/file.h"
#include "base/json_io.h"
#include "base/terminal.h"
#include "codegen/program.h"
#include "judge/worker_judge.h"
#include "present/catalogue.h"
#include "present/numbers.h"
#include "present/visible.h"
#include "problem/regions.h"
#include "session/report.h"

#include <cstdio>

namespace kw::cli {
namespace {

Result<Partition> profileIt(const Options& options)
{
    WorkerOptions worker;
    worker.unsafe = options.unsafe;
    WorkerJudge judge(worker);
    std::stop_source stop;
    const bool terminal = isTerminal(StandardStream::Error) && !options.json;
    const ProgressCallback progress = [&](const JudgeProgress& step) {
        if (interrupted())
            stop.request_stop();
        if (terminal)
            std::fprintf(stderr, "\r\033[K%s", render(step.what, options.language).c_str());
    };
    KW_TRY(const LoadedModel model, judge.load(options.model, stop.get_token(), progress));
    ProfileOptions profiling;
    if (options.seconds > 0)
        profiling.seconds = options.seconds;
    KW_TRY(const Profile profile, judge.profile(profiling, stop.get_token(), progress));
    if (terminal)
        std::fputs("\r\033[K", stderr);
    RegionOptions regions;
    regions.statistics = model.statistics;
    regions.accepts = [](const Problem& problem) { return lower(problem).ok(); };
    KW_TRY(Partition partition, findRegions(model.graph, profile, regions));
    partition.report.model = model.name;
    return partition;
}

std::string hotSpotTable(const Options& options, const ProfileReport& report)
{
    constexpr std::size_t most = 25;
    const Language language = options.language;
    std::vector<std::vector<std::string>> rows;
    for (const HotSpot& spot : report.hotSpots) {
        if (rows.size() == most)
            break;
        const std::string place = spot.source.line > 0
            ? visibleShort(spot.source.file.substr(spot.source.file.rfind('/') + 1), 28) + ":" + std::to_string(spot.source.line) : std::string();
        rows.push_back({visibleShort(spot.name, 40), visibleShort(spot.modulePath, 32), place, countText(spot.calls, language),
            timeText(spot.seconds, language), percentText(spot.share, language), bytesText(spot.bytes, language),
            spot.floorSeconds > 0 ? timeText(spot.floorSeconds, language) : noNumber(), timeText(spot.headroomSeconds, language),
            timeText(spot.allocationSeconds, language)});
    }
    return table({say(options, "report.region"), say(options, "report.module"), say(options, "cli.source"), say(options, "report.calls"),
                     say(options, "report.time"), say(options, "report.share"), say(options, "report.bytes"), say(options, "report.floor"),
                     say(options, "report.headroom"), say(options, "cli.allocation")}, rows, {3, 4, 5, 6, 7, 8, 9});
}

Snapshot snapshotOf(const Options& options, const ProfileReport& report)
{
    Snapshot snapshot;
    snapshot.model = options.model.string();
    snapshot.report = std::make_shared<const ProfileReport>(report);
    snapshot.problems = std::make_shared<const std::vector<ProblemRow>>();
    snapshot.experiments = std::make_shared<const std::vector<ExperimentRow>>();
    snapshot.predictedSpeedup = report.predictedSeconds > 0 ? report.seconds / report.predictedSeconds : 1;
    snapshot.unsafe = options.unsafe;
    return snapshot;
}

} // namespace

int profileModelFile(const Options& options)
{
    interrupted();
    auto partition = profileIt(options);
    if (!partition)
        return interrupted() ? static_cast<int>(Interrupted) : fail(options, partition.error());
    const ProfileReport& report = partition->report;
    if (!options.html.empty()) {
        ReportInput input;
        input.snapshot = snapshotOf(options, report);
        if (const auto written = writeFileAtomically(options.html, reportHtml(input, options.language)); !written)
            return fail(options, written.error());
    }
    if (options.json) {
        std::printf("%s\n", dump(Json(report), 1).c_str());
        return Success;
    }
    std::printf("%s\n", say(options, Message("cli.profile").with("model", report.model).with("seconds", report.seconds)
        .with("predicted", report.predictedSeconds)
        .with("ratio", report.predictedSeconds > 0 ? report.seconds / report.predictedSeconds : 1.0)).c_str());
    for (const Message& advice : report.advice)
        std::printf("- %s\n", render(advice, options.language).c_str());
    std::printf("\n%s", hotSpotTable(options, report).c_str());
    return Success;
}

} // namespace kw::cli
