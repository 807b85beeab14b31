// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "measure/disturbance.h"
#include "record/measurement.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Header only, so that a test links no more layers than it tests.
namespace kw::test {

/// How a simulated machine disturbs timings. Shares of the time; seeded.
struct NoiseModel {
    std::string name;
    double white = 0.004;          ///< each sample, normal
    double processBias = 0.006;    ///< each fresh process keeps one placement
    double heavy = 0;              ///< Student's t with two degrees of freedom, each sample
    double autocorrelation = 0;    ///< of a first-order process with deviation `slow`, from sample to sample
    double slow = 0;
    double drift = 0;              ///< the machine's speed changes by this much per pair
};

inline std::vector<NoiseModel> noiseModels()
{
    return {{"quiet"}, {"process bias", 0.003, 0.012}, {"heavy tails", 0.002, 0.005, 0.008},
        {"autocorrelated", 0.002, 0.004, 0, 0.95, 0.03}, {"drifting", 0.004, 0.006, 0, 0, 0, 0.01}};
}

/// A machine on which B is `gain` times as fast as A.
class SimulatedMachine {
public:
    SimulatedMachine(NoiseModel model, std::uint64_t seed) : m_model(std::move(model)), m_random(seed) {}

    PairBlock pair(double gain, int blocks = 8)
    {
        PairBlock result;
        const double biasA = m_model.processBias * normal(), biasB = m_model.processBias * normal();
        for (int block = 0; block < blocks; ++block) {
            const bool first = m_random() % 2 == 0;
            for (const bool a : {first, !first})
                (a ? result.a : result.b).push_back(sample(a ? 1 : 1 / gain, a ? biasA : biasB));
        }
        m_level *= 1 + m_model.drift;
        judgePair(result);
        return result;
    }

private:
    double normal() { return std::normal_distribution<double>()(m_random); }

    Sample sample(double seconds, double bias)
    {
        const double keep = m_model.autocorrelation;
        m_state = keep * m_state + std::sqrt(1 - keep * keep) * m_model.slow * normal();
        const double heavy = m_model.heavy > 0 ? m_model.heavy * std::student_t_distribution<double>(2)(m_random) : 0;
        const double time = 50e-6 * seconds * m_level * std::exp(bias + m_state + m_model.white * normal() + std::clamp(heavy, -0.5, 3.0));
        return {time, time, 100, 0, 0, false};
    }

    NoiseModel m_model;
    std::mt19937_64 m_random;
    double m_level = 1, m_state = 0;
};

} // namespace kw::test
