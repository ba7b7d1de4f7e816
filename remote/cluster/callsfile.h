// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>
#include <QString>

#include <chrono>
#include <optional>
#include <vector>

namespace slipway {

/// When calls to a scheduler were made, in milliseconds since this computer was started; oldest
/// first.
using CallTimes = std::vector<std::chrono::milliseconds>;

/// The calls of the last minute in the bytes of the file. What is of another boot, of the future or
/// no such file counts as nothing. Pure.
CallTimes callsIn(const QByteArray& bytes, const QByteArray& boot, std::chrono::milliseconds now);
/// The bytes for these calls; of more than can be kept, the newest. Pure.
QByteArray callsFileOf(const CallTimes& calls, const QByteArray& boot);

/// CallsFile is the small file in which all programs of a person on this computer note their calls
/// to one scheduler, so that they stay within one budget. Each use locks it for microseconds; a
/// lock ends with the process that has it. One that cannot be read or locked counts as empty: the
/// caller still has its own calls. A value on the main thread.
class CallsFile {
public:
    /// For an account, in the runtime folder; empty, and nothing is shared, where that is not to be
    /// had.
    static CallsFile forAccount(const QString& account);
    explicit CallsFile(QString path)
        : m_path(std::move(path))
    {
    }

    /// The calls of the last minute, by all programs.
    CallTimes calls() const;
    /// Adds `count` calls that are made now, if there are then at most `limit`; none: always.
    /// False: there was no room.
    bool add(int count, std::optional<int> limit = {}) const;

    static std::chrono::milliseconds now();

private:
    QString m_path;
};

} // namespace slipway
