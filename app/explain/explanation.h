// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace slipway {

/// A remedy that is a field of the form: which one, and what becomes of its value. A value.
struct FieldChange {
    enum class Kind {
        Double, ///< twice what it was; `value` where nothing was asked for
        Set, ///< to `value`, which may be empty: the field is cleared
        Add, ///< `value` more
        Choose, ///< another one, which only the person can name
        Append, ///< `value` behind what is there, in a list
    };
    QString field; ///< Parameter::key
    Kind kind = Kind::Choose;
    QString value = {};

    bool operator==(const FieldChange&) const = default;
};

/// One thing that went wrong, or is worth knowing, with the line that shows it. A value; kept with
/// its run, in the language of the hints file.
struct Explanation {
    enum class Severity { Fault, Note };

    QString id; ///< "F22"; of a check of the node: "node.driver.version"
    qint64 line = 0; ///< of the log, from 1; 0: the scheduler said it, not the log
    QString evidence; ///< that line, shortened
    QString title;
    QString cause; ///< why it happens
    QString remedy; ///< what to do next
    Severity severity = Severity::Fault;
    std::optional<FieldChange> change = {};

    /// Whether slipway-probe said it of the node, not the log and not the scheduler.
    bool isOfNode() const { return id.startsWith(QLatin1String("node.")); }

    bool operator==(const Explanation&) const = default;
};

/// The stable word of a change, as hints.json and --json carry it: "double".
QString changeName(FieldChange::Kind kind);
std::optional<FieldChange::Kind> changeOf(const QString& name);
QString severityName(Explanation::Severity severity);

} // namespace slipway
