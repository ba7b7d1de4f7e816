// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QFrame>
#include <QPushButton>
#include <QTimer>

namespace slipway {

class ElidedLabel;
class SignMark;
class TextLabel;

/// ConnectionCard in the corner of the window shows the connection to one site: its state and when
/// the scheduler was last queried; how many calls that takes per minute is in the tool tip and in
/// the accessible description. GUI thread; Sidebar owns it.
class ConnectionCard : public QFrame {
    Q_OBJECT

public:
    explicit ConnectionCard(QWidget* parent = nullptr);
    void setEngine(Engine* engine);
    /// The site that the card shows.
    void setSite(const QString& siteId);
    QString siteId() const { return m_siteId; }
    QPushButton* cleanupButton() const { return m_cleanup; }

signals:
    void cleanupRequested(const QString& siteId);
    void connectRequested(const QString& siteId);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showState();

    Engine* m_engine = nullptr;
    QString m_siteId;
    QTimer m_tick;
    SignMark* m_mark;
    ElidedLabel* m_name;
    TextLabel* m_state;
    TextLabel* m_asked;
    QPushButton* m_cleanup;
    QPushButton* m_again;
};

} // namespace slipway
