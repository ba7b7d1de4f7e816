// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/runs/runtabs.h"

#include "ui/node/nodepage.h"
#include "ui/runs/commandspage.h"
#include "ui/runs/filespage.h"
#include "ui/runs/runlive.h"
#include "ui/runs/textpage.h"

#include <QEvent>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastLines = 14; ///< height of any part

} // namespace

RunTabs::RunTabs(Engine* engine, RunLive* live, NodePage* node, QWidget* parent)
    : QWidget(parent)
    , m_bar(new QTabBar)
    , m_pages(new QStackedWidget)
    , m_script(new TextPage(tr("The script that was submitted."), tr("Script")))
    , m_files(new FilesPage(engine))
    , m_commands(new CommandsPage)
{
    m_bar->setDrawBase(false);
    m_bar->setExpanding(false);
    m_bar->setObjectName(u"runTabs"_s);
    m_bar->setAccessibleName(tr("Parts of the run"));
    const std::pair<QString, QWidget*> parts[] = {{tr("Live"), live}, {tr("Node"), node},
        {tr("Script"), m_script}, {tr("Files"), m_files}, {tr("Commands"), m_commands}};
    for (const auto& [name, page] : parts) {
        m_bar->addTab(name);
        m_pages->addWidget(page);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_bar);
    layout->addWidget(m_pages, 1);
    m_pages->installEventFilter(this);
    connect(m_bar, &QTabBar::currentChanged, this, [this](int index) {
        m_pages->setCurrentIndex(index);
        updateGeometry();
    });
    connect(m_files, &FilesPage::fetchRequested, this, &RunTabs::fetchRequested);
}

void RunTabs::setScript(const QByteArray& script)
{
    m_script->setText(script);
}

void RunTabs::setRun(const Run& run, const QStringList& commands)
{
    m_files->setRun(run);
    m_commands->setCommands(commands);
}

void RunTabs::setAttention(int checks)
{
    m_bar->setTabText(NodeTab, checks > 0 ? tr("Node (%1)").arg(checks) : tr("Node"));
    m_bar->setTabToolTip(
        NodeTab, checks > 0 ? tr("Checks that need attention: %1").arg(checks) : QString());
}

void RunTabs::showTab(int index)
{
    m_bar->setCurrentIndex(index);
}

void RunTabs::focusBar()
{
    m_bar->setFocus();
}

int RunTabs::barHeight() const
{
    return m_bar->sizeHint().height() + layout()->spacing();
}

QSize RunTabs::sizeHint() const
{
    const QSize least = m_pages->currentWidget()->minimumSizeHint();
    const int lines = fontMetrics().lineSpacing() * leastLines;
    return {std::max(least.width(), m_bar->minimumSizeHint().width()),
        barHeight() + std::max(least.height(), lines)};
}

bool RunTabs::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_pages && event->type() == QEvent::Resize) {
        emit roomChanged();
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace slipway

#include "moc_runtabs.cpp"
