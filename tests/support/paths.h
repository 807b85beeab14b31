// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace kw::test {

/// The checkout.
std::filesystem::path sourceFolder();

/// A file that belongs to a test, by its path below tests/.
std::filesystem::path testFile(const std::filesystem::path& relative);

/// Where support/make_models.py has put NAME.pt2 and NAME.expected/. Flow and window tests may rely on it; KW_TEST_MODELS overrides it.
std::filesystem::path modelFolder();

/// A Python that can import torch; KERNELWRIGHT_TORCH_PYTHON overrides it. An empty path when there is none (minimal set-up).
std::filesystem::path torchPython();

} // namespace kw::test
