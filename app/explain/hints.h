// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/explain/anchorscan.h"
#include "app/explain/explanation.h"
#include "remote/base/result.h"

#include <QMap>
#include <QRegularExpression>
#include <QStringList>

#include <memory>
#include <vector>

namespace slipway {

/// One symptom of a failure: a text or a regular expression, where to search for it, and further
/// conditions. A value.
struct HintMatch {
    enum Where { Log = 1, Submit = 2, Reason = 4, State = 8, Event = 16, Exit = 32 };
    int where = Log;
    QString text; ///< a fragment; case is ignored
    std::optional<QRegularExpression> regex; ///< in place of `text`
    QStringList anchors; ///< with a regex: one of these texts occurs in every line that it matches
    int times = 1; ///< minimum number of matches
    QStringList after; ///< only in lines that follow a line with such a text
    int within = 1; ///< number of such lines
    QStringList also; ///< one of these must occur somewhere in the log too
    QStringList unless; ///< none of these may

    /// It matches only together with something else, so other hints may use its line.
    bool isConditional() const { return times > 1 || !also.isEmpty() || !unless.isEmpty(); }
    /// Whether the text or the regex is in it; nothing else is looked at.
    bool occursIn(const QString& line) const;
};

/// What one name stands for: the meaning of an Xid, of a signal, of a limit. A value.
struct HintRow {
    QString title, cause, remedy;
    std::optional<FieldChange> change;
};

/// A sentence with the names of a regex's groups in braces, "It asked for {asked}.": part of the
/// explanation if the regex matches a line that shows the failure. A value.
struct HintDetail {
    QRegularExpression regex;
    QString text;
};

/// One known failure, as hints.json has it. A value. Several may share an id: the same failure with
/// a different cause.
struct Hint {
    QString id;
    QString name; ///< "cuda-out-of-memory": unique, for the tests' texts
    QString title;
    QString
        namedTitle; ///< in its place where a regex has captured a “name”, which it shows as {name}
    QString cause;
    QString remedy;
    Explanation::Severity severity = Explanation::Severity::Fault;
    bool weak = false; ///< the text is ambiguous: shown only when no better hint matches
    bool general = false; ///< a program's own last words: shown only when nothing else is known
    bool gpu = false; ///< not a fault in a job that requested no GPU
    bool onlyAfterFailure = false; ///< only for a job that is known to have failed
    bool endsWell = false; ///< a fault even if the job ended well: it did not do what was intended
    bool consequence = false; ///< what other processes say after a failure: shown only alone
    Explanation::Certainty certainty = Explanation::Certainty::Sure;
    QStringList yieldsTo; ///< ids of better explanations
    QMap<QString, QStringList> when; ///< by fact: only where it has one of these values
    QMap<QString, HintRow> rows; ///< by the group “name” that a regex captures
    std::vector<HintDetail> details; ///< the first that matches is shown
    QStringList shown; ///< facts of the run that belong to it: "memory", "gpu_memory", "exit"…
    QMap<QString, QString> remedies; ///< by container runtime: the remedy there
    QMap<QString, QString> facts; ///< by fact of the site: a sentence for the remedy, with {value}
    std::optional<FieldChange> change;
    std::vector<FieldChange> alternatives; ///< other fields that could remove the cause
    std::vector<HintMatch> matches;
};

/// HintBook holds all hints, prepared for searching: constant after construction, shared by every
/// Explainer.
class HintBook {
public:
    explicit HintBook(std::vector<Hint> hints = {});
    HintBook(const HintBook&) = delete; // its matches point into its hints
    HintBook& operator=(const HintBook&) = delete;

    const std::vector<Hint>& hints() const { return m_hints; }

    /// What an anchor that was found in a line belongs to.
    struct Role {
        enum Kind { Main, After, Also, Unless, Traceback };
        Kind kind;
        int match; ///< its place in matches(); -1: the heading of a traceback
    };
    struct Match {
        int hint; ///< its place in hints()
        const HintMatch* match;
    };
    const std::vector<Match>& matches() const { return m_matches; }
    /// Of matches(), those that are looked for in events.
    const std::vector<size_t>& eventMatches() const { return m_eventMatches; }
    const std::vector<Role>& roles() const { return m_roles; } ///< by anchor
    const AnchorScan& scan() const { return m_scan; }
    const AnchorScan& shapeScan() const { return m_shapeScan; }

private:
    void addAnchors(const QStringList& texts, Role::Kind kind, int match);

    std::vector<Hint> m_hints;
    std::vector<Match> m_matches;
    std::vector<size_t> m_eventMatches;
    std::vector<Role> m_roles;
    std::vector<std::string> m_anchors;
    AnchorScan m_scan;
    AnchorScan m_shapeScan; ///< see AnchorScan::ofShapes()
};

/// A change with its placeholders filled in: {folder} by the folder of the path that the evidence
/// names, {scratch} and others by facts of the site. What cannot be filled in must be chosen by the
/// user.
FieldChange filledIn(
    const FieldChange& change, const QString& evidence, const QMap<QString, QString>& facts);

/// Reads hints.json strictly: an error names the file, the line and the field.
Result<std::vector<Hint>> parseHints(const QByteArray& json, const QString& file);

/// The hints of the program's folder, preceded by the user's own hints.json. A file that cannot be
/// read is an error in the list and does not affect the other one. Reads the disk.
std::shared_ptr<const HintBook> loadHints(
    const QString& builtInFolder, const QString& ownFolder, std::vector<Error>* errors);

} // namespace slipway
