// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace slipway {

/// A remedy that changes a field of the form: which field, and how its value changes. A value.
struct FieldChange {
    enum class Kind {
        Double, ///< twice the old value; `value` where nothing was requested
        Set, ///< to `value`, which may be empty: the field is cleared
        Add, ///< `value` more
        Choose, ///< another value, which only the user can choose
        Append, ///< `value` added to the end of a list
        Halve, ///< half of the old value
    };
    QString field; ///< Parameter::key
    Kind kind = Kind::Choose;
    QString value = {};

    bool operator==(const FieldChange&) const = default;
};

/// A line of the log that shows a failure, shortened. A value.
struct EvidenceLine {
    qint64 line = 0;
    QString text;

    bool operator==(const EvidenceLine&) const = default;
};

/// One failure or note, with the lines that show it. A value; stored with its run, in the language
/// of the hints file.
struct Explanation {
    enum class Severity { Fault, Note };
    /// Sure: the text has one meaning. Likely: it nearly always means this. Possible: it may also
    /// mean something else, which the cause names.
    enum class Certainty { Sure, Likely, Possible };

    QString id; ///< "F22"; of a check of the node: "node.driver.version"
    qint64 line = 0; ///< of the log, from 1; 0: from the scheduler, not from the log
    QString evidence; ///< that line, shortened
    QString title;
    QString cause; ///< why it happens
    QString remedy; ///< what to do next
    Severity severity = Severity::Fault;
    std::optional<FieldChange> change = {};
    Certainty certainty = Certainty::Sure;
    std::vector<EvidenceLine> further = {}; ///< more lines that count, consequences among them
    int lines = 1; ///< how many lines of the log say so, those in `further` included
    QString facts = {}; ///< what Slurm and the samples know of it, in sentences; may be empty
    std::vector<FieldChange> alternatives = {}; ///< other fields that could remove the cause
    QString name = {}; ///< of the hint: "gpu-out-of-memory"; several share an id

    /// Whether it comes from slipway-probe, not from the log or the scheduler.
    bool isOfNode() const { return id.startsWith(QLatin1String("node.")); }

    bool operator==(const Explanation&) const = default;
};

/// The stable name of a change, as used in hints.json and --json: "double".
QString changeName(FieldChange::Kind kind);
std::optional<FieldChange::Kind> changeOf(const QString& name);
QString severityName(Explanation::Severity severity);
QString certaintyName(Explanation::Certainty certainty);
std::optional<Explanation::Certainty> certaintyOf(const QString& name);

} // namespace slipway
