// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/launch/workbench.h"

#include <QDialog>

namespace slipway {

class GuestView;

/// GuestDialog is the guest page of one site: it asks the cluster what of Slipway's is there when it
/// opens and after each removal, and when a connection comes. The window owns it.
class GuestDialog : public QDialog {
    Q_OBJECT

public:
    GuestDialog(Workbench* workbench, const Site& site, QWidget* parent = nullptr);
    GuestView* view() const { return m_view; }

signals:
    void connectRequested(const QString& siteId);

private:
    QCoro::Task<void> look();
    QCoro::Task<void> remove(GuestList items);
    void showConnection();
    bool connected() const;

    Workbench* m_workbench;
    QString m_siteId;
    QString m_name;
    bool m_asking = false;
    bool m_listed = false;
    GuestView* m_view;
};

} // namespace slipway
