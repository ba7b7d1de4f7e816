// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/guestdialog.h"

#include "ui/parts/text.h"
#include "ui/sites/guestview.h"
#include "ui/sites/guestwords.h"

#include <QPointer>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

GuestDialog::GuestDialog(Workbench* workbench, const Site& site, QWidget* parent)
    : QDialog(parent)
    , m_workbench(workbench)
    , m_siteId(site.id)
    , m_name(site.name)
    , m_view(new GuestView)
{
    setWindowTitle(tr("What Slipway has on %1").arg(m_name));
    setObjectName(u"guestDialog"_s);
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
    connect(m_view, &GuestView::lookRequested, this, [this] {
        m_view->setResult({});
        look();
    });
    connect(m_view, &GuestView::removeRequested, this, [this](const GuestList& items) { remove(items); });
    connect(m_view, &GuestView::connectRequested, this, [this] { emit connectRequested(m_siteId); });
    connect(workbench, &Workbench::connectionChanged, this, [this](const QString& siteId) {
        if (siteId == m_siteId) {
            showConnection();
        }
    });
    showConnection();
}

bool GuestDialog::connected() const
{
    using Phase = ConnectionState::Phase;
    const Phase phase = m_workbench->connection(m_siteId).phase;
    return phase == Phase::Connected || phase == Phase::Stalled;
}

void GuestDialog::showConnection()
{
    if (m_asking) {
        return; // its answer shows what came of it
    }
    if (connected()) {
        if (!m_listed) {
            look();
        }
        return;
    }
    m_listed = false;
    if (m_workbench->connection(m_siteId).phase == ConnectionState::Phase::Connecting) {
        m_view->setBusy(tr("Connecting to %1").arg(m_name));
    } else {
        m_view->setNotConnected();
    }
}

QCoro::Task<void> GuestDialog::look()
{
    if (m_asking) {
        co_return;
    }
    const QPointer<GuestDialog> self(this);
    m_asking = true;
    m_view->setBusy(tr("Looking on %1").arg(m_name));
    const Result<GuestList> found = co_await m_workbench->guests(m_siteId);
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

QCoro::Task<void> GuestDialog::remove(GuestList items)
{
    if (m_asking) {
        co_return;
    }
    const QPointer<GuestDialog> self(this);
    m_asking = true;
    m_view->setResult({});
    m_view->setBusy(tr("Removing"));
    const Result<GuestList> left = co_await m_workbench->removeGuests(m_siteId, items);
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

#include "moc_guestdialog.cpp"
