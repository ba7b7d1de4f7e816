// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>

#include <functional>

class QWidget;

namespace slipway {

/// Opens a dialog that asks for a file to save to. Each filter ends in its suffix, "PNG image
/// (*.png)", and a name without one gets that of the chosen filter. `save` gets the path, unless
/// the dialog is cancelled or `parent` is gone.
void askWhereToSave(QWidget* parent, const QString& title, const QStringList& filters,
    const QString& name, const std::function<void(const QString& path)>& save);

} // namespace slipway
