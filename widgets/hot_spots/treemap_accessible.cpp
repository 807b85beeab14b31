// SPDX-License-Identifier: GPL-3.0-or-later
#include "hot_spots/treemap_view.h"

#include <QAccessibleWidget>

#include <unordered_map>

namespace kw {
namespace {

/// One cell as a list item that can be pressed. Invalid as soon as the cell is gone.
class CellAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    CellAccessible(TreemapView* view, int cell) : m_view(view), m_cell(cell) {}

    bool isValid() const override { return m_view && m_cell < static_cast<int>(m_view->cells().size()); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_view); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        switch (kind) {
        case QAccessible::Name: return m_view->cellName(m_cell);
        case QAccessible::Value: return m_view->cells()[static_cast<std::size_t>(m_cell)].figures;
        case QAccessible::Description: return m_view->cellDescription(m_cell);
        default: return {};
        }
    }

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect local = m_view->cells()[static_cast<std::size_t>(m_cell)].rect.toRect();
        return {m_view->mapToGlobal(local.topLeft()), local.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.selectable = state.focusable = true;
        state.selected = m_view->currentCell() == m_cell;
        state.focused = state.selected && m_view->hasFocus();
        return state;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction(), setFocusAction()}; }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }
    void doAction(const QString& name) override
    {
        if (!isValid())
            return;
        if (name == pressAction())
            m_view->activateCell(m_cell);
        else if (name == setFocusAction()) {
            m_view->setFocus();
            m_view->selectCell(m_cell);
        }
    }

private:
    QPointer<TreemapView> m_view;
    int m_cell;
};

/// The treemap as a list. Cells are registered when they are asked for.
class TreemapAccessible : public QAccessibleWidget {
public:
    explicit TreemapAccessible(TreemapView* view) : QAccessibleWidget(view, QAccessible::List) {}
    ~TreemapAccessible() override
    {
        for (const auto& [cell, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return view() ? static_cast<int>(view()->cells().size()) : 0; }

    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto found = m_ids.find(index);
        if (found != m_ids.end())
            return QAccessible::accessibleInterface(found->second);
        auto* created = new CellAccessible(view(), index);
        m_ids.emplace(index, QAccessible::registerAccessibleInterface(created));
        return created;
    }

    int indexOfChild(const QAccessibleInterface* wanted) const override
    {
        for (const auto& [cell, id] : m_ids)
            if (QAccessible::accessibleInterface(id) == wanted)
                return cell;
        return -1;
    }

    QAccessibleInterface* childAt(int x, int y) const override
    {
        return view() ? child(view()->cellAt(view()->mapFromGlobal(QPoint(x, y)))) : nullptr;
    }

    QAccessibleInterface* focusChild() const override
    {
        return view() && view()->hasFocus() ? child(view()->currentCell()) : nullptr;
    }

private:
    TreemapView* view() const { return qobject_cast<TreemapView*>(widget()); }
    mutable std::unordered_map<int, QAccessible::Id> m_ids;
};

QAccessibleInterface* makeInterface(const QString& className, QObject* object)
{
    if (className == QLatin1String("kw::TreemapView"))
        return new TreemapAccessible(static_cast<TreemapView*>(object));
    return nullptr;
}

} // namespace

void installTreemapAccessibility()
{
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
}

} // namespace kw
