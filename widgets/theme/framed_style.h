// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace kw {

/// Fusion with outlines that are seen in dark and high-contrast palettes: Fusion darkens the window's colour for them,
/// which leaves fields, check boxes and tables without an edge there. Window thread.
class FramedStyle : public QProxyStyle {
    Q_OBJECT
public:
    FramedStyle();

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter, const QWidget* widget) const override;
};

} // namespace kw
