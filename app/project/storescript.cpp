// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/storescript.h"

#include "remote/base/shellquoting.h"

#include <QStringBuilder>

namespace slipway {

namespace {

// Whatever ends a script early, nothing half-written stays: contents that are complete have been
// moved into the store by then, and are kept. `keep` is set where another script goes on.
constexpr char scriptOpening[] = R"SH(umask 077
keep=
ended() {
  code=$?
  [ -n "$keep" ] || rm -rf -- "$t" "$c.part"
  exit "$code"
}
cd -- "$s" || exit 1
trap ended 0
trap 'exit 1' 1 2 13 15
)SH";

// A program may write into the files that it was sent with: what is small gets inodes of its own
// (16384 blocks are largeContentBytes). All are then accessed now, for sites that remove what no
// one reads. The folder's content is named in a file beside it: an upload whose answer was lost
// finds it done.
constexpr char buildFunctions[] = R"SH(place() {
  rm -rf -- "$t/own"
  mkdir -- "$t/own" && (
    cd -- "$t/code" || exit
    find . -type f -links +1 ! -size +16384 -exec cp -p --parents -t ../own -- {} + &&
      cp -rlf ../own/. . && find . -type f -exec touch -a -- {} +
  ) && rm -rf -- "$t/own" || exit 1
  mkdir -p -- "${c%/*}/" && mv -- "$t/code" "$c.part" &&
    printf '%s\n' "$stamp" >"$c.sha256" && mv -- "$c.part" "$c" || exit 1
  echo made
}
build() {
  if [ -d "$c" ] && [ "$(cat "$c.sha256" 2>/dev/null)" = "$stamp" ]; then
    echo made
    return
  fi
  if [ -e "$c" ] || [ -L "$c" ]; then exit 73; fi
  rm -rf -- "$t/code" "$c.part"
  if ! gzip -dc <"$t/tree" | tar -x -o -f - 2>"$t/said"; then
    if grep -q -i link "$t/said" && ! grep -q -e 'No space left' -e 'uota exceeded' "$t/said"; then
      keep=1
      echo unlinked
      return
    fi
    head -c 4096 "$t/said" >&2
    exit 1
  fi
  place
}
)SH";

// stat's lines have name, time and mode of the contents that there are; awk names the others.
constexpr char askBody[] = R"SH(mkdir -p tmp || exit 1
find tmp -mindepth 1 -maxdepth 1 -mtime +2 -exec rm -rf -- {} + 2>/dev/null
mkdir -- "$t" && head -c "$listed" >"$t/list.gz" && head -c "$built" >"$t/tree" || exit 1
gzip -dc <"$t/list.gz" >"$t/list" && gzip -t <"$t/tree" || exit 1
cut -d ' ' -f 1 <"$t/list" | xargs stat -c '%n %s %Y %a %F' >"$t/have" 2>/dev/null
awk -v early="$early" -v late="$late" '
FILENAME == ARGV[1] {
  if ($5 == "regular") have[$1] = $2 " " $3 " " (substr($4, length($4) - 2, 1) % 2)
  next
}
{
  x = ($1 ~ /x$/) ? 1 : 0
  if (have[$1] != $2 " " early " " x && have[$1] != $2 " " late " " x) print "need", substr($1, 4)
}' "$t/have" "$t/list" >"$t/need" || exit 1
if [ ! -s "$t/need" ]; then
  build
  exit 0
fi
cat "$t/need" || exit 1
for p in tmp/*.part; do
  [ ! -f "$p" ] || { p=${p#tmp/}; echo "part ${p%.part} $(($(wc -c <"tmp/$p")))"; }
done
keep=1
)SH";

// The names in the archive are those of the contents, so sha256sum checks each against its name.
// One cp links all of them into the store; where there are no links, they are moved.
constexpr char contentsBody[] = R"SH([ -f "$t/tree" ] || exit 76
rm -rf -- "$t/o"
mkdir -- "$t/o" && tar -x -o -f - -C "$t/o" || exit 1
cd -- "$t/o" || exit 1
set -- */*
[ "$#" -eq "$count" ] || exit 74
printf '%s\n' "$@" | awk '{ print substr($1, 4, 64) "  " $1 }' >../sums || exit 1
sha256sum -c ../sums >../said 2>&1 || { head -c 4096 ../said >&2; exit 74; }
if ! cp -rlf . ../../.. 2>/dev/null; then
  set -- *
  (cd ../../.. && mkdir -p -- "$@") || exit 1
  for d in "$@"; do mv -f -- "$d"/* "../../../$d/" || exit 1; done
fi
cd ../../.. && rm -rf -- "$t/o" || exit 1
)SH";

// A piece continues what is there; a cut leaves a shorter one, which the next upload continues.
constexpr char pieceBody[] = R"SH([ -f "$t/tree" ] || exit 76
p=tmp/$key.part
[ "$offset" -ne 0 ] || rm -f -- "$p"
have=0
[ ! -f "$p" ] || have=$(($(wc -c <"$p")))
[ "$have" -eq "$offset" ] || exit 75
cat >>"$p" || { rm -f -- "$p"; exit 1; }
have=$(($(wc -c <"$p")))
[ "$have" -eq "$((offset + bytes))" ] || exit 75
if [ "$have" -eq "$whole" ]; then
  case $key in *x) mode=700 ;; *) mode=600 ;; esac
  echo "${key%x}  $p" | sha256sum -c - >/dev/null 2>&1 || { rm -f -- "$p"; exit 74; }
  chmod "$mode" "$p" && TZ=UTC0 touch -m -t "$when" "$p" || exit 1
  d=${key%"${key#??}"}
  mkdir -p -- "$d" && mv -f -- "$p" "$d/$key" || exit 1
fi
)SH";

// The dots tell that it goes on: a file system without links is often a slow one.
constexpr char copyBody[] = R"SH([ -f "$t/tree" ] || exit 76
gzip -dc >"$t/plan" || exit 1
tab=$(printf '\t')
copied=0
while IFS=$tab read -r key path; do
  d=${key%"${key#??}"}
  [ -e "$t/code/$path" ] || cp -p -- "$d/$key" "$t/code/$path" || exit 1
  copied=$((copied + 1))
  [ "$((copied % 200))" -ne 0 ] || printf .
done <"$t/plan"
place
)SH";

QByteArray assigned(const char* name, const QByteArray& value)
{
    return QByteArray(name) + '=' + shellQuoted(value) + '\n';
}

QByteArray assigned(const char* name, qint64 value)
{
    return assigned(name, QByteArray::number(value));
}

QByteArray afterAdding(bool isLast)
{
    return isLast ? QByteArray("build\n") : QByteArray("keep=1\n");
}

} // namespace

StoreScripts::StoreScripts(
    const QString& store, const QString& codeFolder, QByteArray id, QByteArray stamp)
    : m_opening(assigned("s", store.toUtf8()) + assigned("c", codeFolder.toUtf8())
        + assigned("t", QByteArray(store.toUtf8() + "/tmp/" + id)) + assigned("stamp", stamp)
        + scriptOpening + buildFunctions)
    , m_id(std::move(id))
{
}

QByteArray StoreScripts::ask(qint64 listBytes, qint64 treeBytes) const
{
    return m_opening + assigned("listed", listBytes) + assigned("built", treeBytes)
        + assigned("early", builtTime) + assigned("late", sourceTime) + askBody;
}

QByteArray StoreScripts::addContents(qint64 count, bool isLast) const
{
    return m_opening + assigned("count", count) + contentsBody + afterAdding(isLast);
}

QByteArray StoreScripts::addPiece(const Piece& piece, bool isLast) const
{
    return m_opening + assigned("key", piece.key) + assigned("offset", piece.offset)
        + assigned("bytes", piece.bytes) + assigned("whole", piece.whole)
        + assigned("when", piece.isBuilt ? QByteArray("200109090146.40") : "200109090147.40")
        + pieceBody + afterAdding(isLast);
}

QByteArray StoreScripts::copyMissing() const
{
    return m_opening + copyBody;
}

QByteArray StoreScripts::giveUp() const
{
    return m_opening; // which ends, and so removes
}

} // namespace slipway
