// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/scriptgroup.h"
#include "remote/shell/frames.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(frames)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    static const QByteArray nonce = "0123456789abcdef0123456789abcdef";
    FrameReader frame(nonce);
    GroupReader group(nonce);
    qsizetype payload = 0;
    for (qsizetype at = 0; at < input.size(); at += 13) {
        const QByteArray piece = input.mid(at, 13);
        frame.feed(piece);
        payload += frame.takePayload().size();
        for (const GroupItem& item : group.feed(piece))
            if (item.bytes.size() > input.size())
                std::abort();
    }
    frame.flush();
    payload += frame.takePayload().size();
    if (payload > input.size() || frame.noise().size() > 4096)
        std::abort();
    (void)unframedScript(input);
    return 0;
}
