// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// slipway-probe as it lies here, for one kind of machine. A value.
struct ProbeFile {
    QString architecture; ///< as `uname -m` says it; empty: for any, it is the person's own
    QString path;
    QByteArray content;
    QByteArray sha256; ///< hex
};

/// The probes that came with the program: beside it, in lib/slipway, or where they were built. The
/// variable SLIPWAY_PROBE names one to take in their place, "none" for none. Empty: there is none.
/// Reads the disk.
std::vector<ProbeFile> probeFiles();

/// The one of them that a machine can run; null: none.
const ProbeFile* probeFor(const std::vector<ProbeFile>& files, const QString& architecture);

/// Whether there is any, without reading it.
bool haveProbe();

} // namespace slipway
