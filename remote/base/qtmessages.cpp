// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/qtmessages.h"

#include <QMessageLogger>
#include <QString>

#include <cstdio>

namespace slipway {

void silenceQtMessages()
{
    qInstallMessageHandler(
        [](QtMsgType type, const QMessageLogContext& context, const QString& text) {
            if (type == QtFatalMsg || type == QtCriticalMsg
                || qEnvironmentVariableIsSet("QT_LOGGING_RULES"))
                std::fprintf(stderr, "%s\n",
                    qFormatLogMessage(type, context, text).toLocal8Bit().constData());
        });
}

} // namespace slipway
