// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/sessions/foundsite.h"

#include <QCoroTask>
#include <QObject>

namespace slipway {

/// SiteFinder logs in to a cluster without a site file and finds out what it offers, stage by
/// stage. Lives on the GUI (or main) thread, owned by the dialog or command that shows the stages;
/// deleting it ends the connection.
class SiteFinder : public QObject {
    Q_OBJECT

public:
    enum class Stage { LogIn, Scheduler, Limits, Containers, Storage };
    static const std::vector<Stage>& stages();
    static QString title(Stage stage);

    /// `connector` must outlive the finder.
    explicit SiteFinder(Connector* connector, QObject* parent = nullptr);
    ~SiteFinder() override;

    /// The result has an id and a name that are derived from the cluster's own name. A part that
    /// fails leaves its facts unknown; an error only when the login fails, or when there is no
    /// Slurm.
    QCoro::Task<Result<FoundSite>> find(ConnectTarget target, Prompter* prompter);

signals:
    void stageBegun(slipway::SiteFinder::Stage stage);

private:
    Connector* m_connector;
    std::shared_ptr<Shell> m_shell;
};

} // namespace slipway
