// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace slipway {

/// RunLabels are what the user says about a run: its name, tags and notes, and how its log is to be
/// read. A value, stored in a column of its own, because any program of this computer may change
/// it.
struct RunLabels {
    QString name; ///< instead of the recipe's title; empty: none
    QStringList tags; ///< in alphabetical order, without "#"
    QString note;
    QString readWith = {}; ///< id of the recipe that reads its log; empty: the one of the launch

    bool operator==(const RunLabels&) const = default;
};

/// The labels as they are stored: without spaces at the ends, each tag once. An error names what
/// cannot be stored.
Result<RunLabels> checkedLabels(RunLabels labels);

/// The tags in "#paper, baseline".
QStringList tagsIn(const QString& text);

QJsonObject labelsToJson(const RunLabels& labels);
RunLabels labelsFromJson(const QJsonObject& json);

} // namespace slipway
