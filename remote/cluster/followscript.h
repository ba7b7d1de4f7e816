// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/logfollower.h"

#include <QByteArray>

#include <vector>

namespace slipway {

/// The loop that reads a file on the far side: waits for it, compares it with what was read before,
/// sends it in blocks. With `final` it ends when the file grows no more. One mark a line:
///   W waiting · I inode · R begins again · B offset size, then so many bytes · K the block counts
///   X it does not · A still there · U may not be read · N never came · E size, the end
QByteArray followScript(const QString& path, const LogPosition& position, const QByteArray& nonce,
    const FollowPace& pace, bool final);

/// One thing that the loop said.
struct FollowItem {
    enum class Kind {
        Waiting,
        Inode,
        Restart,
        Block,
        Dropped,
        Alive,
        Unreadable,
        NeverCame,
        End,
        Nonsense
    };
    Kind kind = Kind::Nonsense;
    quint64 number = 0; ///< inode, offset of the block, or the final size
    QByteArray bytes; ///< of a block that counts
};

/// FollowReader takes the loop's output in pieces of any size and gives what it said. A block is
/// given out when the mark behind it says that the file was still the same. Pure.
class FollowReader {
public:
    explicit FollowReader(const QByteArray& nonce);
    std::vector<FollowItem> feed(const QByteArray& bytes);

private:
    void takeMark(
        const QByteArray& words, const QByteArray& before, std::vector<FollowItem>& items);

    QByteArray m_mark;
    QByteArray m_pending;
    qsizetype m_searchFrom = 0;
    bool m_begun = false;
    bool m_inBlock = false;
    qint64 m_blockOffset = 0;
    qint64 m_blockSize = 0;
};

} // namespace slipway
