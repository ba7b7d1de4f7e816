// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/appearancemenu.h"

#include "ui/window/notifysettings.h"

#include <QActionGroup>
#include <QMenu>
#include <QSettings>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr double textStep = 0.25;

} // namespace

AppearanceMenu::AppearanceMenu(Theme* theme, QObject* parent)
    : QObject(parent)
    , m_theme(theme)
{
}

void AppearanceMenu::chooseTheme(Theme::Choice choice)
{
    m_theme->setChoice(choice);
    QSettings().setValue(u"theme"_s, int(choice));
}

void AppearanceMenu::scaleText(double scale)
{
    m_theme->setTextScale(scale);
    QSettings().setValue(u"textScale"_s, m_theme->textScale());
}

void AppearanceMenu::chooseLight()
{
    chooseTheme(Theme::Choice::Light);
}

void AppearanceMenu::chooseDark()
{
    chooseTheme(Theme::Choice::Dark);
}

void AppearanceMenu::enlargeText()
{
    scaleText(m_theme->textScale() + textStep);
}

void AppearanceMenu::reduceText()
{
    scaleText(m_theme->textScale() - textStep);
}

void AppearanceMenu::switchNotifications()
{
    NotifySettings settings = NotifySettings::stored();
    settings.on = !settings.on;
    settings.store();
}

void AppearanceMenu::addNotifications(QMenu* menu)
{
    const NotifySettings now = NotifySettings::stored();
    QAction* on = menu->addAction(tr("Notify me about runs"));
    on->setObjectName(u"notifyOn"_s);
    on->setCheckable(true);
    on->setChecked(now.on);
    connect(on, &QAction::triggered, this, &AppearanceMenu::switchNotifications);
    QAction* sound = menu->addAction(tr("Notify with a sound"));
    sound->setObjectName(u"notifySound"_s);
    sound->setCheckable(true);
    sound->setChecked(now.sound);
    sound->setEnabled(now.on);
    connect(sound, &QAction::triggered, this, [](bool checked) {
        NotifySettings settings = NotifySettings::stored();
        settings.sound = checked;
        settings.store();
    });
}

void AppearanceMenu::popUp(QWidget* button)
{
    auto* menu = new QMenu(button->window());
    menu->setAttribute(Qt::WA_DeleteOnClose);
    auto* themes = new QActionGroup(menu);
    const std::pair<QString, Theme::Choice> choices[] = {
        {tr("Follow the system"), Theme::Choice::System}, {tr("Light"), Theme::Choice::Light},
        {tr("Dark"), Theme::Choice::Dark}};
    for (const auto& [text, choice] : choices) {
        QAction* action = themes->addAction(text);
        action->setCheckable(true);
        action->setChecked(m_theme->choice() == choice);
        connect(action, &QAction::triggered, this, [this, one = choice] { chooseTheme(one); });
    }
    auto* sizes = new QActionGroup(menu);
    for (const int percent : {100, 125, 150, 175, 200}) {
        QAction* action = sizes->addAction(tr("Text at %1 %").arg(percent));
        action->setCheckable(true);
        action->setChecked(qRound(m_theme->textScale() * 100) == percent);
        connect(action, &QAction::triggered, this, [this, percent] { scaleText(percent / 100.0); });
    }
    menu->addActions(themes->actions());
    menu->addSeparator();
    menu->addActions(sizes->actions());
    menu->addSeparator();
    addNotifications(menu);
    menu->popup(button->mapToGlobal(QPoint(0, -menu->sizeHint().height() - 4)));
}

} // namespace slipway

#include "moc_appearancemenu.cpp"
