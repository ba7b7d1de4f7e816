// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/variablenames.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace slipway {

namespace {

bool isReservedVariable(const QString& name)
{
    static const QStringList whole{QStringLiteral("PATH"), QStringLiteral("HOME"),
        QStringLiteral("SHELL"), QStringLiteral("USER"), QStringLiteral("LOGNAME"),
        QStringLiteral("PWD"), QStringLiteral("OLDPWD"), QStringLiteral("IFS"),
        QStringLiteral("ENV"), QStringLiteral("CDPATH"), QStringLiteral("GLOBIGNORE"),
        QStringLiteral("POSIXLY_CORRECT"), QStringLiteral("SHELLOPTS"), QStringLiteral("TMPDIR"),
        QStringLiteral("TERM"), QStringLiteral("LANG"), QStringLiteral("LANGUAGE"),
        QStringLiteral("HOSTNAME"), QStringLiteral("UID"), QStringLiteral("EUID"),
        QStringLiteral("PPID"), QStringLiteral("SECONDS"), QStringLiteral("PYTHONPATH"),
        QStringLiteral("PYTHONHOME"), QStringLiteral("PYTHONSTARTUP"), QStringLiteral("PERL5LIB"),
        QStringLiteral("PERL5OPT"), QStringLiteral("PROMPT_COMMAND"), QStringLiteral("PS4")};
    static const QStringList beginnings{QStringLiteral("LD_"), QStringLiteral("LC_"),
        QStringLiteral("BASH"), QStringLiteral("SLURM"), QStringLiteral("SBATCH_"),
        QStringLiteral("SALLOC_"), QStringLiteral("SRUN_"), QStringLiteral("SLIPWAY"),
        QStringLiteral("slipway"), QStringLiteral("APPTAINER"), QStringLiteral("SINGULARITY"),
        QStringLiteral("ENROOT_"), QStringLiteral("GLIBC_"), QStringLiteral("MALLOC_")};
    return whole.contains(name)
        || std::any_of(beginnings.begin(), beginnings.end(),
            [&name](const QString& beginning) { return name.startsWith(beginning); });
}

} // namespace

bool isFreeVariableName(const QString& name)
{
    static const QRegularExpression form(QStringLiteral("\\A[A-Za-z_][A-Za-z0-9_]{0,127}\\z"));
    return form.match(name).hasMatch() && !isReservedVariable(name);
}

} // namespace slipway
