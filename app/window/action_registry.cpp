// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/action_registry.h"

#include "theme/icons.h"

namespace kw {

QAction* ActionRegistry::add(const QString& id, const Text& name, const Text& tip, const QString& icon, const QList<QKeySequence>& shortcuts)
{
    auto* action = new QAction(this);
    action->setObjectName(id);
    action->setShortcuts(shortcuts);
    Entry& entry = m_entries[id];
    entry = {action, name, tip, icon, {}};
    m_order << action;
    refresh(entry);
    return action;
}

QAction* ActionRegistry::operator[](const QString& id) const
{
    const auto found = m_entries.find(id);
    return found == m_entries.end() ? nullptr : found->second.action;
}

QList<QAction*> ActionRegistry::all() const
{
    return m_order;
}

void ActionRegistry::refresh(Entry& entry) const
{
    entry.action->setText(entry.name());
    const QString shortcut = entry.action->shortcut().toString(QKeySequence::NativeText);
    const QString tip = entry.refusal.isEmpty() ? entry.tip() : entry.refusal;
    entry.action->setToolTip(shortcut.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, shortcut));
    entry.action->setStatusTip(tip);
}

void ActionRegistry::setRefusal(const QString& id, const QString& reason)
{
    Entry& entry = m_entries.at(id);
    if (entry.refusal == reason && entry.action->isEnabled() == reason.isEmpty())
        return;
    entry.refusal = reason;
    entry.action->setEnabled(reason.isEmpty());
    refresh(entry);
}

QString ActionRegistry::refusal(const QString& id) const
{
    return m_entries.at(id).refusal;
}

void ActionRegistry::retranslate(const QPalette& palette)
{
    for (auto& [id, entry] : m_entries) {
        refresh(entry);
        if (!entry.icon.isEmpty())
            entry.action->setIcon(themedIcon(entry.icon, palette));
    }
}

} // namespace kw
