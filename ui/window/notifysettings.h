// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

/// Whether runs are announced on the desktop, and with a sound; stored in the settings. A value.
struct NotifySettings {
    bool on = true;
    bool sound = false;

    static NotifySettings stored();
    void store() const;
};

} // namespace slipway
