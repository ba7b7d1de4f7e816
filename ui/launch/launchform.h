// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"

#include <QWidget>

class QGridLayout;
class QPushButton;

namespace slipway {

class FieldEditor;

/// LaunchForm shows the fields of a plan in two columns; those whose defaults suit most people are
/// folded away. The controls are kept while the fields stay the same, so that typing is never
/// disturbed. GUI thread; LaunchPage owns it.
class LaunchForm : public QWidget {
    Q_OBJECT

public:
    explicit LaunchForm(QWidget* parent = nullptr);

    /// `cluster` gives the free GPUs that are shown for each partition.
    void setPlan(const Plan& plan, const std::optional<ClusterInfo>& cluster);
    void focusField(const QString& key);
    FieldEditor* editor(const QString& key) const;
    /// The next plan overwrites this field even while it has the focus.
    void forceNext(const QString& key) { m_forced = key; }

signals:
    void edited(const QString& key, const QString& value);
    void fixRequested(const QString& key, const QString& value);

private:
    void rebuild(const Plan& plan, const std::optional<ClusterInfo>& cluster);
    void place(QGridLayout* grid, const std::vector<FieldEditor*>& editors);

    QString m_shape; ///< identifies the fields and choices that the controls were made for
    QString m_forced;
    QList<FieldEditor*> m_editors;
    QWidget* m_body = nullptr;
    QWidget* m_more = nullptr;
    QPushButton* m_fold = nullptr;
    bool m_open = false;
};

/// What an image reference says by itself, without a query to any registry; empty if it cannot be
/// read.
QString imageVerdict(const QString& text);

} // namespace slipway
