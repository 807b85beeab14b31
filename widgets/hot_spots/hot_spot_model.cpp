// SPDX-License-Identifier: GPL-3.0-or-later
#include "hot_spots/hot_spot_model.h"

#include "basis/text.h"
#include "present/numbers.h"

namespace kw {
namespace {

double savingPart(const HotSpot& spot)
{
    return spot.seconds > 0 ? spot.headroomSeconds / spot.seconds : 0;
}

} // namespace

void HotSpotModel::setReport(const ReportPointer& report)
{
    if (report == m_report)
        return;
    beginResetModel();
    m_report = report;
    endResetModel();
}

void HotSpotModel::setProblems(const ProblemRows& problems)
{
    if (problems == m_problems)
        return;
    m_problems = problems;
    m_problemIndex.clear();
    if (m_problems)
        for (std::size_t index = 0; index < m_problems->size(); ++index)
            m_problemIndex.emplace((*m_problems)[index].id, index);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void HotSpotModel::retranslate()
{
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int HotSpotModel::rowOf(const QString& problem) const
{
    if (problem.isEmpty() || !m_report)
        return -1;
    const std::string id = problem.toStdString();
    for (std::size_t row = 0; row < m_report->hotSpots.size(); ++row)
        if (m_report->hotSpots[row].problem == id)
            return static_cast<int>(row);
    return -1;
}

int HotSpotModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_report ? 0 : static_cast<int>(m_report->hotSpots.size());
}

int HotSpotModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

const HotSpot* HotSpotModel::spotAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_report->hotSpots[static_cast<std::size_t>(row)] : nullptr;
}

const ProblemRow* HotSpotModel::problemOf(const HotSpot& spot) const
{
    const auto found = spot.problem.empty() ? m_problemIndex.end() : m_problemIndex.find(spot.problem);
    return found == m_problemIndex.end() ? nullptr : &(*m_problems)[found->second];
}

QString HotSpotModel::stateText(const HotSpot& spot) const
{
    const ProblemRow* problem = problemOf(spot);
    return problem ? label(problem->state) : spot.problem.empty() ? tr("Library operator") : QString();
}

QString HotSpotModel::text(const HotSpot& spot, int column) const
{
    const Language language = uiLanguage();
    const ProblemRow* problem = problemOf(spot);
    switch (column) {
    case Name: return shown(spot.name);
    case Time: return toQString(timeText(spot.seconds, language));
    case Share: return toQString(percentText(spot.share, language));
    case Saving: return spot.headroomSeconds > 0 ? toQString(timeText(spot.headroomSeconds, language)) : toQString(noNumber());
    case SpeedUp:
        return problem && !problem->best.empty() ? toQString(spreadText(problem->ratio, problem->low, problem->high, language))
                                                 : toQString(noNumber());
    case Floor: return spot.floorSeconds > 0 ? toQString(timeText(spot.floorSeconds, language)) : toQString(noNumber());
    case Calls: return toQString(countText(spot.calls, language));
    case State: return stateText(spot);
    case Module: return shown(spot.modulePath);
    default: return {};
    }
}

QVariant HotSpotModel::sortKey(const HotSpot& spot, int column) const
{
    const ProblemRow* problem = problemOf(spot);
    switch (column) {
    case Time: return spot.seconds;
    case Share: return spot.share;
    case Saving: return spot.headroomSeconds;
    case SpeedUp: return problem ? problem->ratio : 0.0;
    case Floor: return spot.floorSeconds;
    case Calls: return static_cast<qlonglong>(spot.calls);
    default: return text(spot, column);
    }
}

QString HotSpotModel::description(const HotSpot& spot) const
{
    const Language language = uiLanguage();
    QStringList lines{shown(spot.name)};
    if (!spot.modulePath.empty())
        lines << tr("Module: %1").arg(shown(spot.modulePath));
    if (!spot.source.file.empty())
        lines << tr("Source: %1, line %2").arg(shown(spot.source.file)).arg(spot.source.line);
    lines << tr("Time per run of the model: %1 (%2), %n call(s)", nullptr, static_cast<int>(spot.calls))
                 .arg(text(spot, Time), text(spot, Share));
    if (spot.headroomSeconds > 0)
        lines << tr("Can be saved: %1 (%2 of its time)").arg(text(spot, Saving), toQString(percentText(savingPart(spot), language)));
    if (spot.floorSeconds > 0)
        lines << tr("Floor on this machine: %1").arg(text(spot, Floor));
    if (spot.allocationSeconds > 0)
        lines << tr("Allocation: %1").arg(toQString(timeText(spot.allocationSeconds, language)));
    if (const ProblemRow* problem = problemOf(spot); problem && !problem->best.empty())
        lines << tr("Achieved: %1").arg(text(spot, SpeedUp));
    lines << stateText(spot);
    return lines.join(QLatin1Char('\n'));
}

QVariant HotSpotModel::data(const QModelIndex& index, int role) const
{
    const HotSpot* spot = spotAt(index.row());
    if (!spot)
        return {};
    const ProblemRow* problem = problemOf(*spot);
    switch (role) {
    case Qt::DisplayRole: return text(*spot, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == Name || index.column() == Module || index.column() == State
            ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
            : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    case SortRole: return sortKey(*spot, index.column());
    case ProblemRole: return toQString(spot->problem);
    case KeyRole:
        return toQString(spot->problem.empty() ? "op:" + spot->name + "@" + spot->modulePath + "#"
                    + (spot->nodes.empty() ? std::to_string(index.row()) : std::to_string(spot->nodes.front()))
                                               : spot->problem);
    case SecondsRole: return spot->seconds;
    case SavingPartRole: return savingPart(*spot);
    case ShareRole: return spot->share;
    case SpeedUpRole: return problem ? problem->ratio : 1.0;
    case StateRole: return problem ? static_cast<int>(problem->state) : -1;
    case DescriptionRole: return description(*spot);
    case Qt::ToolTipRole: return QVariant(QLatin1String("<qt>") + description(*spot).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")) + QLatin1String("</qt>"));
    default: return {};
    }
}

QVariant HotSpotModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Name || section == Module || section == State ? QVariant(Qt::AlignLeft | Qt::AlignVCenter)
                                                                      : QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Floor)
        return tr("The shortest time that this machine's bandwidth and arithmetic allow");
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("Hot spot");
    case Time: return tr("Time");
    case Share: return tr("Share");
    case Saving: return tr("Can be saved");
    case SpeedUp: return tr("Speed-up");
    case Floor: return tr("Floor");
    case Calls: return tr("Calls");
    case State: return tr("State");
    case Module: return tr("Module");
    default: return {};
    }
}

} // namespace kw
