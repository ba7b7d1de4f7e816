// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/probe/core/row.h"

#include <QString>
#include <QtTest>

#include <string>
#include <string_view>

/// What Qt Test prints of the probe's own types where a comparison fails.
inline char* toStringOf(const std::string& text)
{
    return QTest::toString(QString::fromStdString(text));
}
namespace std {
inline char* toString(const string& text)
{
    return toStringOf(text);
}
} // namespace std
namespace slipway::probe {
inline char* toString(State state)
{
    return toStringOf(std::string(stateName(state)));
}
} // namespace slipway::probe

/// A verdict: its state, a piece of its why, a piece of its fix.
#define JUDGED(row, wanted, whyPart, fixPart)                                                      \
    do {                                                                                           \
        const slipway::probe::Row judged = (row);                                                  \
        const std::string said = judged.toJson().write();                                          \
        QVERIFY2(judged.state == slipway::probe::State::wanted, said.c_str());                     \
        QVERIFY2(judged.why.find(whyPart) != std::string::npos, said.c_str());                     \
        QVERIFY2(judged.fix.find(fixPart) != std::string::npos, said.c_str());                     \
        QVERIFY2(judged.state == slipway::probe::State::Ok || !judged.why.empty(), said.c_str());  \
        QVERIFY2((judged.state != slipway::probe::State::Warn                                      \
                     && judged.state != slipway::probe::State::Fail)                               \
                || !judged.fix.empty(),                                                            \
            said.c_str());                                                                         \
    } while (false)
