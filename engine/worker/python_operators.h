// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace kw {

/// Scalar operators that exported graphs call in Python: arithmetic of symbolic sizes, comparisons, math.
/// Division and modulo floor, as in Python.
using PythonOperator = c10::IValue (*)(const std::vector<c10::IValue>& arguments);

/// By the name behind "python::"; nullptr when unknown. The operator throws std::invalid_argument on arguments that it
/// does not take, and on division by zero.
PythonOperator findPythonOperator(const std::string& name);

} // namespace kw
