// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/names.h"
#include "app/images/imagestorescan.h"
#include "app/images/packagescan.h"
#include "app/plan/stepimages.h"
#include "remote/base/shellquoting.h"

namespace slipway {

namespace {

/// Measures a folder for at most 20 seconds. Rows end with NUL, the one byte that no name contains:
/// "KIND A B C D NAME".
constexpr char cacheFunction[] = R"SH(
t=; command -v timeout >/dev/null 2>&1 && t='timeout 20'
seen=
cache() {
  [ -d "$2" ] && [ ! -L "$2" ] && [ -O "$2" ] || return 0
  p=$(cd -P -- "$2" && pwd -P) || return 0
  case $seen in *"|$p|"*) return 0 ;; esac
  seen="$seen|$p|"
  k=$($t du -skx -- "$p" 2>/dev/null | cut -f 1)
  printf 'cache %s %s 0 0 %s\0' "$1" "${k:--}" "$p"
}
)SH";

constexpr char folderScan[] = R"SH(
printf '\0'
u=$(id -u)
s=ok
case $b in /*) ;; *) s=none b=/ ;; esac
if [ -L "$b" ]; then s=link; fi
case $b in */slipway/*) [ ! -L "${b%/*}" ] || s=link ;; esac
[ $s != ok ] || [ -d "$b" ] || s=none
[ $s != ok ] || cd -P -- "$b" || s=closed
printf 'folder %s 0 0 0 %s\0' "$s" "$b"
d=$b
until [ -d "${d:-/}" ]; do d=${d%/*}; done
k=$($t df -Pk -- "${d:-/}" 2>/dev/null | sed -n '2s/.* \([0-9][0-9]*\)  *[0-9]*%.*/\1/p')
printf 'free %s 0 0 0 -\0' "${k:--}"
if [ $s = ok ]; then
  o=$(findmnt -n -o OPTIONS -T . 2>/dev/null | head -n 1)
  if [ -z "$o" ]; then
    m=$(df -Pk . 2>/dev/null | sed -n '2s/.*% //p')
    o=$(awk -v m="$m" '$2 == m {o = $4} END {print o}' /proc/mounts 2>/dev/null)
  fi
  printf 'mount %s 0 0 0 -\0' "${o:--}"
  {
    $t find -P . -xdev -maxdepth 9 -type f -user "$u" \( \
      -name '*.sif' -o -name '*.sqsh' -o -name '*.simg' -o -name '*.img' \
      -o -name '*.sif.part' -o -name '*.sqsh.part' -o -name '*.simg.part' -o -name '*.img.part' \
      -o -path './archives/*.tar' -o -path './archives/*.tar.part' \
      \) -printf 'file %T@ %A@ %s %i %P\0'
    [ $? -ne 124 ] || printf 'slow 0 0 0 0 -\0'
  } 2>/dev/null | head -c 4000000
  printf '\0'
  $t find -P . -xdev -maxdepth 9 -type f -user "$u" -name '*.slipway-digest' -size -2 -exec sh -c '
    for n; do
      IFS=" " read -r s o <"$n" || :
      printf "note %s %s 0 0 %s\0" "${s:--}" "${o:--}" "${n#./}"
    done' sh {} + 2>/dev/null | head -c 4000000
  printf '\0'
fi
)SH";

constexpr char accountCaches[] = R"SH(
cache apptainer "${APPTAINER_CACHEDIR:-$HOME/.apptainer}/cache"
cache singularity "${SINGULARITY_CACHEDIR:-$HOME/.singularity}/cache"
cache enroot "${ENROOT_CACHE_PATH:-${XDG_CACHE_HOME:-$HOME/.cache}/enroot}"
printf 'end 0 0 0 0 -\0'
)SH";

/// Apptainer and Singularity 3 make the folders in `parts`. Without their program only those are
/// deleted, because the variables may name a folder that holds other things. The layers of enroot
/// are files named by their digests.
constexpr char clearing[] = R"SH(
printf '\0'
u=$(id -u)
parts='blob library net oci-tmp oras shub'
left() { printf 'left 0 0 0 0 %s\0' "$1"; }
own() { [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ]; }
clear() {
  own "$2" || { left 'it is no longer a folder of yours'; return 0; }
  if [ "$1" = enroot ]; then
    (cd -P -- "$2" && find -P . -xdev -maxdepth 1 -type f -user "$u" \
      -regextype posix-extended -regex '\./[0-9a-f]{64}(\..*)?' -delete) ||
      left 'some of its layers could not be deleted'
    return 0
  fi
  looks=
  for f in $parts; do own "$2/$f" && looks=1; done
  [ -n "$looks" ] || { left "it does not look like a cache of $1"; return 0; }
  command -v "$1" >/dev/null || module load "$1" >/dev/null
  if command -v "$1" >/dev/null; then
    APPTAINER_CACHEDIR=${2%/cache} SINGULARITY_CACHEDIR=${2%/cache} \
      $patient "$1" cache clean --force >/dev/null && return 0
  fi
  (cd -P -- "$2" && rm -rf -- $parts) ||
    left 'some of its files could not be deleted'
  return 0
}
patient=; command -v timeout >/dev/null && patient='timeout 120'
)SH";

constexpr char removing[] = R"SH(
gone() { echo "gone $1"; }
kept() { echo "left $1 $2"; }
[ -d "$b" ] && [ ! -L "$b" ] && cd -P -- "$b" || b=
pulled() {
  if [ -d "$1.d" ]; then
    [ -z "$(find "$1.d" -maxdepth 0 -mmin +120)" ] && return 0
  fi
  [ -f "$1" ] && [ ! -L "$1" ] && command -v flock >/dev/null || return 1
  flock -n "$1" true 2>/dev/null
  [ $? -eq 1 ]
}
remove() {
  [ -n "$b" ] || { kept "$1" 'the folder is gone, or is a link'; return; }
  r=$2 p=.
  while [ -n "$r" ]; do
    p=$p/${r%%/*}
    if [ -L "$p" ]; then kept "$1" 'it is a link'; return; fi
    case $r in */*) r=${r#*/};; *) r=;; esac
  done
  [ -f "$p" ] && [ -O "$p" ] || { kept "$1" 'it is not a file of yours'; return; }
  i=${p%.part}
  case $p in ./archives/*) if pulled "$p"; then kept "$1" 'it is being uploaded'; return; fi ;; esac
  if pulled "$i.lock"; then kept "$1" 'another job is pulling it'; return; fi
  e=$(rm -f -- "$p" 2>&1)
  if [ -e "$p" ]; then kept "$1" "$(printf '%s' "$e" | head -n 1)"; return; fi
  [ -e "$i" ] || [ -e "$i.part" ] || rm -f -- "$i.slipway-digest" "$i.lock" 2>/dev/null
  gone "$1"
}
)SH";

/// Shell text of the site's file as a word. The catalogue permits variables in it, and nothing else
/// that a shell expands.
QByteArray folderWord(const QString& text)
{
    if (isPathExpression(text) && text.contains(u'$'))
        return '"' + text.toUtf8() + '"';
    return shellQuoted(text);
}

/// Only a login shell has the variables of the user's start-up files, and the modules.
QByteArray inLoginShell(const QByteArray& script)
{
    return "bash -l -c " + shellQuoted(script) + " </dev/null 2>/dev/null\nexit 0\n";
}

} // namespace

QByteArray imageScanScript(const Site& site)
{
    const QString own = (site.scratch.isEmpty() ? QStringLiteral("$HOME") : site.scratch)
        + QStringLiteral("/slipway/cache");
    const QByteArray cache = folderWord(site.cache.isEmpty() ? own : site.cache);
    QByteArray ofSite = "cache enroot " + cache + '\n';
    if (!isEnrootLike(site.runtime))
        ofSite = "cache " + runtimeName(site.runtime).toUtf8() + ' ' + cache + "/cache\n";
    return inLoginShell("b=" + folderWord(imageFolder(site)) + cacheFunction + folderScan
        + packageScanPart(folderWord(packageFolder(site))) + quotaScanPart() + ofSite
        + accountCaches);
}

QByteArray removeImagesScript(const QString& folder, const std::vector<StoredImage>& images)
{
    QByteArray script = "b=" + shellQuoted(folder) + removing;
    for (size_t i = 0; i < images.size(); ++i) {
        const QString& path = images[i].path;
        const QByteArray number = QByteArray::number(qulonglong(i));
        const QString name = path.mid(folder.size() + 1);
        if (path.startsWith(QString(folder + u'/')) && isImageName(name))
            script += "remove " + number + ' ' + shellQuoted(name) + '\n';
        else
            script += "kept " + number + " 'it is not an image below the image folder'\n";
    }
    return script + "exit 0\n";
}

QByteArray clearCachesScript(const std::vector<ImageCache>& caches)
{
    QByteArray script = QByteArray(cacheFunction) + clearing;
    for (const ImageCache& cache : caches) {
        const QByteArray words = shellQuoted(cache.runtime) + ' ' + shellQuoted(cache.path) + '\n';
        const bool isCache = cache.runtime == u"enroot" || cache.path.endsWith(u"/cache");
        script += isCache ? "clear " + words : QByteArray();
        script += "cache " + words;
    }
    return inLoginShell(script + "printf 'end 0 0 0 0 -\\0'\n");
}

} // namespace slipway
