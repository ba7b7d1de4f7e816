// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

#include <map>
#include <optional>
#include <variant>
#include <vector>

namespace slipway {

/// One workflow that the documents teach.
struct Workflow {
    QString id; ///< "W9"
    QString title;
    QString source; ///< the document's title
};

/// What the script of a recipe at a site must contain, or what lint must report about it. Lines are
/// compared without regard to line breaks; " … " matches anything.
struct ScriptCheck {
    QString recipe;
    QString site;
    std::vector<RuntimeKind> runtimes; ///< empty: the site's own
    bool interactive = false;
    QMap<QString, QString> values;
    QStringList lines; ///< each must occur within one line
    QStringList without; ///< none of these may occur anywhere
    QMap<QString, QString> fields; ///< the value that the form shows
    QString problemField, problemText; ///< lint must report this; empty: nothing is expected
    bool clean = false; ///< lint must report nothing at all
};

/// What a file of a recipe must contain: a Dockerfile, a definition file, a program.
struct FileCheck {
    QString recipe;
    QString file;
    QStringList lines, without;
};

/// The values that a site file must have, by path: "partitions.gpu-h100.gpus_per_node".
struct SiteCheck {
    QString site;
    QMap<QString, QString> facts;
};

/// A printed block of a document, and what the recognisers must read from it.
struct OutputCheck {
    QStringList log;
    QString recipe; ///< whose recognisers and patterns; empty: all
    std::map<QString, std::vector<double>>
        series; ///< the values of y, in their order, in base units
    QStringList events; ///< texts that an event must contain
};

/// A published number that a chart or a race shows: from a recipe, or from gpu-references.json.
struct ReferenceCheck {
    QString recipe; ///< empty: gpu-references.json
    QString label;
    std::vector<std::vector<double>> points; ///< x and y, in base units
};

/// A failure that a document warns about, and the hint that must match it.
struct HintCheck {
    QStringList log;
    QString hint; ///< its id
    QString runtime;
};

/// What a recipe's teaching text must contain, or an exercise that it must offer.
struct TeachingCheck {
    QString recipe;
    QString text; ///< a fragment
    bool exercise = false;
};

using DocumentCheck = std::variant<ScriptCheck, FileCheck, SiteCheck, OutputCheck, ReferenceCheck,
    HintCheck, TeachingCheck>;

/// One item of a document, and how Slipway covers it. A value.
struct DocumentRow {
    enum class Kind { Command, Script, Setting, Number, Output, Exercise, Advice, Fact };
    enum class How { Exact, Differs, Absent };
    QString id;
    QString place; ///< the document's heading
    QString what;
    Kind kind = Kind::Command;
    QString workflow; ///< "W16"; may be empty
    How how = How::Exact;
    QString why; ///< why it is not exact
    std::vector<DocumentCheck> checks;
};

/// Document is one of the documents that Slipway is based on, as a table: every command, script,
/// setting, number, printed block, exercise and piece of advice is a row. A value read from
/// resources/documents/<id>.json.
struct Document {
    QString id;
    QString title;
    std::vector<Workflow> workflows;
    std::vector<DocumentRow> rows;
};

QString rowKindName(DocumentRow::Kind kind);
QString rowHowName(DocumentRow::How how); ///< "exact", "differs", "absent"

/// Where a row is covered, for a table: "pi-nodes at frontera-rtx", "site kestrel", each once.
QStringList rowPlaces(const DocumentRow& row);

Result<Document> parseDocument(const QByteArray& json, const QString& file);

} // namespace slipway
