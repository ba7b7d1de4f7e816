// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/documents/document.h"

namespace slipway {

/// The documents that Slipway is based on, by id, and an error for each file that could not be
/// read. A value.
struct Documents {
    std::vector<Document> documents;
    std::vector<Error> errors;

    std::vector<Workflow> workflows() const; ///< of all of them
};

/// Reads documents/*.json of both folders; of two with the same id the user's wins. Separate from
/// the other resources, because few callers need them. Reads the disk: some hundred
/// KB.
Documents loadDocuments(const QString& builtInFolder, const QString& ownFolder);

} // namespace slipway
