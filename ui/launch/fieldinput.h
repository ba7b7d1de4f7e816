// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"

#include <QWidget>

#include <functional>

namespace slipway {

/// The control of one field: the widget, and a function that shows a field's value in it. What the
/// person types is never overwritten while the control has the focus.
struct FieldInput {
    QWidget* widget = nullptr;
    QWidget* focus = nullptr; ///< what the label belongs to
    std::function<void(const Parameter& field, bool force)> show;
};

using FieldEdited = std::function<void(const QString& value)>;

/// The control that fits the field's type: stepper, combo box, chips, check box or line.
/// `labels` are the names of choices, where they have other ones (lanes, partitions).
FieldInput makeFieldInput(
    const Parameter& field, const QMap<QString, QString>& labels, FieldEdited edited);

} // namespace slipway
