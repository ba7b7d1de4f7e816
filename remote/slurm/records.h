// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace slipway {

/// Separators of one query: 128 random bits inside each, so that no job name or comment can forge a
/// field or a row (Slurm accepts any bytes in both). Never reused for a second query.
struct Separators {
    QByteArray field;
    QByteArray row;

    static Separators random();
    /// For tests. `nonce` must not begin with a digit or a dot: squeue(1) reads those as a width.
    static Separators of(const QByteArray& nonce);
};

using Record = std::vector<QByteArray>;

/// Splits `output` into rows of exactly `fields` fields. A truncated row makes the whole answer
/// unknown: an Error of kind Protocol, never fewer rows. So does a row with another number of
/// fields, unless `odd` is given: then such rows are left out and counted there, and only an answer
/// without valid rows is an error.
Result<std::vector<Record>> splitRecords(
    const QByteArray& output, const Separators& separators, int fields, int* odd = nullptr);

/// Bytes from the cluster as text: UTF-8, with invalid bytes replaced by U+FFFD.
QString lenientText(const QByteArray& bytes);

} // namespace slipway
