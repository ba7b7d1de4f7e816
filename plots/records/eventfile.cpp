// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/records/checksum.h"
#include "plots/records/protofields.h"
#include "plots/records/recordreader.h"
#include "plots/records/recordrow.h"

#include <QHash>

#include <algorithm>
#include <bit>
#include <cmath>

namespace slipway {

namespace {

constexpr quint64 largestRecord = 8 * 1024 * 1024; ///< beyond it are graphs and images
constexpr qsizetype framing = 12; ///< the length and its checksum
constexpr qsizetype trailer = 4; ///< the checksum of the record
constexpr qsizetype mostTags = 4096;

/// The numbers of tensorflow's DataType that a scalar has.
enum class TensorType { Float = 1, Double = 2, Int32 = 3, Int64 = 9, Bfloat16 = 14, Half = 19 };

double halfValue(quint16 bits)
{
    const int exponent = (bits >> 10) & 0x1F;
    const double fraction = bits & 0x3FF;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 0x1F)
        return fraction == 0 ? sign * INFINITY : std::nan("");
    return exponent == 0 ? sign * std::ldexp(fraction, -24)
                         : sign * std::ldexp(1 + fraction / 1024, exponent - 15);
}

/// The number of a tensor's content, which is that of one element.
std::optional<double> contentValue(TensorType type, QByteArrayView content)
{
    const qsizetype size = content.size();
    if (type == TensorType::Float && size == 4)
        return std::bit_cast<float>(littleEndian32(content));
    if (type == TensorType::Double && size == 8)
        return std::bit_cast<double>(littleEndian64(content));
    if (type == TensorType::Int32 && size == 4)
        return double(qint32(littleEndian32(content)));
    if (type == TensorType::Int64 && size == 8)
        return double(qint64(littleEndian64(content)));
    if (size != 2)
        return {};
    const quint32 bits = quint8(content[0]) | quint32(quint8(content[1])) << 8;
    if (type == TensorType::Bfloat16)
        return std::bit_cast<float>(bits << 16);
    return type == TensorType::Half ? std::optional(halfValue(quint16(bits))) : std::nullopt;
}

/// The one number of a field of numbers, packed or not; none where there are more.
std::optional<double> fieldValue(const ProtoField& field)
{
    using Wire = ProtoField::Wire;
    const bool packed = field.wire == Wire::Bytes;
    if (field.number == 5 && (field.wire == Wire::Fixed32 || (packed && field.bytes.size() == 4)))
        return packed ? std::bit_cast<float>(littleEndian32(field.bytes)) : field.asFloat();
    if (field.number == 6 && (field.wire == Wire::Fixed64 || (packed && field.bytes.size() == 8)))
        return packed ? std::bit_cast<double>(littleEndian64(field.bytes)) : field.asDouble();
    if ((field.number == 7 || field.number == 10) && field.wire == Wire::Varint)
        return double(qint64(field.value));
    return {};
}

/// The number of a TensorProto that is a scalar.
std::optional<double> tensorValue(QByteArrayView tensor)
{
    TensorType type = TensorType::Float;
    std::optional<double> value;
    ProtoFields fields(tensor);
    while (const auto field = fields.next()) {
        if (field->number == 1 && field->wire == ProtoField::Wire::Varint)
            type = TensorType(field->value);
        else if (field->number == 4 && !field->bytes.isEmpty())
            value = contentValue(type, field->bytes);
        else if (const auto number = fieldValue(*field))
            value = number;
    }
    return value;
}

/// One Value of a Summary.
struct SummaryValue {
    QByteArrayView tag;
    QByteArray plugin; ///< of the metadata, which only the first value of a tag has
    std::optional<float> simple;
    std::optional<QByteArrayView> tensor;
    const char* other = nullptr; ///< the kind of a value that is no number
};

QByteArray pluginName(QByteArrayView metadata)
{
    ProtoFields fields(metadata);
    while (const auto field = fields.next()) {
        if (field->number != 1)
            continue;
        ProtoFields plugin(field->bytes);
        while (const auto part = plugin.next()) {
            if (part->number == 1)
                return part->bytes.toByteArray().left(64);
        }
    }
    return {};
}

SummaryValue summaryValue(QByteArrayView bytes)
{
    SummaryValue value;
    ProtoFields fields(bytes);
    while (const auto field = fields.next()) {
        if (field->number == 1)
            value.tag = field->bytes;
        else if (field->number == 2 && field->wire == ProtoField::Wire::Fixed32)
            value.simple = field->asFloat();
        else if (field->number == 4)
            value.other = "images";
        else if (field->number == 5)
            value.other = "histograms";
        else if (field->number == 6)
            value.other = "audio";
        else if (field->number == 8 && field->wire == ProtoField::Wire::Bytes)
            value.tensor = field->bytes;
        else if (field->number == 9)
            value.plugin = pluginName(field->bytes);
    }
    return value;
}

/// Reads TensorBoard's event files: TFRecords, each a length and a message with their masked
/// CRC-32C. A record whose own checksum is wrong is left out; after a wrong checksum of a length
/// nothing of the file can be found any more.
class EventFileReader : public FramedReader {
public:
    explicit EventFileReader(QString lane)
        : m_lane(std::move(lane))
    {
    }

private:
    qsizetype takePart(QByteArrayView rest) override
    {
        if (m_skip > 0) {
            const qsizetype skipped = qsizetype(std::min<quint64>(m_skip, quint64(rest.size())));
            m_skip -= quint64(skipped);
            return skipped;
        }
        if (rest.size() < framing)
            return 0;
        if (maskedCrc32c(rest.first(8)) != littleEndian32(rest.sliced(8))) {
            lose();
            return 0;
        }
        const quint64 length = littleEndian64(rest);
        if (length > largestRecord) {
            noteNotDrawn(QStringLiteral("records above 8 MiB"));
            // A length near 2^64 is as good as the end of the file.
            m_skip = length > (quint64(1) << 62) ? length : framing + length + trailer;
            return takePart(rest);
        }
        const qsizetype size = qsizetype(length);
        if (rest.size() < framing + size + trailer)
            return 0;
        const QByteArrayView record = rest.sliced(framing, size);
        if (maskedCrc32c(record) == littleEndian32(rest.sliced(framing + size)))
            takeEvent(record);
        else
            noteBroken();
        return framing + size + trailer;
    }

    void takeEvent(QByteArrayView event)
    {
        double step = 0;
        std::vector<QByteArrayView> values;
        ProtoFields fields(event);
        while (const auto field = fields.next()) {
            if (field->number == 2 && field->wire == ProtoField::Wire::Varint)
                step = double(qint64(field->value));
            if (field->number != 5 || field->wire != ProtoField::Wire::Bytes)
                continue;
            ProtoFields summary(field->bytes);
            while (const auto value = summary.next()) {
                if (value->number == 1 && value->wire == ProtoField::Wire::Bytes)
                    values.push_back(value->bytes);
            }
        }
        if (fields.isBroken())
            return noteBroken();
        for (const QByteArrayView value : values)
            takeValue(summaryValue(value), step);
    }

    void takeValue(const SummaryValue& value, double step)
    {
        const QByteArray tag = value.tag.toByteArray().left(200);
        if (!value.plugin.isEmpty() && m_plugins.size() < mostTags)
            m_plugins.insert(tag, value.plugin);
        const QByteArray plugin = value.plugin.isEmpty() ? m_plugins.value(tag) : value.plugin;
        if (value.other)
            return noteNotDrawn(
                QLatin1String(value.other) + QStringLiteral(": ") + QString::fromUtf8(tag));
        std::optional<double> number;
        if (value.simple)
            number = double(*value.simple);
        else if (value.tensor && (plugin.isEmpty() || plugin == "scalars"))
            number = tensorValue(*value.tensor);
        if (!number) {
            if (!plugin.isEmpty() && plugin != "scalars")
                noteNotDrawn(QString::fromUtf8(plugin + ": " + tag));
            return;
        }
        // Keras counts epochs where TensorBoard counts steps.
        const bool byEpoch = tag.startsWith("epoch_");
        add(recordSample(tag, *number, step,
            byEpoch ? QStringLiteral("epoch") : QStringLiteral("step"), m_lane));
    }

    QString m_lane;
    QHash<QByteArray, QByteArray> m_plugins; ///< by tag
    quint64 m_skip = 0; ///< bytes of a record that is not read
};

} // namespace

std::unique_ptr<RecordReader> makeEventFileReader(const QString& lane)
{
    return std::make_unique<EventFileReader>(lane);
}

} // namespace slipway
