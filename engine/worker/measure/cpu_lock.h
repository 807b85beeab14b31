// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/cpu_lock.h"
