// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

namespace slipway {

/// Tells assistive technology what Qt does not: the roles of the widgets that paint themselves, and
/// that a button which is toggled or pressed from there was clicked. May be called again.
void installAccessibleInterfaces();

} // namespace slipway
