// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runlogin.h"

#include "app/catalogue/names.h"
#include "app/plan/planfacts.h"
#include "app/plan/stepimages.h"
#include "app/project/sourcereading.h"
#include "app/runs/runsecrets.h"
#include "app/secrets/registrylogins.h"
#include "remote/base/tr.h"
#include "remote/cluster/runfolder.h"
#include "remote/registry/registryaddress.h"

#include <QFile>
#include <QFileInfo>

namespace slipway {

namespace {

const QString hubName = QStringLiteral("docker.io");
const QString ofSites = QStringLiteral(".invalid");

/// "login" and ":5000"
std::pair<QString, QString> hostAndPort(const QString& registry)
{
    const qsizetype colon = registry.lastIndexOf(u':');
    return colon < 0 ? std::pair{registry, QString()}
                     : std::pair{registry.left(colon), registry.mid(colon)};
}

/// As references name it, without the spellings that mean the same.
Result<QString> registryName(const QString& registry)
{
    const Result<RegistryAddress> address = RegistryAddress::of(registry, {});
    if (!address.ok())
        return address.error();
    return address->isHub ? hubName : address->host;
}

Error unreadableLogin(const QString& registry, const Error& error)
{
    return {error.kind,
        tr("The login for %1, which this launch pulls from, could not be read: %2")
            .arg(registry, error.summary),
        tr("Unlock the keychain and launch again. To pull without the login: slipway-cli image "
           "logout %1")
            .arg(registry),
        error.detail};
}

/// The images from which the stages of a definition file start.
std::vector<ImageReference> imagesOfDefinition(const QString& text)
{
    std::vector<ImageReference> images;
    for (const DefinitionStart& start : definitionStarts(text)) {
        QString from = start.from;
        if (!registryIsWritten(from))
            continue; // a login for another registry is not used either, see slipway.sh
        if (from.contains(u"{{"))
            from = from.section(u'/', 0, 0) + u"/name/name"; // only its registry is of interest
        const auto image = ImageReference::parse(start.agent + u"://" + from);
        if (image.ok())
            images.push_back(*image);
    }
    return images;
}

/// The definition file in the person's folder that a plan builds from; empty: it builds from none,
/// or the file cannot be read.
QString ownDefinition(const Plan& plan)
{
    constexpr qint64 longest = 1 << 20;
    for (const RecipeStep& step : plan.recipe.steps) {
        const QString name = buildDefinition(plan, step);
        if (!hasOwnDefinition(step) || plan.spec.project.isEmpty() || !isInnerPath(name))
            continue;
        QFile file(plan.spec.project + u'/' + name);
        if (QFileInfo(file).isFile() && file.open(QIODevice::ReadOnly))
            return QString::fromUtf8(file.read(longest));
    }
    return {};
}

} // namespace

bool isRegistryOfCluster(const Site& site, const QString& registry)
{
    if (registry.isEmpty() || registry.startsWith(u'['))
        return false;
    return !hostAndPort(registry).first.contains(u'.')
        || site.plainHttpRegistries.contains(registry, Qt::CaseInsensitive);
}

Result<QString> registryLoginName(const Site* site, const QString& registry)
{
    const Result<QString> name = registryName(registry);
    if (!name.ok() || !site || *name == hubName || !isRegistryOfCluster(*site, *name))
        return name;
    const auto [host, port] = hostAndPort(*name);
    return QString(host + u'.' + site->id + ofSites + port);
}

RegistryLoginPlace registryLoginPlace(const QString& name)
{
    const auto [host, port] = hostAndPort(name);
    if (!host.endsWith(ofSites))
        return {name, {}};
    const QString both = host.chopped(ofSites.size());
    const qsizetype dot = both.lastIndexOf(u'.'); // a site's id has none
    return {both.left(dot) + port, both.mid(dot + 1)};
}

QByteArray registryLoginLines(const std::vector<JobLogin>& logins, const QString& lastStep,
    const QByteArray& salt, bool mayRequeue)
{
    QByteArray lines =
        "last " + lastStep.toUtf8() + (mayRequeue ? " requeue" : "") + "\nsalt " + salt + '\n';
    for (const JobLogin& one : logins)
        lines += "login " + one.registry.toUtf8() + ' ' + one.login.user.toUtf8().toBase64() + ' '
            + one.login.secret.toUtf8().toBase64() + '\n';
    return lines;
}

PlanRegistries planRegistries(const Plan& plan, const QString& definition)
{
    PlanRegistries found;
    const auto add = [&found](const ImageReference& image) {
        if (image.isFile() || (image.scheme != u"docker" && image.scheme != u"oras"))
            return false;
        const Result<QString> name = registryName(image.registry);
        if (name.ok() && !found.registries.contains(*name))
            found.registries << *name;
        return name.ok();
    };
    for (const PlanImage& image : planImages(plan)) {
        if (image.reference)
            add(*image.reference);
    }
    if (!found.registries.isEmpty()) {
        for (const PlanStep& step : plan.steps) {
            if (step.stage == u"image")
                found.lastStep = step.id;
        }
    }
    for (const RecipeStep& step : plan.recipe.steps) {
        if (step.kind != RecipeStep::Kind::Build)
            continue;
        const auto base = ImageReference::parse(plan.values.value(step.base).trimmed());
        bool asks = base.ok() && add(*base);
        if (hasOwnDefinition(step)) {
            for (const ImageReference& image : imagesOfDefinition(definition))
                asks = add(image) || asks;
        }
        if (asks)
            found.lastStep = step.id;
    }
    return found;
}

QCoro::Task<Result<std::optional<LaunchFile>>> registryLoginFile(SecretStore* secrets, Plan plan)
{
    using File = std::optional<LaunchFile>;
    const QString definition = ownDefinition(plan);
    const PlanRegistries needed = planRegistries(plan, definition);
    if (!secrets || needed.registries.isEmpty())
        co_return File();
    RegistryLogins kept(secrets);
    const QStringList names = kept.registries();
    std::vector<JobLogin> logins;
    for (const QString& registry : needed.registries) {
        const Result<QString> name = registryLoginName(&plan.site, registry);
        if (!name.ok() || !names.contains(*name))
            continue;
        const QString key = *name;
        const auto login = co_await kept.find(key);
        if (!login.ok())
            co_return unreadableLogin(registry, login.error());
        if (*login)
            logins.push_back({registry, **login});
    }
    if (logins.empty())
        co_return File();
    const QByteArray lines =
        registryLoginLines(logins, needed.lastStep, freshSalt(), mayStartAgain(plan));
    co_return File(LaunchFile{QString::fromLatin1(secretFiles[1]), lines, 0600});
}

} // namespace slipway
