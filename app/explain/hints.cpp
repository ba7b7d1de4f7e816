// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/hints.h"

#include <array>

namespace slipway {

namespace {

constexpr std::array changeNames{"double", "set", "add", "choose", "append", "halve"};
constexpr std::array certaintyNames{"sure", "likely", "possible"};

} // namespace

QString changeName(FieldChange::Kind kind)
{
    return QString::fromLatin1(changeNames[size_t(kind)]);
}

std::optional<FieldChange::Kind> changeOf(const QString& name)
{
    for (size_t i = 0; i < changeNames.size(); ++i)
        if (name == QLatin1String(changeNames[i]))
            return FieldChange::Kind(i);
    return {};
}

QString severityName(Explanation::Severity severity)
{
    return severity == Explanation::Severity::Note ? QStringLiteral("note")
                                                   : QStringLiteral("fault");
}

QString certaintyName(Explanation::Certainty certainty)
{
    return QString::fromLatin1(certaintyNames[size_t(certainty)]);
}

std::optional<Explanation::Certainty> certaintyOf(const QString& name)
{
    for (size_t i = 0; i < certaintyNames.size(); ++i)
        if (name == QLatin1String(certaintyNames[i]))
            return Explanation::Certainty(i);
    return {};
}

HintBook::HintBook(std::vector<Hint> hints)
    : m_hints(std::move(hints))
{
    m_anchors.emplace_back("Traceback (most recent call last)");
    m_roles.push_back({Role::Traceback, -1});
    for (size_t h = 0; h < m_hints.size(); ++h) {
        for (const HintMatch& match : m_hints[h].matches) {
            const int number = int(m_matches.size());
            m_matches.push_back({int(h), &match});
            if (match.where & HintMatch::Event)
                m_eventMatches.push_back(size_t(number));
            if (!(match.where & (HintMatch::Log | HintMatch::Submit)))
                continue;
            if (match.after.isEmpty())
                addAnchors(
                    match.regex ? match.anchors : QStringList{match.text}, Role::Main, number);
            addAnchors(match.after, Role::After, number);
            addAnchors(match.also, Role::Also, number);
            addAnchors(match.unless, Role::Unless, number);
        }
    }
    m_scan = AnchorScan(m_anchors);
    m_shapeScan = m_scan.ofShapes();
}

void HintBook::addAnchors(const QStringList& texts, Role::Kind kind, int match)
{
    for (const QString& text : texts) {
        m_anchors.push_back(text.toStdString());
        m_roles.push_back({kind, match});
    }
}

bool HintMatch::occursIn(const QString& line) const
{
    return regex ? regex->match(line).hasMatch() : line.contains(text, Qt::CaseInsensitive);
}

FieldChange filledIn(
    const FieldChange& change, const QString& evidence, const QMap<QString, QString>& facts)
{
    static const QRegularExpression placeholder(QStringLiteral("\\{([a-z_]+)\\}"));
    static const QRegularExpression path(QStringLiteral("(?<![\\w/])(/[\\w.+-][\\w.+/-]*)"));
    FieldChange filled = change;
    for (auto match = placeholder.match(filled.value); match.hasMatch();
         match = placeholder.match(filled.value)) {
        QString value = facts.value(match.captured(1));
        if (match.captured(1) == u"folder") {
            const QString named = path.match(evidence).captured(1);
            const QString folder = named.left(named.lastIndexOf(u'/'));
            value = folder.isEmpty() ? named : folder; // of /data itself
        }
        if (value.isEmpty() || value.contains(u'{'))
            return {change.field, FieldChange::Kind::Choose, {}};
        filled.value.replace(match.captured(0), value);
    }
    return filled;
}

} // namespace slipway
