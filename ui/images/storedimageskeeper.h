// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QObject>

namespace slipway {

class StoredImagesCard;

/// StoredImagesKeeper does what the StoredImagesCard requests: it asks the cluster for its images
/// while the card can be seen, and removes what was confirmed. An answer for another site, or an
/// older one, is dropped. GUI thread; ImagesPage owns it.
class StoredImagesKeeper : public QObject {
    Q_OBJECT

public:
    StoredImagesKeeper(Engine* engine, StoredImagesCard* card, QObject* parent);
    void setSite(const QString& siteId);
    /// Asks the cluster if it is connected and has not been asked yet.
    void refresh();

private:
    QCoro::Task<void> list();
    QCoro::Task<void> remove(QStringList paths);
    QCoro::Task<void> empty();
    bool isNewest(int question) const { return question == m_question; }
    bool isConnected() const;
    void showDisconnected();

    Engine* m_engine;
    StoredImagesCard* m_card;
    QString m_siteId;
    QString m_name;
    int m_question = 0;
    bool m_asking = false;
    bool m_listed = false;
};

} // namespace slipway
