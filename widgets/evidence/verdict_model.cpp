// SPDX-License-Identifier: GPL-3.0-or-later
#include "evidence/verdict_model.h"

#include "basis/text.h"
#include "present/numbers.h"

#include <algorithm>
#include <cmath>

namespace kw {
namespace {

constexpr quintptr stageLevel = 0; // children carry their stage's row + 1

/// Values of tensors may be Inf and NaN, and then that is the finding: here they are shown by name.
QString valueText(double value)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("Inf") : QStringLiteral("-Inf");
    return toQString(plainNumber(value, uiLanguage()));
}

} // namespace

QString worstText(const WorstElement& worst)
{
    QStringList index;
    for (const std::int64_t position : worst.index)
        index << QString::number(position);
    return VerdictModel::tr("%1[%2]: expected %3, found %4; error %5, allowed %6, the library's own %7")
        .arg(shown(worst.output), index.join(QStringLiteral(", ")), valueText(worst.expected), valueText(worst.actual),
            valueText(worst.error), valueText(worst.allowed), valueText(worst.libraryError));
}

void VerdictModel::setVerdict(const Verdict& verdict)
{
    beginResetModel();
    m_verdict = verdict;
    endResetModel();
}

void VerdictModel::retranslate()
{
    // Counts and names of all levels change: a reset is the honest signal, and the tree is small.
    setVerdict(Verdict(m_verdict));
}

QModelIndex VerdictModel::failedStage() const
{
    if (m_verdict.passed)
        return {};
    for (std::size_t row = 0; row < m_verdict.stages.size(); ++row)
        if (m_verdict.stages[row].run && !m_verdict.stages[row].passed)
            return index(static_cast<int>(row), 0);
    return {};
}

QModelIndex VerdictModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : stageLevel);
}

QModelIndex VerdictModel::parent(const QModelIndex& child) const
{
    return child.internalId() == stageLevel ? QModelIndex() : createIndex(static_cast<int>(child.internalId()) - 1, 0, stageLevel);
}

int VerdictModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_verdict.stages.size());
    const StageResult* stage = parent.column() == 0 ? stageAt(parent) : nullptr;
    return stage ? static_cast<int>(stage->cases.size()) : 0;
}

int VerdictModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

const StageResult* VerdictModel::stageAt(const QModelIndex& index) const
{
    return index.isValid() && index.internalId() == stageLevel ? &m_verdict.stages[static_cast<std::size_t>(index.row())] : nullptr;
}

const CaseResult* VerdictModel::caseAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == stageLevel)
        return nullptr;
    return &m_verdict.stages[static_cast<std::size_t>(index.internalId() - 1)].cases[static_cast<std::size_t>(index.row())];
}

QString VerdictModel::stageText(const StageResult& stage, int column) const
{
    double used = 0;
    for (const CaseResult& result : stage.cases)
        if (std::isfinite(result.budgetUsed))
            used = std::max(used, result.budgetUsed);
    switch (column) {
    case Name: return label(stage.stage);
    case Result: return !stage.run ? tr("Not run") : stage.passed ? tr("Passed") : tr("Failed");
    case Budget: return stage.run && used > 0 ? toQString(percentText(used, uiLanguage())) : QString();
    case Detail:
        return !stage.run ? QString()
            : stage.cases.empty()
            ? toQString(timeText(stage.seconds, uiLanguage()))
            : tr("%n case(s), %1", nullptr, static_cast<int>(stage.cases.size())).arg(toQString(timeText(stage.seconds, uiLanguage())));
    default: return {};
    }
}

QString VerdictModel::caseText(const CaseResult& result, int column) const
{
    switch (column) {
    case Name: return tr("%1 (%2)").arg(say(result.name), label(result.tier));
    case Result: return result.passed ? tr("Passed") : label(result.failure);
    case Budget: return result.worst && std::isfinite(result.budgetUsed) ? toQString(percentText(result.budgetUsed, uiLanguage())) : QString();
    case Detail: {
        QStringList parts;
        if (!result.reason.empty())
            parts << say(result.reason);
        if (result.worst)
            parts << worstText(*result.worst);
        if (!result.withinKernelBenchTolerance)
            parts << tr("outside KernelBench's tolerance");
        return parts.join(QStringLiteral(" "));
    }
    default: return {};
    }
}

QVariant VerdictModel::data(const QModelIndex& index, int role) const
{
    const StageResult* stage = stageAt(index);
    const CaseResult* result = caseAt(index);
    if (!stage && !result)
        return {};
    switch (role) {
    case Qt::DisplayRole: return stage ? stageText(*stage, index.column()) : caseText(*result, index.column());
    case Qt::ToolTipRole:
        return result && index.column() == Detail
            ? QVariant(QLatin1String("<qt>") + caseText(*result, Detail).toHtmlEscaped() + QLatin1String("</qt>"))
            : QVariant();
    case Qt::TextAlignmentRole: return index.column() == Budget ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case PassedRole: return stage ? stage->passed : result->passed;
    case RunRole: return stage ? stage->run : true;
    default: return {};
    }
}

QVariant VerdictModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == Budget)
        return tr("The largest error found, as a part of what is allowed");
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == Budget)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("Stage");
    case Result: return tr("Result");
    case Budget: return tr("Budget used");
    case Detail: return tr("Detail");
    default: return {};
    }
}

} // namespace kw
