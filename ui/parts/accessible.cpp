// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/accessible.h"

#include <QAccessibleWidget>
#include <QCheckBox>
#include <QHash>
#include <QPushButton>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

/// A button as assistive technology sees and uses it: every action is a click, as with the mouse.
/// Qt's own interface changes the check mark of a checkable button and clicks nothing. GUI thread;
/// Qt's cache of interfaces owns it.
class ClickedButton : public QAccessibleWidget {
public:
    explicit ClickedButton(QAbstractButton* button)
        : QAccessibleWidget(button)
    {
    }

    QAccessible::Role role() const override
    {
        if (hasMenu()) {
            return QAccessible::ButtonMenu;
        }
        if (!button()->isCheckable()) {
            return QAccessible::PushButton;
        }
        return button()->autoExclusive() ? QAccessible::RadioButton : QAccessible::CheckBox;
    }

    QString text(QAccessible::Text kind) const override
    {
        const QString text = QAccessibleWidget::text(kind);
        if (kind != QAccessible::Name || !text.isEmpty()) {
            return text;
        }
        // One ampersand marks a key, two are one that is shown.
        return button()->text().replace(u"&&"_s, u"\x1a"_s).remove(u'&').replace(u'\x1a', u'&');
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        const auto* box = qobject_cast<const QCheckBox*>(button());
        state.checkable = button()->isCheckable();
        state.checked = button()->isChecked();
        state.checkStateMixed = box && box->checkState() == Qt::PartiallyChecked;
        state.pressed = button()->isDown();
        state.hasPopup = hasMenu();
        return state;
    }

    QStringList actionNames() const override
    {
        if (!button()->isEnabled()) {
            return {};
        }
        return QStringList(mainAction()) + QAccessibleWidget::actionNames();
    }

    void doAction(const QString& action) override
    {
        if (action == mainAction()) {
            // Later: a click may open a dialog, and the caller waits for an answer.
            QMetaObject::invokeMethod(button(), &QAbstractButton::click, Qt::QueuedConnection);
        } else {
            QAccessibleWidget::doAction(action);
        }
    }

private:
    QAbstractButton* button() const { return static_cast<QAbstractButton*>(object()); }

    bool hasMenu() const
    {
        const auto* push = qobject_cast<const QPushButton*>(button());
        return push && push->menu();
    }

    QString mainAction() const
    {
        return hasMenu()              ? showMenuAction()
            : button()->isCheckable() ? toggleAction()
                                      : pressAction();
    }
};

QAccessibleInterface* makeAccessible(const QString& className, QObject* object)
{
    // The name in the meta-object of a class, most derived first.
    static const QHash<QString, QAccessible::Role> painted{
        {u"slipway::MetricChart"_s, QAccessible::Chart},
        {u"slipway::Timeline"_s, QAccessible::List}, {u"slipway::LayerBar"_s, QAccessible::Graphic},
        // Qt calls it a grip, which the platform does not know.
        {u"QSplitterHandle"_s, QAccessible::Separator},
        {u"slipway::PresenterView"_s, QAccessible::Graphic}};
    static const QStringList buttons{u"QPushButton"_s, u"QCheckBox"_s, u"slipway::NavButton"_s};
    auto* widget = qobject_cast<QWidget*>(object);
    if (widget && painted.contains(className)) {
        return new QAccessibleWidget(widget, painted.value(className));
    }
    auto* button = qobject_cast<QAbstractButton*>(object);
    return button && buttons.contains(className) ? new ClickedButton(button) : nullptr;
}

} // namespace

void installAccessibleInterfaces()
{
    QAccessible::installFactory(makeAccessible); // once: Qt knows it the second time
}

} // namespace slipway
