// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/resourceloader.h"
#include "app/plan/makeplan.h"
#include "tests/support/paths.h"

#include <QtTest>

namespace slipway {

/// The resources of the source tree, which every test of a plan starts from. Read once a program.
inline const Resources& builtInResources()
{
    static const Resources read = [] {
        Resources resources = loadResources(slipway::sourcePath(QStringLiteral("/resources")), {});
        for (const Error& error : resources.errors)
            qWarning("%s", qPrintable(error.text()));
        return resources;
    }();
    return read;
}

inline Site builtInSite(const char* id)
{
    for (const Site& site : builtInResources().sites) {
        if (site.id == QLatin1String(id))
            return site;
    }
    qFatal("no site %s", id);
    return {};
}

inline Recipe builtInRecipe(const char* id)
{
    for (const Recipe& recipe : builtInResources().recipes) {
        if (recipe.id == QLatin1String(id))
            return recipe;
    }
    qFatal("no recipe %s", id);
    return {};
}

/// The words of every problem, for a failing test to show.
inline QByteArray problemsText(const Plan& plan)
{
    QString text;
    for (const Problem& problem : plan.problems)
        text += (problem.severity == Problem::Severity::Error ? u"error " : u"warning ")
            + problem.field + u": " + problem.text + u'\n';
    return text.toUtf8();
}

} // namespace slipway
