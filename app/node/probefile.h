// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// slipway-probe on this computer, for one architecture. A value.
struct ProbeFile {
    QString architecture; ///< as printed by `uname -m`; empty: any, it is the user's own
    QString path;
    QByteArray content;
    QByteArray sha256; ///< hex
};

/// The probes that came with the program: beside it, in lib/slipway, or where they were built. The
/// variable SLIPWAY_PROBE names one to use instead, "none" for none. Empty: there is none.
/// Reads the disk.
std::vector<ProbeFile> probeFiles();

/// The one that a machine can run; null: none.
const ProbeFile* probeFor(const std::vector<ProbeFile>& files, const QString& architecture);

/// Whether there is one, without reading it.
bool haveProbe();

} // namespace slipway
