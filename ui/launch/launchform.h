// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "ui/launch/pathcompletion.h"

#include <QWidget>

class QGridLayout;
class QPushButton;

namespace slipway {

class FieldEditor;

/// LaunchForm shows the fields of a plan in two columns, or in one where there is little room;
/// those whose defaults suit most people are folded away. The controls are kept while the fields
/// stay the same, so that typing is never disturbed. GUI thread; LaunchPage owns it.
class LaunchForm : public QWidget {
    Q_OBJECT

public:
    explicit LaunchForm(QWidget* parent = nullptr);

    /// `cluster` gives the free GPUs that are shown for each partition.
    void setPlan(const Plan& plan, const std::optional<ClusterInfo>& cluster);
    /// Who is asked for the folders of the cluster, to complete the paths of data; before
    /// setPlan().
    void completeFolders(PathCompletion::Ask ask) { m_folders = std::move(ask); }
    /// The image fields that their registries have answered for; the next plan shows it.
    void setAnswered(const QStringList& fields) { m_answered = fields; }
    void focusField(const QString& key);
    FieldEditor* editor(const QString& key) const;
    /// Those of the problems that no visible field shows.
    std::vector<Problem> unshown(const std::vector<Problem>& problems) const;
    /// The next plan overwrites this field even while it has the focus.
    void forceNext(const QString& key) { m_forced = key; }

signals:
    void edited(const QString& key, const QString& value);
    void fixRequested(const QString& key, const QString& value);
    void secretsRequested();
    /// Fields were folded away, or are visible again.
    void folded();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild(const Plan& plan, const std::optional<ClusterInfo>& cluster);
    void arrange();
    void place(QGridLayout* grid, const std::vector<FieldEditor*>& editors) const;
    void showFold();

    QString m_shape; ///< identifies the fields and choices that the controls were made for
    QString m_forced;
    PathCompletion::Ask m_folders;
    QStringList m_answered;
    QList<FieldEditor*> m_editors;
    std::vector<FieldEditor*> m_plainFields, m_foldedFields; ///< the same, by their grid
    QGridLayout* m_plainGrid = nullptr;
    QGridLayout* m_foldedGrid = nullptr;
    int m_columns = 2;
    QWidget* m_body = nullptr;
    QWidget* m_more = nullptr;
    QPushButton* m_fold = nullptr;
    bool m_open = false;
};

/// What an image reference says by itself, and that no registry was asked unless one has
/// answered; empty if it cannot be read.
QString imageFact(const QString& text, bool isAnswered = false);

} // namespace slipway
