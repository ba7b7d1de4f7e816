// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

namespace slipway {

/// The site that the demo cluster emulates, from connection.json. A value; `as` is empty when it
/// emulates none.
struct Emulation {
    QString as; ///< the site's id
    QString siteFile; ///< the file that was read
    std::vector<SitePartition>
        partitions; ///< name, default, nodes, GPUs, limit: as Slurm reports them there
    QStringList accounts; ///< those that a job may use
    QStringList loginMethods; ///< "password", "one-time code", "key"

    bool operator==(const Emulation& other) const;
};

/// The site `demo` while the demo cluster is emulating `as`: scripts, requests and rules are those
/// of `as`; the login, the registry and its images, and the emulated GPUs remain those of the demo
/// cluster.
Site emulatedSite(const Site& demo, const Site& as, const Emulation& emulation);

} // namespace slipway
