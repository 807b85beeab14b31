// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/file.h"
#include "base/subprocess.h"

#include <fcntl.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kw::test {

struct CliResult {
    int code = -1;                       ///< -1: it did not exit by itself
    std::string output, errors;
};

/// The real command line program (or another one) in a process of its own; its streams go to files, so that nothing ever blocks.
class CliProcess {
public:
    CliProcess(const std::filesystem::path& folder, const std::string& name, std::vector<std::string> arguments,
        std::vector<std::string> environment, const std::filesystem::path& program = executableFolder() / "kernelwright-cli")
        : m_output(folder / (name + ".out")), m_errors(folder / (name + ".err"))
    {
        const UniqueFd output(::open(m_output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        const UniqueFd errors(::open(m_errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        SubprocessOptions options;
        options.program = program;
        options.arguments = std::move(arguments);
        options.environment = std::move(environment);
        options.environment.push_back("LC_ALL=C.UTF-8");
        options.streams = {-1, output.get(), errors.get()};
        auto started = Subprocess::start(options);
        if (started)
            m_process.emplace(*std::move(started));
    }

    bool started() const { return m_process.has_value(); }
    Subprocess& process() { return *m_process; }
    bool running() { return m_process && !m_process->waitFor(0).ended(); }
    /// Waits for its end; a program that takes longer is killed.
    CliResult finish(double seconds)
    {
        CliResult result;
        if (!m_process)
            return result;
        const ExitCause cause = m_process->waitFor(seconds);
        if (cause.kind == ExitCause::Kind::Exited)
            result.code = cause.code;
        else
            m_process->kill();
        result.output = readFile(m_output).ok() ? *readFile(m_output) : std::string();
        result.errors = errors();
        return result;
    }
    std::string errors() const { return readFile(m_errors).ok() ? *readFile(m_errors) : std::string(); }

private:
    std::filesystem::path m_output, m_errors;
    std::optional<Subprocess> m_process;
};

} // namespace kw::test
