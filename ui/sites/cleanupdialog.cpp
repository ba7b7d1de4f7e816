// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/cleanupdialog.h"

#include "ui/parts/text.h"
#include "ui/sites/cleanuptext.h"
#include "ui/sites/cleanupview.h"

#include <QPointer>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CleanupDialog::CleanupDialog(Engine* engine, const Site& site, QWidget* parent)
    : QDialog(parent)
    , m_engine(engine)
    , m_siteId(site.id)
    , m_name(site.name)
    , m_view(new CleanupView)
{
    setWindowTitle(tr("Files of Slipway on %1").arg(m_name));
    setObjectName(u"cleanupDialog"_s);
    const int unit = fontMetrics().averageCharWidth();
    resize(unit * 128, unit * 92);
    if (parent) {
        resize(size().boundedTo(parent->window()->size() - QSize(64, 64)));
    }
    auto* close = makeButton(tr("Close"));
    auto* head = new QHBoxLayout;
    head->addWidget(new TextLabel(windowTitle(), "title"), 1);
    head->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 24);
    layout->setSpacing(8);
    layout->addLayout(head);
    layout->addWidget(m_view, 1);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_view, &CleanupView::lookRequested, this, [this] {
        m_view->setResult({});
        look();
    });
    connect(m_view, &CleanupView::removeRequested, this,
        [this](const CleanupList& items) { remove(items); });
    connect(
        m_view, &CleanupView::connectRequested, this, [this] { emit connectRequested(m_siteId); });
    connect(engine->sessions(), &Sessions::connectionChanged, this, [this](const QString& siteId) {
        if (siteId == m_siteId) {
            showConnection();
        }
    });
    showConnection();
}

bool CleanupDialog::connected() const
{
    using Phase = ConnectionState::Phase;
    const Phase phase = m_engine->sessions()->connection(m_siteId).phase;
    return phase == Phase::Connected || phase == Phase::Stalled;
}

void CleanupDialog::showConnection()
{
    if (m_asking) {
        return; // the answer will show the new state
    }
    if (connected()) {
        if (!m_listed) {
            look();
        }
        return;
    }
    m_listed = false;
    if (m_engine->sessions()->connection(m_siteId).phase == ConnectionState::Phase::Connecting) {
        m_view->setBusy(tr("Connecting to %1").arg(m_name));
    } else {
        m_view->setNotConnected();
    }
}

QCoro::Task<void> CleanupDialog::look()
{
    if (m_asking) {
        co_return;
    }
    const QPointer<CleanupDialog> self(this);
    m_asking = true;
    m_view->setBusy(tr("Searching on %1").arg(m_name));
    const Result<CleanupList> found = co_await m_engine->cleanup()->find(m_siteId);
    if (!self) {
        co_return;
    }
    m_asking = false;
    m_listed = true;
    if (!connected()) {
        showConnection();
    } else if (found.ok()) {
        m_view->setList(*found);
    } else {
        m_view->setError(found.error());
    }
}

QCoro::Task<void> CleanupDialog::remove(CleanupList items)
{
    if (m_asking) {
        co_return;
    }
    const QPointer<CleanupDialog> self(this);
    m_asking = true;
    m_view->setResult({});
    m_view->setBusy(tr("Removing"));
    const Result<CleanupList> left = co_await m_engine->cleanup()->remove(m_siteId, items);
    if (!self) {
        co_return;
    }
    m_asking = false;
    m_listed = true;
    if (!left.ok()) {
        m_view->setError(left.error());
        co_return;
    }
    m_view->setResult(removalWords(items, *left), left->items.empty());
    look();
}

} // namespace slipway

#include "moc_cleanupdialog.cpp"
