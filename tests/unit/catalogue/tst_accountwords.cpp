// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/accountwords.h"
#include "tests/support/testmain.h"

#include <QTest>

using namespace slipway;

namespace {

UsageLimit limit(const char* tres, qint64 minutes, qint64 used)
{
    return {QLatin1String(tres), std::chrono::minutes(minutes), std::chrono::minutes(used)};
}

AccountShare share(const char* account, std::optional<double> fairShare,
    std::vector<UsageLimit> limits = {}, const char* partition = "")
{
    return {QLatin1String(account), QLatin1String(partition), fairShare, std::move(limits)};
}

} // namespace

Q_DECLARE_METATYPE(AccountShare)

class TestAccountWords : public QObject {
    Q_OBJECT

private slots:
    void share_isASentence_data();
    void share_isASentence();
    void share_isThatOfTheJob();
};

void TestAccountWords::share_isASentence_data()
{
    QTest::addColumn<AccountShare>("one");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, const AccountShare& one, const char* sentence) {
        QTest::newRow(name) << one << QString::fromUtf8(sentence);
    };
    row("both", share("a", 0.431, {limit("gres/gpu", 300000, 225600)}),
        "fair-share 0.43; 1,240 of 5,000 GPU hours left in this account");
    row("nothing is known", share("a", {}), "");
    row("no limit", share("a", 1), "fair-share 1.00");
    row("no fair-share", share("a", {}, {limit("node", 600, 0)}),
        "10 of 10 node hours left in this account");
    row("two limits", share("a", {}, {limit("gres/gpu:h200", 6000, 60), limit("cpu", 600, 300)}),
        "99 of 100 h200 GPU hours left, 5 of 10 CPU hours left in this account");
    row("all of it is used", share("a", {}, {limit("cpu", 600, 900)}),
        "0 of 10 CPU hours left in this account");
    row("less than an hour is not nothing", share("a", {}, {limit("cpu", 600, 570)}),
        "0.5 of 10 CPU hours left in this account");
    row("never rounded up", share("a", {}, {limit("billing", 60000, 1)}),
        "999 of 1,000 billing hours left in this account");
}

void TestAccountWords::share_isASentence()
{
    QFETCH(AccountShare, one);
    QFETCH(QString, sentence);
    QCOMPARE(shareSentence(one), sentence);
}

void TestAccountWords::share_isThatOfTheJob()
{
    ClusterInfo info;
    info.accounts = QStringList{QStringLiteral("a"), QStringLiteral("b")};
    info.shares = {share("a", 0.1), share("a", 0.2, {}, "gpu"), share("b", 0.3, {}, "gpu")};
    const auto fairShare = [&info](const char* account, const char* partition) {
        const AccountShare* const one =
            shareOf(info, QLatin1String(account), QLatin1String(partition));
        return one ? one->fairShare.value_or(-1) : -2;
    };
    QCOMPARE(fairShare("a", "cpu"), 0.1);
    QCOMPARE(fairShare(" a ", "gpu"), 0.2);
    QCOMPARE(fairShare("b", "gpu"), 0.3);
    QCOMPARE(fairShare("b", "cpu"), -2.0); // only for another partition
    QCOMPARE(fairShare("c", "cpu"), -2.0);
    QCOMPARE(fairShare("", "cpu"), -2.0); // which of the two is charged is not known
    info.accounts.removeLast();
    QCOMPARE(fairShare("", "cpu"), 0.1);
}

SLIPWAY_TEST(TestAccountWords, catalogue_accountwords)
#include "tst_accountwords.moc"
