// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Empty: the target that this belongs to holds the precompiled headers of the tests.
