// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodereport.h"

#include "app/node/nodeplaces.h"

#include <QJsonDocument>

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t mostCheckRows =
    5000; ///< otherwise a file that grows without end would fill the memory
constexpr qsizetype longestRow = 256 * 1024;
constexpr qsizetype longestRowText = 2000;

/// Text from the cluster for a label: one line, limited length.
QString rowText(const QJsonObject& row, QLatin1String key)
{
    QString text = row.value(key).toString().left(longestRowText);
    for (QChar& c : text)
        if (!c.isPrint())
            c = u' ';
    return text.simplified();
}

std::optional<CheckState> stateOfWord(const QString& word)
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

std::optional<CheckRow> checkRowOf(const QByteArray& line)
{
    if (line.size() > longestRow)
        return {};
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const auto state = stateOfWord(object.value(QLatin1String("state")).toString());
    CheckRow row;
    row.id = rowText(object, QLatin1String("id")).left(120);
    if (row.id.isEmpty())
        return {};
    // Rows of a race or the agent have another form and are not checks.
    const bool other = row.id == u"sample" || row.id.startsWith(u"race.");
    if (!state && !other)
        return {};
    row.state = state.value_or(CheckState::Skip);
    row.value = rowText(object, QLatin1String("value"));
    row.expected = rowText(object, QLatin1String("expected"));
    row.why = rowText(object, QLatin1String("why"));
    row.fix = rowText(object, QLatin1String("fix"));
    row.where = rowText(object, QLatin1String("where"));
    row.node = rowText(object, QLatin1String("node"));
    row.data = object.value(QLatin1String("data")).toObject();
    return row;
}

/// A node's name without its domain: Slurm and the node itself write it differently.
QString shortNode(const QString& node)
{
    const bool address = !node.isEmpty()
        && std::all_of(node.begin(), node.end(), [](QChar c) { return c.isDigit() || c == u'.'; });
    return address ? node : node.section(u'.', 0, 0);
}

/// Processes the rows in order: which call each belongs to, and what a later call replaces.
class ReportReader {
public:
    void take(CheckRow row)
    {
        if (row.id
            == u"begin") { // the job was restarted: earlier rows are from the previous attempt
            std::erase_if(
                m_report.rows, [](const CheckRow& one) { return one.id != u"probe.file"; });
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
        m_where = row.where.isEmpty() ? rowText(row.data, QLatin1String("where")) : row.where;
        m_node = row.node.isEmpty() ? rowText(row.data, QLatin1String("node")) : row.node;
    }

    void keep(CheckRow row)
    {
        m_any = true;
        if (row.where.isEmpty())
            row.where = m_where;
        if (row.node.isEmpty())
            row.node = m_node;
        row.node = shortNode(row.node);
        const auto same =
            std::find_if(m_report.rows.begin(), m_report.rows.end(), [&](const CheckRow& other) {
                return other.id == row.id && other.where == row.where && other.node == row.node;
            });
        if (same != m_report.rows.end())
            *same = std::move(row); // checked once more
        else if (m_report.rows.size() < mostCheckRows)
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
    // By severity: a skip says nothing about the node.
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
        if (auto row = checkRowOf(line))
            reader.take(std::move(*row));
        else
            reader.takeUnreadable();
    }
    return reader.result();
}

} // namespace slipway
