// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/slurm/records.h"

#include "remote/base/tr.h"

#include <QRandomGenerator>

#include <array>

namespace slipway {

namespace {

constexpr std::size_t mostRows = 100'000;

Error malformed(const QString& why, const QByteArray& output)
{
    return {ErrorKind::Protocol, tr("The scheduler's answer could not be read: %1.").arg(why),
        tr("Slipway will try again automatically; until then no job is treated as finished."),
        output.left(4096)};
}

Record fieldsOf(const QByteArray& row, const QByteArray& separator)
{
    Record fields;
    qsizetype from = 0;
    for (auto at = row.indexOf(separator); at >= 0; at = row.indexOf(separator, from)) {
        fields.push_back(row.mid(from, at - from));
        from = at + separator.size();
    }
    fields.push_back(row.mid(from));
    return fields;
}

} // namespace

Separators Separators::random()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return of(QByteArray(reinterpret_cast<const char*>(words.data()), sizeof(words)).toHex());
}

Separators Separators::of(const QByteArray& nonce)
{
    // The letters after the control character keep squeue from reading a width out of the nonce.
    return {"\x1fSLP" + nonce, "\x1eSLP" + nonce};
}

Result<std::vector<Record>> splitRecords(
    const QByteArray& output, const Separators& separators, int fields, int* odd)
{
    std::vector<Record> records;
    qsizetype from = 0;
    int leftOut = 0;
    Result<void> first;
    while (from < output.size()) {
        if (output[from] == '\n') { // Slurm ends each row's line after our separator
            ++from;
            continue;
        }
        const auto end = output.indexOf(separators.row, from);
        if (end < 0)
            return malformed(tr("it is truncated"), output.mid(from));
        Record record = fieldsOf(output.mid(from, end - from), separators.field);
        if (record.size() != std::size_t(fields)) {
            if (first.ok())
                first = malformed(
                    tr("a row has %1 fields instead of %2").arg(record.size()).arg(fields),
                    output.mid(from, end - from));
            if (!odd)
                return first.error();
            ++leftOut;
            from = end + separators.row.size();
            continue;
        }
        if (records.size() == mostRows)
            return malformed(tr("it has more than %1 rows").arg(mostRows), {});
        records.push_back(std::move(record));
        from = end + separators.row.size();
    }
    if (records.empty() && !first.ok())
        return first.error();
    if (odd)
        *odd += leftOut;
    return records;
}

QString lenientText(const QByteArray& bytes)
{
    return QString::fromUtf8(bytes);
}

} // namespace slipway
