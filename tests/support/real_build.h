// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/file.h"
#include "base/hash.h"
#include "build/cpp_backend.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

// The real broker and compiler for tests. Header only, so that a test links no more layers than it tests.
namespace kw::test {

/// One broker and one backend, started on first use.
class RealBuild {
public:
    RealBuild() : m_launcher(startLauncher()), m_backend(startBackend(m_launcher)) {}
    const Launcher& launcher() const { return m_launcher; }
    Backend& backend() { return *m_backend; }

private:
    static Launcher startLauncher()
    {
        LauncherOptions options;
        if (const char* runner = std::getenv("KW_TEST_RUNNER"))
            options.runner = runner;
        auto launcher = Launcher::start(options);
        if (!launcher)
            throw std::runtime_error(debugText(launcher.error().message));
        return *launcher;
    }
    static std::unique_ptr<CppBackend> startBackend(const Launcher& launcher)
    {
        auto backend = CppBackend::create(launcher);
        if (!backend)
            throw std::runtime_error(debugText(backend.error().message));
        return std::move(*backend);
    }

    Launcher m_launcher;
    std::unique_ptr<CppBackend> m_backend;
};

inline Candidate candidateOf(const Problem& problem, const std::string& text)
{
    Candidate candidate;
    candidate.problem = problem.id;
    candidate.source = text;
    candidate.author = {AuthorKind::Person, "test"};
    candidate.id = candidateId(candidate);
    return candidate;
}

/// The text with one place replaced; throws when the place is not there.
inline std::string replaced(std::string text, const std::string& find, const std::string& replace)
{
    const auto place = text.find(find);
    if (place == std::string::npos)
        throw std::runtime_error("not found: " + find);
    return text.replace(place, find.size(), replace);
}

/// Builds a text outside the sandbox and without artifact checks: for plants that later defences must catch alone.
inline Artifact uncheckedArtifact(const std::string& text, const Problem& problem, const CandidateHeader& header)
{
    const TemporaryFolder folder;
    const auto source = folder.path() / "plant.cpp", object = folder.path() / "plant.so";
    if (!writeFileAtomically(source, text + "\n" + trampolineText(problem, header)))
        throw std::runtime_error("the plant cannot be written");
    const std::string command = "g++ -std=c++20 -O2 -march=native -fopenmp -shared -fPIC -w -o '" + object.string() + "' '" + source.string() + "'";
    if (std::system(command.c_str()) != 0)
        throw std::runtime_error("the plant does not compile");
    Artifact artifact;
    artifact.bytes = readFile(object).value();
    artifact.sha256 = sha256(artifact.bytes);
    return artifact;
}

} // namespace kw::test
