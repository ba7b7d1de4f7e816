// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace slipway {

/// A here-document of RUN, COPY or ADD. A value.
struct DockerHeredoc {
    QString mark; ///< "<<EOF", as it is written
    QString name; ///< "EOF"
    bool expands = true; ///< variables are replaced; not with <<"EOF"
    bool dropsTabs = false; ///< <<-EOF
    QStringList lines; ///< without the last, which is the name

    QString content() const; ///< each line with its newline, leading tabs dropped where wanted
};

/// One instruction of a Dockerfile. A value.
struct DockerInstruction {
    QString name; ///< in capitals: "RUN"
    int firstLine = 0, lastLine = 0; ///< from 1
    QStringList flags; ///< "--from=build"
    QStringList pieces; ///< its text after name and flags, in the lines as they were continued
    std::vector<DockerHeredoc> heredocs;
    bool hadControls = false; ///< control characters were taken out

    QString text() const { return pieces.join(QString()).trimmed(); }
    QString flag(const QString& name) const; ///< the value of --name=VALUE
    /// The words of the exec form ["a", "b"]; none: it is the shell form.
    std::optional<QStringList> words() const;
};

/// A Dockerfile as its instructions. A value.
struct DockerSource {
    QChar escape = u'\\'; ///< set by the parser directive “# escape=`”
    std::vector<DockerInstruction> instructions;
};

/// Reads continued lines, comments between them, parser directives and here-documents. Pure. The
/// bounds are those of convertDockerfile(); control characters other than tabs are taken out.
Result<DockerSource> readDockerInstructions(const QByteArray& text);

} // namespace slipway
