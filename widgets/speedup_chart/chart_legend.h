// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace kw {

/// Says what the chart's marks and lines mean, with the marks themselves. Wraps like text. Window thread.
class ChartLegend : public QWidget {
    Q_OBJECT
public:
    explicit ChartLegend(QWidget* parent = nullptr);

    void setLineText(const QString& text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QStringList texts() const;
    void fit();
    template <typename Draw> int flow(int width, const Draw& draw) const;
    QString m_lineText;
};

} // namespace kw
