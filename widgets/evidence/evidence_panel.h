// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record/experiment.h"

#include <QWidget>

#include <memory>

class QStandardItemModel;

namespace kw {

class DataTable;
class PanelPages;
class PlainLabel;
class VerdictModel;

/// Why an experiment counts or does not: verdict by stage and case, then every measurement with its interval, samples and
/// surroundings. Window thread.
class EvidencePanel : public QWidget {
    Q_OBJECT
public:
    explicit EvidencePanel(QWidget* parent = nullptr);

    void showExperiment(std::shared_ptr<const Experiment> experiment);
    void showNothing(const QString& why);
    /// Without heading and hypothesis, for use inside another panel that shows them.
    void setCompact(bool compact);
    VerdictModel* model() { return m_model; }
    /// The comparisons as rows: what, outcome, ratio with interval, times, samples.
    QStandardItemModel* numbers() { return m_numbers; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fillNumbers();
    QString environmentText(const Measurement& measurement) const;

    PlainLabel* m_title;
    PlainLabel* m_hypothesis;
    PlainLabel* m_verdict;
    PlainLabel* m_surroundings;
    VerdictModel* m_model;
    DataTable* m_tree;
    QStandardItemModel* m_numbers;
    DataTable* m_numbersTable;
    PanelPages* m_pages;
    std::shared_ptr<const Experiment> m_experiment;
    bool m_compact = false;
};

} // namespace kw
