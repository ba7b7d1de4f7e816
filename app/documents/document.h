// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/site.h"

#include <map>
#include <optional>
#include <variant>
#include <vector>

namespace slipway {

/// One entry of the catalogue of what the documents teach.
struct Workflow {
    QString id; ///< "W9"
    QString title;
    QString source; ///< the document's title
};

/// What the script of a recipe at a site must hold, or what lint must say of it. Lines are compared
/// without regard to where the script breaks them; " … " in one stands for anything between.
struct ScriptCheck {
    QString recipe;
    QString site;
    std::vector<RuntimeKind> runtimes; ///< empty: the site's own
    bool interactive = false;
    QMap<QString, QString> values;
    QStringList lines; ///< each stands within one line
    QStringList without; ///< none of these stands anywhere
    QMap<QString, QString> fields; ///< the value that the form shows
    QString problemField, problemText; ///< lint says so; empty: nothing is expected of it
    bool clean = false; ///< lint says nothing at all
};

/// What a file beside a recipe must hold: a Dockerfile, a definition file, a program.
struct FileCheck {
    QString recipe;
    QString file;
    QStringList lines, without;
};

/// What a site file must say, by path: "partitions.gpu-h100.gpus_per_node".
struct SiteCheck {
    QString site;
    QMap<QString, QString> facts;
};

/// A block that a document prints, and what the recognisers must read in it.
struct OutputCheck {
    QStringList log;
    QString recipe; ///< whose recognisers and patterns; empty: all
    std::map<QString, std::vector<double>>
        series; ///< the values of y, in their order, in base units
    QStringList events; ///< texts that an event holds
};

/// A published number, which a chart or a race draws: of a recipe, or of gpu-references.json.
struct ReferenceCheck {
    QString recipe; ///< empty: gpu-references.json
    QString label;
    std::vector<std::vector<double>> points; ///< x and y, in base units
};

/// A failure that a document warns of, and the hint that must name it.
struct HintCheck {
    QStringList log;
    QString hint; ///< its id
    QString runtime;
};

/// What a recipe's teaching text must say, or an exercise that is one click away.
struct TeachingCheck {
    QString recipe;
    QString text; ///< a fragment
    bool exercise = false;
};

using DocumentCheck = std::variant<ScriptCheck, FileCheck, SiteCheck, OutputCheck, ReferenceCheck,
    HintCheck, TeachingCheck>;

/// One thing that a document does, says or prints, and how Slipway does it. A value.
struct DocumentRow {
    enum class Kind { Command, Script, Setting, Number, Output, Exercise, Advice, Fact };
    enum class How { Exact, Differs, Absent };
    QString id;
    QString place; ///< the document's heading
    QString what;
    Kind kind = Kind::Command;
    QString workflow; ///< "W16"; may be empty
    How how = How::Exact;
    QString why; ///< where it is not exact
    std::vector<DocumentCheck> checks;
};

/// Document is one of the documents that Slipway began with, as a table: every command, script,
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

/// Where a row is done, for a table: "pi-nodes at frontera-rtx", "site kestrel", each once.
QStringList rowPlaces(const DocumentRow& row);

Result<Document> parseDocument(const QByteArray& json, const QString& file);

} // namespace slipway
