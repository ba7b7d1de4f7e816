// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/probefile.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

namespace slipway {

namespace {

constexpr qint64 largestProbe = 8 * 1024 * 1024;

struct ProbePlace {
    QString architecture;
    QString path;
};

/// The path of a probe, without reading it.
std::vector<ProbePlace> probePlaces()
{
    const QString asked = qEnvironmentVariable("SLIPWAY_PROBE");
    if (!asked.isEmpty())
        return QFileInfo(asked).isFile() ? std::vector<ProbePlace>{{{}, asked}}
                                         : std::vector<ProbePlace>();
    const QString program = QCoreApplication::applicationDirPath();
    // A probe from the build folder has no architecture in its name, and is for this machine's.
    const QString here = QSysInfo::buildCpuArchitecture() == u"arm64"
        ? QStringLiteral("aarch64")
        : QSysInfo::buildCpuArchitecture();
    std::vector<ProbePlace> found;
    for (const QString& architecture : {QStringLiteral("x86_64"), QStringLiteral("aarch64")}) {
        const QString own = QStringLiteral("slipway-probe-") + architecture;
        QStringList names{QStringLiteral("./") + own, QStringLiteral("../lib/slipway/") + own};
        if (architecture == here)
            names << QStringLiteral("./slipway-probe") << QStringLiteral("../bin/slipway-probe");
        for (const QString& name : names) {
            const QString path = QDir::cleanPath(program + u'/' + name);
            if (!QFileInfo(path).isFile())
                continue;
            found.push_back({architecture, path});
            break;
        }
    }
    return found;
}

} // namespace

std::vector<ProbeFile> probeFiles()
{
    std::vector<ProbeFile> files;
    for (const ProbePlace& place : probePlaces()) {
        QFile file(place.path);
        if (!file.open(QIODevice::ReadOnly) || file.size() > largestProbe)
            continue;
        ProbeFile probe{place.architecture, place.path, file.readAll(), {}};
        if (probe.content.isEmpty())
            continue;
        probe.sha256 = QCryptographicHash::hash(probe.content, QCryptographicHash::Sha256).toHex();
        files.push_back(std::move(probe));
    }
    return files;
}

const ProbeFile* probeFor(const std::vector<ProbeFile>& files, const QString& architecture)
{
    for (const ProbeFile& file : files)
        if (file.architecture.isEmpty() || file.architecture == architecture)
            return &file;
    return nullptr;
}

bool haveProbe()
{
    return !probePlaces().empty();
}

} // namespace slipway
