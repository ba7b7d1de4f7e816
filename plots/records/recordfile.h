// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/records/recordreader.h"

#include <optional>

namespace slipway {

/// Whether a file is written by a metrics logger, by its name within the run's folder. None: it is
/// not read. What a table or a JSON file holds is only known from its content; without a counter of
/// steps or epochs nothing is drawn of it.
std::optional<RecordFile> recordFileOf(const QString& name);

/// Of all names in a run's folder those to read, at most `most`, the first ones first. Of the
/// checkpoints of one training only the latest has a copy that counts: each repeats the ones
/// before.
QStringList chooseRecordFiles(const QStringList& names, qsizetype most);

} // namespace slipway
