// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/runfolder.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace slipway;

namespace {

/// Each file is one of a whole row, with its own name; names in two rows are two files.
void judge(const RemoteListing& listing, const QByteArray& input)
{
    std::multiset<QByteArray> rows;
    for (qsizetype at = 0, end = 0; (end = input.indexOf('\0', at)) >= 0; at = end + 1) {
        const QByteArray row = input.mid(at, end - at);
        rows.insert(row.mid(row.indexOf(' ') + 1));
    }
    if (listing.leftOut < 0 || listing.files.size() + size_t(listing.leftOut) > rows.size())
        std::abort();
    for (const RemoteFile& file : listing.files) {
        const auto row = rows.find(file.name.toUtf8());
        if (row == rows.end() || !isSafeRelativeName(file.name) || isSecretFile(file.name)
            || file.size < 0)
            std::abort();
        rows.erase(row);
    }
    const auto isBefore = [](const RemoteFile& a, const RemoteFile& b) { return a.name < b.name; };
    if (!std::is_sorted(listing.files.begin(), listing.files.end(), isBefore))
        std::abort();
}

} // namespace

SLIPWAY_FUZZ_TARGET(runlisting)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const RemoteListing all = parseListing(input);
    judge(all, input);
    const RemoteListing some =
        parseListing(input, QStringList{QStringLiteral("results/*"), QStringLiteral("*.png")});
    judge(some, input);
    if (some.files.size() > all.files.size() || some.leftOut > all.leftOut)
        std::abort();
    return 0;
}
