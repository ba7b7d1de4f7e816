// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/catalogue/recipe.h"

#include <QWidget>

#include <functional>

class QComboBox;

namespace slipway {

/// The control of one field: the widget, and a function that shows the value of a field in it. Text
/// that is being typed is never overwritten while the control has the focus.
struct FieldInput {
    QWidget* widget = nullptr;
    QWidget* focus = nullptr; ///< the widget that the label belongs to
    std::function<void(const Parameter& field, bool force)> show;
};

/// The list of a combo box is measured before it has its style, and would open too low for its last
/// row: this gives it the style at once.
void preparePopup(QComboBox* combo);

using FieldEdited = std::function<void(const QString& value)>;

/// Creates the control for the type of the field: stepper, combo box, chips, check box or line
/// edit. `labels` gives the names of choices that differ from their values (lanes, partitions).
FieldInput makeFieldInput(
    const Parameter& field, const QMap<QString, QString>& labels, FieldEdited edited);

} // namespace slipway
