// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/runs/run.h"
#include "app/sessions/sessions.h"
#include "ui/parts/words.h"

#include <QPolygonF>

namespace slipway {

/// RunRow is what a row of the list shows of a run, ready to be painted. A value.
struct RunRow {
    QString title; ///< the user's name, or the recipe's title
    QString settings; ///< the command or the changed fields
    QString tags; ///< "#paper #baseline"
    StateWord state;
    QString
        text; ///< the second line: the cause of a failure, else the last number and the sentence
    QString place;
    bool failed = false;
    QPolygonF curve; ///< of the main series, in a square of side 1, with y downwards
    QDateTime created;
    QDateTime since; ///< the clock runs since then; not valid: it stands
    QString duration; ///< where the clock stands
};

/// A state that may be old, because its site is not connected, says of when it is, and its clock
/// stands. Pure.
RunRow makeRunRow(const Run& run, const QString& siteName, const ConnectionState& connection);

} // namespace slipway
