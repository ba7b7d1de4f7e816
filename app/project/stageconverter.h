// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/project/definitionfile.h"
#include "app/project/dockerrun.h"
#include "app/project/dockerwords.h"

#include <QMap>

#include <optional>

namespace slipway {

/// One stage of a Dockerfile: a FROM and what follows it. A value.
struct DockerStage {
    QString name; ///< in lower case; empty: only its number
    QString definitionName; ///< how the definition calls it
    QString image; ///< empty: it begins with another stage
    int base = -1; ///< that stage
    int from = -1; ///< the index of its FROM
    int first = 0, end = 0; ///< the indices of its instructions, the last one excluded
};

/// What the stages of one Dockerfile share. Lives for one conversion.
struct DockerContext {
    const ConversionRequest* request = nullptr;
    const std::vector<DockerInstruction>* instructions = nullptr;
    std::vector<DockerStage> stages;
    QChar escape = u'\\';
    QMap<QString, DockerValue> globals; ///< ARG before the first FROM
    std::vector<ConversionRemark> remarks;
    bool saidWhereSourcesAre = false;
    std::optional<Error> error; ///< the first one

    void remark(const DockerInstruction& of, RemarkSeverity severity, const QString& sentence);
    /// The stage that --from names, among those before `current`; -1: it is an image.
    int stageNamed(const QString& name, int current) const;
};

/// Adds a variable to a scope as ARG does: the build argument, a global ARG or its own default.
void defineArguments(const DockerInstruction& one, DockerScope* scope,
    const ConversionRequest& request, const QMap<QString, DockerValue>& globals,
    QStringList* defined);

/// StageConverter turns the instructions of one stage, and of those that it begins with, into the
/// sections of a definition. Lives for one stage.
class StageConverter {
public:
    StageConverter(DockerContext* context, int stage, bool isTarget);
    DefinitionStage convert();

private:
    /// ENTRYPOINT or CMD: words to run, or a line for a shell. A value.
    struct Start {
        QStringList words;
        QString line; ///< a command with its shell
        int instruction = -1;

        QString shellWords() const;
    };

    void convertStage(int stage);
    void convertOne(const DockerInstruction& one);
    void arg(const DockerInstruction& one);
    void env(const DockerInstruction& one);
    void run(const DockerInstruction& one);
    void runOptions(const DockerInstruction& one);
    void copy(const DockerInstruction& one);
    void copySource(const DockerInstruction& one, const QString& source, const QString& target);
    void copyLine(const DockerInstruction& one, const QString& source, const QString& target);
    void copyOptions(const DockerInstruction& one);
    void copyHeredoc(
        const DockerInstruction& one, const DockerHeredoc& heredoc, const QString& target);
    void setMode(const DockerInstruction& one, const QString& target);
    void addUrl(const DockerInstruction& one, const QString& url, const QString& target);
    void addArchive(const DockerInstruction& one, const QString& source, const QString& target);
    void copyInOrder(const DockerInstruction& one, const QString& source, const QString& target);
    void workdir(const DockerInstruction& one);
    void shell(const DockerInstruction& one);
    void start(const DockerInstruction& one);
    void label(const DockerInstruction& one);
    void addLabel(const DockerInstruction& one, const QString& key, const DockerValue& value);
    void withoutEffect(const DockerInstruction& one);
    void runscript();

    DockerValue expand(const DockerInstruction& one, const QString& word);
    QString absolute(const QString& path) const;
    void post(const QString& line) { m_result.post.push_back({line, m_index}); }
    void note(const DockerInstruction& one, const QString& sentence);
    void lost(const DockerInstruction& one, const QString& sentence);

    DockerContext* m_context;
    const int m_stage;
    const bool m_isTarget;
    DefinitionStage m_result;
    DockerScope m_scope;
    DockerShell m_shell;
    QStringList m_shellOptions; ///< set in %post: "-o pipefail"
    std::optional<DockerValue> m_workdir;
    std::optional<Start> m_entrypoint, m_command;
    bool m_ownCommand = false; ///< CMD of this stage, not of the one that it begins with
    std::vector<const DockerInstruction*> m_runs; ///< the RUNs so far
    int m_index = -1; ///< of the instruction at hand
    int m_current = 0; ///< the stage whose instructions are at hand
};

} // namespace slipway
