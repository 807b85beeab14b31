// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace kw {

/// A label that never takes its text for markup, wraps, and lets the text be selected. Window thread.
class PlainLabel : public QLabel {
    Q_OBJECT
public:
    explicit PlainLabel(QWidget* parent = nullptr);

    /// Larger or smaller than the window's font, in steps of a tenth; bold when asked for.
    void setTextScale(double scale, bool bold = false);

protected:
    void changeEvent(QEvent* event) override;

private:
    void applyScale();
    double m_scale = 1;
    bool m_bold = false;
};

} // namespace kw
