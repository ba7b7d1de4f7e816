// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QDialog>

namespace slipway {

class CleanupView;

/// CleanupDialog is the guest page of one site: it asks the cluster what of Slipway's is there when
/// it opens and after each removal, and when a connection comes. The window owns it.
class CleanupDialog : public QDialog {
    Q_OBJECT

public:
    CleanupDialog(Engine* engine, const Site& site, QWidget* parent = nullptr);
    CleanupView* view() const { return m_view; }

signals:
    void connectRequested(const QString& siteId);

private:
    QCoro::Task<void> look();
    QCoro::Task<void> remove(CleanupList items);
    void showConnection();
    bool connected() const;

    Engine* m_engine;
    QString m_siteId;
    QString m_name;
    bool m_asking = false;
    bool m_listed = false;
    CleanupView* m_view;
};

} // namespace slipway
