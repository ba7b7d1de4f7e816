// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/uploadscripts.h"

#include "remote/base/shellquoting.h"
#include "remote/cluster/rangefunction.h"
#include "remote/shell/hashfunction.h"

namespace slipway {

namespace {

// An empty line follows each answer, because the end of a line could be the beginning of the
// frame's end. take passes that many bytes of the input on and reads none of what follows; head
// does so in small pieces.
constexpr char sharedFunctions[] = R"SH(umask 077
p=$f.part
d=$f.part.pieces
say() { printf '%s\n\n' "$*"; }
count() { echo $(($(wc -c <"$1"))); }
if dd iflag=fullblock,count_bytes status=none count=0 </dev/null >/dev/null 2>&1
then take() { dd bs=256k iflag=fullblock,count_bytes status=none count="$1"; }
else take() { head -c "$1"; }
fi
)SH";

// While the part grows, a reader behind it sums what has arrived: beginSum starts it, grown says
// how long the part is, endSum waits for the sum. Without a named pipe the sum is taken at the
// end.
constexpr char growingSum[] = R"SH(
sum() { largehash256 <"$1" | cut -d ' ' -f 1; }
summed=0
pipe=
beginSum() {
[ ! -d "$d" ] || return 0
mkdir -- "$d" || exit 1
mkfifo -- "$d/grown" 2>/dev/null || return 0
pipe=$d/grown
while read -r end; do
  range "$p" "$summed" "$((end - summed))"
  summed=$end
done <"$pipe" 9>&- | largehash256 >"$d/sum" 9>&- &
exec 8>"$pipe"
}
grown() {
if [ "$pipe" ] && { [ "$(($1 - summed))" -ge 16777216 ] || [ "$1" -eq "$size" ]; }; then
  summed=$1
  echo "$1" >&8
fi; }
endSum() {
if [ "$pipe" ]; then
  exec 8>&-
  wait
  total=$(cut -d ' ' -f 1 <"$d/sum")
else
  total=$(sum "$p")
fi; }
)SH";

// The lock is on the part itself, so that nothing else stays; it is looked at again once it is
// held, because its former holder has renamed or removed it by then. Without flock the sum at the
// end tells. After a cut, the pieces whose turn it was are rescued. The others go when the script
// ends, however it ends: under another name first, because their sessions may still write, and are
// to find all or nothing.
constexpr char uploadBody[] = R"SH([ ! -L "$f" ] && [ ! -L "$p" ] || exit 77
[ ! -e "$f" ] || [ -f "$f" ] || exit 77
exec 9>>"$p" || exit 1
if command -v flock >/dev/null 2>&1; then
  flock -w 1 9 || { [ "$?" -ne 1 ] || exit 75; }
  [ ! -e /proc/self/fd/9 ] || [ "$p" -ef /proc/self/fd/9 ] || exit 75
fi
dropPieces() {
[ ! -d "$d" ] || mv -f -- "$d" "$d.old"
rm -rf -- "$d.old"
}
append() {
piece=$1
last=$2
set --
while [ "$piece" -le "$last" ]; do
  set -- "$@" "$d/$piece"
  piece=$((piece + 1))
done
cat -- "$@" >>"$p" && rm -f -- "$@" && next=$piece
}
rescue() {
while [ -f "$d/$next" ] && append "$next" "$next"; do :; done
exit 76
}
next=none
dropPieces || exit 1
trap dropPieces 0
trap 'exit 1' 1 2 13 15
have=$(count "$p")
if [ -f "$f" ] && [ "$(count "$f")" -eq "$size" ]; then
  say "file $size $(sum "$f")"
elif [ "$have" -gt 0 ] && [ "$have" -le "$size" ]; then
  say "part $have $(sum "$p")"
else
  say "part 0 -"
fi
order=
while [ "$order" != sum ]; do
  read -r order what to length || rescue
  case $order in
  echo) say echo ;;
  keep)
    [ "$have" -gt 0 ] || rm -f -- "$p"
    say complete
    exit 0
    ;;
  continue)
    [ "$what" -ne 0 ] || : >"$p" || exit 1
    beginSum
    while [ "$(count "$p")" -eq "$what" ] || exit 76; grown "$what"; [ "$what" -lt "$size" ]; do
      more=$((size - what))
      [ "$more" -le 16777216 ] || more=16777216
      take "$more" >>"$p" || exit 1
      what=$((what + more))
    done
    ;;
  pieces)
    [ "$what" -ne 0 ] || : >"$p" || exit 1
    beginSum
    next=0
    ;;
  append)
    append "$what" "$to" || exit 1
    grown "$length"
    ;;
  sum) ;;
  *) exit 76 ;;
  esac
done
have=$(count "$p")
[ "$have" -ge "$size" ] || exit 76
endSum
if [ "$have" -ne "$size" ] || [ "$total" != "$what" ]; then
  rm -f -- "$p"
  exit 74
fi
mv -f -- "$p" "$f" && dropPieces || exit 1
say complete
)SH";

// The holder may be about to make the folder. Only a whole piece, behind which there is its end,
// gets its name; another session may bring the same one again. Once the holder has ended, it is
// what says why.
constexpr char pieceBody[] = R"SH(looks=0
until [ -d "$d" ]; do
  looks=$((looks + 1))
  [ "$looks" -le 10 ] || exit 0
  sleep 1
done
t=$d/new.$$
fail() { rm -f -- "$t"; [ -d "$d" ] || exit 0; exit "$1"; }
say ready
while read -r piece bytes; do
  take "$bytes" >"$t" || fail 1
  read -r end && [ "$end" = end ] || fail 76
  mv -f -- "$t" "$d/$piece" || fail 1
  say "$piece"
done
)SH";

QByteArray opening(const QString& path)
{
    return "f=" + shellQuoted(path) + '\n' + sharedFunctions;
}

} // namespace

QByteArray uploadScript(const QString& path, qint64 size)
{
    return opening(path) + "size=" + QByteArray::number(size) + '\n' + hashFunction
        + largeHashFunction + rangeFunction + growingSum + uploadBody;
}

QByteArray pieceScript(const QString& path)
{
    return opening(path) + pieceBody;
}

} // namespace slipway
