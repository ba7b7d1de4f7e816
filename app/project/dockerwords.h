// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>

#include <vector>

namespace slipway {

/// `text` as one word for the shell of a section: bare where that is safe, else in single quotes.
/// No line of it begins with what Apptainer takes for a section (%…) or a stage (Bootstrap:), and
/// nothing in it reads as a build argument ({{ name }}), however the text is indented.
QString sectionWord(const QString& text);

/// Whether Apptainer would take this line for the beginning of a section or of a stage.
bool beginsSection(const QString& line);

/// A value of a Dockerfile after its variables were replaced. Those that only the base image knows
/// stay, for the shell to replace. A value.
struct DockerValue {
    struct Part {
        QString text;
        bool isShell = false; ///< ${NAME}, ${NAME:-default}: as it stands in double quotes
    };
    std::vector<Part> parts;

    bool isLiteral() const;
    QString text() const; ///< for a person, and where no shell reads it
    QString shellWord() const;
    qsizetype size() const;
    void add(const QString& literal);
    void add(const DockerValue& other);
};

/// DockerScope is what the variables of a stage stand for at one instruction. A value.
struct DockerScope {
    QMap<QString, DockerValue> values;
    QSet<QString> environment; ///< the names that ENV set: they win over ARG
    QChar escape = u'\\';
    QSet<QString> unknown = {}; ///< filled by expand(): names that the base image may set
    bool isTooLong = false; ///< filled by expand(): values grew past any use

    /// A word with its quotes taken off and its variables replaced.
    DockerValue expand(const QString& word);
};

/// The words of a text, at blanks outside quotes; quotes and escapes stay.
QStringList dockerWords(const QString& text, QChar escape);

} // namespace slipway
