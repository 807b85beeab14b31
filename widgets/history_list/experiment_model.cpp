// SPDX-License-Identifier: GPL-3.0-or-later
#include "history_list/experiment_model.h"

#include "basis/text.h"
#include "present/numbers.h"

#include <algorithm>

namespace kw {

bool ExperimentModel::passes(const ExperimentRow& row) const
{
    switch (m_filter) {
    case Filter::All: return true;
    case Filter::Kept: return row.decision == Decision::Kept || row.decision == Decision::Pending || row.decision == Decision::RolledBack;
    case Filter::Failed: return row.decision == Decision::Rejected;
    }
    return true;
}

void ExperimentModel::rebuild()
{
    beginResetModel();
    m_shown.clear();
    if (m_rows)
        for (std::size_t index = 0; index < m_rows->size(); ++index)
            if (passes((*m_rows)[index]))
                m_shown.push_back(index);
    endResetModel();
}

void ExperimentModel::setExperiments(const ExperimentRows& rows)
{
    if (rows == m_rows)
        return;
    const std::size_t before = m_rows ? m_rows->size() : 0, after = rows ? rows->size() : 0;
    const ExperimentRows old = m_rows;
    m_rows = rows;
    const bool continues = after >= before && (before == 0 || (*old)[before - 1].number == (*rows)[before - 1].number)
        && (before == 0 || (*old)[0].number == (*rows)[0].number);
    if (!continues || m_filter != Filter::All) {
        rebuild();
        return;
    }
    if (after > before) {
        // Newest first: new rows come in at the top.
        beginInsertRows({}, 0, static_cast<int>(after - before) - 1);
        for (std::size_t index = before; index < after; ++index)
            m_shown.push_back(index);
        endInsertRows();
    }
    std::size_t first = before, last = 0;
    for (std::size_t index = 0; index < before; ++index)
        if ((*old)[index].decision != (*rows)[index].decision || (*old)[index].commit != (*rows)[index].commit
            || (*old)[index].ratio != (*rows)[index].ratio || (*old)[index].modelSpeedup != (*rows)[index].modelSpeedup) {
            first = std::min(first, index);
            last = index;
        }
    if (first < before)
        emit dataChanged(index(static_cast<int>(after - 1 - last), 0), index(static_cast<int>(after - 1 - first), ColumnCount - 1));
}

void ExperimentModel::setProblems(const ProblemRows& problems)
{
    std::map<std::string, QString> names;
    if (problems)
        for (const ProblemRow& problem : *problems)
            names.emplace(problem.id, shown(problem.name));
    if (names == m_names)
        return;
    m_names = std::move(names);
    if (rowCount() > 0)
        emit dataChanged(index(0, Kernel), index(rowCount() - 1, Kernel));
}

void ExperimentModel::setFilter(Filter filter)
{
    m_filter = filter;
    rebuild();
}

void ExperimentModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ExperimentModel::rowOf(qint64 number) const
{
    if (!m_rows)
        return -1;
    const auto found = std::lower_bound(m_shown.begin(), m_shown.end(), number,
        [&](std::size_t index, qint64 wanted) { return (*m_rows)[index].number < wanted; });
    if (found == m_shown.end() || (*m_rows)[*found].number != number)
        return -1;
    return static_cast<int>(m_shown.end() - found) - 1;
}

const ExperimentRow* ExperimentModel::rowAt(int row) const
{
    if (row < 0 || row >= rowCount())
        return nullptr;
    return &(*m_rows)[m_shown[m_shown.size() - 1 - static_cast<std::size_t>(row)]];
}

int ExperimentModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int ExperimentModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ExperimentModel::text(const ExperimentRow& row, int column) const
{
    const Language language = uiLanguage();
    switch (column) {
    case Number: return toQString(countText(row.number, language));
    case Result:
        return row.decision == Decision::Rejected && row.failure != FailureKind::None
            ? tr("%1: %2").arg(label(row.decision), label(row.failure))
            : label(row.decision);
    case Kernel: {
        const auto name = m_names.find(row.problem);
        return name == m_names.end() ? shown(row.problem) : name->second;
    }
    case SpeedUp:
        if (row.ratio <= 0)
            return toQString(noNumber());
        // Broken off before it was decided: its interval says nothing yet, the result column says why.
        if (isOpen(row.decision))
            return toQString(noNumber());
        return toQString(spreadText(row.ratio, row.low, row.high, language));
    case Model: return toQString(ratioText(row.modelSpeedup, language));
    case AuthorColumn: return toQString(authorText(row.author, language));
    case Hypothesis: return say(row.hypothesis);
    case Duration: return toQString(timeText(row.seconds, language));
    case Commit: return shown(row.commit.substr(0, 10));
    default: return {};
    }
}

QVariant ExperimentModel::data(const QModelIndex& index, int role) const
{
    const ExperimentRow* row = rowAt(index.row());
    if (!row)
        return {};
    switch (role) {
    case Qt::DisplayRole: return text(*row, index.column());
    case Qt::ToolTipRole:
        return index.column() == Hypothesis || index.column() == Result
            ? QVariant(QLatin1String("<qt>") + text(*row, index.column()).toHtmlEscaped() + QLatin1String("</qt>"))
            : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Number || index.column() == SpeedUp || index.column() == Model || index.column() == Duration
            ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case NumberRole: return static_cast<qlonglong>(row->number);
    case ProblemRole: return toQString(row->problem);
    case CandidateRole: return toQString(row->candidate);
    case DecisionRole: return static_cast<int>(row->decision);
    case CommitRole: return toQString(row->commit);
    default: return {};
    }
}

QVariant ExperimentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Number || section == SpeedUp || section == Model || section == Duration
            ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == SpeedUp)
        return tr("Of the kernel, against the library's own operators, with its interval");
    if (role == Qt::ToolTipRole && section == Model)
        return tr("Of the whole model, after this experiment");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number: return tr("No.");
    case Result: return tr("Result");
    case Kernel: return tr("Kernel");
    case SpeedUp: return tr("Speed-up");
    case Model: return tr("Model");
    case AuthorColumn: return tr("Author");
    case Hypothesis: return tr("Hypothesis");
    case Duration: return tr("Took");
    case Commit: return tr("Commit");
    default: return {};
    }
}

} // namespace kw
