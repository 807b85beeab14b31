// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

static void initialiseIcons()
{
    Q_INIT_RESOURCE(icons);
}

namespace kw {
namespace {

/// Draws an SVG whose strokes are currentColor in a colour that depends on the icon's mode.
class TintedEngine : public QIconEngine {
public:
    TintedEngine(QByteArray svg, QPalette palette) : m_svg(std::move(svg)), m_palette(std::move(palette)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const auto role = mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText;
        QByteArray coloured = m_svg;
        coloured.replace("currentColor", m_palette.color(group, role).name().toLatin1());
        QSvgRenderer renderer(coloured);
        renderer.render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new TintedEngine(m_svg, m_palette); }

private:
    QByteArray m_svg;
    QPalette m_palette;
};

} // namespace

QIcon themedIcon(const QString& name, const QPalette& palette)
{
    initialiseIcons();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new TintedEngine(file.readAll(), palette));
}

QIcon applicationIcon()
{
    initialiseIcons();
    return QIcon(QStringLiteral(":/icons/kernelwright.svg"));
}

} // namespace kw
