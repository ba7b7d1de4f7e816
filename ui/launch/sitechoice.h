// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QString>

class QComboBox;

namespace slipway {

class Engine;

/// The list of sites of the launch form: a site's data is its id.
QComboBox* makeSiteChoice();
/// Lists the sites with their states, those that can be launched on first, and emits nothing. The
/// id of the first connected one; empty: none is.
QString fillSiteChoice(QComboBox* choice, Engine* engine);

} // namespace slipway
