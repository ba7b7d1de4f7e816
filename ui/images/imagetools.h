// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QWidget>

#include <functional>

namespace slipway {

/// ImageTools has the buttons of the Images page that open a dialog: build an image, there or on
/// this computer, compare two, the logins for registries. GUI thread; ImagesPage owns it.
class ImageTools : public QWidget {
    Q_OBJECT

public:
    /// Without an engine the buttons are off. `site` and `image` answer with what the page has
    /// chosen now.
    ImageTools(Engine* engine, std::function<QString()> site, std::function<QString()> image,
        QWidget* parent = nullptr);

signals:
    /// The editor of definition files is wanted.
    void buildRequested();
    /// The launch form is wanted.
    void launchRequested(const slipway::LaunchSpec& spec);

private:
    void buildHere();
    void compare();
    void showLogins();

    Engine* m_engine;
    std::function<QString()> m_site;
    std::function<QString()> m_image;
};

} // namespace slipway
