// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

namespace slipway {

/// What connection.json says of the site that the demo cluster plays. A value; `as` is empty when
/// it plays none.
struct Emulation {
    QString as; ///< the site's id
    QString siteFile; ///< where its shape was read from
    std::vector<SitePartition>
        partitions; ///< name, default, nodes, GPUs, limit: as Slurm has them there
    QStringList accounts; ///< those that a job may name
    QStringList loginMethods; ///< "password", "one-time code", "key"

    bool operator==(const Emulation& other) const;
};

/// The site `demo` while the demo cluster is emulating `as`: scripts, requests and rules are those
/// of `as`; the login, the registry and its images, the GPUs and what they are not stay the demo's.
Site emulatedSite(const Site& demo, const Site& as, const Emulation& emulation);

} // namespace slipway
