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

/// A call to a scheduler, or the wish for one that had no room. A value.
struct NotedCall {
    std::chrono::milliseconds time{0};
    quint16 caller = 0; ///< one of the programs, or of the sites in one; at most 15 bits
    bool isWish = false;

    auto operator<=>(const NotedCall&) const = default;
};
using NotedCalls = std::vector<NotedCall>; ///< oldest first

/// The calls of the last minute in the bytes of the file. What is of another boot, of the future or
/// no such file counts as nothing. Pure.
NotedCalls callsIn(const QByteArray& bytes, const QByteArray& boot, std::chrono::milliseconds now);
/// The bytes for these calls; of more than can be kept, the newest. Pure.
QByteArray callsFileOf(const NotedCalls& calls, const QByteArray& boot);
/// For how many calls more there is room. The wishes of those who have made fewer calls come first:
/// a caller that asks at short intervals leaves something to one that seldom does. Pure.
int roomFor(quint16 caller, const NotedCalls& calls, int limit);

/// CallsFile is the small file in which all programs of a person on this computer note their calls
/// to one scheduler, so that they stay within one budget. Each use locks it for microseconds, or
/// longer on a busy computer; a lock ends with the process that has it. One that cannot be read, or
/// that a stopped process keeps locked, counts as empty: the caller still has its own calls. A
/// value on the main thread.
class CallsFile {
public:
    /// For an account, in the runtime folder; empty, and nothing is shared, where that is not to be
    /// had.
    static CallsFile forAccount(const QString& account);
    /// Its copies are the same caller.
    explicit CallsFile(QString path);

    /// The calls of the last minute, by all programs.
    CallTimes calls() const;
    /// Adds `count` calls that are made now, if there is room for them within `limit`; none:
    /// always. False: there was not, and the wish for them is noted; or another process has just
    /// locked the file, and the answer is had by asking again a little later.
    bool add(int count, std::optional<int> limit = {}) const;

    static std::chrono::milliseconds now();

private:
    QString m_path;
    quint16 m_caller;
    /// The first of the attempts in a row that found the file locked.
    mutable std::optional<std::chrono::milliseconds> m_busySince;
};

} // namespace slipway
