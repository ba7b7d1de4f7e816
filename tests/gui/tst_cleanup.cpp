// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "nodeexamples.h"
#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/parts/confirm.h"
#include "ui/sites/cleanupdialog.h"
#include "ui/sites/cleanuptext.h"
#include "ui/sites/cleanupview.h"
#include "ui/window/commandpalette.h"

#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

using namespace slipway;
using namespace Qt::StringLiterals;

/// What Slipway has left on a cluster: the list with values, then the dialog in a window.
class TestCleanup : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void list_isGroupedAndSaysWhatFoundIt();
    void emptiedList_outlivesAChangeOfLook();
    void inUse_cannotBeMarked();
    void marked_areRemovedAfterAQuestion();
    void goBack_removesNothing();
    void removeAll_leavesWhatIsInUse();
    void groups_markTheirItems();
    void states_areReported();
    void results_areWords();
    void hostileNames_arePlain();
    void site_opensItWhenConnected();
    void palette_opensItNotConnected();
    void controls_haveNames();

private:
    static QTreeWidget* tree(QWidget& page)
    {
        return page.findChild<QTreeWidget*>(u"cleanupTree"_s);
    }
    static QTreeWidgetItem* item(QWidget& page, const QString& name);
    static QPushButton* button(QWidget& page, const char* name)
    {
        return page.findChild<QPushButton*>(QString::fromLatin1(name));
    }
    /// The question that is open.
    static Confirm* question(QWidget& page) { return page.findChild<Confirm*>(); }
};

QTreeWidgetItem* TestCleanup::item(QWidget& page, const QString& name)
{
    const auto found = tree(page)->findItems(name, Qt::MatchContains | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.first();
}

void TestCleanup::list_isGroupedAndSaysWhatFoundIt()
{
    CleanupView view;
    view.resize(1000, 700);
    view.show();
    const CleanupList list = exampleCleanupList();
    view.setList(list);
    QStringList groups;
    for (int i = 0; i < tree(view)->topLevelItemCount(); ++i) {
        groups << tree(view)->topLevelItem(i)->text(0);
    }
    QCOMPARE(groups,
        (QStringList{u"Jobs (1)"_s, u"Processes (2)"_s, u"Run folders (3)"_s, u"Images (2)"_s,
            u"Probe (1)"_s}));
    QTreeWidgetItem* folder = item(view, u"matmul-scaling-m2x7"_s);
    QCOMPARE(folder->text(1), u"run m2x7, Matmul scaling"_s);
    QCOMPARE(folder->text(2), u"37.1 KiB"_s);
    QVERIFY(!folder->text(3).isEmpty());
    QCOMPARE(view.findChild<QPlainTextEdit*>(u"cleanupCommand"_s)->toPlainText(), list.command);
    QVERIFY(view.findChild<QLabel*>(u"cleanupSentence"_s)
                ->text()
                .startsWith(u"9 items, 11.4 GiB on disk. 4 are in use"_s));
    QVERIFY(!button(view, "cleanupRemove")->isEnabled());
    QVERIFY(button(view, "cleanupRemoveAll")->isEnabled());
}

void TestCleanup::emptiedList_outlivesAChangeOfLook()
{
    CleanupView view;
    view.show();
    view.setList(exampleCleanupList());
    QVERIFY(tree(view)->topLevelItemCount() > 0);
    view.setList({});
    QCOMPARE(tree(view)->topLevelItemCount(), 0);
    QEvent look(QEvent::StyleChange);
    QApplication::sendEvent(&view, &look); // rows of the list before would read what is gone
}

void TestCleanup::inUse_cannotBeMarked()
{
    CleanupView view;
    view.show();
    view.setList(exampleCleanupList());
    QTreeWidgetItem* used = item(view, u"bert-k3f9"_s);
    QVERIFY(!(used->flags() & Qt::ItemIsUserCheckable));
    QVERIFY(used->data(0, Qt::CheckStateRole).isNull());
    QCOMPARE(used->text(4), u"in use"_s);
    QCOMPARE(used->data(0, Qt::AccessibleTextRole).toString(),
        u"/scratch/demo/slipway/2026-11-20-bert-k3f9, in use, cannot be removed"_s);
    tree(view)->setCurrentItem(used);
    QTest::keyClick(tree(view), Qt::Key_Space);
    QVERIFY(view.marked().items.empty());
}

void TestCleanup::marked_areRemovedAfterAQuestion()
{
    CleanupView view;
    view.resize(1000, 700);
    view.show();
    view.setList(exampleCleanupList());
    QSignalSpy asked(&view, &CleanupView::removeRequested);
    for (const QString& name : {u"nbody-a81c"_s, u"gromacs-2024.sif"_s}) {
        tree(view)->setCurrentItem(item(view, name));
        QTest::keyClick(tree(view), Qt::Key_Space);
    }
    QCOMPARE(view.marked().items.size(), size_t(2));
    auto* remove = button(view, "cleanupRemove");
    QCOMPARE(remove->text(), u"Remove 2, 2.0 GiB…"_s);
    remove->setFocus();
    QTest::keyClick(remove, Qt::Key_Space);
    QTRY_VERIFY(question(view));
    const QString listed =
        question(view)->findChild<QPlainTextEdit*>(u"confirmList"_s)->toPlainText();
    QVERIFY2(listed.contains(u"nbody-a81c"_s) && listed.contains(u"gromacs-2024.sif (2.0 GiB)"_s),
        qPrintable(listed));
    QCOMPARE(listed.count(u'\n'), 1);
    QCOMPARE(asked.count(), 0); // not before the answer
    QTest::mouseClick(question(view)->findChild<QPushButton*>(u"confirm"_s), Qt::LeftButton);
    QTRY_COMPARE(asked.count(), 1);
    const auto items = asked.first().first().value<CleanupList>().items;
    QCOMPARE(items.size(), size_t(2));
    QCOMPARE(items.front().path, u"/scratch/demo/slipway/2026-11-12-nbody-a81c"_s);
}

void TestCleanup::goBack_removesNothing()
{
    CleanupView view;
    view.show();
    view.setList(exampleCleanupList());
    QSignalSpy asked(&view, &CleanupView::removeRequested);
    QTest::mouseClick(button(view, "cleanupRemoveAll"), Qt::LeftButton);
    QTRY_VERIFY(question(view));
    QTest::keyClick(question(view), Qt::Key_Return); // the button that has the focus goes back
    QTest::keyClick(question(view), Qt::Key_Escape);
    QTRY_VERIFY(!question(view));
    QCOMPARE(asked.count(), 0);
}

void TestCleanup::removeAll_leavesWhatIsInUse()
{
    CleanupView view;
    view.show();
    view.setList(exampleCleanupList());
    QSignalSpy asked(&view, &CleanupView::removeRequested);
    QTest::mouseClick(button(view, "cleanupRemoveAll"), Qt::LeftButton);
    QTRY_VERIFY(question(view));
    const QString listed =
        question(view)->findChild<QPlainTextEdit*>(u"confirmList"_s)->toPlainText();
    QVERIFY(!listed.contains(u"bert-k3f9"_s));
    QVERIFY(listed.contains(u"process tail -c +1"_s));
    bool told = false;
    for (QLabel* label : question(view)->findChildren<QLabel*>()) {
        told |= label->text().contains(u"Processes and jobs are ended."_s);
    }
    QVERIFY(told);
    QTest::mouseClick(question(view)->findChild<QPushButton*>(u"confirm"_s), Qt::LeftButton);
    QTRY_COMPARE(asked.count(), 1);
    const auto items = asked.first().first().value<CleanupList>().items;
    QCOMPARE(items.size(), size_t(5));
    QVERIFY(
        std::none_of(items.begin(), items.end(), [](const CleanupItem& one) { return one.inUse; }));
}

void TestCleanup::groups_markTheirItems()
{
    CleanupView view;
    view.show();
    view.setList(exampleCleanupList());
    QTreeWidgetItem* folders = item(view, u"Run folders"_s);
    tree(view)->setCurrentItem(folders);
    QTest::keyClick(tree(view), Qt::Key_Space);
    QCOMPARE(view.marked().items.size(), size_t(2)); // the third is in use
    QVERIFY(!(item(view, u"Jobs"_s)->flags() & Qt::ItemIsUserCheckable)); // nothing in it can go
}

void TestCleanup::states_areReported()
{
    CleanupView view;
    view.resize(800, 600);
    view.show();
    QSignalSpy connects(&view, &CleanupView::connectRequested);
    QSignalSpy looks(&view, &CleanupView::lookRequested);
    auto* text = view.findChild<QLabel*>(u"cleanupState"_s);
    auto* action = button(view, "cleanupAction");
    view.setBusy(u"Searching on Kestrel"_s);
    QVERIFY(text->isVisible() && !action->isVisible() && !tree(view)->isVisible());
    QCOMPARE(text->text(), u"Searching on Kestrel"_s);
    view.setNotConnected();
    QVERIFY(text->text().startsWith(u"Not connected"_s));
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(connects.count(), 1);
    view.setError({ErrorKind::LinkLost, u"The connection ended."_s, u"Connect again."_s, "raw"});
    QVERIFY(view.findChild<QLabel*>(u"errorSummary"_s)->isVisible());
    QCOMPARE(action->text(), u"Refresh"_s);
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(looks.count(), 1);
    view.setList({{}, u"find …"_s});
    QCOMPARE(text->text(), u"Slipway has left nothing there."_s);
    QVERIFY(text->isVisible() && !view.findChild<QLabel*>(u"errorSummary"_s)->isVisible());
    view.setList(exampleCleanupList());
    QVERIFY(tree(view)->isVisible() && !text->isVisible());
}

void TestCleanup::results_areWords()
{
    CleanupList asked = exampleCleanupList();
    asked.items.resize(4);
    QCOMPARE(removalWords(asked, {}), u"4 removed"_s);
    CleanupList left;
    left.items = {asked.items.front()};
    left.items.front().detail = u"its job runs"_s;
    QCOMPARE(removalWords(asked, left), u"3 removed, 1 left: its job runs"_s);
    left.items.push_back(asked.items.at(1));
    left.items.back().detail = u"permission denied"_s;
    QCOMPARE(removalWords(asked, left), u"2 removed, 2 left: its job runs; permission denied"_s);
    CleanupView view;
    view.show();
    view.setResult(removalWords(asked, left), false);
    auto* result = view.findChild<QLabel*>(u"cleanupResult"_s);
    QVERIFY(result->isVisible());
    QCOMPARE(result->accessibleName(), result->text());
}

void TestCleanup::hostileNames_arePlain()
{
    const QString hostile = u"/home/x/<img src=\"file:///etc/passwd\"> & <b>bold</b>"_s;
    CleanupList list = exampleCleanupList();
    for (CleanupItem& one : list.items) {
        one.path = one.detail = hostile;
    }
    CleanupView view;
    view.show();
    view.setList(list);
    for (int g = 0; g < tree(view)->topLevelItemCount(); ++g) {
        QTreeWidgetItem* group = tree(view)->topLevelItem(g);
        for (int i = 0; i < group->childCount(); ++i) {
            QVERIFY(!group->child(i)->toolTip(0).contains(u"<img"_s));
            QVERIFY(!group->child(i)->toolTip(1).contains(u"<img"_s));
        }
    }
    for (QLabel* label : view.findChildren<QLabel*>()) {
        QVERIFY(label->textFormat() == Qt::PlainText);
    }
}

void TestCleanup::site_opensItWhenConnected()
{
    Rig rig;
    rig.start();
    QPushButton* open = nullptr;
    const auto card = rig.find<QWidget>("site-kestrel");
    open = card->findChild<QPushButton*>(u"siteCleanup"_s);
    QVERIFY(!open->isVisible());
    const auto connecting = rig.engine().sessions()->connectSite(u"kestrel"_s, nullptr);
    QTRY_VERIFY(open->isVisible());
    QCOMPARE(open->text(), u"Files on the cluster…"_s);
    QTRY_VERIFY(rig.find<QPushButton>("connectionCleanup")->isVisible());
    QCOMPARE(rig.find<QPushButton>("connectionCleanup")->text(), u"Files on the cluster…"_s);
    QTest::mouseClick(open, Qt::LeftButton);
    auto* dialog = rig.window().findChild<CleanupDialog*>();
    QTRY_VERIFY(dialog && dialog->isVisible());
    QVERIFY(dialog->windowTitle().endsWith(u"Kestrel"_s));
    // Whatever the cluster answers, it does not stay busy.
    QTRY_VERIFY(!dialog->findChild<QLabel*>(u"cleanupState"_s)->text().isEmpty());
    QTRY_VERIFY(!dialog->findChild<QLabel*>(u"cleanupState"_s)->text().startsWith(u"Searching"_s));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!rig.window().findChild<CleanupDialog*>());
    QTest::mouseClick(rig.find<QPushButton>("connectionCleanup"), Qt::LeftButton);
    QTRY_VERIFY(rig.window().findChild<CleanupDialog*>());
}

void TestCleanup::palette_opensItNotConnected()
{
    Rig rig;
    rig.start();
    rig.window().openPalette();
    auto* palette = rig.window().findChild<CommandPalette*>();
    QVERIFY(palette);
    auto* text = palette->findChild<QLineEdit*>();
    QTest::keyClicks(text, u"files slipway kestrel"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_VERIFY(rig.window().findChild<CleanupDialog*>());
    auto* dialog = rig.window().findChild<CleanupDialog*>();
    QTRY_VERIFY(
        dialog->findChild<QLabel*>(u"cleanupState"_s)->text().startsWith(u"Not connected"_s));
    QCOMPARE(button(*dialog, "cleanupAction")->text(), u"Connect"_s);
}

void TestCleanup::controls_haveNames()
{
    CleanupView view;
    view.resize(1000, 700);
    view.show();
    view.setList(exampleCleanupList());
    int controls = 0;
    for (QWidget* widget : view.findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || widget->isHidden()
            || qobject_cast<QLabel*>(widget) || widget->objectName().startsWith(u"qt_"_s)) {
            continue;
        }
        ++controls;
        const QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(widget);
        QVERIFY2(
            heard && !heard->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
    }
    QVERIFY(controls >= 5);
}

SLIPWAY_GUI_TEST(TestCleanup, gui_cleanup)
#include "tst_cleanup.moc"
