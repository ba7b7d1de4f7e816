// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runspage.h"

#include "ui/runs/runlist.h"
#include "ui/runs/runpage.h"

namespace slipway {

RunsPage::RunsPage(Engine* engine, QWidget* parent)
    : QStackedWidget(parent)
    , m_engine(engine)
    , m_list(new RunList(engine))
{
    addWidget(m_list);
    connect(m_list, &RunList::opened, this, &RunsPage::openRun);
}

void RunsPage::openRun(const QString& runId)
{
    if (!m_page) {
        m_page = new RunPage(m_engine);
        addWidget(m_page);
        connect(m_page, &RunPage::backRequested, this, &RunsPage::showList);
        emit pageMade(m_page);
    }
    if (m_page->runId() != runId) {
        m_page->setRun(runId);
    }
    setCurrentWidget(m_page);
    m_page->focusTabs();
}

void RunsPage::showList()
{
    setCurrentWidget(m_list);
    m_list->focusList();
}

bool RunsPage::showsRun() const
{
    return m_page && currentWidget() == m_page;
}

} // namespace slipway

#include "moc_runspage.cpp"
