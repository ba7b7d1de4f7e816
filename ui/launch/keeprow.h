// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "ui/parts/text.h"

namespace slipway {

class Engine;
class LaunchDraft;

/// KeepRow keeps a draft as a recipe of the person's own, and deletes such a recipe after a
/// question. GUI thread; LaunchPage owns it.
class KeepRow : public QWidget {
    Q_OBJECT

public:
    KeepRow(Engine* engine, LaunchDraft* draft, QWidget* parent = nullptr);

signals:
    void failed(const slipway::Error& error);

private:
    void showPlan();
    void askKeep();
    void askRemove();

    Engine* m_engine;
    LaunchDraft* m_draft;
    QPushButton* m_keep;
    QPushButton* m_remove;
};

} // namespace slipway
