// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/taglist.h"

#include "remote/base/tr.h"
#include "remote/registry/registryaddress.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace slipway {

Result<QStringList> parseTagPage(const QByteArray& json)
{
    static const QRegularExpression form(QStringLiteral("\\A[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\\z"));
    const QJsonDocument document = QJsonDocument::fromJson(json);
    const QJsonValue tags = document.object().value(u"tags");
    const bool isList = tags.isArray() || tags.isNull(); // null: a repository without tags
    if (!document.isObject() || !isList)
        return Error{ErrorKind::Protocol,
            tr("The registry answered with something other than a list of tags."),
            tr("Look at the tags on its web page.")};
    QStringList names;
    for (const auto& tag : tags.toArray()) {
        const QString name = tag.toString();
        if (form.match(name).hasMatch() && names.size() <= taglimits::mostTags)
            names << name;
    }
    return names;
}

QString nextTagPage(const QByteArray& link, const QUrl& page)
{
    static const QRegularExpression form(
        QStringLiteral("<([^<>\\s]{1,2000})>\\s*;[^,]*\\brel=\"?next\"?"));
    const auto match = form.match(QString::fromLatin1(link.left(4096)));
    if (!match.hasMatch())
        return {};
    const QUrl next =
        page.resolved(QUrl::fromEncoded(match.captured(1).toLatin1(), QUrl::StrictMode));
    if (!next.isValid() || !isSameOrigin(next, page) || next.path() != page.path()
        || !next.hasQuery() || next == page)
        return {};
    return next.path(QUrl::FullyEncoded) + u'?' + next.query(QUrl::FullyEncoded);
}

} // namespace slipway
