// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/look/systemlook.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QProcess>

namespace slipway {

/// Theme sets the palette, fonts and style sheet of the application, follows the desktop between
/// light and dark, and can be changed at any time. GUI thread; main() owns one. Widgets do not need
/// it: they read Colours::now() and fontFor().
class Theme : public QObject {
    Q_OBJECT

public:
    enum class Choice { System, Light, Dark };
    static constexpr double leastScale = 1.0;
    static constexpr double mostScale = 2.0;

    explicit Theme(QObject* parent = nullptr);
    ~Theme() override;

    Choice choice() const { return m_choice; }
    void setChoice(Choice choice);
    /// Text size from 1.0 to 2.0.
    double textScale() const { return m_scale; }
    void setTextScale(double scale);
    bool dark() const;

    /// Applies palette, font and style sheet to the application.
    void apply();
    /// Starts to watch the settings of the desktop. This starts a process, so it waits for the
    /// first frame.
    void followDesktop();

signals:
    void changed();

private:
    void readDesktop();

    Choice m_choice = Choice::System;
    double m_scale = 1.0;
    SystemLook m_look;
    QFileSystemWatcher m_files;
    QProcess m_monitor;
};

} // namespace slipway
