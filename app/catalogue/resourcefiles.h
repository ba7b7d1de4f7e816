// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <algorithm>
#include <vector>

namespace slipway {

/// The bytes of a resource file, up to one more than the 1 MiB that its parser accepts.
Result<QByteArray> resourceContent(const QString& path);

/// Adds an entry to the list or replaces the one with the same id.
template <typename Thing> void putById(Thing thing, std::vector<Thing>* things)
{
    const auto same = std::find_if(
        things->begin(), things->end(), [&thing](const Thing& one) { return one.id == thing.id; });
    if (same == things->end())
        things->push_back(std::move(thing));
    else
        *same = std::move(thing);
}

} // namespace slipway
