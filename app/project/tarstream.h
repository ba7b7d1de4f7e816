// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

namespace slipway {

/// One member of a tar archive, without its content. A value.
struct TarMember {
    enum class Type : char { File = '0', HardLink = '1', SymbolicLink = '2', Folder = '5' };
    Type type = Type::File;
    QByteArray name;
    QByteArray target = {}; ///< of a link
    qint64 bytes = 0; ///< of the content that follows, less than 8 GiB
    bool isExecutable = false;
    qint64 modified = 0; ///< seconds since 1970
};

/// The header of a member, in the form that every tar reads (ustar, with GNU's long names).
QByteArray tarHeader(const TarMember& member);
/// The zeros after a content of that size.
QByteArray tarPadding(qint64 bytes);
QByteArray tarEnd();

/// `bytes` as gzip(1) writes them.
QByteArray gzipped(const QByteArray& bytes);

} // namespace slipway
