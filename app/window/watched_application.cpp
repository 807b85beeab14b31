// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/watched_application.h"

#include <QEvent>
#include <QThread>

namespace kw {

bool WatchedApplication::notify(QObject* receiver, QEvent* event)
{
    if (QThread::currentThread() != thread() || m_depth > 0)
        return QApplication::notify(receiver, event);
    // Names are taken before: the receiver may be gone afterwards.
    const char* name = receiver->metaObject()->className();
    const int type = event->type();
    QElapsedTimer timer;
    timer.start();
    ++m_depth;
    const bool handled = QApplication::notify(receiver, event);
    --m_depth;
    const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    if (milliseconds > m_longest.milliseconds)
        m_longest = {milliseconds, QString::fromLatin1(name), type};
    return handled;
}

} // namespace kw
