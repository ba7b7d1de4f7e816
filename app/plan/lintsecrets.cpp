// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/lint.h"
#include "app/plan/plansecrets.h"
#include "remote/base/tr.h"
#include "remote/base/variablenames.h"

#include <algorithm>

namespace slipway {

namespace {

/// "HF_TOKEN=hf_…" is a value where a name belongs: it must not be repeated anywhere.
Problem valueInPlaceOfName(const Plan& plan)
{
    QStringList names;
    for (const QString& item : listItems(plan.values.value(QStringLiteral("secrets"))))
        names << item.section(u'=', 0, 0).trimmed();
    return errorIn(QStringLiteral("secrets"),
        tr("This field takes names only: it is stored with the run. A value belongs in the "
           "keychain."),
        tr("Remove the value"), names.join(QStringLiteral(", ")));
}

} // namespace

void lintSecrets(const Plan& plan, std::vector<Problem>* problems)
{
    const QString key = QStringLiteral("secrets");
    const QStringList items = listItems(plan.values.value(key));
    const bool hasValue = std::any_of(
        items.begin(), items.end(), [](const QString& item) { return item.contains(u'='); });
    if (hasValue)
        problems->push_back(valueInPlaceOfName(plan));
    for (const QString& item : items) {
        if (item.contains(u'=') || isFreeVariableName(item))
            continue;
        problems->push_back(errorIn(key,
            tr("“%1” cannot be the name of a secret: it is not the name of an environment "
               "variable, or the shell, the loader or Slurm uses it.")
                .arg(item.left(80)),
            tr("Name the variable that your program reads, HF_TOKEN for example")));
    }
    for (const QString& name : secretNames(plan)) {
        if (plan.environment.contains(name))
            problems->push_back(errorIn(QStringLiteral("environment"),
                tr("%1 is a secret as well. Its value would be in the script, which is stored and "
                   "can be handed on.")
                    .arg(name),
                tr("Remove %1 from the variables").arg(name)));
    }
}

} // namespace slipway
