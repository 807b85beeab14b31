// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/file.h"
#include "problem/pytorch_text.h"
#include "support/paths.h"

#include <cstdio>
#include <string>

namespace kw::test {

/// Runs a Python text under the venv's torch; returns what it printed and "exit N" when N is not 0.
inline std::string runPython(const std::string& text)
{
    const TemporaryFolder folder;
    const auto path = folder.path() / "test.py";
    if (!writeFileAtomically(path, text))
        return "cannot write";
    const std::string command = torchPython().string() + " " + path.string() + " 2>&1";
    std::string output;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (!pipe)
        return "cannot start";
    char buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
        output.append(buffer, count);
    const int status = ::pclose(pipe);
    return status == 0 ? output : output + "exit " + std::to_string(status);
}

} // namespace kw::test
