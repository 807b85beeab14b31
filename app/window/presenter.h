// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/session_bridge.h"

#include <QObject>

#include <optional>

namespace kw {

class ActionRegistry;
class Selection;
struct ShownCandidate;
class Views;

/// Where snapshots and wishes meet: hands every snapshot to the views, fetches details for what is selected, turns
/// wishes into commands, and keeps the actions' states and reasons. Window thread.
class Presenter : public QObject {
    Q_OBJECT
public:
    Presenter(Views& views, Selection& selection, SessionBridge& bridge, ActionRegistry& actions, QObject* parent);

    const SnapshotPointer& snapshot() const { return m_snapshot; }
    bool running() const;              ///< something would be interrupted by closing
    void retranslate();
    void start();
    void pause();
    void step();
    void stop();
    void apply();
    /// The library's own operators do the selected kernel again.
    void rollBackToLibrary();
    void exportTo(const QString& folder);

signals:
    void approvalArrived(const QString& kernel);
    void runEnded(const QString& text);

private:
    void connectWishes();
    void showSnapshot(const SnapshotPointer& snapshot);
    void reset();
    void refreshActions();
    void refreshCandidate();
    /// A session that is opened again begins where a person would look first: at its newest win.
    void selectNewestWin();
    void refreshApproval();
    void fetchExperiment(qint64 number);
    void fetchCandidate(const std::string& id, qint64 experiment);
    void showFetched(const Candidate& candidate, qint64 experiment, const TextDiff& change);
    void noteChanges(const Snapshot* before, const Snapshot& now);
    void emptyTexts();
    QString problemName(const std::string& id) const;
    QString runRefusal() const;
    const ProblemRow* selectedProblem() const;
    Command command(CommandKind kind) const;
    void post(const Command& wish);

    Views& m_views;
    Selection& m_selection;
    SessionBridge& m_bridge;
    ActionRegistry& m_actions;
    SnapshotPointer m_snapshot;
    std::string m_followed;            ///< candidate that the editor follows
    std::string m_approvalBinding;     ///< approval that is shown or being fetched
    std::shared_ptr<const Experiment> m_selected;
    bool m_lost = false;
};

/// Lines of a compiler's output that name a place in the candidate: "candidate.cpp:12:5: error: text".
std::vector<struct LineNote> diagnosticsIn(const std::string& compilerOutput);

} // namespace kw
