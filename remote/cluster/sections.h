// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QByteArrayList>
#include <QMap>

namespace slipway {

/// Several questions in one script: each answer stands between marks that carry a nonce, so that
/// neither a noisy start-up file nor one answer's text can be taken for another answer. Pure.
class Sections {
public:
    explicit Sections(QByteArray nonce);

    /// `command` is shell text of one or more lines; a failing one stops nothing. `name` is a word.
    QByteArray section(const QByteArray& name, const QByteArray& command) const;

    struct Answer {
        QByteArray out;
        int exitCode = -1;
    };
    /// What came back, by name. A section that was cut off is not there.
    QMap<QByteArray, Answer> parse(const QByteArray& output) const;

private:
    QByteArray m_nonce;
};

} // namespace slipway
