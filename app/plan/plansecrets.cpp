// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/plansecrets.h"

#include "app/catalogue/fields.h"
#include "app/plan/planfacts.h"
#include "remote/base/variablenames.h"

namespace slipway {

QStringList secretNames(const Plan& plan)
{
    QStringList names = listItems(plan.values.value(QStringLiteral("secrets")));
    names.removeIf([](const QString& name) { return !isFreeVariableName(name); });
    names.removeDuplicates();
    return names;
}

QString secretsLine(const Plan& plan)
{
    const QStringList names = secretNames(plan);
    if (names.isEmpty())
        return {};
    return u"\n# Variables with secrets, from secrets.env, which only you can read and which is "
           u"removed when the job has\n# ended. Their values are in no other file.\nread_secrets "
        + (mayStartAgain(plan) ? QStringLiteral("--requeue ") : QString()) + names.join(u' ')
        + u" || exit\n\n";
}

} // namespace slipway
