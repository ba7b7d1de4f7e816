// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/recipe.h"

#include <QWidget>

class QToolButton;

namespace slipway {

class TextLabel;

/// TeachingBox says what a recipe is for; what to expect and what to try next unfold below it. Lives on
/// the GUI thread, owned by the launch page.
class TeachingBox : public QWidget {
    Q_OBJECT

public:
    explicit TeachingBox(QWidget* parent = nullptr);
    void setRecipe(const Recipe& recipe);

private:
    void unfold(bool open);

    TextLabel* m_purpose;
    QToolButton* m_more;
    TextLabel* m_rest;
    bool m_hasRest = false;
};

} // namespace slipway
