// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/applied_text.h"

#include "present/catalogue.h"
#include "present/numbers.h"

namespace kw::cli {

std::string appliedText(const Options& options, const AppliedSummary& applied)
{
    const Language language = options.language;
    std::string text = say(options, Message("cli.applied").with("spread", spreadText(applied.ratio, applied.low, applied.high, language))
                                        .with("kernels", applied.kernels).with("sites", applied.sites)
                                        .with("before", applied.baselineSeconds).with("after", applied.seconds)) + "\n";
    if (applied.eagerRatio > 0)
        text += say(options, Message("cli.eager").with("spread", spreadText(applied.eagerRatio, applied.eagerLow, applied.eagerHigh, language))
                                 .with("kept", applied.eagerSeconds).with("plain", applied.eagerDefaultSeconds)) + "\n";
    else if (!applied.eagerAbsent.empty())
        text += say(options, Message("cli.no_eager").with("why", render(applied.eagerAbsent, language))) + "\n";
    return text;
}

} // namespace kw::cli
