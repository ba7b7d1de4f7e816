// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/names.h"

#include "remote/base/shellquoting.h"

#include <QRegularExpression>
#include <QStringList>

namespace slipway {

namespace {

bool fits(const QRegularExpression& form, const QString& text)
{
    return form.match(text).hasMatch();
}

} // namespace

bool isIdentifier(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\A[a-z0-9][a-z0-9-]{0,62}\z)"));
    return fits(form, text);
}

bool isKey(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\A[a-z][a-z0-9_]{0,62}\z)"));
    return fits(form, text);
}

bool isVariableName(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\A[A-Za-z_][A-Za-z0-9_]{0,126}\z)"));
    return fits(form, text);
}

bool isPathExpression(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(
        R"(\A(?=[/$])(?:[^$"`\\\x00-\x1f\x7f]|\$[A-Za-z_][A-Za-z0-9_]*|\$\{[A-Za-z_][A-Za-z0-9_]*\})*\z)"));
    return text.size() <= 1024 && fits(form, text);
}

bool isInnerPath(const QString& text)
{
    static const QRegularExpression form(QStringLiteral(R"(\A[A-Za-z0-9_*][A-Za-z0-9_.*/+-]*\z)"));
    return fits(form, text) && !text.split(u'/').contains(QStringLiteral(".."));
}

bool isModuleName(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral(R"(\A[A-Za-z0-9][A-Za-z0-9_./+:-]{0,126}\z)"));
    return fits(form, text);
}

QString shellWord(const QString& text)
{
    static const QRegularExpression harmless(QStringLiteral(R"(\A[A-Za-z0-9_@%+=:,./-]+\z)"));
    return fits(harmless, text) ? text : QString::fromUtf8(shellQuoted(text));
}

} // namespace slipway
