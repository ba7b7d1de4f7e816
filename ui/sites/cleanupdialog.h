// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QDialog>

namespace slipway {

class CleanupView;

/// CleanupDialog shows what Slipway has left on one site. It queries the cluster when it opens,
/// after each removal, and when a connection is made. GUI thread; it deletes itself when it is
/// closed.
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
