// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

/// For scripts on any machine: hash256 prints the SHA-256 of its standard input and more words
/// behind it. GNU and busybox, macOS and BSD, and others each have one of these programs.
inline constexpr char hashFunction[] = R"(hash256() {
if command -v sha256sum >/dev/null 2>&1; then sha256sum
elif command -v shasum >/dev/null 2>&1; then shasum -a 256
else openssl dgst -sha256 -r
fi; }
)";

/// The same for large files, behind hashFunction: openssl uses the processor's own instructions,
/// which sha256sum often does not, but takes longer to start.
inline constexpr char largeHashFunction[] = R"(largehash256() {
if openssl dgst -sha256 -r </dev/null >/dev/null 2>&1; then openssl dgst -sha256 -r
else hash256
fi; }
)";

} // namespace slipway
