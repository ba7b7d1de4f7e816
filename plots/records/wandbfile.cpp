// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/checksum.h"
#include "plots/records/protofields.h"
#include "plots/records/recordreader.h"
#include "plots/records/recordrow.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype blockSize = 32768;
constexpr qsizetype headerSize = 7; ///< of the file, and of each part of a record
constexpr qsizetype largestRunRecord = 8 * 1024 * 1024;

/// One item of a step: its name, and its value as JSON.
struct HistoryItem {
    QByteArray name;
    QByteArray json;
};

HistoryItem historyItem(QByteArrayView bytes)
{
    HistoryItem item;
    ProtoFields fields(bytes);
    while (const auto field = fields.next()) {
        if (field->number == 1)
            item.name = field->bytes.toByteArray().left(200);
        else if (field->number == 2)
            item.name += (item.name.isEmpty() ? QByteArray() : QByteArray("/"))
                + field->bytes.toByteArray().left(200);
        else if (field->number == 16)
            item.json = field->bytes.toByteArray();
    }
    return item;
}

/// Reads the file of a Weights & Biases run, which offline runs keep as well: a log of LevelDB's
/// format (blocks of 32 KiB, a record in one or more parts) with the CRC-32 of zip, whose records
/// are protobuf messages. Of those the history counts. After a part that is malformed reading goes
/// on with the next block.
class WandbReader : public FramedReader {
public:
    explicit WandbReader(QString lane)
        : m_lane(std::move(lane))
    {
    }

private:
    enum Part { Zero = 0, Full = 1, First = 2, Middle = 3, Last = 4 };

    qsizetype advance(qsizetype bytes)
    {
        m_place = (m_place + bytes) % blockSize;
        return bytes;
    }

    qsizetype takeFileHeader(QByteArrayView rest)
    {
        if (rest.size() < headerSize)
            return 0;
        if (!rest.startsWith(":W&B\xe1\xbe")) {
            lose();
            return 0;
        }
        m_begun = true;
        return advance(headerSize);
    }

    qsizetype takePart(QByteArrayView rest) override
    {
        if (!m_begun)
            return takeFileHeader(rest);
        const qsizetype room = blockSize - m_place;
        if (m_skip > 0 || room < headerSize)
            return skip(m_skip > 0 ? m_skip : room, rest);
        if (rest.size() < headerSize)
            return 0;
        const qsizetype length = quint8(rest[4]) | qsizetype(quint8(rest[5])) << 8;
        const int part = quint8(rest[6]);
        if (part < Full || part > Last || headerSize + length > room) {
            if (part != Zero) // a block that was not filled ends in zeros
                noteBroken();
            m_record.clear();
            return skip(room, rest);
        }
        if (rest.size() < headerSize + length)
            return 0;
        if (crc32(rest.sliced(6, 1 + length)) != littleEndian32(rest)) {
            noteBroken();
            m_record.clear();
            return skip(room, rest);
        }
        join(Part(part), rest.sliced(headerSize, length));
        return advance(headerSize + length);
    }

    /// So many bytes of what is there and of what comes are left out.
    qsizetype skip(qsizetype wanted, QByteArrayView rest)
    {
        const qsizetype skipped = std::min(wanted, rest.size());
        m_skip = wanted - skipped;
        return advance(skipped);
    }

    void join(Part part, QByteArrayView bytes)
    {
        if (part == Full || part == First) {
            m_record.clear();
            m_joining = true;
        }
        if (!m_joining)
            return;
        m_record.append(bytes);
        if (m_record.size() > largestRunRecord) {
            m_joining = false;
            m_record.clear();
            noteNotDrawn(QStringLiteral("records above 8 MiB"));
        } else if (part == Full || part == Last) {
            m_joining = false;
            takeRecord(m_record);
            m_record.clear();
        }
    }

    void takeRecord(QByteArrayView record)
    {
        ProtoFields fields(record);
        while (const auto field = fields.next()) {
            if (field->number == 2 && field->wire == ProtoField::Wire::Bytes)
                takeHistory(field->bytes);
        }
        if (fields.isBroken())
            noteBroken();
    }

    void takeHistory(QByteArrayView history)
    {
        std::optional<double> step;
        std::vector<HistoryItem> items;
        ProtoFields fields(history);
        while (const auto field = fields.next()) {
            if (field->number == 1 && items.size() < RecordRow::mostCells)
                items.push_back(historyItem(field->bytes));
            else if (field->number == 2)
                step = stepOf(field->bytes);
        }
        for (const HistoryItem& item : items) {
            if (item.name == "_step")
                step = recordNumber(item.json);
        }
        RecordRow row;
        for (const HistoryItem& item : items)
            addItem(item, row);
        if (!step)
            return;
        // One axis for everything: the program's own counters are numbers beside others here.
        std::erase_if(row.cells, [](const auto& cell) { return bool(counterRank(cell.name)); });
        row.cells.insert(row.cells.begin(), {"_step", *step});
        for (Sample& sample : samplesOf(row, m_lane, TimeAxis::No))
            add(std::move(sample));
    }

    static double stepOf(QByteArrayView bytes)
    {
        ProtoFields fields(bytes);
        while (const auto field = fields.next()) {
            if (field->number == 1)
                return double(qint64(field->value));
        }
        return 0;
    }

    void addItem(const HistoryItem& item, RecordRow& row)
    {
        if (const auto number = recordNumber(item.json)) {
            row.cells.push_back({item.name, *number});
            return;
        }
        if (!item.json.startsWith('{')) {
            // NaN and infinities are words in quotes.
            const QByteArrayView text(item.json);
            if (text.size() > 2 && text.startsWith('"') && text.endsWith('"'))
                if (const auto word = recordNumber(text.sliced(1, text.size() - 2)))
                    row.cells.push_back({item.name, *word});
            return;
        }
        const QString type =
            QJsonDocument::fromJson(item.json).object().value(u"_type").toString().left(40);
        if (!type.isEmpty())
            noteNotDrawn(type + QStringLiteral(": ") + QString::fromUtf8(item.name));
    }

    QString m_lane;
    QByteArray m_record; ///< the parts of it so far
    qsizetype m_place = 0; ///< within the block
    qsizetype m_skip = 0; ///< bytes of the block that are not read
    bool m_begun = false;
    bool m_joining = false;
};

} // namespace

std::unique_ptr<RecordReader> makeWandbReader(const QString& lane)
{
    return std::make_unique<WandbReader>(lane);
}

} // namespace slipway
