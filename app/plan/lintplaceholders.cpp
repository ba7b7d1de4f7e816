// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/fields.h"
#include "app/plan/lint.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

/// Placeholders for the user's own names in examples and teaching texts:
/// "docker://your-name/pi:0.1",
/// "/scratch/ws/0/your-workspace", "YOU/pi". Such a text looks like a value but is not one.
const QRegularExpression& placeholderWord()
{
    static const QRegularExpression word(
        QStringLiteral(R"((?<![A-Za-z0-9_-])(?:your-(?:account|data|folder|group|image|name|)"
                       R"(project|user|username|workspace)(?![A-Za-z0-9_-])|YOU(?=/)))"));
    return word;
}

} // namespace

QString placeholderIn(const QString& text)
{
    return placeholderWord().match(text).captured();
}

QString withoutPlaceholders(QString text, const QString& name)
{
    return text.replace(placeholderWord(), name);
}

void lintPlaceholders(const Plan& plan, std::vector<Problem>* problems)
{
    for (const Parameter& field : plan.fields) {
        const QString word = placeholderIn(field.value);
        if (!word.isEmpty())
            problems->push_back(errorIn(field.key,
                tr("%1: “%2” is a placeholder from an example; replace it with your own.")
                    .arg(field.label, word)));
    }
}

} // namespace slipway
