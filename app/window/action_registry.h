// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QObject>

#include <functional>
#include <map>

namespace kw {

/// Every command of one window, once: menu, tool bar, buttons and palette show the same name, icon, shortcut and state.
/// A disabled action says why in its tooltip and status tip. Window thread.
class ActionRegistry : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    using Text = std::function<QString()>;

    /// `id` is stable; texts are functions, so that they follow the language.
    QAction* add(const QString& id, const Text& name, const Text& tip, const QString& icon = {}, const QList<QKeySequence>& shortcuts = {});
    QAction* operator[](const QString& id) const;
    QList<QAction*> all() const;
    /// Empty reason: enabled.
    void setRefusal(const QString& id, const QString& reason);
    QString refusal(const QString& id) const;
    void retranslate(const QPalette& palette);

private:
    struct Entry {
        QAction* action = nullptr;
        Text name, tip;
        QString icon, refusal;
    };
    void refresh(Entry& entry) const;
    std::map<QString, Entry> m_entries;
    QList<QAction*> m_order;
};

} // namespace kw
