// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/recipefile.h"
#include "tests/support/testsites.h"

#include "app/catalogue/jsonfields.h"
#include "app/explain/hints.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/unit/slurm/mutations.h"

#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>

using namespace slipway;

/// Resource files that are broken or made to do harm: each is refused with its file and line, in
/// bounded time, and none ends the program.
class TestHostileFiles : public QObject {
    Q_OBJECT

private slots:
    void hostileValue_isRefusedWithItsPlace_data();
    void hostileValue_isRefusedWithItsPlace();
    void hostileFile_leavesTheOthersReadable();
    void mutatedFile_isReadOrRefused_data();
    void mutatedFile_isReadOrRefused();
};

namespace {

QByteArray siteWith(const QByteArray& field)
{
    return "{\"id\":\"x\",\"name\":\"x\",\n\"logins\":[{\"host\":\"h\"}],\n" + field + "}";
}

QByteArray fileContent(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void TestHostileFiles::hostileValue_isRefusedWithItsPlace_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& field, const char* expected) {
        QTest::newRow(name) << siteWith(field) << QString::fromUtf8(expected);
    };
    QTest::newRow("59 bytes")
        << QByteArray(R"({"id":"x","name":"x","logins":[{"host":"h","port":1e999}]})")
        << QStringLiteral("x.json, line 1: logins[0].port: the number 1e999 is too large.");
    row("1e999", "\"purge_days\": 1e999", "x.json, line 3: purge_days: the number 1e999 is too");
    row("-1e999", "\"purge_days\": -1e999", "x.json, line 3: purge_days: the number -1e999 is");
    row("1e999 in a list", "\"binds\": [1,\n1e999]", "x.json, line 4: binds[1]: the number 1e999");
    row("1e308", "\"purge_days\": 1e308", "x.json, line 3: purge_days: expected a whole number");
    row("more than 64 bits", "\"purge_days\": 123456789012345678901234567890",
        "x.json, line 3: purge_days: expected a whole number");
    row("all of 64 bits", "\"purge_days\": 18446744073709551615",
        "x.json, line 3: purge_days: expected a whole number");
    row("400 digits", "\"purge_days\": " + QByteArray(400, '9'), "x.json, line 3: purge_days: the");
    row("NaN", "\"purge_days\": NaN", "x.json, line 3, column 15: this is not valid JSON.");
    row("Infinity", "\"purge_days\": -Infinity",
        "x.json, line 3, column 16: this is not valid JSON.");
    row("lone surrogate", "\"mpi\": \"\\ud800\"", "x.json, line 3, column");
    row("low surrogate first", "\"mpi\": \"\\udc00\\ud800\"", "x.json, line 3, column");
    row("NUL", QByteArray("\"mpi\": \"a\0b\"", 12),
        "x.json, line 3, column 10: this is not valid JSON.");
    row("escaped NUL in a name", "\"mpi\\u0000x\": \"a\"", "unknown field");
    row("no UTF-8", "\"mpi\": \"\xc3\x28\"", "x.json, line 3, column");
    row("overlong UTF-8", "\"mpi\": \"\xc0\xaf\"", "x.json, line 3, column");
    row("33 levels", "\"binds\": " + QByteArray(32, '[') + QByteArray(32, ']'),
        "nested more than 32 levels deep");
    row("a hundred thousand levels",
        "\"binds\": " + QByteArray(100'000, '[') + QByteArray(100'000, ']'),
        "nested more than 32 levels deep");
    row("levels that nobody closes", "\"a\": " + QByteArray(500'000, '['), "nested more than 32");
    row("objects in objects", QByteArray("\"a\":{").repeated(100'000), "nested more than 32");
    row("long name over many values",
        '"' + QByteArray(400'000, 'n') + "\":[" + QByteArray("1,").repeated(200'000) + "1]",
        "the file has too many fields, or their names are too long.");
    QTest::newRow("empty") << QByteArray() << QStringLiteral("x.json, line 1");
    QTest::newRow("NULs") << QByteArray(64, '\0') << QStringLiteral("x.json, line 1, column 1");
    QTest::newRow("a number") << QByteArray("1e999") << QStringLiteral("x.json, line 1");
    QTest::newRow("too large") << QByteArray(1024 * 1024 + 1, ' ')
                               << QStringLiteral("x.json is larger than 1 MiB");
}

void TestHostileFiles::hostileValue_isRefusedWithItsPlace()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, expected);
    const Result<Site> site = parseSite(json, QStringLiteral("x.json"));
    QVERIFY(!site.ok());
    QCOMPARE(site.error().kind, ErrorKind::Invalid);
    QVERIFY2(site.error().summary.contains(expected), qPrintable(site.error().text().left(500)));
    QVERIFY(!parseRecipe(json, QStringLiteral("/r/x")).ok());
    QVERIFY(!parseHints(json, QStringLiteral("hints.json")).ok());
}

void TestHostileFiles::hostileFile_leavesTheOthersReadable()
{
    QTemporaryDir own;
    QVERIFY(own.isValid());
    QVERIFY(QDir(own.path()).mkpath(QStringLiteral("sites")));
    QFile file(own.filePath(QStringLiteral("sites/x.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"id":"x","name":"x","logins":[{"host":"h","port":1e999}]})");
    file.close();
    const Resources resources = loadResources(sourcePath(QStringLiteral("/resources")), own.path());
    QCOMPARE(int(resources.errors.size()), 1);
    QVERIFY(resources.errors.front().summary.contains(u"sites/x.json, line 1: logins[0].port"));
    QCOMPARE(resources.sites.size(), builtInResources().sites.size());
}

void TestHostileFiles::mutatedFile_isReadOrRefused_data()
{
    QTest::addColumn<QString>("path");
    const QString folder = sourcePath(QStringLiteral("/resources"));
    for (const char* part : {"/sites", "/recipes"}) {
        QDirIterator files(folder + QLatin1String(part), {QStringLiteral("*.json")}, QDir::Files,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = files.next();
            QTest::newRow(qPrintable(path.mid(folder.size() + 1))) << path;
        }
    }
}

void TestHostileFiles::mutatedFile_isReadOrRefused()
{
    QFETCH(QString, path);
    const QByteArray good = fileContent(path);
    QVERIFY(!good.isEmpty());
    static const QByteArray numbers[]{"1e999", "-1e999", "1e308", "-1", "18446744073709551615",
        "123456789012345678901234567890", "0.5", "null", "[]", "{}", "\"\\ud800\"", "\"\\u0000\""};
    Mutations mutations(unsigned(qHash(QFileInfo(path).fileName(), 1)));
    for (int i = 0; i < 40; ++i) {
        QByteArray bytes = mutations.of(good);
        if (i % 2 == 1) {
            // What follows a colon becomes a value that no file has there.
            bytes = good;
            const qsizetype colon = bytes.indexOf(": ", (bytes.size() * i) / 40);
            const qsizetype end = bytes.indexOf(',', colon);
            if (colon > 0 && end > colon)
                bytes.replace(
                    colon + 2, end - colon - 2, numbers[size_t(i / 2) % std::size(numbers)]);
        }
        const Result<Site> site = parseSite(bytes, QStringLiteral("x.json"));
        const Result<Recipe> recipe = parseRecipe(bytes, QStringLiteral("/r/x"));
        QVERIFY(site.ok() || site.error().summary.contains(u"x.json"));
        QVERIFY(recipe.ok() || recipe.error().summary.contains(u"recipe.json"));
    }
}

SLIPWAY_TEST(TestHostileFiles, catalogue_hostilefiles)
#include "tst_hostilefiles.moc"
