// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/targets.h"

#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace slipway {

void noteTarget(const char* target, const QString& figure)
{
    const QString folder = buildPath(QStringLiteral("/targets"));
    const QString function = QString::fromLatin1(QTest::currentTestFunction());
    QDir().mkpath(folder);
    QFile file(folder + u'/' + QLatin1String(target) + u'-' + function);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        qFatal("%s: %s", qPrintable(file.fileName()), qPrintable(file.errorString()));
    file.write(figure.simplified().toUtf8() + '\n');
    qInfo("%s: %s", target, qPrintable(figure));
}

} // namespace slipway
