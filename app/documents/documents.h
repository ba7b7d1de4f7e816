// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/documents/document.h"

namespace slipway {

/// The documents that Slipway began with, by id, and an error for each file that could not be read.
/// A value.
struct Documents {
    std::vector<Document> documents;
    std::vector<Error> errors;

    std::vector<Workflow> workflows() const; ///< of all of them
};

/// Reads documents/*.json of both folders; of two with one id the person's wins. Apart from the
/// other resources, as only those who look at the documents need them. Reads the disk: some hundred
/// KB.
Documents loadDocuments(const QString& builtInFolder, const QString& ownFolder);

} // namespace slipway
