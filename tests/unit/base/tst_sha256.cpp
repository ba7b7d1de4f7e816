// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/base/sha256.h"
#include "tests/support/testmain.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QTest>

using namespace slipway;

class TestSha256 : public QObject {
    Q_OBJECT

private slots:
    void sum_agreesWithQt();
    void sum_canBeContinued();
};

void TestSha256::sum_agreesWithQt()
{
    QRandomGenerator generator(3);
    for (int round = 0; round < 200; ++round) {
        Sha256 ours;
        QByteArray all;
        for (int piece = generator.bounded(5); piece > 0; --piece) {
            QByteArray bytes(generator.bounded(300), Qt::Uninitialized);
            for (char& byte : bytes)
                byte = char(generator.bounded(256));
            ours.add(bytes);
            all += bytes;
        }
        QCOMPARE(ours.hex(), QCryptographicHash::hash(all, QCryptographicHash::Sha256).toHex());
    }
}

void TestSha256::sum_canBeContinued()
{
    Sha256 sum;
    sum.add("abc");
    const QByteArray ofBeginning = sum.hex();
    sum.add("def");
    QCOMPARE(ofBeginning, QCryptographicHash::hash("abc", QCryptographicHash::Sha256).toHex());
    QCOMPARE(sum.hex(), QCryptographicHash::hash("abcdef", QCryptographicHash::Sha256).toHex());
}

SLIPWAY_TEST(TestSha256, base_sha256)
#include "tst_sha256.moc"
