// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/followscript.h"

#include <QCryptographicHash>

namespace slipway {

namespace {

constexpr qint64 blockSize = 4 * 1024 * 1024;

QByteArray sha(const QByteArray& bytes)
{
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

QByteArray seconds(std::chrono::milliseconds time)
{
    return QByteArray::number(double(time.count()) / 1000.0, 'f', 3);
}

QByteArray variable(const char* name, const QByteArray& value)
{
    return QByteArray(name) + '=' + value + '\n';
}

// look() opens the file before it asks for its size: on NFS only an open sees what another machine
// wrote. part FROM COUNT is a fingerprint. A block counts when afterwards the file is the same
// inode, has not shrunk below the block, and still begins as it did. Nothing here holds a lock or a
// temporary file; when the connection is gone, the next mark fails and the loop ends.
constexpr char loop[] = R"SH(LC_ALL=C; export LC_ALL
m() { printf '\n\036SLPL %s %s\n' "$N" "$*" 2>/dev/null || exit 0; }
look() { set -- $({ stat -L -c '%i %s' - <"$f"; } 2>/dev/null); i=$1 s=$2; [ -n "$s" ]; }
part() { set -- $({ tail -c +"$1" <"$f" | head -c "$2" | sha256sum; } 2>/dev/null); echo "$1"; }
same() { [ "$h" = 0 ] || [ "$(part 1 "$h")" = "$H" ]; }
anew() { m R; o=0 h=0 H= t=0 T=; I=$i; m I "$I"; }
nap() { sleep "$1" 2>/dev/null || sleep 1; }
m S
w=0
until [ -f "$f" ] && look; do
  if [ -e "$f" ] && [ ! -r "$f" ]; then m U; exit 0; fi
  if [ "$F" = 1 ] && [ "$w" -ge 3 ]; then m N; exit 0; fi
  [ "$w" = 0 ] && m W
  w=$((w+1)); [ $((w % 15)) = 0 ] && m A
  nap 1
done
if [ "$I" != 0 ]; then
  if [ "$I" != "$i" ] || [ "$s" -lt "$o" ] || ! same; then anew
  elif [ "$t" != 0 ] && [ "$(part $((o-t+1)) "$t")" != "$T" ]; then anew
  fi
fi
I=$i; m I "$I"
q=0
while :; do
  if [ -f "$f" ] && look; then
    if [ "$i" != "$I" ] || [ "$s" -lt "$o" ]; then anew; q=0; continue; fi
    if [ "$s" -gt "$o" ]; then
      c=$((s-o)); [ "$c" -gt "$B" ] && c=$B
      m B "$o" "$c"
      tail -c +$((o+1)) <"$f" 2>/dev/null | head -c "$c"
      if look && [ "$i" = "$I" ] && [ "$s" -ge $((o+c)) ] && same; then
        m K; o=$((o+c))
        if [ "$h" -lt 4096 ]; then h=$o; [ "$h" -gt 4096 ] && h=4096; H=$(part 1 "$h"); fi
      else
        m X; [ -z "$s" ] || same || anew
      fi
      q=0
      [ $((${s:-0} - o)) -gt 65536 ] && continue
    fi
  elif [ "$F" = 1 ] && [ "$q" -ge "$Q" ]; then m E "$o"; exit 0
  fi
  q=$((q+1))
  if [ "$F" = 1 ] && [ "$q" -gt "$Q" ]; then m E "$o"; exit 0; fi
  [ $((q % 16)) = 0 ] && m A
  if [ "$F" = 1 ] || [ "$q" -le 10 ]; then nap "$D"; else nap "$C"; fi
done
)SH";

} // namespace

QByteArray followScript(const QString& path, const LogPosition& position, const QByteArray& nonce,
    const FollowPace& pace, bool final)
{
    const qint64 quietRounds =
        std::max<qint64>(1, pace.settle / std::max(pace.busy, std::chrono::milliseconds(1)));
    const bool known = position.inode != 0;
    return variable("f", shellQuoted(path)) + variable("N", nonce)
        + variable("I", QByteArray::number(position.inode))
        + variable("o", QByteArray::number(known ? position.offset : 0))
        + variable("h", QByteArray::number(known ? position.head.size() : 0))
        + variable("H", sha(position.head))
        + variable("t", QByteArray::number(known ? position.tail.size() : 0))
        + variable("T", sha(position.tail)) + variable("F", final ? "1" : "0")
        + variable("Q", QByteArray::number(quietRounds))
        + variable("B", QByteArray::number(blockSize)) + variable("D", seconds(pace.busy))
        + variable("C", seconds(pace.calm)) + loop;
}

FollowReader::FollowReader(const QByteArray& nonce)
    : m_mark("\n\036SLPL " + nonce + ' ')
{
}

std::vector<FollowItem> FollowReader::feed(const QByteArray& bytes)
{
    std::vector<FollowItem> items;
    m_pending += bytes;
    while (true) {
        const auto at = m_pending.indexOf(m_mark, m_searchFrom);
        const auto lineEnd = at < 0 ? -1 : m_pending.indexOf('\n', at + m_mark.size());
        if (lineEnd < 0) {
            // A mark may be split anywhere: search again only where it could begin.
            m_searchFrom =
                at >= 0 ? at : std::max<qsizetype>(0, m_pending.size() - m_mark.size() + 1);
            if (!m_begun && at < 0) { // noise of start-up files
                m_pending.remove(0, m_searchFrom);
                m_searchFrom = 0;
            }
            break;
        }
        const QByteArray before = m_pending.left(at);
        const QByteArray words = m_pending.mid(at + m_mark.size(), lineEnd - at - m_mark.size());
        // Each mark brings its own newline before it, so the one at its end belongs to it alone.
        m_pending.remove(0, lineEnd + 1);
        m_searchFrom = 0;
        takeMark(words, before, items);
    }
    const bool tooMuch = m_pending.size() > 2 * blockSize;
    if (tooMuch)
        items.push_back({FollowItem::Kind::Nonsense, 0, {}});
    return items;
}

void FollowReader::takeMark(
    const QByteArray& words, const QByteArray& before, std::vector<FollowItem>& items)
{
    using Kind = FollowItem::Kind;
    m_begun = true;
    if (m_inBlock) { // the first mark after B closes the block
        m_inBlock = false;
        const bool whole = before.size() == m_blockSize;
        if (words == "K" && whole)
            items.push_back({Kind::Block, quint64(m_blockOffset), before});
        else if (words == "K")
            items.push_back(
                {Kind::Nonsense, 0, {}}); // bytes are missing although the file was the same
        else
            items.push_back({Kind::Dropped, 0, {}});
        if (words == "K" || words == "X")
            return;
    }
    const auto list = words.split(' ');
    const QByteArray& kind = list.first();
    const quint64 number = list.value(1).toULongLong();
    if (kind == "B") {
        m_inBlock = true;
        m_blockOffset = qint64(number);
        m_blockSize = list.value(2).toLongLong();
    } else if (kind == "W") {
        items.push_back({Kind::Waiting, 0, {}});
    } else if (kind == "I") {
        items.push_back({Kind::Inode, number, {}});
    } else if (kind == "R") {
        items.push_back({Kind::Restart, 0, {}});
    } else if (kind == "A" || kind == "S") {
        items.push_back({Kind::Alive, 0, {}});
    } else if (kind == "U") {
        items.push_back({Kind::Unreadable, 0, {}});
    } else if (kind == "N") {
        items.push_back({Kind::NeverCame, 0, {}});
    } else if (kind == "E") {
        items.push_back({Kind::End, number, {}});
    } else {
        items.push_back({Kind::Nonsense, 0, {}});
    }
}

} // namespace slipway
