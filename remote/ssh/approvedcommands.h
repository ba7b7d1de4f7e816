// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/prompter.h"

#include <QString>

namespace slipway {

/// ApprovedCommands is the file of the commands of SSH configurations that a person has allowed to
/// run on this computer: a checksum a line, so that a command that changes is asked about again.
/// 0600, in a folder that is made 0700. A value; any thread.
class ApprovedCommands {
public:
    /// Empty: slipway/approved-commands in the person's configuration folder.
    explicit ApprovedCommands(const QString& file = {});

    bool isApproved(const CommandQuestion& question) const;
    Result<void> approve(const CommandQuestion& question) const;

private:
    QString m_file;
};

} // namespace slipway
