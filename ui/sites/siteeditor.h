// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"

#include <QDialog>

class QPlainTextEdit;

namespace slipway {

class TextLabel;

/// SiteEditor edits the site file of a cluster of the user's own. It is saved only if it can be
/// read; otherwise the dialog names the line and the field. GUI thread; it deletes itself when it
/// is closed.
class SiteEditor : public QDialog {
    Q_OBJECT

public:
    SiteEditor(Engine* engine, const Site& site, QWidget* parent = nullptr);

signals:
    void saved(const QString& siteId);

private:
    void save();

    Engine* m_engine;
    QString m_siteId;
    QPlainTextEdit* m_text;
    TextLabel* m_problem;
};

} // namespace slipway
