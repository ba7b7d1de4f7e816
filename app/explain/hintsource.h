// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/hints.h"

namespace slipway {

/// HintSource reads the hints when they are first needed: most commands of the terminal program
/// explain nothing, and reading the hints is a good part of their start. A file of the person's own
/// is read at once, so that an error in it is reported by every command. Shared by the Engine and
/// its runs; used on their thread only.
class HintSource {
public:
    /// The folders of hints.json; `ownFolder` is ~/.config/slipway, or empty.
    HintSource(QString builtInFolder, QString ownFolder);

    /// Reads the files if nobody has yet. Never null.
    const std::shared_ptr<const HintBook>& book();
    /// What could not be read so far.
    const std::vector<Error>& errors() const { return m_errors; }

private:
    QString m_builtInFolder, m_ownFolder;
    std::shared_ptr<const HintBook> m_book; ///< null: not read yet
    std::vector<Error> m_errors;
};

} // namespace slipway
