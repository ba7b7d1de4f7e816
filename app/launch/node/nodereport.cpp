// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/node/nodereport.h"

#include "app/launch/node/nodeplaces.h"

#include <QJsonDocument>

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostRows = 5000; ///< a file that grows without end fills memory otherwise
constexpr qsizetype longestLine = 256 * 1024;
constexpr qsizetype longestText = 2000;

/// Text from there for a label here: one line, bounded.
QString textOf(const QJsonObject& row, QLatin1String key)
{
    QString text = row.value(key).toString().left(longestText);
    for (QChar& c : text)
        if (!c.isPrint())
            c = u' ';
    return text.simplified();
}

std::optional<CheckState> stateOf(const QString& word)
{
    if (word == u"ok")
        return CheckState::Ok;
    if (word == u"warn")
        return CheckState::Warn;
    if (word == u"fail")
        return CheckState::Fail;
    if (word == u"skip")
        return CheckState::Skip;
    return {};
}

std::optional<CheckRow> rowOf(const QByteArray& line)
{
    if (line.size() > longestLine)
        return {};
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const auto state = stateOf(object.value(QLatin1String("state")).toString());
    CheckRow row;
    row.id = textOf(object, QLatin1String("id")).left(120);
    if (row.id.isEmpty())
        return {};
    // What a race or the agent writes is a row of its own form, and no check.
    const bool other = row.id == u"sample" || row.id.startsWith(u"race.");
    if (!state && !other)
        return {};
    row.state = state.value_or(CheckState::Skip);
    row.value = textOf(object, QLatin1String("value"));
    row.expected = textOf(object, QLatin1String("expected"));
    row.why = textOf(object, QLatin1String("why"));
    row.fix = textOf(object, QLatin1String("fix"));
    row.where = textOf(object, QLatin1String("where"));
    row.node = textOf(object, QLatin1String("node"));
    row.data = object.value(QLatin1String("data")).toObject();
    return row;
}

/// Takes the rows one after the other: which call each belongs to, and what a later call replaces.
class ReportReader {
public:
    void take(CheckRow row)
    {
        if (row.id == u"begin") { // the job began again: what it said before is of another try
            m_report.rows.clear();
            m_open = 0;
        } else if (row.id == u"probe") {
            beginCall(row);
        } else if (row.id == u"end") {
            m_open = std::max(0, m_open - 1);
        } else if (row.id != u"sample" && !row.id.startsWith(u"race.")) {
            keep(std::move(row));
        }
    }
    void takeUnreadable() { ++m_report.unreadable; }

    NodeReport result()
    {
        m_report.complete = m_any && m_open == 0;
        for (CheckRow& row : placeDifferences(m_report))
            m_report.rows.push_back(std::move(row));
        return std::move(m_report);
    }

private:
    void beginCall(const CheckRow& row)
    {
        m_any = true;
        ++m_open;
        m_where = row.where.isEmpty() ? textOf(row.data, QLatin1String("where")) : row.where;
        m_node = row.node.isEmpty() ? textOf(row.data, QLatin1String("node")) : row.node;
    }

    void keep(CheckRow row)
    {
        m_any = true;
        if (row.where.isEmpty())
            row.where = m_where;
        if (row.node.isEmpty())
            row.node = m_node;
        const auto same = std::find_if(m_report.rows.begin(), m_report.rows.end(), [&](const CheckRow& other) {
            return other.id == row.id && other.where == row.where && other.node == row.node;
        });
        if (same != m_report.rows.end())
            *same = std::move(row); // looked at once more
        else if (m_report.rows.size() < mostRows)
            m_report.rows.push_back(std::move(row));
    }

    NodeReport m_report;
    QString m_where, m_node;
    int m_open = 0;
    bool m_any = false;
};

} // namespace

CheckState NodeReport::worst() const
{
    // By weight: a skip says nothing of the node.
    const auto weight = [](CheckState state) {
        switch (state) {
        case CheckState::Fail:
            return 3;
        case CheckState::Warn:
            return 2;
        case CheckState::Ok:
            return 1;
        case CheckState::Skip:
            break;
        }
        return 0;
    };
    CheckState worst = CheckState::Skip;
    for (const CheckRow& row : rows)
        if (weight(row.state) > weight(worst))
            worst = row.state;
    return worst;
}

NodeReport readNodeReport(const QByteArray& ndjson)
{
    ReportReader reader;
    qsizetype at = 0;
    while (at < ndjson.size()) {
        const qsizetype newline = ndjson.indexOf('\n', at);
        // A last line without an end is still being written.
        if (newline < 0)
            break;
        const QByteArray line = ndjson.mid(at, newline - at).trimmed();
        at = newline + 1;
        if (line.isEmpty())
            continue;
        if (auto row = rowOf(line))
            reader.take(std::move(*row));
        else
            reader.takeUnreadable();
    }
    return reader.result();
}

} // namespace slipway
