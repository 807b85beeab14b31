// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_fixture.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QToolButton>

namespace kw::test {
namespace {

QString described(const QWidget& widget, const QString& text)
{
    return QStringLiteral("%1 \"%2\" (%3 × %4)")
        .arg(QString::fromLatin1(widget.metaObject()->className()), text.left(60))
        .arg(widget.width())
        .arg(widget.height());
}

bool fits(const QLabel& label)
{
    if (label.text().isEmpty() || !label.pixmap(Qt::ReturnByValue).isNull())
        return true;
    if (!label.wordWrap())
        return label.width() >= label.sizeHint().width();
    // A wrapped label needs its height and room for its longest word.
    int longest = 0;
    for (const QString& word : label.text().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        for (const QString& part : word.split(QLatin1Char('\n')))
            longest = std::max(longest, label.fontMetrics().horizontalAdvance(part));
    return label.height() >= label.heightForWidth(label.width()) && label.contentsRect().width() >= longest;
}

bool fits(const QComboBox& box)
{
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.editable = box.isEditable();
    const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    return box.sizeAdjustPolicy() == QComboBox::AdjustToMinimumContentsLengthWithIcon // elides on purpose, the list shows all
        || field.width() >= box.fontMetrics().horizontalAdvance(box.currentText());
}

void checkTabs(const QTabBar& bar, QStringList& found)
{
    for (int tab = 0; tab < bar.count(); ++tab)
        if (bar.tabRect(tab).width() < bar.fontMetrics().horizontalAdvance(QString(bar.tabText(tab)).remove(QLatin1Char('&'))))
            found << described(bar, bar.tabText(tab));
}

void checkHeader(const QHeaderView& header, QStringList& found)
{
    if (!header.model() || header.orientation() != Qt::Horizontal)
        return;
    for (int section = 0; section < header.count(); ++section) {
        const QString text = header.model()->headerData(section, Qt::Horizontal).toString();
        if (!header.isSectionHidden(section) && header.sectionSize(section) < header.fontMetrics().horizontalAdvance(text))
            found << described(header, text);
    }
}

void check(const QWidget& widget, QStringList& found)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        if (!fits(*label))
            found << described(*label, label->text());
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        if (!button->text().isEmpty() && (button->width() < button->sizeHint().width() || button->height() < button->sizeHint().height()))
            found << described(*button, button->text());
    } else if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        if (!fits(*box))
            found << described(*box, box->currentText());
    } else if (const auto* edit = qobject_cast<const QLineEdit*>(&widget)) {
        if (edit->text().isEmpty() && edit->width() < edit->fontMetrics().horizontalAdvance(edit->placeholderText()))
            found << described(*edit, edit->placeholderText());
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget)) {
        checkTabs(*tabs, found);
    } else if (const auto* header = qobject_cast<const QHeaderView*>(&widget)) {
        checkHeader(*header, found);
    }
}

} // namespace

QStringList clippedTexts(const QWidget& root)
{
    QStringList found;
    for (const QWidget* widget : root.findChildren<QWidget*>())
        if (widget->isVisible() && !widget->visibleRegion().isEmpty())
            check(*widget, found);
    return found;
}

} // namespace kw::test
