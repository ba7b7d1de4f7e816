// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/message.h"
#include "remote/broker/messagefields.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>

using namespace slipway;

SLIPWAY_FUZZ_TARGET(broker)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    MessageReader reader;
    qsizetype total = 0;
    for (qsizetype at = 0; at < input.size(); at += 11) {
        reader.feed(input.mid(at, 11));
        while (const auto message = reader.next()) {
            total += message->bytes.size();
            if (message->type < MessageType::Hello || message->type > MessageType::Last
                || message->bytes.size() > largestMessage)
                std::abort();
            (void)questionIn(message->bytes);
            if (const auto answers = answersIn(message->bytes);
                answers && answers->size() * 4 > message->bytes.size())
                std::abort();
            MessageFields target(message->bytes), error(message->bytes);
            const ConnectTarget place = targetIn(target);
            if (place.port < 0 || place.port > 65535)
                std::abort();
            (void)error.error();
        }
    }
    if (total > input.size())
        std::abort();
    return 0;
}
