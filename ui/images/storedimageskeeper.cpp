// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/storedimageskeeper.h"

#include "remote/base/quantities.h"
#include "ui/images/imagewords.h"
#include "ui/images/storedimagescard.h"

#include <QPointer>

namespace slipway {

StoredImagesKeeper::StoredImagesKeeper(Engine* engine, StoredImagesCard* card, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_card(card)
{
    connect(card, &StoredImagesCard::reloadRequested, this, [this] {
        m_listed = false;
        m_card->setResult({});
        refresh();
    });
    connect(card, &StoredImagesCard::removeRequested, this,
        [this](const QStringList& paths) { remove(paths); });
    connect(card, &StoredImagesCard::emptyRequested, this, [this] { empty(); });
    connect(engine->sessions(), &Sessions::connectionChanged, this, [this](const QString& siteId) {
        if (siteId == m_siteId && m_card->isVisible()) {
            refresh();
        }
    });
}

void StoredImagesKeeper::setSite(const QString& siteId)
{
    const Site* const site = m_engine->catalogue()->site(siteId);
    m_siteId = siteId;
    m_name = site ? site->name : siteId;
    ++m_question; // answers that are still to come are of another site
    m_asking = false;
    m_listed = false;
    m_card->setSite(m_name);
    m_card->setResult({});
    if (m_card->isVisible()) {
        refresh();
    }
}

bool StoredImagesKeeper::isConnected() const
{
    using Phase = ConnectionState::Phase;
    const Phase phase = m_engine->sessions()->connection(m_siteId).phase;
    return phase == Phase::Connected || phase == Phase::Stalled;
}

void StoredImagesKeeper::showDisconnected()
{
    m_listed = false;
    using Phase = ConnectionState::Phase;
    if (m_engine->sessions()->connection(m_siteId).phase == Phase::Connecting) {
        m_card->setBusy(tr("Connecting to %1").arg(m_name));
    } else {
        m_card->setNotConnected();
    }
}

void StoredImagesKeeper::refresh()
{
    if (m_siteId.isEmpty() || m_asking) {
        return; // the answer will show the new state
    }
    if (!isConnected()) {
        showDisconnected();
    } else if (!m_listed) {
        list();
    }
}

QCoro::Task<void> StoredImagesKeeper::list()
{
    const QPointer<StoredImagesKeeper> self(this);
    const int question = ++m_question;
    m_asking = true;
    m_card->setBusy(tr("Looking for images on %1").arg(m_name));
    const Result<ImageList> found = co_await m_engine->imageStore()->list(m_siteId);
    if (!self || !isNewest(question)) {
        co_return;
    }
    m_asking = false;
    m_listed = true;
    if (!isConnected()) {
        showDisconnected();
    } else if (found.ok()) {
        m_card->setList(*found);
    } else {
        m_card->setError(found.error());
    }
}

QCoro::Task<void> StoredImagesKeeper::remove(QStringList paths)
{
    if (m_asking) {
        co_return;
    }
    const QPointer<StoredImagesKeeper> self(this);
    const int question = ++m_question;
    m_asking = true;
    m_card->setResult({});
    m_card->setBusy(tr("Removing"));
    const Result<ImageStore::Removed> removed =
        co_await m_engine->imageStore()->remove(m_siteId, paths);
    if (!self || !isNewest(question)) {
        co_return;
    }
    m_asking = false;
    m_listed = false; // what is there now is not known, whether it succeeded or not
    if (!removed.ok()) {
        m_card->setError(removed.error());
        co_return;
    }
    m_card->setResult(removedWords(*removed), removed->left.isEmpty());
    refresh();
}

QCoro::Task<void> StoredImagesKeeper::empty()
{
    if (m_asking) {
        co_return;
    }
    const QPointer<StoredImagesKeeper> self(this);
    const int question = ++m_question;
    m_asking = true;
    m_card->setResult({});
    m_card->setBusy(tr("Emptying the caches"));
    const Result<qint64> freed = co_await m_engine->imageStore()->clearCaches(m_siteId);
    if (!self || !isNewest(question)) {
        co_return;
    }
    m_asking = false;
    m_listed = false; // what is there now is not known, whether it succeeded or not
    if (!freed.ok()) {
        m_card->setError(freed.error());
        co_return;
    }
    m_card->setResult(tr("Caches emptied: %1 are free again.").arg(ByteCount(*freed).text()));
    refresh();
}

} // namespace slipway

#include "moc_storedimageskeeper.cpp"
