// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QMap>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace slipway {

/// What a conversion cannot read from the Dockerfile alone. A value.
struct ConversionRequest {
    QMap<QString, QString> arguments; ///< build arguments: docker build --build-arg NAME=VALUE
    QString target; ///< the stage to build; empty: the last one
    QString architecture = QStringLiteral("amd64"); ///< of TARGETARCH and TARGETPLATFORM
    /// Whether a path of the build context is a folder; none: not known. COPY copies a file into a
    /// folder, but of a folder its content.
    std::function<std::optional<bool>(const QString& path)> isFolder = {};
};

/// How much of an instruction reached the definition file.
enum class RemarkSeverity {
    Note, ///< converted, or without effect in Apptainer; worth knowing
    Lost, ///< the image will lack something, or the build will fail
};

/// What a person should know of one instruction. A value.
struct ConversionRemark {
    int line = 0; ///< of the Dockerfile, from 1
    QString instruction; ///< "COPY"
    QString sentence;
    RemarkSeverity severity = RemarkSeverity::Note;
    bool operator==(const ConversionRemark&) const = default;
};

/// Lines of the definition that come from one instruction, to show both side by side. An
/// instruction may lead to several. Lines count from 1; the last ones are included. A value.
struct ConvertedLines {
    QString instruction;
    int firstLine = 0, lastLine = 0; ///< of the Dockerfile
    int firstResult = 0, lastResult = 0; ///< of the definition; 0: nothing of it is there
    bool operator==(const ConvertedLines&) const = default;
};

/// Conversion is an Apptainer definition file with the instructions of a Dockerfile, and what is
/// different. A value.
struct Conversion {
    QString definition;
    std::vector<ConversionRemark> remarks; ///< by line of the Dockerfile
    std::vector<ConvertedLines> lines; ///< by line of the Dockerfile, then of the definition
    bool hasLosses() const;
};

/// Converts a Dockerfile. Pure. Stages that the target does not need are left out, and a stage that
/// begins with another one repeats its instructions, because Apptainer has no such base. Invalid:
/// not a Dockerfile, or past the bounds (1 MiB, 2,000 instructions, 32,768 characters a line);
/// Unsupported: the target begins with nothing (FROM scratch).
Result<Conversion> convertDockerfile(const QByteArray& text, const ConversionRequest& request = {});

} // namespace slipway
