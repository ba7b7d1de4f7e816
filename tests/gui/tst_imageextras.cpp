// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "sampleimages.h"
#include "tests/support/testmain.h"
#include "ui/images/compareimagesdialog.h"
#include "ui/images/imagetools.h"
#include "ui/images/localbuilddialog.h"
#include "ui/images/storedimagescard.h"
#include "ui/parts/confirm.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// What the Images page has besides images: sets of packages, two images side by side, a build on
/// this computer.
class TestImageExtras : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void packages_areListedAndRemovedAfterAQuestion();
    void quota_isInTheSummary();
    void images_areSideBySide();
    void withoutABuilder_theDialogSaysWhatToDo();
};

namespace {

PackageSet sampleSet(const QString& path, bool inUse)
{
    PackageSet set;
    set.path = path;
    set.requirements = u"requirements.txt"_s;
    set.firstLines = u"rich==13.9\n<b>numpy</b>"_s;
    set.bytes = qint64(90) << 20;
    set.isComplete = true;
    set.inUse = inUse;
    return set;
}

} // namespace

void TestImageExtras::packages_areListedAndRemovedAfterAQuestion()
{
    StoredImagesCard card;
    card.resize(1000, 600);
    card.show();
    ImageList list = sampleImageList();
    card.setList(list);
    auto* table = card.findChild<QTableWidget*>(u"storedPackagesTable"_s);
    QVERIFY(!table->isVisible());
    list.packages = {
        sampleSet(u"/s/slipway/packages/a"_s, false), sampleSet(u"/s/slipway/packages/b"_s, true)};
    card.setList(list);
    QVERIFY(table->isVisible());
    QCOMPARE(table->rowCount(), 2);
    QCOMPARE(table->item(0, 0)->text(), u"requirements.txt: rich==13.9 <b>numpy</b>"_s);
    QCOMPARE(table->item(1, 1)->text(), u"may be in use"_s);
    QCOMPARE(table->item(0, 3)->text(), u"90.0 MiB"_s);
    QSignalSpy removes(&card, &StoredImagesCard::removeRequested);
    auto* remove = card.findChild<QPushButton*>(u"storedPackagesRemove"_s);
    QVERIFY(!remove->isEnabled());
    table->selectAll();
    QCOMPARE(remove->text(), u"Remove 1…"_s); // the other one may be in use
    remove->click();
    auto* question = card.findChild<Confirm*>();
    QVERIFY(question);
    QCOMPARE(removes.count(), 0);
    question->accept();
    QCOMPARE(removes.count(), 1);
    QCOMPARE(removes[0][0].toStringList(), QStringList{u"/s/slipway/packages/a"_s});
}

void TestImageExtras::quota_isInTheSummary()
{
    StoredImagesCard card;
    ImageList list = sampleImageList();
    list.quota = StorageQuota{qint64(12) << 30, qint64(50) << 30};
    card.setList(list);
    const QString text = card.findChild<QLabel*>(u"storedSummary"_s)->text();
    QVERIFY2(text.contains(u"12.0 GiB of 50.0 GiB used (quota), 3.0 TiB free"), qPrintable(text));
}

void TestImageExtras::images_areSideBySide()
{
    auto* dialog = new CompareImagesDialog(nullptr, u"demo"_s, u"python:3.12"_s);
    dialog->show();
    QCOMPARE(dialog->findChild<QLineEdit*>(u"comparedFirst"_s)->text(), u"python:3.12"_s);
    ComparedImage first, second;
    first.name = u"python:3.12"_s;
    first.described = ImageDescription();
    first.described->layers = {{u"sha256:a"_s, 1024, {}}};
    second.name = u"python:3.13"_s;
    second.described = ImageDescription();
    second.described->layers = {{u"sha256:a"_s, 1024, {}}, {u"sha256:b"_s, 2048, {}}};
    dialog->showDifference(first, second);
    const auto* table = dialog->findChild<QTableWidget*>(u"comparedTable"_s);
    const auto layers = table->findItems(u"Layers"_s, Qt::MatchExactly);
    QCOMPARE(layers.size(), 1);
    QCOMPARE(table->item(layers[0]->row(), 2)->text(), u"2"_s);
    QCOMPARE(table->item(layers[0]->row(), 3)->text(), u"≠ differs"_s);
    QVERIFY(dialog->findChild<QLabel*>(u"comparedSentence"_s)->text().contains(u"2.0 KiB"));
    dialog->close();
}

void TestImageExtras::withoutABuilder_theDialogSaysWhatToDo()
{
    const QByteArray path = qgetenv("PATH");
    const auto restore = qScopeGuard([path] { qputenv("PATH", path); });
    Rig rig;
    rig.start();
    qputenv("PATH", "/nonexistent");
    auto* dialog = new LocalBuildDialog(&rig.engine(), u"demo"_s);
    dialog->show();
    auto* summary = dialog->findChild<QLabel*>(u"errorSummary"_s);
    QTRY_VERIFY(summary->isVisible());
    QVERIFY(summary->text().contains(u"neither docker nor podman nor buildah"));
    dialog->setDockerfile(u"/home/me/My Work/Dockerfile"_s);
    QCOMPARE(dialog->findChild<QLineEdit*>(u"localName"_s)->text(), u"my-work"_s);
    QVERIFY(!dialog->findChild<QPushButton*>(u"localStart"_s)->isEnabled());
    dialog->close();
    ImageTools tools(nullptr, {}, {});
    for (const QPushButton* one : tools.findChildren<QPushButton*>()) {
        QVERIFY2(!one->isEnabled(), qPrintable(one->text()));
    }
}

SLIPWAY_GUI_TEST(TestImageExtras, gui_imageextras)
#include "tst_imageextras.moc"
