// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/catalogue.h"
#include "app/compare/references.h"
#include "app/documents/documents.h"
#include "app/engine/cleanup.h"
#include "app/images/imagecheck.h"
#include "app/images/imagestore.h"
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

/// Engine owns what both programs share: the catalogue, the sessions, the runs, the images, the
/// cleanup. Lives on the GUI (or main) thread; each main owns one.
class Engine : public QObject {
    Q_OBJECT

public:
    /// `connector` must outlive the engine.
    explicit Engine(Connector* connector, EnginePaths paths = EnginePaths::standard());
    ~Engine() override;

    Catalogue* catalogue() { return &m_catalogue; }
    Sessions* sessions() { return &m_sessions; }
    SecretStore* secrets() { return &m_secrets; }
    Runs* runs() { return &m_runs; }
    Cleanup* cleanup() { return &m_cleanup; }
    ImageInspector* imageInspector() { return &m_imageInspector; }
    /// Asks nothing until it is switched on.
    ImageCheck* imageCheck() { return &m_imageCheck; }
    ImageStore* imageStore() { return &m_imageStore; }

    /// References for races: data sheets and published results.
    const RaceReferences& raceReferences() const { return m_references; }
    /// The documents that Slipway is based on, read on each call.
    Documents readDocuments() const;
    /// Where definition files are kept that have no folder of their own.
    QString definitionsFolder() const { return m_paths.data + QStringLiteral("/definitions"); }
    /// The hints for known failures.
    const std::shared_ptr<const HintBook>& hints() const { return m_hints->book(); }
    /// Files of sites, recipes, hints and references that could not be read, each with its line and
    /// field, and a list of runs that was set aside. Documents have their own: readDocuments().
    std::vector<Error> errors() const;
    /// The same of what has been read so far: the program's own hints are read when they are
    /// needed.
    std::vector<Error> errorsSoFar() const;

private:
    EnginePaths m_paths;
    Catalogue m_catalogue;
    std::vector<Error> m_readErrors; ///< of references
    std::shared_ptr<HintSource> m_hints;
    RaceReferences m_references;
    SecretStore m_secrets;
    Sessions m_sessions;
    /// Compressed sizes of images, as their registries told them.
    std::shared_ptr<QMap<QString, qint64>> m_imageBytes = std::make_shared<QMap<QString, qint64>>();
    Runs m_runs; ///< destroyed before the sessions that it uses
    Cleanup m_cleanup;
    ImageInspector m_imageInspector;
    ImageCheck m_imageCheck;
    ImageStore m_imageStore;
};

} // namespace slipway
