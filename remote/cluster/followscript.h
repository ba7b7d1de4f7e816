// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/cluster/logposition.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <vector>

namespace slipway {

/// One file of a loop: its path and what is known of it.
struct FollowedFile {
    QString path;
    LogPosition position;
    QByteArray seen; ///< its change time when it was last confirmed; empty: compare its bytes
    bool final = false; ///< end when it stops growing
    std::chrono::milliseconds settle{0}; ///< final: no growth for so long is the end
};

/// The loop that reads files on the cluster: it waits for them, compares them with what was read
/// before, and sends them in blocks. It is started by followStarter() and read from standard input;
/// it ends when that input ends, or when the last of its files has ended. One mark per line; `n`
/// counts the files from 0:
///   W n waiting · I n inode · R n begins again · B n offset size, then so many bytes ·
///   K n changed hash: the block counts · X n it does not · U n may not be read · N n never came ·
///   E n size: its end · A still there · Z start anew
QByteArray followScript(
    const std::vector<FollowedFile>& files, const QByteArray& nonce, const FollowPace& pace);

/// The command that is run; it expects a script of this many bytes on its standard input, which
/// stays open.
QByteArray followStarter(qsizetype scriptSize);

/// The first bytes of a file, whose hash identifies it.
constexpr qsizetype followFingerprint = 4096;

/// One event of the loop.
struct FollowItem {
    enum class Kind {
        Waiting,
        Inode,
        Restart,
        Block,
        Dropped,
        Started,
        Alive,
        NewLoop,
        Unreadable,
        NeverCame,
        End,
        Nonsense
    };
    Kind kind = Kind::Nonsense;
    int file = 0;
    quint64 number = 0; ///< inode, offset of the block, or the final size
    QByteArray bytes; ///< of a valid block
    QByteArray changed = {}; ///< the file's change time when the block was confirmed
    QByteArray hash = {}; ///< sha256 of its first bytes then, with the block
};

/// FollowReader parses the loop's output in pieces of any size. A block is returned when the mark
/// after it confirms that the file was unchanged. Pure.
class FollowReader {
public:
    explicit FollowReader(const QByteArray& nonce);
    std::vector<FollowItem> feed(const QByteArray& bytes);

private:
    void takeMark(
        const QByteArray& words, const QByteArray& before, std::vector<FollowItem>& items);
    bool closeBlock(
        const QList<QByteArray>& words, const QByteArray& before, std::vector<FollowItem>& items);

    QByteArray m_mark;
    QByteArray m_pending;
    qsizetype m_searchFrom = 0;
    bool m_begun = false;
    bool m_inBlock = false;
    int m_blockFile = 0;
    qint64 m_blockOffset = 0;
    qint64 m_blockSize = 0;
};

} // namespace slipway
