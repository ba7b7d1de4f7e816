// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runlabels.h"

#include "remote/base/tr.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestName = 120;
constexpr qsizetype longestTag = 40;
constexpr qsizetype mostTags = 32;
constexpr qsizetype longestNote = 10'000;

bool isTagLetter(QChar c)
{
    return c.isLetterOrNumber() || c == u'-' || c == u'_' || c == u'.' || c == u'/' || c == u'+';
}

Error labelError(const QString& what, const QString& remedy)
{
    return {ErrorKind::Usage, what, remedy};
}

Result<QStringList> checkedTags(const QStringList& tags)
{
    QStringList kept;
    for (const QString& given : tags) {
        QString tag = given.trimmed();
        while (tag.startsWith(u'#'))
            tag.remove(0, 1);
        if (tag.isEmpty())
            continue;
        if (!std::all_of(tag.cbegin(), tag.cend(), isTagLetter))
            return labelError(tr("“%1” cannot be a tag.").arg(tag),
                tr("A tag is one word of letters, digits and - _ . / +"));
        if (tag.size() > longestTag)
            return labelError(tr("The tag “%1…” is too long.").arg(tag.left(20)),
                tr("A tag has at most %1 characters.").arg(longestTag));
        if (!kept.contains(tag, Qt::CaseInsensitive))
            kept.append(tag);
    }
    if (kept.size() > mostTags)
        return labelError(tr("These are %1 tags.").arg(kept.size()),
            tr("A run can have at most %1.").arg(mostTags));
    kept.sort(Qt::CaseInsensitive);
    return kept;
}

} // namespace

Result<RunLabels> checkedLabels(RunLabels labels)
{
    labels.name = labels.name.simplified();
    labels.note = labels.note.trimmed();
    if (labels.name.size() > longestName)
        return labelError(tr("The name of the run is too long."),
            tr("It can have at most %1 characters.").arg(longestName));
    if (labels.note.size() > longestNote)
        return labelError(
            tr("The note is too long."), tr("It can have at most %1 characters.").arg(longestNote));
    const auto tags = checkedTags(labels.tags);
    if (!tags.ok())
        return tags.error();
    labels.tags = *tags;
    return labels;
}

QStringList tagsIn(const QString& text)
{
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    return text.split(between, Qt::SkipEmptyParts);
}

QJsonObject labelsToJson(const RunLabels& labels)
{
    QJsonObject json;
    if (!labels.name.isEmpty())
        json.insert(QStringLiteral("name"), labels.name);
    if (!labels.tags.isEmpty())
        json.insert(QStringLiteral("tags"), QJsonArray::fromStringList(labels.tags));
    if (!labels.note.isEmpty())
        json.insert(QStringLiteral("note"), labels.note);
    if (!labels.readWith.isEmpty())
        json.insert(QStringLiteral("read_with"), labels.readWith);
    return json;
}

RunLabels labelsFromJson(const QJsonObject& json)
{
    RunLabels labels;
    labels.name = json.value(u"name").toString();
    for (const auto& tag : json.value(u"tags").toArray())
        labels.tags.append(tag.toString());
    labels.note = json.value(u"note").toString();
    labels.readWith = json.value(u"read_with").toString();
    return labels;
}

} // namespace slipway
