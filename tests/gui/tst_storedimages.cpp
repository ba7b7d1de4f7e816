// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "sampleimages.h"
#include "tests/support/testmain.h"
#include "ui/images/imagewords.h"
#include "ui/images/storedimagescard.h"
#include "ui/images/storedimagestable.h"
#include "ui/parts/confirm.h"

#include <QApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The card of the images that are kept on a cluster, with values.
class TestStoredImages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void images_areListed();
    void image_isRemovedAfterAQuestion();
    void imageInUse_isLeft();
    void caches_areEmptiedAfterAQuestion();
    void states_areTold();

private:
    template <typename T> static T* part(const QWidget& page, const char* name)
    {
        return page.findChild<T*>(QString::fromLatin1(name));
    }
    static QString text(const QWidget& page, const char* name)
    {
        return part<QLabel>(page, name)->text();
    }
};

void TestStoredImages::images_areListed()
{
    StoredImagesCard card;
    card.resize(1000, 500);
    card.show();
    card.setSite(u"Kestrel"_s);
    card.setList(sampleImageList());
    const auto* table = part<StoredImagesTable>(card, "storedImages");
    QCOMPARE(text(card, "storedTitle"), u"On Kestrel"_s);
    QCOMPARE(text(card, "storedSummary"), u"4 images, 9.9 GiB · 3.0 TiB free"_s);
    QCOMPARE(table->rowCount(), 4);
    QCOMPARE(table->item(0, 0)->text(), u"lightning-24.sif"_s);
    QStringList headings;
    for (int column = 0; column < table->columnCount(); ++column) {
        headings << table->horizontalHeaderItem(column)->text();
    }
    QCOMPARE(headings.join(u'|'), u"Image|From|Last read|Deleted on|Used by|Size"_s);
    QCOMPARE(table->item(0, 5)->text(), u"6.1 GiB"_s);
    QVERIFY(table->item(0, 0)->toolTip().contains(u"/scratch/mira/slipway/images/lightning"_s));
    QCOMPARE(table->item(0, 4)->text(), u"2 runs"_s);
    QVERIFY(table->item(0, 4)->toolTip().contains(u"k3f9, m2x7"_s));
    QCOMPARE(table->item(1, 4)->text(), u"1 run, in use"_s);
    QVERIFY(table->item(2, 3)->text().endsWith(u", soon"_s));
    QCOMPARE(table->item(3, 1)->text(), u"unknown"_s);
    QVERIFY(table->item(3, 2)->text().startsWith(u"changed "_s));
    QCOMPARE(table->item(3, 3)->text(), u"not known"_s);
    QVERIFY(text(card, "storedCaches").startsWith(u"apptainer: 4.0 GiB in "_s));
    QVERIFY(!part<QPushButton>(card, "storedRemove")->isEnabled());
    QVERIFY(!part<QPushButton>(card, "storedUse")->isEnabled());
}

void TestStoredImages::image_isRemovedAfterAQuestion()
{
    StoredImagesCard card;
    card.resize(1000, 500);
    card.show();
    const ImageList list = sampleImageList();
    card.setList(list);
    QSignalSpy removed(&card, &StoredImagesCard::removeRequested);
    QSignalSpy used(&card, &StoredImagesCard::useRequested);
    auto* table = part<StoredImagesTable>(card, "storedImages");
    table->setFocus();
    table->selectRow(3);
    QTest::mouseClick(part<QPushButton>(card, "storedUse"), Qt::LeftButton);
    QCOMPARE(used.count(), 1);
    QCOMPARE(used.front().front().toString(), list.images[3].path);
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_VERIFY(card.findChild<Confirm*>());
    QCOMPARE(removed.count(), 0); // not before the answer
    const auto* lines = card.findChild<Confirm*>()->findChild<QPlainTextEdit*>(u"confirmList"_s);
    QCOMPARE(lines->toPlainText(), u"/scratch/mira/slipway/images/old.sif (90.0 MiB)"_s);
    QTest::mouseClick(
        card.findChild<Confirm*>()->findChild<QPushButton*>(u"confirm"_s), Qt::LeftButton);
    QTRY_COMPARE(removed.count(), 1);
    QCOMPARE(removed.front().front().toStringList(), QStringList{list.images[3].path});
}

void TestStoredImages::imageInUse_isLeft()
{
    StoredImagesCard card;
    card.resize(1000, 500);
    card.show();
    const ImageList list = sampleImageList();
    card.setList(list);
    auto* table = part<StoredImagesTable>(card, "storedImages");
    table->selectRow(1);
    QVERIFY(!part<QPushButton>(card, "storedRemove")->isEnabled());
    QTest::keyClick(table, Qt::Key_Delete);
    QVERIFY(!card.findChild<Confirm*>());
    table->selectAll();
    QVERIFY(part<QPushButton>(card, "storedRemove")->text().startsWith(u"Remove 3, "_s));
    QVERIFY(!part<QPushButton>(card, "storedUse")->isEnabled()); // one image for one launch
    QCOMPARE(removedWords({{u"a"_s}, {u"b"_s}, {u"a job uses it"_s}, 90 * 1024 * 1024}),
        u"1 removed, 90.0 MiB. 1 left: a job uses it"_s);
}

void TestStoredImages::caches_areEmptiedAfterAQuestion()
{
    StoredImagesCard card;
    card.resize(1000, 500);
    card.show();
    card.setList(sampleImageList());
    QSignalSpy emptied(&card, &StoredImagesCard::emptyRequested);
    QTest::mouseClick(part<QPushButton>(card, "storedEmpty"), Qt::LeftButton);
    QTRY_VERIFY(card.findChild<Confirm*>());
    QCOMPARE(emptied.count(), 0);
    QTest::mouseClick(
        card.findChild<Confirm*>()->findChild<QPushButton*>(u"confirm"_s), Qt::LeftButton);
    QTRY_COMPARE(emptied.count(), 1);
}

void TestStoredImages::states_areTold()
{
    StoredImagesCard card;
    card.resize(1000, 500);
    card.show();
    QSignalSpy connects(&card, &StoredImagesCard::connectRequested);
    QSignalSpy reloads(&card, &StoredImagesCard::reloadRequested);
    auto* action = part<QPushButton>(card, "storedAction");
    QVERIFY(text(card, "storedState").startsWith(u"Not connected"_s));
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(connects.count(), 1);
    card.setBusy(u"Looking for images on Kestrel"_s);
    QVERIFY(!action->isVisible());
    card.setError({ErrorKind::LinkLost, u"The connection ended."_s, u"Connect again."_s, "raw"});
    QCOMPARE(text(card, "errorSummary"), u"The connection ended."_s);
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(reloads.count(), 1);
    card.setList({});
    QVERIFY(text(card, "storedState").startsWith(u"No images there yet"_s));
    QVERIFY(!part<QLabel>(card, "errorSummary")->isVisible());
    QVERIFY(part<QPushButton>(card, "storedReload")->isVisible());
    card.setList(sampleImageList());
    QVERIFY(!part<QLabel>(card, "storedState")->isVisible());
    card.setResult(u"1 removed, 90.0 MiB."_s);
    QVERIFY(part<QLabel>(card, "storedResult")->isVisible());
}

SLIPWAY_GUI_TEST(TestStoredImages, gui_storedimages)
#include "tst_storedimages.moc"
