// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"

#include "plots/records/checksum.h"
#include "plots/records/linesplitter.h"
#include "plots/records/protofields.h"
#include "recordfiles.h"

#include <QtEndian>

using namespace slipway;
using namespace slipway::test;

using namespace Qt::StringLiterals;

/// Files that are half-written, damaged or hostile.
class TestDamage : public QObject {
    Q_OBJECT

private slots:
    void checksums_areTheKnownOnes();
    void halfWrittenRecord_waitsForItsRest();
    void damagedEvent_isLeftOut();
    void damagedLength_endsTheFile();
    void hugeRecord_isSkipped();
    void imagesAndHistograms_areNamed();
    void tensors_ofEveryScalarType_data();
    void tensors_ofEveryScalarType();
    void damagedBlock_losesItsRecordsOnly();
    void otherFile_isNoWandbRun();
    void longLine_isDroppedWhole();
    void longTable_keepsItsMemory();
};

namespace {

const RecordFile eventFile{RecordKind::EventFile, u"L"_s};
const RecordFile wandbFile{RecordKind::WandbRun, u"L"_s};

QByteArray little(auto value)
{
    QByteArray bytes(sizeof(value), '\0');
    qToLittleEndian(value, bytes.data());
    return bytes;
}

QByteArray varint(quint64 value)
{
    QByteArray bytes;
    for (; value >= 0x80; value >>= 7)
        bytes.append(char(value | 0x80));
    bytes.append(char(value));
    return bytes;
}

QByteArray field(int number, const QByteArray& bytes)
{
    return varint(quint64(number) << 3 | 2) + varint(quint64(bytes.size())) + bytes;
}

QByteArray field(int number, quint64 value)
{
    return varint(quint64(number) << 3) + varint(value);
}

QByteArray tfRecord(const QByteArray& data)
{
    const QByteArray length = little(quint64(data.size()));
    return length + little(maskedCrc32c(length)) + data + little(maskedCrc32c(data));
}

/// An event with one value of a summary, as the format says.
QByteArray eventRecord(quint64 step, const QByteArray& value)
{
    return tfRecord(field(2, step) + field(5, field(1, value)));
}

QByteArray simpleValue(const QByteArray& tag, float value)
{
    return field(1, tag) + varint(2 << 3 | 5) + little(value);
}

} // namespace

void TestDamage::checksums_areTheKnownOnes()
{
    QCOMPARE(crc32("123456789"), 0xCBF43926U);
    QCOMPARE(crc32c("123456789"), 0xE3069283U);
    QCOMPARE(crc32c("6789", crc32c("12345")), 0xE3069283U);
}

void TestDamage::halfWrittenRecord_waitsForItsRest()
{
    const QByteArray bytes =
        eventRecord(1, simpleValue("loss", 0.5F)) + eventRecord(2, simpleValue("loss", 0.25F));
    const auto reader = makeRecordReader(eventFile);
    reader->feed(bytes.chopped(3));
    QCOMPARE(reader->takeSamples().size(), size_t(1));
    reader->feed(bytes.right(3));
    const auto rest = reader->takeSamples();
    QCOMPARE(rest.size(), size_t(1));
    QCOMPARE(rest.front().x, 2.0);
    QCOMPARE(rest.front().y, 0.25);
    QCOMPARE(reader->broken(), 0);
}

void TestDamage::damagedEvent_isLeftOut()
{
    QByteArray bytes = recordBytes(u"tensorboard-tensors-synthetic.tfevents.bin"_s);
    bytes[200] = char(bytes[200] ^ 1); // the data of the third point
    const ReadRecords read = readRecords(bytes, eventFile);
    QCOMPARE(read.line(u"my_metric"_s, u"L"_s), u"59 by step: 0→0, 59→14.75"_s);
    QCOMPARE(read.broken, 1);
}

void TestDamage::damagedLength_endsTheFile()
{
    QByteArray bytes =
        eventRecord(1, simpleValue("loss", 0.5F)) + eventRecord(2, simpleValue("loss", 0.25F));
    const qsizetype second = bytes.size() / 2;
    bytes[second] = char(bytes[second] ^ 4);
    const ReadRecords read = readRecords(bytes, eventFile);
    QCOMPARE(read.samples.size(), size_t(1));
    QCOMPARE(read.broken, 1);
}

void TestDamage::hugeRecord_isSkipped()
{
    const QByteArray length = little(quint64(9) << 20);
    const QByteArray bytes = length + little(maskedCrc32c(length)) + QByteArray((9 << 20) + 4, 'x')
        + eventRecord(7, simpleValue("loss", 0.5F));
    const ReadRecords read = readRecords(bytes, eventFile, 100'000);
    QCOMPARE(read.line(u"loss"_s, u"L"_s), u"1 by step: 7→0.5, 7→0.5"_s);
    QCOMPARE(read.notDrawn, QStringList{u"records above 8 MiB"_s});
    const QByteArray endless = little(~quint64(0));
    QVERIFY(
        readRecords(endless + little(maskedCrc32c(endless)) + bytes, eventFile).samples.empty());
}

void TestDamage::imagesAndHistograms_areNamed()
{
    const QByteArray metadata = field(9, field(1, field(1, "images")));
    const QByteArray bytes = eventRecord(1, field(1, "generated") + field(4, "png"))
        + eventRecord(1, field(1, "weights") + field(5, "histogram"))
        + eventRecord(1, field(1, "samples") + metadata + field(8, field(4, "abcd")))
        + eventRecord(2, field(1, "samples") + field(8, field(4, "abcd"))); // metadata only once
    const ReadRecords read = readRecords(bytes, eventFile);
    QVERIFY(read.samples.empty());
    QCOMPARE(read.notDrawn,
        (QStringList{u"images: generated"_s, u"histograms: weights"_s, u"images: samples"_s}));
}

void TestDamage::tensors_ofEveryScalarType_data()
{
    QTest::addColumn<QByteArray>("tensor");
    QTest::addColumn<double>("value");
    const auto content = [](int type, const QByteArray& bytes) {
        return QByteArray(field(1, quint64(type)) + field(4, bytes));
    };
    QTest::newRow("float") << content(1, little(0.5F)) << 0.5;
    QTest::newRow("double") << content(2, little(0.1)) << 0.1;
    QTest::newRow("int32") << content(3, little(qint32(-7))) << -7.0;
    QTest::newRow("int64") << content(9, little(qint64(-8))) << -8.0;
    QTest::newRow("bfloat16") << content(14, little(quint16(0x3FC0))) << 1.5;
    QTest::newRow("half") << content(19, little(quint16(0x3E00))) << 1.5;
    QTest::newRow("float_val") << QByteArray(field(1, quint64(1)) + varint(5 << 3 | 5)
        + little(2.5F)) << 2.5;
    QTest::newRow("packed float_val")
        << QByteArray(field(1, quint64(1)) + field(5, little(2.5F))) << 2.5;
    QTest::newRow("double_val") << QByteArray(field(1, quint64(2)) + varint(6 << 3 | 1)
        + little(0.3)) << 0.3;
    QTest::newRow("int64_val") << QByteArray(field(1, quint64(9)) + field(10, quint64(12))) << 12.0;
}

void TestDamage::tensors_ofEveryScalarType()
{
    QFETCH(QByteArray, tensor);
    QFETCH(double, value);
    const ReadRecords read =
        readRecords(eventRecord(3, field(1, "loss") + field(8, tensor)), eventFile);
    QCOMPARE(read.samples.size(), size_t(1));
    QCOMPARE(read.samples.front().y, value);
}

void TestDamage::damagedBlock_losesItsRecordsOnly()
{
    const QByteArray real = recordBytes(u"wandb-short-synthetic.wandb"_s);
    QByteArray bytes = real + QByteArray(32768 - real.size(), '\0'); // then the next block
    const QByteArray data =
        field(2, field(1, field(1, "loss") + field(16, "0.125")) + field(2, field(1, quint64(8))));
    const QByteArray part = QByteArray("\1") + data;
    bytes += little(crc32(part)) + little(quint16(data.size())) + part;
    QCOMPARE(readRecords(bytes, wandbFile).line(u"loss"_s, u"L"_s), u"9 by step: 0→2, 8→0.125"_s);
    bytes[40] = char(bytes[40] ^ 1); // in the first record of the file
    const ReadRecords read = readRecords(bytes, wandbFile, 11);
    QCOMPARE(read.line(u"loss"_s, u"L"_s), u"1 by step: 8→0.125, 8→0.125"_s);
    QCOMPARE(read.broken, 1);
}

void TestDamage::otherFile_isNoWandbRun()
{
    const ReadRecords read = readRecords("not a run, but a text that is long enough", wandbFile);
    QVERIFY(read.samples.empty());
    QCOMPARE(read.broken, 1);
}

void TestDamage::longLine_isDroppedWhole()
{
    LineSplitter splitter;
    QByteArrayList lines;
    const auto take = [&lines](QByteArrayView line) { lines.append(line.toByteArray()); };
    splitter.feed("one\r\ntwo", take);
    for (int i = 0; i < 20; ++i)
        splitter.feed(QByteArray(100'000, 'x'), take);
    splitter.feed("end\nthree", take);
    splitter.finish(take);
    QCOMPARE(lines, (QByteArrayList{"one", "three"}));
    QCOMPARE(splitter.dropped(), 1);
}

void TestDamage::longTable_keepsItsMemory()
{
    QByteArray header = "step";
    QByteArray row = "1";
    for (int i = 0; i < 400; ++i) {
        header += ",m" + QByteArray::number(i);
        row += ",0.5";
    }
    const RecordFile table{RecordKind::Table, u"L"_s};
    QCOMPARE(readRecords(header + '\n' + row + '\n', table).samples.size(), size_t(127));
    for (int i = 0; i < 400; ++i)
        header += ",n" + QByteArray::number(i);
    QVERIFY(readRecords(header + '\n' + row + '\n', table).samples.empty());
}

SLIPWAY_TEST(TestDamage, records_damage)
#include "tst_damage.moc"
