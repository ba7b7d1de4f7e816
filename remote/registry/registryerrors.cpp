// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/registryerrors.h"

#include "remote/base/quantities.h"
#include "remote/base/tr.h"

#include <QDateTime>
#include <QLocale>

namespace slipway {

namespace {

constexpr qsizetype longestDetail = 400;

/// What the server said, without what it was told in confidence.
QByteArray beginning(const RegistryQuestion& question, const RegistryAnswer& answer)
{
    QByteArray text = answer.body.left(64 * 1024);
    for (const QByteArray& secret : question.secrets)
        if (!secret.isEmpty())
            text.replace(secret, "(hidden)");
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t')
            c = ' ';
    return "HTTP " + QByteArray::number(answer.status) + "\n" + text.trimmed().left(longestDetail);
}

QString waitText(const QByteArray& retryAfter)
{
    bool isNumber = false;
    const qint64 seconds = retryAfter.trimmed().toLongLong(&isNumber);
    if (isNumber && seconds > 0 && seconds < 31 * 86'400)
        return tr("It asks you to wait for %1.").arg(durationText(std::chrono::seconds(seconds)));
    const QDateTime until =
        QDateTime::fromString(QString::fromLatin1(retryAfter.trimmed()), Qt::RFC2822Date);
    if (until.isValid())
        return tr("It asks you to wait until %1.")
            .arg(QLocale().toString(until.toLocalTime(), QLocale::ShortFormat));
    return {};
}

Error tooManyQuestions(const RegistryQuestion& question, const RegistryAnswer& answer)
{
    QString summary;
    if (question.address.isHub && question.user.isEmpty())
        summary = tr("Docker Hub limits anonymous pulls per IP address, and yours, which a whole "
                     "cluster may share, has used them up.");
    else if (question.address.isHub)
        summary = tr("Docker Hub limits the pulls of each account, and %1 has used them up.")
                      .arg(question.user);
    else
        summary = tr("%1 has had too many questions from here and refuses more for a while.")
                      .arg(question.address.name);
    const QString wait = waitText(answer.headers.value("retry-after"));
    if (!wait.isEmpty())
        summary += u' ' + wait;
    return {ErrorKind::Refused, summary,
        question.user.isEmpty()
            ? tr("Log in to %1, wait, or use an image that is already on the cluster.")
                  .arg(question.address.name)
            : tr("Wait, or use an image that is already on the cluster."),
        beginning(question, answer)};
}

Error missing(const RegistryQuestion& question, const RegistryAnswer& answer)
{
    if (question.image.isEmpty() || isForeign(answer))
        return {ErrorKind::Protocol,
            tr("%1 does not answer as a registry does.").arg(question.address.name),
            tr("Check the name and the port of the registry."), beginning(question, answer)};
    const bool isRepository = answer.body.contains("NAME_UNKNOWN");
    return {ErrorKind::NotFound,
        isRepository ? tr("%1 has no repository for %2.").arg(question.address.name, question.image)
                     : tr("%1 has no image %2.").arg(question.address.name, question.image),
        tr("Check the spelling of name and tag; tags come and go, and not every project has "
           "“latest”."),
        beginning(question, answer)};
}

} // namespace

QString loginAdvice(const RegistryAddress& address)
{
    if (address.isHub)
        return tr("The password is that of Docker Hub or, better, an access token from its account "
                  "settings.");
    if (address.host == u"nvcr.io")
        return tr("For NGC the user is $oauthtoken and the password is an API key from "
                  "ngc.nvidia.com.");
    if (address.host == u"ghcr.io")
        return tr("For GitHub the user is your account there, and the password is a classic "
                  "personal access token with read:packages.");
    if (address.host == u"quay.io")
        return tr("For Quay an encrypted password or a robot account works.");
    return tr("Many registries want an access token in place of the password.");
}

Error loginNeeded(const RegistryQuestion& question, const RegistryAnswer& answer)
{
    const QString name = question.address.name;
    return {ErrorKind::Authentication,
        question.image.isEmpty()
            ? tr("%1 wants a login.").arg(name)
            : tr("%1 does not show %2 without a login: it is private, or it does not exist.")
                  .arg(name, question.image),
        tr("Check the name. If it is right, log in to %1.").arg(name) + u' '
            + loginAdvice(question.address),
        beginning(question, answer)};
}

Error loginRefused(const RegistryQuestion& question, const RegistryAnswer& answer)
{
    return {ErrorKind::Authentication,
        tr("%1 did not accept the login of %2.").arg(question.address.name, question.user),
        tr("Check user and password.") + u' ' + loginAdvice(question.address),
        beginning(question, answer)};
}

Error statusError(const RegistryQuestion& question, const RegistryAnswer& answer)
{
    const QString name = question.address.name;
    switch (answer.status) {
    case 401:
    case 403:
        if (question.user.isEmpty())
            return loginNeeded(question, answer);
        if (question.image.isEmpty())
            return loginRefused(question, answer);
        return {ErrorKind::Authentication,
            tr("%1 does not let %2 read %3, or it does not exist.")
                .arg(name, question.user, question.image),
            tr("Check the name, or ask its owner for access. Some registries answer like this to a "
               "wrong password as well."),
            beginning(question, answer)};
    case 404:
        return missing(question, answer);
    case 429:
        return tooManyQuestions(question, answer);
    default:
        break;
    }
    if (answer.status >= 500)
        return {ErrorKind::Network,
            tr("%1 has a problem of its own (HTTP %2).").arg(name).arg(answer.status),
            tr("Try again in a few minutes."), beginning(question, answer)};
    return {ErrorKind::Protocol,
        tr("%1 answered with HTTP %2, which is not expected here.").arg(name).arg(answer.status),
        tr("Check the name and the port of the registry."), beginning(question, answer)};
}

bool isForeign(const RegistryAnswer& answer)
{
    const QByteArray type = answer.headers.value("content-type").toLower();
    const QByteArray packed = answer.headers.value("content-encoding").toLower();
    return type.startsWith("text/html") || answer.body.left(200).trimmed().startsWith('<')
        || !(packed.isEmpty() || packed == "identity");
}

Error foreignAnswer(const RegistryQuestion& question, const RegistryAnswer& answer)
{
    return {ErrorKind::Protocol,
        tr("%1 answered with something other than an image's description, such as a web page.")
            .arg(question.address.name),
        tr("Check the name of the registry. A proxy or a login page of the network may also have "
           "answered in its place."),
        beginning(question, answer)};
}

} // namespace slipway
