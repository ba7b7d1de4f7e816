// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/runs/run.h"
#include "ui/parts/sign.h"

#include <QDateTime>
#include <QString>

namespace slipway {

/// A state as it is shown: a sign, a word and a colour. A value.
struct StateWord {
    Sign sign = Sign::None;
    QString word;
    Tint tint = Tint::Plain;
};

StateWord stateWord(RunPhase phase);
StateWord stateWord(StageState state);
StateWord stateWord(ConnectionState::Phase phase);

/// "12 s ago", "3 min ago", "yesterday 14:02", "12 Mar 2026, 09:30".
QString agoText(const QDateTime& when, const QDateTime& now);

/// "14:02", of another day "12 Mar, 14:02", of another year "12 Mar 2025, 14:02".
QString clockText(const QDateTime& when, const QDateTime& now);

/// The title of a run's row and page.
QString runTitle(const Run& run);

/// A long path with its middle left out: "/scratch/…/2026-11-20-bert-k3f9".
QString foldedPath(const QString& path);

} // namespace slipway
