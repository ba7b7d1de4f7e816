// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/followscript.h"
#include "remote/cluster/sections.h"
#include "tests/fuzz/target.h"

using namespace slipway;

SLIPWAY_FUZZ_TARGET(follow)
{
    const auto input =
        QByteArray::fromRawData(reinterpret_cast<const char*>(data), qsizetype(size));
    static const QByteArray nonce = "0123456789abcdef0123456789abcdef";
    FollowReader reader(nonce);
    for (qsizetype at = 0; at < input.size(); at += 17)
        reader.feed(input.mid(at, 17));
    (void)Sections(nonce).parse(input);
    return 0;
}
