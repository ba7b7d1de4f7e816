// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/project/proposal.h"
#include "app/runs/codechanges.h"
#include "ui/launch/foldercard.h"

#include <QCoroTask>

namespace slipway {

class LaunchDraft;

/// OwnFolder reads a person's own folder on a worker thread, puts what it proposes into the draft
/// and shows it in its card. Of several folders that are chosen in a row, the last one counts. GUI
/// thread; LaunchPage owns it.
class OwnFolder : public QObject {
    Q_OBJECT

public:
    OwnFolder(Engine* engine, LaunchDraft* draft, QObject* parent = nullptr);
    /// To be placed in the form; hidden while the recipe brings its own files.
    FolderCard* card() const { return m_card; }

    /// Reads a program or a folder for the recipe of the draft.
    void open(const QString& path);
    /// Opens the dialog in which a folder is chosen.
    void ask();
    /// The site or the recipe is another one. Plans nothing by itself.
    void apply();
    /// The draft has the values of an earlier run: what was read for other ones changes nothing.
    void forget();

signals:
    /// The draft has other values.
    void applied();

private:
    void showPlan();
    void show();
    void begin();
    void showFiles();
    bool isOwn() const;
    FolderView::Row rowOf(const ProposalLine& line) const;
    QCoro::Task<void> read(QString path, bool applies);
    QCoro::Task<void> compare();

    Engine* m_engine;
    LaunchDraft* m_draft;
    FolderCard* m_card;
    QString m_path; ///< what was chosen: a program or a folder
    QString m_folder; ///< that of the draft when it was last shown
    std::optional<Proposal> m_proposal;
    QString m_readFor; ///< the recipe for which it was chosen
    bool m_applies = false; ///< to the draft; false: the draft has the values of an earlier run
    bool m_reading = false;
    QString m_error;
    int m_number = 0; ///< of the newest reading
    QString m_compared; ///< folder and site that m_changes is about
    QString m_changes;
    std::optional<CodeChanges> m_found; ///< what m_changes says
    bool m_comparing = false;
    int m_comparison = 0; ///< the number of the newest one
};

} // namespace slipway
