// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/demosite.h"

#include "app/sessions/democluster.h"
#include "remote/base/tr.h"

#include <QFile>

namespace slipway {

DemoSite::DemoSite(Catalogue* catalogue, const QString& scripts)
    : m_catalogue(catalogue)
    , m_cluster(new DemoCluster(scripts, this))
{
    connect(m_cluster, &DemoCluster::changed, this, [this] { Q_UNUSED(read().ok()) });
    connect(m_catalogue, &Catalogue::changed, this, &DemoSite::forget);
}

DemoSite::~DemoSite() = default;

/// The files were read again, and the site is as in its file.
void DemoSite::forget()
{
    m_plain.reset();
    m_emulation = {};
    m_mpi.reset();
    if (!m_cluster->connectionFile().isEmpty())
        Q_UNUSED(read().ok())
}

/// The site that the demo cluster emulates: one of the known ones, else read from the given file.
std::optional<Site> DemoSite::emulatedBy(const Emulation& now) const
{
    if (const Site* const known = m_catalogue->site(now.as))
        return *known;
    QFile file(now.siteFile);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const Result<Site> read = parseSite(file.readAll(), now.siteFile);
    return read.ok() ? std::optional(*read) : std::nullopt;
}

Result<DemoConnection> DemoSite::read()
{
    const QString name = m_cluster->connectionFile();
    QFile file(name);
    if (name.isEmpty() || !file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::NotFound, tr("The demo cluster is not running."),
            tr("Start the demo cluster.")};
    auto connection = readDemoConnection(file.readAll(), name);
    if (!connection.ok())
        return connection;
    for (const Site& site : m_catalogue->sites()) {
        if (site.providedBy == QLatin1String("demo-cluster"))
            update(site, *connection);
    }
    return connection;
}

void DemoSite::update(const Site& known, const DemoConnection& connection)
{
    Site site = known;
    const bool other = !(connection.emulation == m_emulation) || connection.mpi != m_mpi;
    if (other) {
        if (!m_plain)
            m_plain = site;
        m_emulation = connection.emulation;
        m_mpi = connection.mpi;
        site = *m_plain;
        site.mpi = m_mpi.value_or(site.mpi);
        const auto as = m_emulation.as.isEmpty() ? std::nullopt : emulatedBy(m_emulation);
        if (as)
            site = emulatedSite(site, *as, m_emulation);
    }
    if (!other && site.gpusAreReal == connection.gpusAreReal
        && site.gpusNote == connection.gpusNote)
        return;
    site.gpusAreReal = connection.gpusAreReal;
    site.gpusNote = connection.gpusNote;
    m_catalogue->replaceSite(site);
    emit siteChanged(site.id);
}

} // namespace slipway

#include "moc_demosite.cpp"
