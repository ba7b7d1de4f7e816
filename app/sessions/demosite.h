// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/catalogue.h"
#include "app/sessions/democluster.h"
#include "app/sessions/demolines.h"

#include <QObject>

#include <optional>

namespace slipway {

/// DemoSite keeps the catalogue's site of the demo cluster up to date with the running cluster: its
/// GPUs and the site that it emulates. Lives on the GUI (or main) thread, owned by Sessions.
class DemoSite : public QObject {
    Q_OBJECT

public:
    DemoSite(Catalogue* catalogue, const QString& scripts);
    ~DemoSite() override;

    DemoCluster* cluster() const { return m_cluster; }
    /// What the running cluster reports; the site is updated accordingly.
    Result<DemoConnection> read();

signals:
    void siteChanged(const QString& siteId);

private:
    void forget();
    std::optional<Site> emulatedBy(const Emulation& now) const;
    void update(const Site& known, const DemoConnection& connection);

    Catalogue* m_catalogue;
    DemoCluster* m_cluster;
    std::optional<Site> m_plain; ///< as in its file
    Emulation m_emulation; ///< what it emulates now
    std::optional<QString> m_mpi; ///< the MPI plugin of its srun; absent: as in its file
};

} // namespace slipway
