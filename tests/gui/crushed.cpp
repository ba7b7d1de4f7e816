// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "crushed.h"

#include "ui/parts/pill.h"
#include "ui/parts/text.h"
#include "ui/parts/timeline.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QScrollBar>
#include <QTabBar>
#include <QTableWidget>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int slack = 1; ///< pixel: layouts round

/// Parts of a control of Qt, which sees to them itself.
bool isInner(const QWidget* widget)
{
    const QWidget* const parent = widget->parentWidget();
    return qobject_cast<const QScrollBar*>(widget) || widget->objectName().startsWith(u"qt_"_s)
        || qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QComboBox*>(parent)
        || qobject_cast<const QTabBar*>(parent) || (parent && parent->inherits("QAbstractItemView"))
        || widget->inherits("QTableCornerButton");
}

bool isContent(const QWidget* widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
        return !label->text().isEmpty();
    }
    return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QLineEdit*>(widget)
        || qobject_cast<const QComboBox*>(widget) || qobject_cast<const QTabBar*>(widget)
        || qobject_cast<const QAbstractSlider*>(widget) || qobject_cast<const ElidedLabel*>(widget)
        || qobject_cast<const StatePill*>(widget) || qobject_cast<const Timeline*>(widget)
        || (qobject_cast<const QAbstractScrollArea*>(widget)
            && (widget->focusPolicy() & Qt::TabFocus));
}

/// Whether it shortens its own text, so that it may be narrower than that.
bool elides(const QWidget* widget)
{
    const bool can = qobject_cast<const ElidedLabel*>(widget)
        || qobject_cast<const ElidedText*>(widget)
        || (qobject_cast<const QAbstractButton*>(widget)
            && widget->sizePolicy().horizontalPolicy() == QSizePolicy::Expanding);
    return can && !widget->toolTip().isEmpty();
}

QSize neededSize(const QWidget* widget)
{
    const auto* label = qobject_cast<const QLabel*>(widget);
    QSize needed = widget->minimumSizeHint();
    if (label && label->wordWrap()) {
        needed.setHeight(label->heightForWidth(label->width()));
    } else if ((label || qobject_cast<const QAbstractButton*>(widget)) && !elides(widget)) {
        needed = widget->sizeHint();
    } else if (qobject_cast<const Timeline*>(widget)) {
        needed.setHeight(widget->heightForWidth(widget->width()));
    }
    // What has a size of its own is not crushed by a layout.
    const bool told = !widget->toolTip().isEmpty();
    if (label && told && widget->minimumHeight() == widget->maximumHeight()) {
        needed.setHeight(widget->minimumHeight());
    }
    return needed;
}

QString nameOf(const QWidget* widget)
{
    QString text = widget->accessibleName();
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
        text = label->text();
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget);
               button && text.isEmpty()) {
        text = button->text();
    }
    const QString own = widget->objectName().isEmpty() ? QString() : u' ' % widget->objectName();
    return QString::fromLatin1(widget->metaObject()->className()) % own % u" “"_s % text.left(60)
        % u'”';
}

/// The scroll area whose viewport this is.
const QAbstractScrollArea* scrollerOf(const QWidget* viewport)
{
    const auto* area = qobject_cast<const QAbstractScrollArea*>(viewport->parentWidget());
    return area && area->viewport() == viewport ? area : nullptr;
}

/// The first parent that cuts the widget and cannot be scrolled to show it; null: there is none.
const QWidget* cutter(const QWidget* widget, const QWidget& page)
{
    QRect rect = widget->rect();
    for (const QWidget* one = widget; one != &page && one->parentWidget();
         one = one->parentWidget()) {
        rect.translate(one->pos());
        const QWidget* const parent = one->parentWidget();
        const QRect room = parent->rect().adjusted(-slack, -slack, slack, slack);
        bool wide = rect.left() < room.left() || rect.right() > room.right();
        bool high = rect.top() < room.top() || rect.bottom() > room.bottom();
        if (const QAbstractScrollArea* const area = scrollerOf(parent)) {
            const auto moves = [](const QScrollBar* bar) {
                return bar->maximum() > bar->minimum();
            };
            const bool across = moves(area->horizontalScrollBar())
                && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff;
            wide = wide && !across;
            high = high && !moves(area->verticalScrollBar());
            // From here on it is where it can be scrolled to.
            if (!wide && !high) {
                const QSize size = rect.size().boundedTo(parent->size());
                rect.moveLeft(
                    std::clamp(rect.left(), 0, std::max(0, parent->width() - size.width())));
                rect.moveTop(
                    std::clamp(rect.top(), 0, std::max(0, parent->height() - size.height())));
                rect.setSize(size);
            }
        }
        if (wide || high) {
            return parent;
        }
    }
    return nullptr;
}

QString sizeText(const QSize& size)
{
    return u"%1×%2"_s.arg(size.width()).arg(size.height());
}

/// The texts of cells that are cut and are in no tool tip.
void findCutCells(const QTableWidget& table, const QString& place, QStringList* found)
{
    for (int row = 0; row < table.rowCount(); ++row) {
        for (int column = 0; column < table.columnCount(); ++column) {
            const QTableWidgetItem* const item = table.item(row, column);
            if (!item || !item->toolTip().isEmpty()) {
                continue;
            }
            if (table.fontMetrics().horizontalAdvance(item->text()) > table.columnWidth(column)) {
                *found << place % u": the cell “"_s % item->text() % u"” is cut"_s;
            }
        }
    }
}

} // namespace

QStringList crushedParts(const QWidget& page, const QString& name)
{
    QStringList found;
    std::vector<const QWidget*> contents;
    for (const QWidget* widget : page.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->isWindow() || widget->window() != page.window()
            || isInner(widget) || !isContent(widget)) {
            continue;
        }
        contents.push_back(widget);
        const QString place = name % u": "_s % nameOf(widget);
        const QSize needed = neededSize(widget);
        if (widget->width() + slack < needed.width()
            || widget->height() + slack < needed.height()) {
            found << place % u" has "_s % sizeText(widget->size()) % u" and needs "_s
                    % sizeText(needed);
        }
        if (const QWidget* const parent = cutter(widget, page)) {
            found << place % u" is cut by "_s % nameOf(parent) % u", which is "_s
                    % sizeText(parent->size());
        }
        if (const auto* table = qobject_cast<const QTableWidget*>(widget)) {
            findCutCells(*table, place, &found);
        }
    }
    for (size_t i = 0; i < contents.size(); ++i) {
        for (size_t k = i + 1; k < contents.size(); ++k) {
            const QWidget *one = contents[i], *other = contents[k];
            if (one->isAncestorOf(other) || other->isAncestorOf(one)) {
                continue;
            }
            // Only what one parent places: parts of different pages are compared by their parents.
            if (one->parentWidget() != other->parentWidget()) {
                continue;
            }
            const QRect both = one->geometry() & other->geometry();
            if (both.width() > slack && both.height() > slack) {
                found << name % u": "_s % nameOf(one) % u" and "_s % nameOf(other)
                        % u" overlap by "_s % sizeText(both.size());
            }
        }
    }
    return found;
}

} // namespace slipway
