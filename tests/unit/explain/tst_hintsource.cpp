// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/hintsource.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// When hints are read, and where their errors are.
class TestHintSource : public QObject {
    Q_OBJECT

private slots:
    void init();
    void programsHints_areReadWhenTheyAreNeeded();
    void brokenFileOfThePerson_isReportedAtOnce();
    void brokenFileOfTheProgram_isReportedWhenItIsRead();
    void book_isReadOnce();

private:
    QString folder(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& hints) const;

    std::unique_ptr<QTemporaryDir> m_folder;
};

namespace {

const QByteArray oneHint = R"({"hints": [{"id": "quota", "title": "The quota is used up.",
    "cause": "No file can grow.", "remedy": "Delete some.", "match": [{"text": "Disk quota exceeded"}]}]})";

} // namespace

void TestHintSource::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    for (const QString& name : {QStringLiteral("program"), QStringLiteral("own")})
        QVERIFY(QDir().mkpath(folder(name)));
}

void TestHintSource::write(const QString& name, const QByteArray& hints) const
{
    QFile file(folder(name) + QStringLiteral("/hints.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(hints), hints.size());
}

void TestHintSource::programsHints_areReadWhenTheyAreNeeded()
{
    HintSource source(folder(QStringLiteral("program")), folder(QStringLiteral("own")));
    write(QStringLiteral("program"), oneHint); // not there when the source was made
    QCOMPARE(source.book()->hints().size(), std::size_t(1));
    QVERIFY(source.errors().empty());
}

void TestHintSource::brokenFileOfThePerson_isReportedAtOnce()
{
    write(QStringLiteral("program"), oneHint);
    write(QStringLiteral("own"), "{\n\"hints\": [,]}");
    HintSource source(folder(QStringLiteral("program")), folder(QStringLiteral("own")));
    QCOMPARE(source.errors().size(), std::size_t(1));
    QVERIFY2(source.errors().front().summary.contains(u"own/hints.json, line 2"),
        qPrintable(source.errors().front().text()));
    QCOMPARE(source.book()->hints().size(), std::size_t(1)); // the program's work
}

void TestHintSource::brokenFileOfTheProgram_isReportedWhenItIsRead()
{
    write(QStringLiteral("program"), "{");
    HintSource source(folder(QStringLiteral("program")), {});
    QVERIFY(source.errors().empty());
    QVERIFY(source.book()->hints().empty());
    QCOMPARE(source.errors().size(), std::size_t(1));
}

void TestHintSource::book_isReadOnce()
{
    write(QStringLiteral("program"), "{");
    HintSource source(folder(QStringLiteral("program")), {});
    const auto first = source.book();
    QCOMPARE(source.book(), first);
    QCOMPARE(source.errors().size(), std::size_t(1));
}

SLIPWAY_TEST(TestHintSource, explain_hintsource)
#include "tst_hintsource.moc"
