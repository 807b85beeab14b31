// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/presenter.h"

#include "basis/text.h"
#include "candidate_editor/kernel_editor.h"

#include <QRegularExpression>

namespace kw {

std::vector<LineNote> diagnosticsIn(const std::string& compilerOutput)
{
    constexpr qsizetype mostCharacters = 200'000;
    constexpr std::size_t most = 50;
    static const QRegularExpression place(QStringLiteral(R"(^[^\s:][^:\n]*:(\d{1,7}):(?:\d+:)?\s*(?:fatal )?(error|warning):\s*(.+)$)"),
        QRegularExpression::MultilineOption);
    std::vector<LineNote> found;
    auto matches = place.globalMatch(shownLines(compilerOutput).left(mostCharacters));
    while (matches.hasNext() && found.size() < most) {
        const QRegularExpressionMatch match = matches.next();
        found.push_back({match.captured(1).toInt(), match.captured(2) == QLatin1String("error"), match.captured(3)});
    }
    return found;
}

} // namespace kw
