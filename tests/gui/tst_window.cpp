// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "support/heartbeat.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/parts/timeline.h"
#include "ui/runs/runspage.h"
#include "ui/sites/democard.h"
#include "ui/sites/sitecard.h"
#include "ui/sites/sitespage.h"
#include "ui/window/commandpalette.h"

#include <QAccessible>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The window as a whole: keys, names for those who hear it, the demo card, and that nothing
/// blocks.
class TestWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void helpAndVersion_needNoDisplay_data();
    void helpAndVersion_needNoDisplay();
    void wrongOption_isReported_data();
    void wrongOption_isReported();
    void values_mayBeAttached();
    void terminal_showsNoMessagesOfQt();
    void firstFrame_needsNoEngine();
    void keys_switchPages();
    void keyboardAlone_walksEveryPage();
    void everyControl_hasAName();
    void palette_findsAndDoes();
    void palette_ranks();
    void demo_showsItsStages();
    void demo_failureShowsItsError();
    void demo_isEmulatedFromItsMenu();
    void archivedAndBrokenSites_areReported();
    void pages_neverHoldTheLoop();
    void largeText_fits();

private:
    static int page(Rig& rig) { return rig.window().findChild<QStackedWidget*>()->currentIndex(); }
    int runProgram(const QStringList& words);

    QTemporaryDir m_home;
    QByteArray m_err;
};

void TestWindow::helpAndVersion_needNoDisplay_data()
{
    QTest::addColumn<QString>("said");
    QTest::newRow("--help") << u"--screenshot FILE"_s;
    QTest::newRow("-h") << u"--screenshot FILE"_s;
    QTest::newRow("--version") << u"slipway "_s;
}

void TestWindow::helpAndVersion_needNoDisplay()
{
    QFETCH(QString, said);
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "XDG_RUNTIME_DIR"})
        environment.remove(QLatin1StringView(name));
    program.setProcessEnvironment(environment);
    program.start(buildPath(u"/bin/slipway"_s), {QString::fromLatin1(QTest::currentDataTag())});
    QVERIFY2(program.waitForFinished(), qPrintable(program.errorString()));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(QString::fromUtf8(program.readAllStandardOutput()).contains(said));
    QCOMPARE(program.readAllStandardError(), QByteArray());
}

int TestWindow::runProgram(const QStringList& words)
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"XDG_RUNTIME_DIR", "QT_LOGGING_RULES"})
        environment.remove(QLatin1StringView(name));
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    environment.insert(u"HOME"_s, m_home.path());
    program.setProcessEnvironment(environment);
    program.start(buildPath(u"/bin/slipway"_s), words);
    if (!program.waitForFinished())
        return -1;
    m_err = program.readAllStandardError();
    return program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -2;
}

void TestWindow::wrongOption_isReported_data()
{
    QTest::addColumn<QString>("said");
    QTest::newRow("--sice 900x700") << u"Unknown option “--sice”."_s;
    QTest::newRow("-x") << u"Unknown option “-x”."_s;
    QTest::newRow("launch") << u"Unknown option “launch”."_s;
    QTest::newRow("--size") << u"--size requires a value."_s;
    QTest::newRow("--size=12") << u"“12” is not a size"_s;
    QTest::newRow("--theme pink") << u"“pink” is not a theme"_s;
    QTest::newRow("--page nowhere") << u"There is no page “nowhere”."_s;
}

void TestWindow::wrongOption_isReported()
{
    QFETCH(QString, said);
    QCOMPARE(runProgram(QString::fromLatin1(QTest::currentDataTag()).split(u' ')), 2);
    QVERIFY2(m_err.contains(said.toUtf8()), m_err);
}

void TestWindow::values_mayBeAttached()
{
    const QString picture = m_home.filePath(u"compare.png"_s);
    QCOMPARE(runProgram({u"--size=900x700"_s, u"--page=compare"_s, u"--screenshot"_s, picture}), 0);
    QVERIFY2(m_err.isEmpty(), m_err);
    QVERIFY(QFile::exists(picture));
}

/// From the start to the end, and without what Qt would like to have.
void TestWindow::terminal_showsNoMessagesOfQt()
{
    const QString picture = m_home.filePath(u"w.png"_s);
    QCOMPARE(runProgram({u"--screenshot"_s, picture}), 0);
    QVERIFY(QFile::exists(picture));
    QCOMPARE(m_err, QByteArray());
}

void TestWindow::firstFrame_needsNoEngine()
{
    Theme theme;
    theme.apply();
    MainWindow window(&theme);
    QSignalSpy painted(&window, &MainWindow::firstFrame);
    window.show();
    QTRY_COMPARE(painted.count(), 1);
    QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier); // pages wait for the engine
    QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
    QTest::qWait(20);
    QCOMPARE(painted.count(), 1);
}

void TestWindow::keys_switchPages()
{
    Rig rig;
    rig.start();
    QTest::keyClick(&rig.window(), Qt::Key_2, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 1);
    QTest::keyClick(&rig.window(), Qt::Key_3, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 2);
    QTest::keyClick(&rig.window(), Qt::Key_4, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 3);
    QTest::keyClick(&rig.window(), Qt::Key_1, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 0);
    QTest::keyClick(&rig.window(), Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 1);
    QTest::keyClick(&rig.window(), Qt::Key_F11);
    QTRY_VERIFY(rig.window().isFullScreen());
    QTest::keyClick(&rig.window(), Qt::Key_Escape);
    QTRY_VERIFY(!rig.window().isFullScreen());
}

void TestWindow::keyboardAlone_walksEveryPage()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    for (int index = 0; index < int(MainWindow::PageCount); ++index) {
        rig.window().showPage(MainWindow::Page(index));
        if (index == MainWindow::CompareIndex) {
            rig.window().compareRuns({u"done"_s});
        }
        QTest::qWait(50);
        QSet<QWidget*> seen;
        QWidget* first = nullptr;
        for (int step = 0; step < 200; ++step) {
            QTest::keyClick(
                QApplication::focusWidget() ? QApplication::focusWidget() : &rig.window(),
                Qt::Key_Tab);
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now && now->isVisible());
            if (now == first) {
                break;
            }
            first = first ? first : now;
            seen.insert(now);
        }
        for (QPushButton* button : rig.window().findChildren<QPushButton*>()) {
            if (button->isVisible() && button->isEnabled()
                && button->focusPolicy() != Qt::NoFocus) {
                QVERIFY2(seen.contains(button),
                    qPrintable(u"Tab does not reach “%1”"_s.arg(button->text())));
            }
        }
    }
}

void TestWindow::everyControl_hasAName()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    rig.window().showPage(MainWindow::LaunchIndex);
    rig.window().openRun(u"done"_s);
    rig.window().compareRuns({u"done"_s});
    QTest::qWait(700); // until its lanes are read from the log
    int controls = 0;
    for (QWidget* widget : rig.window().findChildren<QWidget*>()) {
        const bool inner = widget->objectName().startsWith(u"qt_"_s)
            || widget->inherits("QComboBoxListView")
            || (widget->parentWidget() && widget->parentWidget()->focusProxy() == widget)
            || qobject_cast<QLabel*>(widget);
        if (!(widget->focusPolicy() & Qt::TabFocus) || inner || widget->isHidden()) {
            continue;
        }
        ++controls;
        const QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(widget);
        QVERIFY2(heard && !heard->text(QAccessible::Name).isEmpty(),
            qPrintable(u"%1 “%2” has no accessible name"_s.arg(
                QString::fromLatin1(widget->metaObject()->className()), widget->objectName())));
    }
    QVERIFY(controls > 30);
}

void TestWindow::palette_findsAndDoes()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    QTest::keyClick(&rig.window(), Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(rig.window().findChild<CommandPalette*>());
    auto* text = rig.window().findChild<CommandPalette*>()->findChild<QLineEdit*>();
    QTest::keyClicks(text, u"done matmul run"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_COMPARE(page(rig), 2);
    QVERIFY(rig.window().runsPage()->showsRun());
    QTRY_VERIFY(!rig.window().findChild<CommandPalette*>());
}

void TestWindow::palette_ranks()
{
    const std::vector<PaletteEntry> entries{{u"Action"_s, u"Go to Runs"_s, {}, {}},
        {u"Run"_s, u"BERT"_s, u"runs well"_s, {}}, {u"Recipe"_s, u"Run a command"_s, {}, {}}};
    QCOMPARE(matchEntries(entries, u"run"_s), (std::vector<size_t>{2, 0, 1}));
    QCOMPARE(matchEntries(entries, u"run command"_s), (std::vector<size_t>{2}));
    QVERIFY(matchEntries(entries, u"zzz"_s).empty());
    QCOMPARE(matchEntries(entries, QString()).size(), size_t(3));
}

void TestWindow::demo_showsItsStages()
{
    Rig rig;
    rig.setDemoOutput(u"up"_s,
        R"({"event":"plan","stages":[{"stage":"base","title":"Base system"},)"
        R"({"stage":"apptainer","title":"Apptainer"},{"stage":"image",)"
        R"("title":"PyTorch image"},{"stage":"start","title":"Start"}]}
{"event":"stage","stage":"base","title":"Base system","state":"done","seconds":18}
{"event":"stage","stage":"apptainer","title":"Apptainer","state":"done","seconds":5}
{"event":"stage","stage":"image","title":"PyTorch image","state":"running","percent":62})");
    QFile wait(rig.paths().resources % u"/demo-cluster/up.wait"_s);
    QVERIFY(wait.open(QIODevice::WriteOnly));
    wait.write("5");
    wait.close();
    rig.start();
    auto* start = rig.find<QPushButton>("demoMain");
    QTRY_VERIFY(start->isEnabled());
    QCOMPARE(start->text(), u"Start"_s);
    QTest::mouseClick(start, Qt::LeftButton);
    DemoCard* card = rig.window().sitesPage()->demoCard();
    auto* stages = card->findChild<Timeline*>();
    QTRY_COMPARE(stages->parts().size(), size_t(4));
    QTRY_COMPARE(stages->parts().at(2).note, u"62 %"_s);
    auto* cancel = rig.find<QPushButton>("demoSecond");
    QVERIFY(cancel->isVisible());
    QCOMPARE(cancel->text(), u"Cancel"_s);
    QTest::mouseClick(cancel, Qt::LeftButton);
    QTRY_VERIFY(start->isVisible());
}

void TestWindow::demo_failureShowsItsError()
{
    Rig rig;
    rig.setDemoOutput(u"up"_s,
        R"({"event":"error","summary":"The base system could not be downloaded.",)"
        R"("detail":"E: 404"})");
    rig.start();
    auto* start = rig.find<QPushButton>("demoMain");
    QTRY_VERIFY(start->isEnabled());
    QTest::mouseClick(start, Qt::LeftButton);
    auto* summary = rig.window().sitesPage()->findChild<QLabel*>(u"errorSummary"_s);
    QTRY_VERIFY(summary->isVisible());
    QVERIFY2(!summary->text().isEmpty(), qPrintable(summary->text()));
}

void TestWindow::demo_isEmulatedFromItsMenu()
{
    Rig rig;
    rig.setDemoOutput(u"status"_s, R"({"event":"status","state":"running","emulates":"kestrel"})");
    rig.setDemoOutput(
        u"up"_s, R"({"event":"ready","connection":"/nowhere","emulates":"frontera-rtx"})");
    rig.start();
    auto* emulate = rig.find<QPushButton>("demoEmulate");
    QTRY_VERIFY(emulate->isVisible());
    QVERIFY(!emulate->accessibleName().isEmpty());
    const auto action = [&](const QString& name) -> QAction* {
        for (QAction* one : emulate->menu()->actions()) {
            if (one->text() == name) {
                return one;
            }
        }
        return nullptr;
    };
    QVERIFY(action(u"No site"_s));
    QTRY_VERIFY(action(u"Kestrel"_s) && action(u"Kestrel"_s)->isChecked());
    QAction* frontera = action(u"Frontera"_s);
    QVERIFY(frontera);
    frontera->trigger();
    const auto said = [&] {
        for (QLabel* label : rig.window().sitesPage()->demoCard()->findChildren<QLabel*>()) {
            if (label->text().contains(u"emulating Frontera"_s)) {
                return true;
            }
        }
        return false;
    };
    QTRY_VERIFY(said());
}

void TestWindow::archivedAndBrokenSites_areReported()
{
    Rig rig;
    QDir().mkpath(rig.paths().config % u"/sites"_s);
    const auto put = [&](const char* name, const QByteArray& json) {
        QFile file(rig.paths().config % u"/sites/"_s % QString::fromLatin1(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(json);
    };
    put("broken.json", "{\n  \"id\": \"broken\",\n  oops\n}\n");
    put("comet.json", R"({"id":"comet","name":"Comet","institution":"SDSC","archived":true})");
    rig.start();
    QStringList texts;
    for (QLabel* label : rig.window().sitesPage()->findChildren<QLabel*>()) {
        texts << label->text();
    }
    QVERIFY2(texts.join(u'\n').contains(u"broken.json"_s), qPrintable(texts.join(u'\n')));
    auto* comet = rig.window().findChild<SiteCard*>(u"site-comet"_s);
    QVERIFY(comet);
    QCOMPARE(comet->findChild<QPushButton*>()->text(), u"View recipes"_s);
    QTest::mouseClick(comet->findChild<QPushButton*>(), Qt::LeftButton);
    QTRY_COMPARE(page(rig), 1);
    QVERIFY(!rig.find<QPushButton>("launch")->isEnabled());
}

void TestWindow::pages_neverHoldTheLoop()
{
    Rig rig;
    for (int i = 0; i < 300; ++i) {
        rig.addRun(Rig::sampleRun(u"r%1"_s.arg(i), RunPhase::Done));
    }
    rig.start();
    Heartbeat heartbeat;
    for (const int index : {1, 2, 3, 0, 3, 2, 1, 0}) {
        rig.window().showPage(MainWindow::Page(index));
        QTest::qWait(60);
    }
    QVERIFY2(heartbeat.worst() < 400, qPrintable(u"held up for %1 ms"_s.arg(heartbeat.worst())));
}

void TestWindow::largeText_fits()
{
    Rig rig;
    rig.start(QSize(1920, 1200));
    rig.theme().setTextScale(2.0);
    QTest::qWait(100);
    for (QPushButton* button : rig.window().sitesPage()->findChildren<QPushButton*>()) {
        if (button->isVisible()) {
            QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(button->text()),
                qPrintable(button->text()));
        }
    }
    rig.theme().setTextScale(1.0);
}

SLIPWAY_GUI_TEST(TestWindow, gui_window)
#include "tst_window.moc"
