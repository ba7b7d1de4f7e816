// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/look/theme.h"

#include "ui/look/colours.h"
#include "ui/look/fonts.h"
#include "ui/look/stylesheet.h"

#include <QApplication>
#include <QFile>
#include <QStandardPaths>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

Theme::Theme(QObject* parent)
    : QObject(parent)
{
    const bool paletteIsDark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    m_look = readSystemLook();
    m_look.paletteIsDark = paletteIsDark;
    connect(&m_files, &QFileSystemWatcher::fileChanged, this, &Theme::readDesktop);
    connect(&m_monitor, &QProcess::readyReadStandardOutput, this, [this] {
        const QByteArray lines = m_monitor.readAllStandardOutput().trimmed();
        m_look.colorScheme = lines.sliced(lines.lastIndexOf('\n') + 1);
        apply();
    });
}

Theme::~Theme()
{
    m_monitor.disconnect(this);
    m_monitor.kill();
    m_monitor.waitForFinished(500);
}

void Theme::setChoice(Choice choice)
{
    m_choice = choice;
    apply();
}

void Theme::setTextScale(double scale)
{
    m_scale = std::clamp(scale, leastScale, mostScale);
    apply();
}

bool Theme::dark() const
{
    return m_choice == Choice::Dark || (m_choice == Choice::System && isDark(m_look));
}

void Theme::apply()
{
    const Colours& colours = dark() ? Colours::darkSet() : Colours::light();
    if (QApplication::style()->name() != u"fusion"_s && qApp->styleSheet().isEmpty()) {
        QApplication::setStyle(QStyleFactory::create(u"Fusion"_s));
    }
    QApplication::setPalette(colours.palette());
    QApplication::setFont(applicationFont(m_scale));
    qApp->setStyleSheet(styleSheet(colours, m_scale));
    emit changed();
}

void Theme::followDesktop()
{
    for (const QString& file : systemLookFiles()) {
        if (QFile::exists(file)) {
            m_files.addPath(file);
        }
    }
    const QString gsettings = QStandardPaths::findExecutable(u"gsettings"_s);
    if (gsettings.isEmpty() || m_monitor.state() != QProcess::NotRunning) {
        return;
    }
    // Prints one line at once, then one per change, as long as the window is open.
    m_monitor.start(u"/bin/sh"_s,
        {u"-c"_s,
            u"gsettings get org.gnome.desktop.interface color-scheme 2>/dev/null; "
            "exec gsettings monitor org.gnome.desktop.interface color-scheme 2>/dev/null"_s});
}

void Theme::readDesktop()
{
    const SystemLook before = m_look;
    m_look = readSystemLook();
    m_look.colorScheme = before.colorScheme;
    m_look.paletteIsDark = before.paletteIsDark;
    apply();
}

} // namespace slipway

#include "moc_theme.cpp"
