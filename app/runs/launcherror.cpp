// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/launcherror.h"

#include "remote/base/tr.h"

namespace slipway {

Error lintError(const Plan& plan)
{
    QStringList texts;
    QString fix;
    for (const Problem& problem : plan.problems) {
        if (problem.severity != Problem::Severity::Error)
            continue;
        if (texts.isEmpty())
            fix = problem.fix;
        texts.append(problem.field.isEmpty() ? problem.text : problem.field + u": " + problem.text);
    }
    return Error{ErrorKind::Invalid, tr("This launch would fail: %1").arg(texts.value(0)), fix,
        texts.mid(1).join(u'\n').toUtf8()};
}

} // namespace slipway
