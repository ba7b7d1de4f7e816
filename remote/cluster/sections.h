// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QMap>

namespace slipway {

/// Several commands in one script: each output is between marks with a nonce, so that neither a
/// noisy start-up file nor the output of one command can be mistaken for another output. Pure.
class Sections {
public:
    explicit Sections(QByteArray nonce);

    /// `command` is shell text of one or more lines; a failing one does not stop the others. `name`
    /// is a word.
    QByteArray section(const QByteArray& name, const QByteArray& command) const;

    struct Answer {
        QByteArray out;
        int exitCode = -1;
    };
    /// The outputs by name. A truncated section is absent.
    QMap<QByteArray, Answer> parse(const QByteArray& output) const;

private:
    QByteArray m_nonce;
};

} // namespace slipway
