// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "mutations.h"
#include "remote/slurm/sshare.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QTest>

using namespace slipway;

namespace {

QByteArray fileText(const char* name)
{
    QFile file(sourcePath(QStringLiteral("/tests/data/")) + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s is missing", qPrintable(file.fileName()));
    return file.readAll();
}

std::vector<AccountShare> read(const QByteArray& text)
{
    return parseSshare(text, QStringLiteral("demo"));
}

/// "lens gpu 0.25: gres/gpu 1 of 600, cpu 2 of 60", in minutes that are left.
QString shown(const AccountShare& share)
{
    QStringList limits;
    for (const UsageLimit& one : share.limits)
        limits << QStringLiteral("%1 %2 of %3")
                      .arg(one.tres)
                      .arg(one.left().count())
                      .arg(one.limit.count());
    return QStringLiteral("%1 %2 %3: %4")
        .arg(share.account, share.partition,
            share.fairShare ? QString::number(*share.fairShare) : QStringLiteral("?"),
            limits.join(QStringLiteral(", ")));
}

} // namespace

class TestShares : public QObject {
    Q_OBJECT

private slots:
    void realOutput_isRead();
    void limitsOfAllAccountsAbove_count();
    void row_isRead_data();
    void row_isRead();
    void otherUsers_areLeftOut();
    void associations_areBounded();
    void deepTrees_andLongLines_areRead();
    void tenThousandMutations_breakNothing();
};

void TestShares::realOutput_isRead()
{
    QStringList lines;
    for (const AccountShare& share : read(fileText("slurm/22.05.8/sshare.txt")))
        lines << shown(share);
    QCOMPARE(lines,
        QStringList({QStringLiteral("physics  0.142857: gres/gpu 299996 of 300000"),
            QStringLiteral("teaching  0.571429: cpu 2400 of 2400")}));
}

void TestShares::limitsOfAllAccountsAbove_count()
{
    const auto shares = read(fileText("fuzz/shares/tree-synthetic.txt"));
    QStringList lines;
    for (const AccountShare& share : shares)
        lines << shown(share);
    QCOMPARE(lines,
        QStringList({
            QStringLiteral(
                "lens  0.43125: gres/gpu 87000 of 90000, cpu 18995 of 60000, node 2800 of 4000"),
            QStringLiteral("lens gpu 0.25: gres/gpu 87000 of 90000, gres/gpu:h200 1 of 600, "
                           "cpu 18995 of 60000, node 2800 of 4000"),
            // Used up, and more: nothing is left.
            QStringLiteral("soil  1: billing 0 of 1000"),
        }));
}

void TestShares::row_isRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("lines");
    const auto row = [](const char* name, const char* text, const char* line) {
        const QString one = QString::fromUtf8(line);
        QTest::newRow(name) << QByteArray(text)
                            << (one.isEmpty() ? QStringList() : QStringList(one));
    };
    row("nothing", "", "");
    row("another program's text", "sshare: error: no access\n", "");
    row("no limits", " a|demo||0.500000||cpu=3\n", "a  0.5: ");
    row("no line end", " a|demo||0.500000||cpu=3", "a  0.5: ");
    row("own limit", " a|demo||0.5|cpu=60|cpu=3\n", "a  0.5: cpu 57 of 60");
    row("the tighter one is the account's", " a||||cpu=60|cpu=50\n  a|demo||0.5|cpu=60|cpu=3\n",
        "a  0.5: cpu 10 of 60");
    row("the tighter one is the person's", " a||||cpu=60|cpu=50\n  a|demo||0.5|cpu=4|cpu=3\n",
        "a  0.5: cpu 1 of 4");
    row("a neighbour's limit",
        " b||||cpu=60|cpu=50\n a||||||\n a||||cpu=9|cpu=1\n  a|demo||0.5||\n",
        "a  0.5: cpu 8 of 9");
    row("usage is unknown", " a|demo||0.5|cpu=60|mem=3\n", "a  0.5: ");
    row("resources that nobody counts in hours", " a|demo||0.5|mem=60,energy=7|mem=3,energy=1\n",
        "a  0.5: ");
    row("zero limit", " a|demo||0.5|gres/gpu=0|gres/gpu=0\n", "a  0.5: gres/gpu 0 of 0");
    row("negative and huge", " a|demo||0.5|cpu=-4,node=99999999999999999999|cpu=1,node=1\n",
        "a  0.5: ");
    row("units", " a|demo||0.5|cpu=4K|cpu=1\n", "a  0.5: ");
    row("fair-share is missing", " a|demo||||\n", "a  ?: ");
    row("fair-share is infinite", " a|demo||inf||\n", "a  ?: ");
    row("fair-share is no number", " a|demo||nan||\n", "a  ?: ");
    row("fair-share is above one", " a|demo||7.5||\n", "a  ?: ");
    row("too few fields", " a|demo||0.5|\n", "");
    row("too many fields", " a|demo||0.5||cpu=1|more\n", "");
    row("no account", "  |demo||0.5||\n", "");
    row("markup stays text", " <b>a</b>|demo||0.5||\n", "<b>a</b>  0.5: ");
    row("carriage return", " a|demo||0.5||cpu=1\r\n", "a  0.5: ");
}

void TestShares::row_isRead()
{
    QFETCH(QByteArray, text);
    QFETCH(QStringList, lines);
    QStringList found;
    for (const AccountShare& share : read(text))
        found << shown(share);
    QCOMPARE(found, lines);
}

void TestShares::otherUsers_areLeftOut()
{
    QVERIFY(read(" a|root||0.5||\n a|demo2||0.5||\n").empty());
    QVERIFY(parseSshare(" a|demo||0.5||\n", {}).empty());
}

void TestShares::associations_areBounded()
{
    QCOMPARE(read(QByteArray(" a|demo||0.5||\n").repeated(100'000)).size(), std::size_t(500));
    QVERIFY(read(" " + QByteArray(5000, 'a') + "|demo||0.5||\n").empty());
    QByteArray many;
    for (int i = 0; i < 5000; ++i)
        many += "gres/gpu:t" + QByteArray::number(i) + "=5,";
    const auto shares = read(" a|demo||0.5|" + many + '|' + many + '\n');
    QCOMPARE(shares.size(), std::size_t(1));
    QVERIFY(shares.front().limits.size() <= 64);
}

void TestShares::deepTrees_andLongLines_areRead()
{
    QByteArray tree;
    for (int depth = 0; depth < 3000; ++depth)
        tree +=
            QByteArray(depth, ' ') + "a||||cpu=" + QByteArray::number(9000 - depth) + "|cpu=0\n";
    tree += QByteArray(3000, ' ') + "a|demo||0.5||\n";
    QCOMPARE(read(tree).size(), std::size_t(1));
    QVERIFY(read(QByteArray(3'000'000, '|')).empty());
}

void TestShares::tenThousandMutations_breakNothing()
{
    const QByteArray text = fileText("fuzz/shares/tree-synthetic.txt");
    Mutations mutations(2611);
    int limits = 0;
    for (int i = 0; i < 10'000; ++i) {
        for (const AccountShare& share : read(mutations.of(text))) {
            QVERIFY(!share.account.isEmpty());
            for (const UsageLimit& one : share.limits) {
                QVERIFY(one.left().count() >= 0 && one.left() <= one.limit);
                ++limits;
            }
        }
    }
    QVERIFY(limits > 0);
}

SLIPWAY_TEST(TestShares, slurm_shares)
#include "tst_shares.moc"
