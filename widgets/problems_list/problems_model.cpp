// SPDX-License-Identifier: GPL-3.0-or-later
#include "problems_list/problems_model.h"

#include "basis/text.h"
#include "present/numbers.h"

#include <algorithm>

namespace kw {
namespace {

bool leftAligned(int column)
{
    return column == ProblemsModel::Name || column == ProblemsModel::State || column == ProblemsModel::Kind || column == ProblemsModel::Module;
}

} // namespace

void ProblemsModel::setProblems(const ProblemRows& problems)
{
    if (problems == m_problems)
        return;
    const bool sameRows = m_problems && problems && m_problems->size() == problems->size()
        && std::equal(problems->begin(), problems->end(), m_problems->begin(), [](const ProblemRow& one, const ProblemRow& two) { return one.id == two.id; });
    if (!sameRows) {
        beginResetModel();
        m_problems = problems;
        endResetModel();
        return;
    }
    const ProblemRows old = m_problems;
    m_problems = problems;
    for (std::size_t row = 0; row < problems->size(); ++row)
        if (!((*old)[row] == (*problems)[row]))
            emit dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), ColumnCount - 1));
}

void ProblemsModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ProblemsModel::rowOf(const QString& problem) const
{
    const std::string id = problem.toStdString();
    for (int row = 0; row < rowCount(); ++row)
        if ((*m_problems)[static_cast<std::size_t>(row)].id == id)
            return row;
    return -1;
}

const ProblemRow* ProblemsModel::rowAt(int row) const
{
    return row >= 0 && row < rowCount() ? &(*m_problems)[static_cast<std::size_t>(row)] : nullptr;
}

int ProblemsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_problems ? 0 : static_cast<int>(m_problems->size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ProblemsModel::text(const ProblemRow& row, int column) const
{
    const Language language = uiLanguage();
    const auto time = [&](double seconds) { return toQString(seconds > 0 ? timeText(seconds, language) : noNumber()); };
    switch (column) {
    case Name: return shown(row.name);
    case State: return row.refusal.empty() ? label(row.state) : tr("%1: %2").arg(label(row.state), say(row.refusal));
    case SpeedUp: return row.best.empty() ? toQString(noNumber()) : toQString(spreadText(row.ratio, row.low, row.high, language));
    case Time: return time(row.seconds);
    case Predicted: return time(row.predictedSeconds);
    case Floor: return time(row.floorSeconds);
    case Experiments: return toQString(countText(row.experiments, language));
    case Kept: return toQString(countText(row.kept, language));
    case Calls: return toQString(countText(row.calls, language));
    case Kind: return label(row.kind);
    case Module: return shown(row.modulePath);
    default: return {};
    }
}

QVariant ProblemsModel::sortKey(const ProblemRow& row, int column) const
{
    switch (column) {
    case SpeedUp: return row.best.empty() ? 0.0 : row.ratio;
    case Time: return row.seconds;
    case Predicted: return row.predictedSeconds;
    case Floor: return row.floorSeconds;
    case Experiments: return static_cast<qlonglong>(row.experiments);
    case Kept: return static_cast<qlonglong>(row.kept);
    case Calls: return static_cast<qlonglong>(row.calls);
    default: return text(row, column);
    }
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    const ProblemRow* row = rowAt(index.row());
    if (!row)
        return {};
    switch (role) {
    case Qt::DisplayRole: return text(*row, index.column());
    case Qt::ToolTipRole:
        return index.column() == State || index.column() == Name
            ? QVariant(QLatin1String("<qt>") + text(*row, index.column()).toHtmlEscaped() + QLatin1String("</qt>"))
            : QVariant();
    case Qt::TextAlignmentRole: return QVariant((leftAligned(index.column()) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole: return sortKey(*row, index.column());
    case ProblemRole: return toQString(row->id);
    case StateRole: return static_cast<int>(row->state);
    default: return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant((leftAligned(section) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Predicted)
        return tr("What a good kernel is expected to take");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("Problem");
    case State: return tr("State");
    case SpeedUp: return tr("Speed-up");
    case Time: return tr("Time");
    case Predicted: return tr("Expected");
    case Floor: return tr("Floor");
    case Experiments: return tr("Experiments");
    case Kept: return tr("Kept");
    case Calls: return tr("Calls");
    case Kind: return tr("Kind");
    case Module: return tr("Module");
    default: return {};
    }
}

} // namespace kw
