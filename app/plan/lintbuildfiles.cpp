// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/names.h"
#include "app/catalogue/placeholders.h"
#include "app/plan/lint.h"
#include "app/plan/stepimages.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

namespace slipway {

namespace {

constexpr int longestImageName = 120; ///< of a file name's 255, with room for ".sif.part"

bool isImageFileName(const QString& name)
{
    static const QRegularExpression form(QStringLiteral(R"(\A[A-Za-z0-9_][A-Za-z0-9_.+-]*\z)"));
    return name.size() <= longestImageName && form.match(name).hasMatch();
}

/// The name with every character replaced that a file of the image folder should not have.
QString asImageFileName(QString name)
{
    static const QRegularExpression foreign(QStringLiteral("[^A-Za-z0-9_.+-]+"));
    static const QRegularExpression start(QStringLiteral(R"(\A[^A-Za-z0-9_]+)"));
    name.replace(foreign, QStringLiteral("-")).remove(start);
    return name.isEmpty() ? QStringLiteral("image") : name.left(longestImageName);
}

/// The field that a text consists of; empty: it is none of a person's.
QString fieldIn(const QString& text)
{
    return placeholderNames(text).value(0);
}

} // namespace

void lintBuildFiles(const Plan& plan, std::vector<Problem>* problems)
{
    for (const RecipeStep& step : plan.recipe.steps) {
        if (step.kind != RecipeStep::Kind::Build)
            continue;
        const QString definition = buildDefinition(plan, step);
        const QString definitionField = fieldIn(step.definition), nameField = fieldIn(step.output);
        const bool inside = isInnerPath(definition) && !definition.contains(u'*');
        if (!definitionField.isEmpty() && !definition.isEmpty() && !inside)
            problems->push_back(errorIn(definitionField,
                tr("“%1” cannot be the definition file: it must lie in your folder, and its path "
                   "may have letters, digits and . _ + - / only.")
                    .arg(definition.left(120)),
                tr("Enter its path in the folder: image.def")));
        const QString name = plan.values.value(nameField).trimmed();
        if (!nameField.isEmpty() && !isImageFileName(buildOutput(plan, step)))
            problems->push_back(errorIn(nameField,
                tr("“%1” cannot be the name of the image: the file lies in the site's image "
                   "folder, so a name may have letters, digits and . _ + - only.")
                    .arg(name.left(120)),
                tr("Call it %1").arg(asImageFileName(buildOutput(plan, step))),
                asImageFileName(buildOutput(plan, step))));
    }
}

} // namespace slipway
