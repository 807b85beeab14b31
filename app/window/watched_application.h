// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QElapsedTimer>

namespace kw {

/// The application, which times every event that the loop delivers: who blocks the window is known by name.
/// Window thread.
class WatchedApplication : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;

    struct Block {
        double milliseconds = 0;
        QString receiver;      ///< class and object name
        int event = 0;         ///< QEvent::Type
    };
    /// The longest event since the last reset.
    const Block& longestBlock() const { return m_longest; }
    void resetWatch() { m_longest = {}; }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    Block m_longest;
    int m_depth = 0;
};

} // namespace kw
