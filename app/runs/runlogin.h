// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/plan/plan.h"
#include "app/runs/runflow.h"
#include "remote/registry/registrylogin.h"

#include <QCoroTask>

#include <optional>
#include <vector>

namespace slipway {

// The logins at private registries that a job needs for its pulls, and for nothing else.

/// Whether a registry is known only inside the cluster of `site`: it has no domain ("login:5000"),
/// or the site names it as one without TLS.
bool isRegistryOfCluster(const Site& site, const QString& registry);

/// The name under which RegistryLogins keeps the login for a registry. Another cluster's
/// "login:5000" is another host, so the name of such a registry holds that of the site:
/// "login.demo.invalid:5000" (RFC 2606 keeps ".invalid" free, so no registry is called that).
/// `site`: may be null, then no registry is one of a cluster.
Result<QString> registryLoginName(const Site* site, const QString& registry);

/// The registry and the site of such a name: "login:5000" and "demo".
struct RegistryLoginPlace {
    QString registry;
    QString siteId; ///< empty: any
};
RegistryLoginPlace registryLoginPlace(const QString& name);

/// The login of one registry in a job, as registry.env holds it.
struct JobLogin {
    QString registry; ///< as references name it; Docker Hub is "docker.io"
    RegistryLogin login;
};

/// registry.env for slipway_with_login in slipway.sh. First "last STEP", after which the job
/// removes the file, and " requeue" if Slurm may start the job again, which then keeps it when
/// SIGTERM ends it; then "salt" and freshSalt(), which the job does not read; then a line for each
/// login: "login REGISTRY USER SECRET", the last two in base64.
QByteArray registryLoginLines(const std::vector<JobLogin>& logins, const QString& lastStep,
    const QByteArray& salt, bool mayRequeue = false);

/// The registries that a plan pulls from, each once, and the last step that does. `definition` is
/// the text of the person's definition file, if the plan builds from one.
struct PlanRegistries {
    QStringList registries;
    QString lastStep; ///< empty: it pulls nothing
};
PlanRegistries planRegistries(const Plan& plan, const QString& definition = {});

/// registry.env with the kept logins of the registries that `plan` pulls from; nothing: there are
/// none. An error: the keychain holds one and does not give it.
QCoro::Task<Result<std::optional<LaunchFile>>> registryLoginFile(SecretStore* secrets, Plan plan);

} // namespace slipway
