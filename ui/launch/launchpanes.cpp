// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchpanes.h"

#include "ui/parts/gripsplitter.h"

#include <QEvent>
#include <QGridLayout>
#include <QSignalBlocker>
#include <QTabBar>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int galleryWidth = 212; ///< at 10 points
constexpr int wideFrom = 1120; ///< at 10 points: gallery, form and script side by side
constexpr int narrowFrom = 640; ///< at 10 points: gallery and form side by side

} // namespace

LaunchPanes::LaunchPanes(QWidget* gallery, QWidget* form, QWidget* script, QWidget* parent)
    : QWidget(parent)
    , m_gallery(gallery)
    , m_form(form)
    , m_script(script)
    , m_tabs(new QTabBar)
    , m_split(new GripSplitter(Qt::Horizontal, u"launch/splitter"_s,
          tr("Divider between the form and the script"), this))
    , m_grid(new QGridLayout(this))
{
    m_tabs->addTab(tr("Recipes"));
    m_tabs->addTab(tr("Form"));
    m_tabs->addTab(tr("Script"));
    m_tabs->setCurrentIndex(int(Part::Form));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Recipes, form or script"));
    m_tabs->setObjectName(u"launchTabs"_s);
    m_split->setObjectName(u"launchSplitter"_s);
    m_split->addWidget(m_form);
    m_split->addWidget(m_script);
    m_split->setStretchFactor(0, 52);
    m_split->setStretchFactor(1, 48);
    m_split->setSizes({520, 480});
    m_split->restorePosition();
    m_grid->setContentsMargins(16, 24, 28, 24);
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(8);
    m_grid->setColumnStretch(1, 1);
    m_grid->setRowStretch(1, 1);
    // In this order: it is that of the Tab key.
    for (QWidget* part :
        {m_gallery, static_cast<QWidget*>(m_tabs), static_cast<QWidget*>(m_split)}) {
        part->setParent(this);
    }
    connect(m_tabs, &QTabBar::currentChanged, this, &LaunchPanes::fold);
    fold();
}

void LaunchPanes::showPart(Part part)
{
    if (part != Part::Recipes || m_room == Room::Slim) {
        m_tabs->setCurrentIndex(int(part));
    }
}

void LaunchPanes::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fold();
}

void LaunchPanes::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fold(); // larger text needs more room
    }
}

void LaunchPanes::fold()
{
    const double scale = std::max(1.0, fontMetrics().height() / 17.0);
    const Room room = width() >= wideFrom * scale ? Room::Wide
        : width() >= narrowFrom * scale           ? Room::Narrow
                                                  : Room::Slim;
    if (room != m_room) {
        place(room);
    }
    const bool slim = room == Room::Slim, wide = room == Room::Wide;
    m_gallery->setMinimumWidth(slim ? 0 : int(galleryWidth * scale));
    m_gallery->setMaximumWidth(slim ? QWIDGETSIZE_MAX : int(galleryWidth * scale));
    const auto tab = Part(m_tabs->currentIndex());
    m_tabs->setVisible(!wide);
    m_gallery->setVisible(!slim || tab == Part::Recipes);
    m_split->setVisible(!slim || tab != Part::Recipes);
    m_form->setVisible(wide || tab != Part::Script);
    m_script->setVisible(wide || tab == Part::Script);
}

void LaunchPanes::place(Room room)
{
    m_room = room;
    const bool slim = room == Room::Slim;
    {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->setTabVisible(int(Part::Recipes), slim);
        if (!slim && m_tabs->currentIndex() == int(Part::Recipes)) {
            m_tabs->setCurrentIndex(int(Part::Form));
        }
    }
    for (QWidget* part :
        {m_gallery, static_cast<QWidget*>(m_tabs), static_cast<QWidget*>(m_split)}) {
        m_grid->removeWidget(part);
    }
    m_grid->addWidget(m_gallery, slim ? 1 : 0, 0, slim ? 1 : 2, slim ? 2 : 1);
    m_grid->addWidget(m_tabs, 0, slim ? 0 : 1, 1, slim ? 2 : 1);
    m_grid->addWidget(m_split, 1, slim ? 0 : 1, 1, slim ? 2 : 1);
}

} // namespace slipway

#include "moc_launchpanes.cpp"
