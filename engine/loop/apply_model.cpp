// SPDX-License-Identifier: GPL-3.0-or-later
#include "loop/apply_model.h"

#include "measure/comparison.h"
#include "measure/statistics.h"

#include <algorithm>
#include <cmath>

namespace kw {

namespace {

/// A whole model that wins less than this share of what its kernels won alone is searched for kernels that lose in it.
constexpr double disappointing = 0.7;

class Application {
public:
    Application(Judge& judge, const ApplyOptions& options, std::stop_token stop, const ProgressCallback& progress)
        : m_judge(judge), m_options(options), m_stop(std::move(stop)), m_progress(progress)
    {
    }

    Result<ModelApplication> run(std::vector<AppliedKernel> kernels)
    {
        KW_CHECK(findWithinBudget(std::move(kernels)));
        KW_TRY(m_speed, measure());
        KW_CHECK(takeLosersOut());
        KW_CHECK(measureMemory());
        summarise();
        KW_CHECK(compareEager());
        return std::move(m_result);
    }

private:
    Result<bool> build(const std::vector<AppliedKernel>& kernels)
    {
        std::error_code failed;
        std::filesystem::remove_all(m_options.folder, failed);
        std::filesystem::create_directories(m_options.folder, failed);
        ApplyRequest request;
        request.kernels = kernels;
        request.folder = m_options.folder;
        KW_TRY(m_result.files, m_judge.apply(request, m_stop, m_progress));
        KW_TRY(m_result.outputs, m_judge.compareModel(m_result.files, m_stop));
        m_result.kernels = kernels;
        return std::all_of(m_result.outputs.begin(), m_result.outputs.end(), [](const OutputComparison& output) { return output.passed; });
    }

    /// Kernels are within their own budgets; together they may still leave the model's. Then the first one whose absence helps goes.
    Result<void> findWithinBudget(std::vector<AppliedKernel> kernels)
    {
        KW_TRY(bool passed, build(kernels));
        const std::size_t before = kernels.size();
        for (std::size_t index = 0; !passed && before > 1 && index < before; ++index) {
            auto fewer = kernels;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(index));
            KW_TRY(passed, build(fewer));
            if (passed)
                m_result.takenOut.push_back(kernels[index].problem);
        }
        if (passed)
            return {};
        std::string name;
        for (const OutputComparison& output : m_result.outputs) {
            if (!output.passed)
                name = output.name;
        }
        return Error{Message("apply.outside_budget").with("output", name), {}};
    }

    Result<Measurement> measure(ModelVariant a = ModelVariant::Original, ModelVariant b = ModelVariant::Applied)
    {
        if (m_progress)
            m_progress({Message("apply.measuring"), 0, 0});
        ModelMeasureRequest request;
        request.a = a;
        request.b = b;
        request.library = m_result.files.library;
        request.model = m_result.files.model;
        KW_TRY(std::vector<PairBlock> pairs, m_judge.measureModel(request, m_stop));
        return compare(std::move(pairs));
    }

    Result<void> takeLosersOut()
    {
        int trials = 0;
        for (std::size_t index = 0; index < m_result.kernels.size() && m_result.kernels.size() > 1; ++index) {
            const bool disappoints = m_speed.high < 1 + disappointing * (m_options.expectedSpeedup - 1);
            if (!disappoints || trials++ >= m_options.mostTrials)
                return {};
            const ModelApplication with = m_result;
            auto fewer = m_result.kernels;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(index));
            KW_TRY(const bool passed, build(fewer));
            KW_TRY(const Measurement without, measure());
            if (passed && without.low > m_speed.high) {
                m_result.takenOut.push_back(with.kernels[index].problem);
                m_speed = without;
                --index;
            } else {
                KW_TRY([[maybe_unused]] const bool again, build(with.kernels));
            }
        }
        return {};
    }

    /// What kept memory alone is worth to the model as it is: a person who sets no allocator option gets both gains.
    Result<void> measureMemory()
    {
        KW_TRY(m_memory, measure(ModelVariant::OriginalDefault, ModelVariant::Original));
        return {};
    }

    /// Fresh processes of both sides in turn, so that a machine that becomes slower does so for both.
    Result<void> compareEager()
    {
        if (!m_options.eager)
            return {};
        std::vector<double> kept, defaults, ratios;
        for (int round = 0; round < m_options.eagerRounds; ++round) {
            if (m_progress)
                m_progress({Message("apply.eager"), static_cast<double>(round), static_cast<double>(m_options.eagerRounds)});
            double applied = 0;
            std::optional<Result<double>> eager;
            for (const bool ours : {round % 2 == 0, round % 2 != 0}) {
                if (ours) {
                    KW_TRY(applied, appliedSeconds());
                } else {
                    eager = m_options.eager(true, m_stop);
                }
            }
            if (!*eager)
                return withoutEager(eager->error());
            kept.push_back(**eager);
            if (applied > 0)
                ratios.push_back(std::log(**eager / applied));
            if (round >= m_options.eagerDefaultRounds)
                continue;
            const auto plain = m_options.eager(false, m_stop);
            if (!plain)
                return withoutEager(plain.error());
            defaults.push_back(*plain);
        }
        AppliedSummary& summary = m_result.summary;
        summary.eagerSeconds = median(std::move(kept));
        summary.eagerDefaultSeconds = median(std::move(defaults));
        if (ratios.size() < 2)
            return {};
        const Interval interval = medianInterval(ratios, 0.95, ratios.size());
        summary.eagerRatio = std::exp(interval.centre);
        summary.eagerLow = std::exp(interval.low);
        summary.eagerHigh = std::exp(interval.high);
        return {};
    }

    /// The applied model in one fresh process; 0 when that was disturbed.
    Result<double> appliedSeconds()
    {
        ModelMeasureRequest request;
        request.library = m_result.files.library;
        request.model = m_result.files.model;
        request.pairs = 1;
        KW_TRY(std::vector<PairBlock> pairs, m_judge.measureModel(request, m_stop));
        return compare(std::move(pairs)).secondsB;
    }

    Result<void> withoutEager(const Error& why)
    {
        if (why.message.id == "judge.stopped")
            return why;
        m_result.summary.eagerAbsent = why.message;
        return {};
    }

    void summarise()
    {
        AppliedSummary& summary = m_result.summary;
        summary.seconds = m_speed.secondsB;
        summary.baselineSeconds = m_speed.secondsA;
        summary.ratio = m_speed.ratio;
        summary.low = m_speed.low;
        summary.high = m_speed.high;
        summary.kernelGain = m_speed.ratio;
        summary.memoryGain = m_memory.ratio;
        summary.kernels = static_cast<std::int64_t>(m_result.kernels.size());
        summary.sites = m_result.files.sites;
        summary.takenOut = static_cast<std::int64_t>(m_result.takenOut.size());
        summary.withinBudget = true;
        double worst = -1;
        for (const OutputComparison& output : m_result.outputs) {
            const double used = output.allowedError > 0 ? output.maxError / output.allowedError : output.maxError;
            if (used > worst) {
                worst = used;
                summary.maxError = output.maxError;
                summary.allowedError = output.allowedError;
            }
        }
    }

    Judge& m_judge;
    const ApplyOptions& m_options;
    std::stop_token m_stop;
    const ProgressCallback& m_progress;
    ModelApplication m_result;
    Measurement m_speed, m_memory;
};

} // namespace

Result<ModelApplication> applyModel(Judge& judge, std::vector<AppliedKernel> kernels, const ApplyOptions& options, std::stop_token stop,
    const ProgressCallback& progress)
{
    if (kernels.empty())
        return error("apply.no_kernels");
    return Application(judge, options, std::move(stop), progress).run(std::move(kernels));
}

} // namespace kw
