// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/followscript.h"

#include "remote/shell/shell.h"

#include <QCryptographicHash>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 blockSize = 1024 * 1024;

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

// Each poll reads the sizes of all files at once; a slow poll first opens each file, because on NFS
// only an open sees what another machine wrote. A block is valid if afterwards the file is the same
// inode, has not shrunk below the block, and still has the same beginning (the reader compares the
// hash). Between two polls the loop sleeps until tail reports that a file grew. tail is only a
// trigger: without it, and for files that it cannot watch, there is the slow poll. On network file
// systems tail does not get files that do not exist yet, for which it would search in each of its
// rounds. The loop holds no lock and no temporary file; when standard input ends, because the
// channel is closed, everything ends.
constexpr char loop[] = R"SH(LC_ALL=C; export LC_ALL
m() { printf '\n\036SLPL %s %s\n' "$N" "$*" 2>/dev/null || exit 0; }
nap() { sleep "$1" 2>/dev/null || sleep 1; }
look() { set -- $({ stat -L -c '%i %s %z' - <"$f"; } 2>/dev/null); i=$1 s=$2 z=$3_$4; [ -n "$s" ]; }
part() { set -- $({ tail -c +"$1" <"$f" | head -c "$2" | sha256sum; } 2>/dev/null); echo "$1"; }
same() {
  [ "$h" = 0 ] || [ "$(part 1 "$h")" = "$H" ] || return 1
  [ "$t" = 0 ] || [ "$(part $((o-t+1)) "$t")" = "$T" ]
}
anew() { m R "$n"; o=0; I=$i; m I "$n" "$I"; }

watch() {
  set --
  for n in $A; do
    eval "f=\$f$n"
    if [ "$local" = 1 ] || [ -f "$f" ]; then set -- "$@" "$f"; fi
  done
  if [ $# -gt 0 ]; then exec tail -q -n 0 -F -s "$G" -- "$@" 2>/dev/null; fi
}

looks() {
  set --
  there=
  for n in $A; do
    eval "f=\$f$n i$n= s$n= z$n="
    if [ -f "$f" ] && [ -r "$f" ]; then
      [ "$slow" = 0 ] || { true; } 2>/dev/null <"$f"
      set -- "$@" "$f"
      there="$there $n"
    fi
  done
  count=$#
  [ "$count" -gt 0 ] || return 0
  set -- $(stat -L -c '%i %s %z' -- "$@" 2>/dev/null)
  [ $# = $((5*count)) ] || return 1 # one of them went meanwhile
  for n in $there; do
    eval "i$n=\$1 s$n=\$2 z$n=\$3_\$4"
    shift 5
  done
}

absent() {
  if [ "$F" = 1 ]; then
    q=$((q+1))
    if [ "$q" -gt $((2*Q)) ]; then m N "$n"; x=1; fi
  elif [ "$k" = 0 ]; then
    if [ -e "$f" ] && [ ! -r "$f" ]; then m U "$n"; x=1
    elif [ "$w" = 0 ]; then m W "$n"; w=1
    fi
  fi
}

block() {
  c=$((s-o)); [ "$c" -gt "$B" ] && c=$B
  m B "$n" "$o" "$c"
  tail -c +$((o+1)) <"$f" 2>/dev/null | head -c "$c"
  if look && [ "$i" = "$I" ] && [ "$s" -ge $((o+c)) ]; then
    h=$((o+c)); [ "$h" -gt 4096 ] && h=4096
    H=$({ head -c "$h" <"$f" | sha256sum; } 2>/dev/null)
    m K "$n" "$z" "${H%% *}"
    o=$((o+c))
    [ $((s-o)) -gt 65536 ] && more=1
  else
    m X "$n"
  fi
  q=0 grew=1
}

one() {
  if [ -z "$s" ]; then absent; return; fi
  if [ "$k" = 0 ]; then
    k=1
    [ "$w" = 0 ] || [ "$local" = 1 ] || again=1
    if [ "$I" != 0 ]; then
      if [ "$I" != "$i" ] || [ "$s" -lt "$o" ]; then anew
      elif [ "$z" != "$Z" ] && ! same; then anew
      fi
    fi
    I=$i; m I "$n" "$I"
  elif [ "$i" != "$I" ] || [ "$s" -lt "$o" ]; then anew
  fi
  if [ "$s" -gt "$o" ]; then block
  elif [ "$F" = 1 ]; then
    q=$((q+1))
    if [ "$q" -gt "$Q" ]; then m E "$n" "$o"; x=1; fi
  fi
}

all() {
  rest="" more=0 grew=0 ending=0 again=0
  looks || return 0
  for n in $A; do
    eval "f=\$f$n I=\$I$n o=\$o$n Z=\$Z$n h=\$h$n H=\$H$n t=\$t$n T=\$T$n F=\$F$n Q=\$Q$n"
    eval "k=\$k$n w=\$w$n q=\$q$n i=\$i$n s=\$s$n z=\$z$n"
    x=0
    one
    eval "I$n=\$I o$n=\$o k$n=\$k w$n=\$w q$n=\$q"
    [ "$x" = 1 ] && continue
    rest="$rest $n"
    [ "$F" = 0 ] || ending=1
  done
  A=$rest
}

# until tail says something, or for so long; not true when the channel is gone
pause() {
  if [ "$dd" = 0 ]; then nap "$1"; slow=1; return 0; fi
  said=$(timeout --foreground "$1" dd bs=65536 count=1 2>&1 >/dev/null)
  slow=0
  case $said in
  '') slow=1 ;;
  0+0*) return 1 ;;
  esac
}

rounds() {
  slow=1 quiet=0 growing=0 alive=0 wait=$G
  while :; do
    all
    [ -n "$A" ] || return
    if [ "$again" = 1 ]; then m Z; return; fi
    alive=$((alive+1)); [ $((alive % 16)) = 0 ] && m A
    [ "$more" = 0 ] || continue
    if [ "$ending" = 1 ]; then nap "$P"; slow=1; continue; fi
    if [ "$grew" = 1 ]; then
      quiet=0 growing=$((growing+1))
      if [ "$growing" -gt 40 ]; then nap "$G2"; else nap "$G"; fi
    else
      quiet=$((quiet+1)) growing=0
    fi
    pause "$wait" || return
    if [ "$quiet" -le 10 ]; then wait=$D; else wait=$C; fi
  done
}

for n in $A; do eval "k$n=0 w$n=0 q$n=0"; done
local=0
case $(stat -f -c %T -- "$folder" 2>/dev/null) in
ext* | xfs | btrfs | tmpfs | ramfs | overlay* | zfs | f2fs) local=1 ;;
esac
dd=0; timeout --foreground 30 true 2>/dev/null && dd=1
m S
exec 3<&0 </dev/null
{
  cat <&3 >/dev/null &
  c=$!
  echo "$c"
  exec 3<&-
  watch &
  t=$!
  wait "$c"
  kill "$t"
} 2>/dev/null | {
  exec 3<&-
  read -r channel # block() has a c of its own
  rounds
  kill "$channel" 2>/dev/null
}
exit 0
)SH";

QByteArray fileVariables(const FollowedFile& file, int n, std::chrono::milliseconds round)
{
    const LogPosition& at = file.position;
    const bool known = at.inode != 0;
    const auto set = [n](const char* name, const QByteArray& value) -> QByteArray {
        return QByteArray(name) + QByteArray::number(n) + '=' + value + '\n';
    };
    const auto number = [](qint64 value) { return QByteArray::number(value); };
    return set("f", shellQuoted(file.path)) + set("I", QByteArray::number(at.inode))
        + set("o", number(known ? at.offset : 0))
        + set("Z", shellQuoted(known ? file.seen : QByteArray()))
        + set("h", number(known ? at.head.size() : 0))
        + set("H", sha(known ? at.head : QByteArray()))
        + set("t", number(known ? at.tail.size() : 0))
        + set("T", sha(known ? at.tail : QByteArray())) + set("F", file.final ? "1" : "0")
        + set("Q", number(file.settle / round));
}

} // namespace

QByteArray followScript(
    const std::vector<FollowedFile>& files, const QByteArray& nonce, const FollowPace& pace)
{
    using namespace std::chrono_literals;
    const auto round = std::clamp(pace.busy, 1ms, 100ms); // while a file is read to its end
    QByteArray script;
    QByteArray numbers;
    for (std::size_t i = 0; i < files.size(); ++i) {
        script += fileVariables(files[i], int(i), round);
        numbers += ' ' + QByteArray::number(int(i));
    }
    const QString first = files.empty() ? QString() : files.front().path;
    return script + variable("A", '\'' + numbers + '\'') + variable("N", nonce)
        + variable("folder", shellQuoted(first.left(first.lastIndexOf(u'/') + 1)))
        + variable("B", QByteArray::number(blockSize)) + variable("P", seconds(round))
        + variable("G", seconds(pace.least)) + variable("G2", seconds(2 * pace.least))
        + variable("D", seconds(pace.busy)) + variable("C", seconds(pace.calm)) + loop;
}

QByteArray followStarter(qsizetype scriptSize)
{
    // head reads no more from a pipe than requested; the rest stays for the script.
    return "eval \"$(head -c " + QByteArray::number(scriptSize) + ")\" # SLPL\n";
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
            // A mark may be split anywhere: continue the search where it could begin.
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
        // Each mark is preceded by its own newline, so the newline at its end belongs to the mark.
        m_pending.remove(0, lineEnd + 1);
        m_searchFrom = 0;
        takeMark(words, before, items);
    }
    const bool tooMuch = m_pending.size() > 2 * blockSize;
    if (tooMuch)
        items.push_back({FollowItem::Kind::Nonsense, 0, 0, {}});
    return items;
}

void FollowReader::takeMark(
    const QByteArray& words, const QByteArray& before, std::vector<FollowItem>& items)
{
    using Kind = FollowItem::Kind;
    m_begun = true;
    const auto list = words.split(' ');
    if (m_inBlock && closeBlock(list, before, items))
        return;
    const QByteArray& kind = list.first();
    FollowItem item{Kind::Nonsense, list.value(1).toInt(), list.value(2).toULongLong(), {}};
    if (kind == "B") {
        m_inBlock = true;
        m_blockFile = item.file;
        m_blockOffset = qint64(item.number);
        m_blockSize = list.value(3).toLongLong();
        return;
    }
    if (kind == "W")
        item.kind = Kind::Waiting;
    else if (kind == "I")
        item.kind = Kind::Inode;
    else if (kind == "R")
        item.kind = Kind::Restart;
    else if (kind == "S")
        item.kind = Kind::Started;
    else if (kind == "A")
        item.kind = Kind::Alive;
    else if (kind == "Z")
        item.kind = Kind::NewLoop;
    else if (kind == "U")
        item.kind = Kind::Unreadable;
    else if (kind == "N")
        item.kind = Kind::NeverCame;
    else if (kind == "E")
        item.kind = Kind::End;
    items.push_back(std::move(item));
}

/// The first mark after B closes the block. True when the mark has no further meaning.
bool FollowReader::closeBlock(
    const QList<QByteArray>& words, const QByteArray& before, std::vector<FollowItem>& items)
{
    using Kind = FollowItem::Kind;
    m_inBlock = false;
    const bool counts = words.first() == "K" && words.value(1).toInt() == m_blockFile;
    FollowItem item{Kind::Dropped, m_blockFile, quint64(m_blockOffset), {}};
    if (counts && before.size() == m_blockSize) {
        item.kind = Kind::Block;
        item.bytes = before;
        item.changed = words.value(2);
        item.hash = words.value(3);
    } else if (counts) {
        item.kind = Kind::Nonsense; // bytes are missing although the file was unchanged
    }
    items.push_back(std::move(item));
    return words.first() == "K" || words.first() == "X";
}

} // namespace slipway
