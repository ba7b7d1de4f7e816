// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

/// For scripts on any machine: range FILE FROM COUNT prints that many bytes of a file. head reads
/// small pieces, and tail cannot seek in some systems; GNU dd and busybox's do both well.
inline constexpr char rangeFunction[] = R"SH(
range() {
if dd iflag=skip_bytes,count_bytes count=0 </dev/null >/dev/null 2>&1
then dd bs=256k iflag=skip_bytes,count_bytes skip="$2" count="$3" <"$1" 2>/dev/null
else tail -c +"$(($2 + 1))" <"$1" 2>/dev/null | head -c "$3"
fi; }
)SH";

} // namespace slipway
