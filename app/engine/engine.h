// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/catalogue.h"
#include "app/compare/references.h"
#include "app/documents/documents.h"
#include "app/engine/cleanup.h"
#include "app/runs/runs.h"
#include "app/sessions/sessions.h"

namespace slipway {

/// Folders that the engine reads and writes; tests point them elsewhere.
struct EnginePaths {
    QString resources; ///< sites/, recipes/, demo-cluster/
    QString config; ///< ~/.config/slipway: own sites/ and recipes/
    QString data; ///< ~/.local/share/slipway: runs.sqlite, runs/<id>/
    static EnginePaths standard();
};

/// Engine is what both programs share, and owns it: the catalogue, the sessions, the runs, the
/// clean-up. Lives on the GUI (or main) thread; each main owns one.
class Engine : public QObject {
    Q_OBJECT

public:
    /// `connector` must outlive the engine.
    explicit Engine(Connector* connector, EnginePaths paths = EnginePaths::standard());
    ~Engine() override;

    Catalogue* catalogue() { return &m_catalogue; }
    Sessions* sessions() { return &m_sessions; }
    Runs* runs() { return &m_runs; }
    Cleanup* cleanup() { return &m_cleanup; }

    /// What a race is compared with: data sheets and published results.
    const RaceReferences& raceReferences() const { return m_references; }
    /// The documents that Slipway began with, read now.
    Documents readDocuments() const;
    /// The failures that are known by their texts.
    const std::shared_ptr<const HintBook>& hints() const { return m_hints; }
    /// Files that could not be read, each with its line and field, and a list of runs that was set
    /// aside.
    std::vector<Error> errors() const;

private:
    EnginePaths m_paths;
    Catalogue m_catalogue;
    std::vector<Error> m_readErrors; ///< of hints and references
    std::shared_ptr<const HintBook> m_hints;
    RaceReferences m_references;
    Sessions m_sessions;
    Runs m_runs; ///< ends before the sessions that it is connected by
    Cleanup m_cleanup;
};

} // namespace slipway
