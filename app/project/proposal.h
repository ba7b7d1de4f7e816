// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// One line of a proposal: what was read, and where.
struct ProposalLine {
    QString key; ///< of the field that it fills: "image", "command", "gpus", "packages"
    QString label; ///< "Image"
    QString value; ///< as the field has it, or a sentence where there is no field
    QString reason; ///< "train.py imports torch"; names the file that was read
};

/// Proposal is what Slipway suggests for a person's own program after reading its folder. Nothing
/// in it is claimed that was not read; every value may be changed. A value.
struct Proposal {
    QString folder; ///< absolute; what goes up
    QString title; ///< the folder's name
    QString program; ///< relative to the folder, "train.py"; empty: none was found
    QMap<QString, QString> values; ///< of the fields of the recipe "own-code"
    std::vector<ProposalLine> lines; ///< one for each value, and for what has no field
    QStringList secrets; ///< environment variables that the program seems to want: WANDB_API_KEY
    QStringList questions; ///< what could not be decided: "Several programs: train.py, eval.py."
};

/// Reads a program (a file: its folder goes up) or a folder. `arguments` follow the program in the
/// command. Reads text files of up to 1 MiB and at most 2,000 files, follows no link out of the
/// folder, runs nothing. NotFound, or Invalid where it cannot be read. Images come from
/// own-code.json in `resources`; empty: the program's own resource folder.
Result<Proposal> readProject(
    const QString& path, const QStringList& arguments = {}, const QString& resources = {});

} // namespace slipway
