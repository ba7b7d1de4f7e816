// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/look/systemlook.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QProcess>

namespace slipway {

/// Theme gives the application its palette, fonts and style sheet, follows the desktop between
/// light and dark, and switches at run time. Lives on the GUI thread; main owns one. Widgets need
/// not know it: they read Colours::now() and fontFor().
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
    /// Text at 100 % to 200 %.
    double textScale() const { return m_scale; }
    void setTextScale(double scale);
    bool dark() const;

    /// Puts palette, font and style sheet into the application.
    void apply();
    /// Starts to watch the desktop. Costs a process, so it waits for the first frame.
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
