// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/engine/engine.h"

#include "app/runs/privatefiles.h"

#include <QStandardPaths>

namespace slipway {

EnginePaths EnginePaths::standard()
{
    const auto folder = [](QStandardPaths::StandardLocation location) -> QString {
        return QStandardPaths::writableLocation(location) + u"/slipway";
    };
    return {resourceFolder(), folder(QStandardPaths::GenericConfigLocation),
        folder(QStandardPaths::GenericDataLocation)};
}

Engine::Engine(Connector* connector, EnginePaths paths)
    : m_paths(std::move(paths))
    , m_catalogue(m_paths.resources, m_paths.config)
    , m_hints(std::make_shared<HintSource>(m_paths.resources, m_paths.config))
    , m_references(loadRaceReferences(m_paths.resources, &m_readErrors))
    , m_secrets(m_paths.config)
    , m_sessions(connector, &m_catalogue, m_paths.resources + u"/demo-cluster", &m_secrets)
    , m_runs(RunContext{&m_catalogue, &m_sessions, m_hints, m_paths.data, &m_secrets, m_imageBytes,
          [this](const QString& siteId, const ImageReference& image) {
              return m_imageCheck.digest(siteId, image);
          }})
    , m_cleanup(&m_sessions, &m_runs)
    , m_imageInspector(&m_catalogue, &m_sessions, &m_secrets)
    , m_imageCheck(&m_imageInspector, &m_sessions)
    , m_imageStore(&m_catalogue, &m_sessions, &m_runs)
{
    if (QFile::exists(m_paths.config)) // names of hosts, accounts and secrets
        makePrivateFolder(m_paths.config);
    connect(&m_imageInspector, &ImageInspector::sizeKnown, this,
        [this](const QString& image, qint64 bytes) { m_imageBytes->insert(image, bytes); });
}

Engine::~Engine() = default;

Documents Engine::readDocuments() const
{
    return loadDocuments(m_paths.resources, m_paths.config);
}

std::vector<Error> Engine::errors() const
{
    m_hints->book();
    return errorsSoFar();
}

std::vector<Error> Engine::errorsSoFar() const
{
    std::vector<Error> all = m_catalogue.errors();
    for (const std::vector<Error>* more : {&m_hints->errors(), &m_readErrors, &m_runs.errors()})
        all.insert(all.end(), more->begin(), more->end());
    return all;
}

} // namespace slipway

#include "moc_engine.cpp"
