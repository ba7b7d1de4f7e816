// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/proposeddefinition.h"

#include "app/catalogue/names.h"
#include "remote/base/tr.h"

namespace slipway {

namespace {

/// Installs what the file names, without replacing a package of the image.
QString packageSections(const QString& file)
{
    const bool project = file.endsWith(u".toml");
    const QString there = QStringLiteral("/opt/project");
    // Of a project its whole folder is needed; of a requirements file only that.
    const QString source = project ? QStringLiteral(".") : file;
    const QString target = project ? there : there + u'/' + file.section(u'/', -1);
    const QString what = project ? there : u"-r " + target;
    return u"\n%files\n    " + source + u' ' + target
        + u"\n\n%post\n"
          "    # Every package of the image is pinned, so that its PyTorch, if any, stays.\n"
          "    python3 -m pip list --format=freeze | grep -E '^[A-Za-z0-9._-]+==' "
          ">/opt/constraints.txt || true\n"
          "    python3 -m pip install --no-cache-dir -c /opt/constraints.txt "
        + what
        + u"\n\n%environment\n"
          "    # Packages in the home folder would come before those of the image.\n"
          "    export PYTHONNOUSERSITE=1\n";
}

/// For an image to start from: "docker://python:3.13" or a .sif file.
QString definitionHeader(const QString& image)
{
    const qsizetype mark = image.indexOf(QStringLiteral("://"));
    const QString agent = mark < 0 ? QStringLiteral("localimage") : image.left(mark);
    return QStringLiteral("Bootstrap: %1\nFrom: %2\n")
        .arg(agent, mark < 0 ? image : image.mid(mark + 3));
}

} // namespace

Result<QString> proposedDefinition(const Proposal& proposal)
{
    const QString image = proposal.values.value(QStringLiteral("image")).trimmed();
    const QString packages = proposal.values.value(QStringLiteral("packages")).trimmed();
    if (image.isEmpty() || image.contains(u'\n'))
        return Error{ErrorKind::Invalid,
            tr("No image could be proposed from what this folder holds."),
            tr("Choose a template, and write into it the image to start from.")};
    QString text = definitionHeader(image);
    text += QStringLiteral("\n# For the program in %1. The program is not in the image: its folder "
                           "is sent with each run.\n")
                .arg(QString(proposal.title).replace(u'\n', u' ').left(100));
    // A name with blanks would be two paths in %files.
    if (!packages.isEmpty() && isInnerPath(packages))
        text += packageSections(packages);
    else
        text +=
            QStringLiteral("\n%post\n    # Commands that install what the image lacks.\n    :\n");
    return text;
}

} // namespace slipway
