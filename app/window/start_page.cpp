// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/start_page.h"

#include "basis/plain_label.h"
#include "basis/text.h"
#include "theme/icons.h"
#include "theme/theme.h"

#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace kw {

StartPage::StartPage(QWidget* parent)
    : QWidget(parent), m_title(new PlainLabel), m_introduction(new PlainLabel), m_trouble(new PlainLabel),
      m_recentHeading(new PlainLabel), m_recentNote(new PlainLabel), m_examplesHeading(new PlainLabel), m_examplesNote(new PlainLabel),
      m_drop(new PlainLabel), m_openModel(new QPushButton), m_openSession(new QPushButton), m_recent(new QListWidget),
      m_examples(new QListWidget)
{
    m_title->setTextScale(1.9, true);
    m_trouble->hide();
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_openModel);
    buttons->addWidget(m_openSession);
    buttons->addWidget(m_drop, 1);
    buttons->setSpacing(10);
    m_openModel->setDefault(true);
    auto* lists = new QHBoxLayout;
    lists->setSpacing(24);
    lists->addWidget(buildColumn(m_recentHeading, m_recent, m_recentNote), 1);
    lists->addWidget(buildColumn(m_examplesHeading, m_examples, m_examplesNote), 1);

    auto* column = new QVBoxLayout;
    column->setSpacing(14);
    column->addWidget(m_title);
    column->addWidget(m_introduction);
    column->addWidget(m_trouble);
    column->addLayout(buttons);
    column->addSpacing(10);
    column->addLayout(lists, 1);
    auto* frame = new QWidget;
    frame->setLayout(column);
    frame->setMaximumWidth(fontMetrics().averageCharWidth() * 130);
    auto* outer = new QHBoxLayout(this);
    outer->setContentsMargins(40, 36, 40, 36);
    outer->addStretch(1);
    outer->addWidget(frame, 20);
    outer->addStretch(1);

    connect(m_openModel, &QPushButton::clicked, this, &StartPage::openModelWished);
    connect(m_openSession, &QPushButton::clicked, this, &StartPage::openSessionWished);
    for (QListWidget* list : {m_recent, m_examples})
        connect(list, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { emit pathWished(item->data(Qt::UserRole).toString()); });
    m_recent->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_recent, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        const QListWidgetItem* item = m_recent->itemAt(at);
        if (!item)
            return;
        QMenu menu(this);
        const QString path = item->data(Qt::UserRole).toString();
        menu.addAction(tr("Remove from the List"), this, [this, path] { emit removeRecentWished(path); });
        menu.exec(m_recent->viewport()->mapToGlobal(at));
    });
    retranslate();
}

QWidget* StartPage::buildColumn(PlainLabel* heading, QListWidget* list, PlainLabel* note)
{
    auto* holder = new QWidget;
    auto* column = new QVBoxLayout(holder);
    column->setContentsMargins(0, 0, 0, 0);
    heading->setTextScale(1.15, true);
    note->setForegroundRole(QPalette::PlaceholderText);
    note->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    heading->setBuddy(list);
    list->setFrameShape(QFrame::NoFrame);
    list->setTextElideMode(Qt::ElideMiddle);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setSpacing(2);
    column->addWidget(heading);
    column->addWidget(note);
    column->addWidget(list, 1);
    return holder;
}

void StartPage::fill(QListWidget& list, const QStringList& paths)
{
    list.clear();
    for (const QString& path : paths) {
        const QFileInfo info(path);
        QString home = QDir::toNativeSeparators(info.absolutePath());
        if (home.startsWith(QDir::homePath()))
            home.replace(0, QDir::homePath().size(), QStringLiteral("~"));
        auto* item = new QListWidgetItem(QStringLiteral("%1\n%2").arg(shown(info.fileName().toStdString()), shown(home.toStdString())));
        item->setData(Qt::UserRole, path);
        item->setToolTip(shown(path.toStdString()).toHtmlEscaped());
        item->setIcon(themedIcon(info.isDir() ? QStringLiteral("layout") : QStringLiteral("open"), palette()));
        if (!info.exists()) {
            item->setFlags(Qt::NoItemFlags);
            item->setToolTip(tr("It is no longer there. The context menu removes it from the list."));
        }
        list.addItem(item);
    }
    // An empty list keeps its room, so that the texts above stay where they are, but takes no focus.
    list.setFocusPolicy(paths.isEmpty() ? Qt::NoFocus : Qt::StrongFocus);
}

void StartPage::setRecent(const QStringList& paths)
{
    m_recentPaths = paths;
    retranslate();
}

void StartPage::setExamples(const QStringList& models)
{
    m_examplePaths = models;
    retranslate();
}

void StartPage::setBusy(const QString& text)
{
    m_busy = text;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_openModel, m_openSession, m_recent, m_examples})
        widget->setEnabled(text.isEmpty());
    retranslate();
}

void StartPage::setTrouble(const QString& text)
{
    m_troubleText = text;
    retranslate();
}

QString StartPage::troubleText() const
{
    return m_troubleText;
}

void StartPage::retranslate()
{
    m_title->setText(tr("Kernelwright"));
    m_introduction->setText(!m_busy.isEmpty() ? m_busy
            : tr("Open a model that was exported with torch.export (a .pt2 file). Kernelwright profiles it, shows where the time goes, "
                 "and writes, checks and times faster kernels under your supervision. No experiment runs before you start it, and your model file is never changed."));
    m_trouble->setText(m_troubleText);
    m_trouble->setVisible(!m_troubleText.isEmpty() && m_busy.isEmpty());
    QPalette warning = palette();
    warning.setColor(QPalette::WindowText, themeColours(palette()).bad);
    m_trouble->setPalette(warning);
    m_openModel->setText(tr("Open Model…"));
    m_openModel->setIcon(themedIcon(QStringLiteral("open"), palette()));
    m_openSession->setText(tr("Open Session…"));
    m_openSession->setIcon(themedIcon(QStringLiteral("layout"), palette()));
    m_drop->setText(tr("or drop a model file or a session folder onto this window"));
    m_recentHeading->setText(tr("Recent"));
    m_recentNote->setText(tr("Sessions and models that you open appear here."));
    m_recentNote->setVisible(m_recentPaths.isEmpty());
    m_examplesHeading->setText(tr("Examples"));
    m_examplesNote->setText(tr("The examples are exported by packaging/run.sh, which has not been run on this computer."));
    m_examplesNote->setVisible(m_examplePaths.isEmpty());
    m_recent->setAccessibleName(tr("Recent sessions and models"));
    m_examples->setAccessibleName(tr("Example models"));
    fill(*m_recent, m_recentPaths);
    fill(*m_examples, m_examplePaths);
}

void StartPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)
        retranslate();
}

void StartPage::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), palette().color(QPalette::Base));
}

} // namespace kw
