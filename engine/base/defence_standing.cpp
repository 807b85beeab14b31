// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/defence.h"

namespace kw {

bool standing(Defence) { return true; }

} // namespace kw
