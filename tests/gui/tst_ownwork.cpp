// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/snapshot.h"
#include "app/runs/proposalvalues.h"
#include "rig.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/launch/foldercard.h"
#include "ui/launch/folderfiles.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/scriptview.h"
#include "ui/window/commandpalette.h"
#include "ui/window/folderdrop.h"

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QUrl>

using namespace slipway;
using namespace Qt::StringLiterals;

/// A person's own program in the window: from a drop to the launch.
class TestOwnFolder : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void cleanup() { QTest::qWait(10); } // what a worker has read arrives here
    void withoutAFolder_theCardSaysHowToChoose();
    void drop_fillsTheForm();
    void dropOfAProgram_sendsItsFolder();
    void questions_areShown();
    void anotherFolder_keepsWhatAPersonEntered();
    void anotherSite_hasItsOwnValues();
    void wrongDrop_isRefusedInASentence_data();
    void wrongDrop_isRefusedInASentence();
    void leaving_hidesTheHint();
    void otherRecipe_hasNoFolder();
    void earlierRun_keepsItsValues();
    void missingFolder_isNamed();
    void changes_areThoseSinceTheLastRun();
    void largeFile_isSentOnlyIfChosen();
    void chosenLargeFile_canBeLeftOutAgain();
    void dialog_isReachedByKeyboard();
    void launch_carriesTheFolder();

private:
    static QString project(const QString& name);
    static LaunchPage* begin(Rig& rig, const QString& siteId = u"kestrel"_s);
    static QString text(Rig& rig, const char* name) { return rig.find<QLabel>(name)->text(); }
    static QString shown(Rig& rig);
    static bool drag(Rig& rig, const QMimeData& data);
    static void drop(Rig& rig, const QList<QUrl>& urls);
    static void put(const QString& path, const QByteArray& bytes);
};

QString TestOwnFolder::project(const QString& name)
{
    return QFileInfo(sourcePath(u"/tests/data/projects/"_s % name)).canonicalFilePath();
}

LaunchPage* TestOwnFolder::begin(Rig& rig, const QString& siteId)
{
    rig.start();
    rig.window().launchPage()->selectSite(siteId);
    return rig.window().launchPage();
}

/// All that the card says.
QString TestOwnFolder::shown(Rig& rig)
{
    QStringList texts;
    for (const QLabel* label : rig.find<FolderCard>("folderCard")->findChildren<QLabel*>()) {
        if (label->isVisible()) {
            texts << label->text();
        }
    }
    return texts.join(u'\n');
}

/// Whether the window takes what is dragged over it.
bool TestOwnFolder::drag(Rig& rig, const QMimeData& data)
{
    QDragEnterEvent enter(
        QPoint(50, 50), Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&rig.window(), &enter);
    return enter.isAccepted() && enter.dropAction() == Qt::CopyAction;
}

void TestOwnFolder::drop(Rig& rig, const QList<QUrl>& urls)
{
    QMimeData data;
    data.setUrls(urls);
    QVERIFY(drag(rig, data));
    QVERIFY(rig.find<FolderDrop>("dropHint")->isVisible());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&rig.window(), &drop);
    QVERIFY(drop.isAccepted());
    QCOMPARE(drop.dropAction(), Qt::CopyAction); // a move would delete it
    QVERIFY(!rig.find<FolderDrop>("dropHint")->isVisible());
}

void TestOwnFolder::withoutAFolder_theCardSaysHowToChoose()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    rig.window().showPage(MainWindow::LaunchIndex);
    page->selectRecipe(u"matmul-scaling"_s);
    QVERIFY(!rig.find<FolderCard>("folderCard")->isVisible());
    page->selectRecipe(ownRecipe());
    QTRY_VERIFY(rig.find<FolderCard>("folderCard")->isVisible());
    QVERIFY2(shown(rig).contains(u"drop it on this window"_s), qPrintable(shown(rig)));
    QCOMPARE(rig.find<QPushButton>("chooseFolder")->text(), u"Choose a folder…"_s);
    QVERIFY(!rig.find<QPushButton>("readFolderAgain")->isVisible());
    QVERIFY(page->plan().hasErrors());
}

void TestOwnFolder::drop_fillsTheForm()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    const QString folder = project(u"digits"_s);
    drop(rig, {QUrl::fromLocalFile(folder)});
    QTRY_COMPARE(page->spec().project, folder);
    QTRY_VERIFY(page->isVisible());
    QCOMPARE(page->spec().recipeId, ownRecipe());
    // As the terminal has them.
    const Result<Proposal> read = readProject(folder);
    QVERIFY(read.ok());
    LaunchSpec bare;
    bare.recipeId = ownRecipe();
    bare.siteId = u"kestrel"_s;
    Catalogue* catalogue = rig.engine().catalogue();
    const auto values = proposedValues(
        *read, *catalogue->recipe(ownRecipe()), *catalogue->site(u"kestrel"_s), bare);
    QCOMPARE(page->spec().values, values);
    QCOMPARE(values.value(u"command"_s), u"python3 train.py"_s);
    QCOMPARE(values.value(u"packages"_s), u"requirements.txt"_s);
    QCOMPARE(rig.find<QLineEdit>("input-cpus")->text(), u"8"_s);
    QVERIFY(rig.find<ScriptView>("preview")->script().contains("in_code.sh python3 train.py"));
    for (const Problem& problem : page->plan().problems) {
        QVERIFY2(!problem.text.contains(u"No folder"_s), qPrintable(problem.text));
    }
    QTRY_VERIFY2(
        shown(rig).contains(u"train.py is the one file with a main"_s), qPrintable(shown(rig)));
    QCOMPARE(text(rig, "folderPath"), folder);
    QTRY_VERIFY2(text(rig, "folderChanges").startsWith(u"No run here has sent it yet: "_s),
        qPrintable(text(rig, "folderChanges")));
}

void TestOwnFolder::dropOfAProgram_sendsItsFolder()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    drop(rig, {QUrl::fromLocalFile(project(u"several"_s) % u"/eval.py"_s)});
    QTRY_COMPARE(page->spec().project, project(u"several"_s));
    QCOMPARE(page->spec().values.value(u"command"_s), u"python3 eval.py"_s);
    // Read again, it is still that program.
    QTRY_VERIFY(rig.find<QPushButton>("readFolderAgain")->isVisible());
    rig.find<QPushButton>("readFolderAgain")->click();
    QTRY_VERIFY(rig.find<QPushButton>("readFolderAgain")->isEnabled());
    QCOMPARE(page->spec().values.value(u"command"_s), u"python3 eval.py"_s);
}

void TestOwnFolder::questions_areShown()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    drop(rig, {QUrl::fromLocalFile(project(u"several"_s))});
    QTRY_COMPARE(page->spec().project, project(u"several"_s));
    QTRY_VERIFY(rig.find<QLabel>("folderQuestion"));
    QTRY_COMPARE(text(rig, "folderQuestion"),
        u"Several programs: eval.py, train.py. Which one is to run?"_s);
    QVERIFY2(rig.find<FolderCard>("folderCard")->accessibleName().endsWith(u", 1 question"_s),
        qPrintable(rig.find<FolderCard>("folderCard")->accessibleName()));
}

void TestOwnFolder::anotherFolder_keepsWhatAPersonEntered()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    drop(rig, {QUrl::fromLocalFile(project(u"digits"_s))});
    QTRY_COMPARE(page->spec().project, project(u"digits"_s));
    auto* cpus = rig.find<QLineEdit>("input-cpus");
    QTRY_VERIFY(cpus->isVisible());
    cpus->setFocus();
    cpus->selectAll();
    QTest::keyClicks(cpus, u"3"_s);
    QTRY_COMPARE(page->plan().values.value(u"cpus"_s), u"3"_s);
    cpus->clearFocus();
    drop(rig, {QUrl::fromLocalFile(project(u"torchrun"_s))});
    QTRY_COMPARE(page->spec().project, project(u"torchrun"_s));
    const QMap<QString, QString>& values = page->spec().values;
    QVERIFY2(
        values.value(u"command"_s).endsWith(u" ddp.py"_s), qPrintable(values.value(u"command"_s)));
    QCOMPARE(values.value(u"memory"_s), u"64G"_s);
    QCOMPARE(values.value(u"cpus"_s), u"3"_s); // not the 16 that were read
    QVERIFY(!values.contains(u"packages"_s)); // which were those of the first folder
    QTRY_VERIFY2(
        shown(rig).contains(u"as you have entered it; read was 16"_s), qPrintable(shown(rig)));
}

void TestOwnFolder::anotherSite_hasItsOwnValues()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    drop(rig, {QUrl::fromLocalFile(project(u"digits"_s))});
    QTRY_COMPARE(page->spec().project, project(u"digits"_s));
    QVERIFY(page->spec().values.value(u"image"_s).contains(u"pytorch/pytorch"_s));
    page->selectSite(u"demo"_s); // its file names an image for own programs
    QVERIFY(!page->spec().values.contains(u"image"_s));
    QCOMPARE(page->plan().values.value(u"image"_s), u"docker://login:5000/demo/pytorch:2.6"_s);
    QCOMPARE(page->spec().values.value(u"command"_s), u"python3 train.py"_s);
    QTRY_VERIFY2(shown(rig).contains(u"not used: the site file has a value of its own"_s),
        qPrintable(shown(rig)));
    QVERIFY(!rig.find<QWidget>("carried")->isVisible()); // nobody has entered them
    page->selectSite(u"kestrel"_s);
    QVERIFY(page->spec().values.value(u"image"_s).contains(u"pytorch/pytorch"_s));
}

void TestOwnFolder::wrongDrop_isRefusedInASentence_data()
{
    QTest::addColumn<QList<QUrl>>("urls");
    QTest::addColumn<QString>("said");
    QTest::newRow("two files") << QList<QUrl>{QUrl(u"file:///a/b.py"_s), QUrl(u"file:///a/c.py"_s)}
                               << u"A run has one folder, and several things were dropped."_s;
    QTest::newRow("elsewhere") << QList<QUrl>{QUrl(u"https://example.org/train.py"_s)}
                               << u"It is not a file of this computer."_s;
}

void TestOwnFolder::wrongDrop_isRefusedInASentence()
{
    QFETCH(QList<QUrl>, urls);
    QFETCH(QString, said);
    Rig rig;
    LaunchPage* page = begin(rig);
    drop(rig, urls);
    QCOMPARE(text(rig, "dropHintText"), said); // already while it is dragged
    QTRY_VERIFY(page->isVisible());
    QTRY_VERIFY(page->hasError());
    QStringList texts;
    for (const QLabel* label : page->findChildren<QLabel*>()) {
        texts << label->text();
    }
    QVERIFY2(texts.contains(said), qPrintable(texts.join(u'\n')));
    QVERIFY(page->spec().project.isEmpty());
}

void TestOwnFolder::leaving_hidesTheHint()
{
    Rig rig;
    begin(rig);
    auto* hint = rig.find<FolderDrop>("dropHint");
    QMimeData words;
    words.setText(u"some words"_s);
    QVERIFY(!drag(rig, words)); // text is for the fields
    QVERIFY(!hint->isVisible());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(u"/home/ada/digits"_s)});
    QVERIFY(drag(rig, data));
    QVERIFY(hint->isVisible());
    QCOMPARE(hint->geometry(), rig.window().rect());
    QVERIFY2(
        text(rig, "dropHintText").contains(u"“digits”"_s), qPrintable(text(rig, "dropHintText")));
    QDragLeaveEvent leave;
    QApplication::sendEvent(&rig.window(), &leave);
    QTRY_VERIFY(!hint->isVisible());
    // From the window to the hint above it: that is not leaving.
    QVERIFY(drag(rig, data));
    QDragLeaveEvent below;
    QApplication::sendEvent(&rig.window(), &below);
    QDragEnterEvent above(QPoint(60, 60), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(hint, &above);
    QTest::qWait(50);
    QVERIFY(hint->isVisible());
    QDragLeaveEvent last;
    QApplication::sendEvent(hint, &last);
    QTRY_VERIFY(!hint->isVisible());
}

void TestOwnFolder::otherRecipe_hasNoFolder()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    drop(rig, {QUrl::fromLocalFile(project(u"digits"_s))});
    QTRY_COMPARE(page->spec().project, project(u"digits"_s));
    const QMap<QString, QString> values = page->spec().values;
    page->selectRecipe(u"matmul-scaling"_s);
    QCOMPARE(page->spec().project, QString()); // nothing of it is sent
    QTRY_VERIFY(!rig.find<FolderCard>("folderCard")->isVisible());
    page->selectRecipe(ownRecipe());
    QCOMPARE(page->spec().project, project(u"digits"_s));
    QCOMPARE(page->spec().values, values);
}

void TestOwnFolder::earlierRun_keepsItsValues()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    LaunchSpec spec;
    spec.recipeId = ownRecipe();
    spec.siteId = u"kestrel"_s;
    spec.project = project(u"digits"_s);
    spec.values = {{u"command"_s, u"python3 other.py"_s}};
    page->load(spec);
    rig.window().showPage(MainWindow::LaunchIndex);
    QTRY_VERIFY2(shown(rig).contains(u"as you have entered it; read was python3 train.py"_s),
        qPrintable(shown(rig)));
    QCOMPARE(page->spec().values, spec.values);
    page->selectSite(u"swift"_s);
    QCOMPARE(page->spec().values, spec.values);
    // Read again: what it had not set is filled in.
    rig.find<QPushButton>("readFolderAgain")->click();
    QTRY_COMPARE(page->spec().values.value(u"packages"_s), u"requirements.txt"_s);
    QCOMPARE(page->spec().values.value(u"command"_s), u"python3 other.py"_s);
}

void TestOwnFolder::missingFolder_isNamed()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    rig.window().openFolder(u"/nowhere/at/all"_s);
    QTRY_VERIFY(page->isVisible());
    QTRY_VERIFY2(text(rig, "folderError").contains(u"/nowhere/at/all"_s),
        qPrintable(text(rig, "folderError")));
    QVERIFY(page->spec().project.isEmpty());
}

void TestOwnFolder::put(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    QCOMPARE(file.write(bytes), bytes.size());
}

void TestOwnFolder::changes_areThoseSinceTheLastRun()
{
    QTemporaryDir made;
    const QString folder = QFileInfo(made.path()).canonicalFilePath();
    put(folder % u"/train.py"_s, "print('step 1 loss 0.5')\n");
    put(folder % u"/model.py"_s, "x = 1\n");
    SnapshotRequest request;
    request.folder = folder;
    const Result<Snapshot> sent = takeSnapshot(request);
    QVERIFY(sent.ok());
    Rig rig;
    Run run = Rig::sampleRun(u"sent"_s, RunPhase::Done);
    run.spec = {};
    run.spec.siteId = u"kestrel"_s;
    run.spec.recipeId = ownRecipe();
    run.spec.project = folder;
    rig.addRun(run);
    const QString kept = rig.paths().data % u"/runs/sent/files/"_s;
    put(kept % u"code.manifest"_s, sent->manifest());
    put(kept % u"code.json"_s, R"({"files": 2, "sent": 2, "bytes_sent": 32})");
    begin(rig);
    rig.window().openFolder(folder);
    QTRY_COMPARE(text(rig, "folderChanges"), u"Nothing has changed since its last run here."_s);
    // Back on the page after work in an editor.
    rig.window().showPage(MainWindow::RunsIndex);
    put(folder % u"/train.py"_s, "print('step 1 loss 0.25')\n");
    put(folder % u"/new.py"_s, "y = 2\n");
    QVERIFY(QFile::remove(folder % u"/model.py"_s));
    rig.window().showPage(MainWindow::LaunchIndex);
    QTRY_VERIFY2(text(rig, "folderChanges")
                     .startsWith(u"Since its last run here: 1 added, 1 changed, 1 removed; "_s),
        qPrintable(text(rig, "folderChanges")));
    rig.window().launchPage()->selectSite(u"swift"_s); // which has got nothing yet
    QTRY_VERIFY2(text(rig, "folderChanges").startsWith(u"No run here has sent it yet: 2 files"_s),
        qPrintable(text(rig, "folderChanges")));
}

void TestOwnFolder::largeFile_isSentOnlyIfChosen()
{
    QTemporaryDir made;
    const QString folder = QFileInfo(made.path()).canonicalFilePath();
    put(folder % u"/train.py"_s, "print('step 1 loss 0.5')\n");
    QFile large(folder % u"/data.bin"_s);
    QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(101 * 1024 * 1024)); // no blocks
    Rig rig;
    LaunchPage* page = begin(rig);
    rig.window().openFolder(folder);
    QTRY_VERIFY(text(rig, "folderChanges").contains(u"Not sent: data.bin"_s));
    const auto openFiles = [&rig] {
        rig.find<QPushButton>("folderFilesButton")->click();
        return rig.window().findChild<FolderFilesDialog*>();
    };
    QPointer<FolderFilesDialog> dialog = openFiles();
    QVERIFY(dialog);
    auto* table = dialog->findChild<QTableWidget*>(u"folderFilesTable"_s);
    QCOMPARE(table->rowCount(), 2);
    QCOMPARE(table->item(0, 0)->text(), u"train.py"_s);
    QVERIFY(!table->item(0, 0)->flags().testFlag(Qt::ItemIsUserCheckable));
    QCOMPARE(table->item(1, 0)->text(), u"data.bin"_s);
    QCOMPARE(table->item(1, 0)->checkState(), Qt::Unchecked);
    table->item(1, 0)->setCheckState(Qt::Checked);
    dialog->findChild<QPushButton*>(u"useFolderFiles"_s)->click();
    QVERIFY(QFile::remove(folder % u"/data.bin"_s)); // its sum takes seconds
    QCOMPARE(page->spec().largeFiles, QStringList{u"data.bin"_s});
}

void TestOwnFolder::chosenLargeFile_canBeLeftOutAgain()
{
    CodeChanges changes;
    changes.snapshot.entries = {
        {u"data.bin"_s, 200'000'000, false, {}, {}}, {u"train.py"_s, 40, false, {}, {}}};
    changes.difference = SnapshotDifference{{}, {u"train.py"_s}, {u"old.py"_s}, 40};
    changes.snapshot.omissions = {{u"more.bin"_s, 300'000'000, u"larger than 100 MB"_s, true},
        {u"secret.txt"_s, 7, u".gitignore names it"_s}};
    const auto rows = folderFileRows(changes, {u"data.bin"_s});
    QStringList shown;
    for (const FolderFileRow& row : rows) {
        shown << row.path % u": "_s % row.what % (row.isChoice ? u" ?"_s : QString())
                % (row.isChosen ? u" yes"_s : QString());
    }
    const QStringList wanted{u"train.py: changed"_s, u"old.py: removed"_s,
        u"data.bin: unchanged; large ? yes"_s, u"more.bin: not sent: larger than 100 MB ?"_s,
        u"secret.txt: not sent: .gitignore names it"_s};
    QCOMPARE(shown, wanted);
    QStringList chosen{u"nothing"_s};
    auto* dialog = new FolderFilesDialog(
        changes, {u"data.bin"_s}, [&chosen](const QStringList& files) { chosen = files; }, nullptr);
    auto* table = dialog->findChild<QTableWidget*>(u"folderFilesTable"_s);
    QCOMPARE(table->item(2, 0)->checkState(), Qt::Checked);
    table->item(2, 0)->setCheckState(Qt::Unchecked);
    dialog->findChild<QPushButton*>(u"useFolderFiles"_s)->click();
    QCOMPARE(chosen, QStringList());
}

void TestOwnFolder::dialog_isReachedByKeyboard()
{
    Rig rig;
    LaunchPage* page = begin(rig);
    QTest::keyClick(&rig.window(), Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(rig.window().findChild<CommandPalette*>());
    auto* words = rig.window().findChild<CommandPalette*>()->findChild<QLineEdit*>();
    QTest::keyClicks(words, u"run a folder of yours"_s);
    QTest::keyClick(words, Qt::Key_Return);
    const auto dialog = [&rig] { return rig.find<QFileDialog>("folderDialog"); };
    QTRY_VERIFY(dialog());
    QCOMPARE(dialog()->fileMode(), QFileDialog::Directory);
    QCOMPARE(page->spec().recipeId, ownRecipe());
    dialog()->reject();
    QTRY_VERIFY(!dialog());
    rig.window().activateWindow();
    auto* choose = rig.find<QPushButton>("chooseFolder");
    QTRY_VERIFY(choose->isVisible());
    choose->setFocus();
    QTest::keyClick(choose, Qt::Key_Space);
    QTRY_VERIFY(dialog());
    emit dialog()->fileSelected(project(u"digits"_s));
    dialog()->reject();
    QTRY_COMPARE(page->spec().project, project(u"digits"_s));
    QTRY_COMPARE(choose->text(), u"Choose another folder…"_s);
}

void TestOwnFolder::launch_carriesTheFolder()
{
    Rig rig;
    rig.setDemoRunning();
    rig.connector().shell = StubConnector::launchingShell();
    LaunchPage* page = begin(rig, u"demo"_s);
    rig.connectTo(u"demo"_s);
    drop(rig, {QUrl::fromLocalFile(project(u"digits"_s))});
    QTRY_COMPARE(page->spec().project, project(u"digits"_s));
    page->planNow();
    for (const Problem& problem : page->plan().problems) {
        QVERIFY2(problem.severity != Problem::Severity::Error, qPrintable(problem.text));
    }
    QSignalSpy asked(page, &LaunchPage::launchRequested);
    QTRY_VERIFY(rig.find<QPushButton>("launch")->isEnabled());
    QTest::mouseClick(rig.find<QPushButton>("launch"), Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QTRY_COMPARE(rig.engine().runs()->all().size(), size_t(1));
    QCOMPARE(rig.engine().runs()->all().front().spec.project, project(u"digits"_s));
}

SLIPWAY_GUI_TEST(TestOwnFolder, gui_ownwork)
#include "tst_ownwork.moc"
