// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/localrun.h"
#include "app/runs/runstore.h"
#include "rig.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparepage.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/confirm.h"
#include "ui/parts/timeline.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/sites/democard.h"
#include "ui/sites/sitecard.h"
#include "ui/sites/sitespage.h"
#include "ui/window/appearancemenu.h"
#include "ui/window/commandpalette.h"
#include "ui/window/desktopbus.h"
#include "ui/window/follownotice.h"
#include "ui/window/notifysettings.h"
#include "ui/window/runwatch.h"
#include "ui/window/windowplace.h"

#include <QAccessible>
#include <QApplication>
#include <QButtonGroup>
#include <QDBusConnection>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace slipway;
using namespace Qt::StringLiterals;

namespace {

/// A notification service as a desktop has one; it keeps what it is sent. GUI thread; a test owns
/// it.
class NotificationService : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Note {
        uint replaces = 0;
        QString title, body;
        QStringList actions;
        QVariantMap hints;
    };
    QStringList capabilities;
    QList<Note> notes;
    QVariantMap launcher;

public slots:
    QStringList GetCapabilities() { return capabilities; }
    uint Notify(const QString&, uint replaces, const QString&, const QString& title,
        const QString& body, const QStringList& actions, const QVariantMap& hints, int)
    {
        notes.append({replaces, title, body, actions, hints});
        return replaces > 0 ? replaces : uint(notes.size()) + 40;
    }
    void onLauncher(const QString&, const QVariantMap& properties) { launcher = properties; }

signals:
    void ActionInvoked(uint id, const QString& action);
};

/// What a screen reader could not tell of the controls below `node`, and how many there are.
struct Heard {
    QStringList wrong;
    int controls = 0;
};

bool takesPart(const QAccessibleInterface* node)
{
    return node && node->isValid() && !node->state().invisible;
}

void listen(QAccessibleInterface* node, const QString& place, Heard* heard)
{
    static const QSet<QAccessible::Role> untold{QAccessible::NoRole, QAccessible::Client,
        QAccessible::Pane, QAccessible::LayeredPane, QAccessible::Grouping, QAccessible::Grip};
    const QString name = node->text(QAccessible::Name);
    const bool text = node->role() == QAccessible::StaticText || node->role() == QAccessible::Cell;
    if (node->state().focusable && !node->state().disabled && !text) {
        ++heard->controls;
        if (name.isEmpty() && node->relations(QAccessible::Label).isEmpty()) {
            heard->wrong << place % u" has no name"_s;
        }
        if (untold.contains(node->role())) {
            heard->wrong << place % u" “"_s % name % u"” does not tell what it is"_s;
        }
    }
    QSet<QString> buttons;
    for (int i = 0; i < node->childCount(); ++i) {
        QAccessibleInterface* child = node->child(i);
        if (!takesPart(child)) {
            continue;
        }
        const QString own = child->text(QAccessible::Name);
        const QObject* object = child->object();
        const QString kind = object ? QString::fromLatin1(object->metaObject()->className())
                                    : QString::number(child->role());
        const bool pressed = qobject_cast<const QAbstractButton*>(object) && !own.isEmpty();
        if (pressed && buttons.contains(own)) {
            heard->wrong << place % u" has two buttons “"_s % own % u"”"_s;
        } else if (pressed) {
            buttons.insert(own);
        }
        listen(
            child, place % u" > "_s % kind % u' ' % (object ? object->objectName() : own), heard);
    }
}

/// Whether a key reaches a button that Tab does not: the arrows inside a group, the keys of a
/// field.
bool hasKeys(const QAbstractButton* button)
{
    const QWidget* parent = button->parentWidget();
    return button->autoExclusive() || qobject_cast<const QLineEdit*>(parent)
        || parent->inherits("slipway::Stepper") || parent->inherits("QTabBar")
        || parent->inherits("QAbstractItemView");
}

} // namespace

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
    void geometry_isFitted_data();
    void geometry_isFitted();
    void window_fitsTheScreen();
    void place_isRemembered();
    void runsThatWereGoing_areNamed();
    void keys_switchPages();
    void keyboardAlone_walksEveryPage();
    void everyControl_hasAName();
    void everyPage_canBeHeard();
    void toggleByAScreenReader_isAClick();
    void confirm_obeysTheButtonWithTheFocus();
    void focus_followsWhatWasChosen();
    void palette_findsAndDoes();
    void palette_lightIsTheTheme();
    void palette_ranks();
    void demo_showsItsStages();
    void demo_lateAnswerHidesNoStart();
    void demo_failureShowsItsError();
    void demo_isEmulatedFromItsMenu();
    void demo_stopAsksAndNeverTakesTheFocus();
    void sites_ownAndUsedComeFirst();
    void archivedAndBrokenSites_areReported();
    void largeText_fits();
    void title_tellsTheProgress();
    void news_areNotOfTheRunInFront();
    void nearTimeLimit_isToldOnce();
    void sounds_areOffUntilTheyAreChosen();
    void notifications_reachTheDesktop();

private:
    static QList<std::function<void(Rig&)>> pagesToShow();
    static void settle(Rig& rig);
    static int page(Rig& rig) { return rig.window().findChild<QStackedWidget*>()->currentIndex(); }
    int runProgram(const QStringList& words);

    QTemporaryDir m_home;
    QByteArray m_err;
    QByteArray m_out;
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
    QVERIFY2(program.waitForFinished(120'000), qPrintable(program.errorString()));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(QString::fromUtf8(program.readAllStandardOutput()).contains(said));
    QCOMPARE(program.readAllStandardError(), QByteArray());
}

int TestWindow::runProgram(const QStringList& words)
{
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"XDG_RUNTIME_DIR", "QT_LOGGING_RULES", "XDG_CONFIG_HOME",
             "XDG_DATA_HOME", "XDG_STATE_HOME"})
        environment.remove(QLatin1StringView(name));
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    environment.insert(u"HOME"_s, m_home.path());
    program.setProcessEnvironment(environment);
    program.start(buildPath(u"/bin/slipway"_s), words);
    if (!program.waitForFinished(120'000))
        return -1;
    m_err = program.readAllStandardError();
    m_out = program.readAllStandardOutput();
    return program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -2;
}

void TestWindow::wrongOption_isReported_data()
{
    QTest::addColumn<QString>("said");
    QTest::newRow("--sice 900x700") << u"Unknown option “--sice”."_s;
    QTest::newRow("-x") << u"Unknown option “-x”."_s;
    QTest::newRow("launch") << u"Unknown option “launch”."_s;
    QTest::newRow("./a.py ./b.py") << u"One program or folder at a time; “./b.py”"_s;
    QTest::newRow("--size") << u"--size requires a value."_s;
    QTest::newRow("--size=12") << u"“12” is not a size"_s;
    QTest::newRow("--theme pink") << u"“pink” is not a theme"_s;
    QTest::newRow("--page nowhere") << u"There is no page “nowhere”."_s;
    QTest::newRow("--page launch:nothing") << u"There is no page “launch:nothing”."_s;
    QTest::newRow("--page compare:none,nil") << u"There is no page “compare:none,nil”."_s;
}

void TestWindow::wrongOption_isReported()
{
    QFETCH(QString, said);
    QCOMPARE(runProgram(QString::fromLatin1(QTest::currentDataTag()).split(u' ')), 2);
    QVERIFY2(m_err.contains(said.toUtf8()), m_err);
}

void TestWindow::values_mayBeAttached()
{
    const QString picture = m_home.filePath(u"launch.png"_s);
    const QString page = u"--page=launch:nbody-run@kestrel"_s;
    QCOMPARE(runProgram({u"--size=900x700"_s, page, u"--screenshot"_s, picture}), 0);
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

void TestWindow::geometry_isFitted_data()
{
    QTest::addColumn<QRect>("wanted");
    QTest::addColumn<QRect>("fitted");
    QTest::newRow("fits") << QRect(100, 80, 900, 600) << QRect(100, 80, 900, 600);
    QTest::newRow("too large") << QRect(0, 0, 1440, 900) << QRect(0, 30, 1280, 770);
    QTest::newRow("too high") << QRect(50, 40, 900, 900) << QRect(50, 30, 900, 770);
    QTest::newRow("beyond the right") << QRect(1200, 300, 900, 600) << QRect(380, 200, 900, 600);
    QTest::newRow("beyond the left") << QRect(-700, -50, 900, 600) << QRect(0, 30, 900, 600);
}

void TestWindow::geometry_isFitted()
{
    QFETCH(QRect, wanted);
    const QRect room(0, 30, 1280, 770);
    QTEST(fittedGeometry(wanted, room), "fitted");
}

void TestWindow::window_fitsTheScreen()
{
    Rig rig; // with settings of its own
    const QRect room = QGuiApplication::primaryScreen()->availableGeometry();
    const MainWindow first(&rig.theme());
    QCOMPARE(first.size().boundedTo(room.size()), first.size());
    QWidget large;
    large.setGeometry(300, 200, 3000, 2000);
    QSettings().setValue(u"window/geometry"_s, large.saveGeometry());
    const MainWindow restored(&rig.theme());
    QVERIFY(room.contains(restored.geometry()));
}

void TestWindow::place_isRemembered()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"done"_s);
    rig.window().close();
    MainWindow again(&rig.theme());
    again.setEngine(&rig.engine());
    again.showLastPage();
    QCOMPARE(again.findChild<QStackedWidget*>()->currentIndex(), int(MainWindow::RunsIndex));
    QVERIFY(again.runsPage()->showsRun());
    QCOMPARE(again.runsPage()->page()->runId(), u"done"_s);
    again.showPage(MainWindow::LaunchIndex);
    again.close();
    MainWindow third(&rig.theme());
    third.setEngine(&rig.engine());
    third.showLastPage();
    QCOMPARE(third.findChild<QStackedWidget*>()->currentIndex(), int(MainWindow::LaunchIndex));
}

void TestWindow::runsThatWereGoing_areNamed()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"one"_s, RunPhase::Running));
    rig.addRun(Rig::sampleRun(u"two"_s, RunPhase::Running));
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done));
    Run elsewhere = Rig::sampleRun(u"else"_s, RunPhase::Queued);
    elsewhere.spec.siteId = u"kestrel"_s;
    rig.addRun(elsewhere);
    rig.start();
    auto* notice = rig.find<FollowNotice>("followNotice");
    QVERIFY(notice->isVisible());
    QCOMPARE(rig.find<QLabel>("follow-demo")->text(),
        u"2 runs were going on Demo cluster. Connect to follow them."_s);
    QCOMPARE(rig.find<QLabel>("follow-kestrel")->text(),
        u"1 run was going on Kestrel. Connect to follow it."_s);
    QTest::mouseClick(rig.find<QPushButton>("followDismiss-demo"), Qt::LeftButton);
    QTRY_VERIFY(!rig.find<QLabel>("follow-demo"));
    QVERIFY(rig.window().sitesPage()->isAncestorOf(QApplication::focusWidget()));
    QVERIFY(notice->isVisible());
    QTest::mouseClick(rig.find<QPushButton>("followConnect-kestrel"), Qt::LeftButton);
    QTRY_VERIFY(rig.window().findChild<QLineEdit*>(u"userName"_s));
    rig.window().findChild<QLineEdit*>(u"userName"_s)->setText(u"ada"_s);
    QTest::mouseClick(rig.window().findChild<QPushButton*>(u"startConnect"_s), Qt::LeftButton);
    QTRY_VERIFY(!notice->isVisible()); // connected: it is followed
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
    QTest::keyClick(&rig.window(), Qt::Key_5, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 4);
    QTest::keyClick(&rig.window(), Qt::Key_1, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 0);
    QTest::keyClick(&rig.window(), Qt::Key_L, Qt::ControlModifier);
    QTRY_COMPARE(page(rig), 1);
    QTest::keyClick(&rig.window(), Qt::Key_F11);
    QTRY_VERIFY(rig.window().isFullScreen());
    QTest::keyClick(&rig.window(), Qt::Key_Escape);
    QTRY_VERIFY(!rig.window().isFullScreen());
}

/// Every page: the list of runs and each tab of a run among them.
QList<std::function<void(Rig&)>> TestWindow::pagesToShow()
{
    const auto page = [](MainWindow::Page index) {
        return [index](Rig& rig) { rig.window().showPage(index); };
    };
    QList<std::function<void(Rig&)>> pages{page(MainWindow::SitesIndex),
        page(MainWindow::LaunchIndex), page(MainWindow::RunsIndex),
        [](Rig& rig) { rig.window().openRun(u"failed"_s); }};
    for (int tab = RunPage::LiveTab; tab <= RunPage::CommandsTab; ++tab) {
        pages << [tab](Rig& rig) {
            rig.window().openRun(u"done"_s);
            rig.window().runsPage()->page()->showTab(tab);
        };
    }
    pages << [](Rig& rig) { rig.window().compareRuns({u"done"_s}); };
    pages << page(MainWindow::ImagesIndex);
    return pages;
}

/// Waits until what is shown was read, and the buttons have been the same for a while.
void TestWindow::settle(Rig& rig)
{
    const RunsPage* runs = rig.window().runsPage();
    const ComparePage* compare = rig.window().comparePage();
    QList<QAbstractButton*> last;
    int same = 0;
    const auto isSettled = [&] {
        QList<QAbstractButton*> now;
        for (QAbstractButton* one : rig.window().findChildren<QAbstractButton*>()) {
            if (one->isVisible() && one->isEnabled()) {
                now << one;
            }
        }
        const bool read =
            (!runs->isVisible() || !runs->showsRun() || runs->page()->log()->view()->isComplete())
            && (!compare->isVisible() || compare->showsCurves()
                || !compare->model()->lanes().empty());
        same = read && now == last ? same + 1 : 0;
        last = now;
        return same >= 20;
    };
    QVERIFY(QTest::qWaitFor(isSettled, 20'000));
}

void TestWindow::keyboardAlone_walksEveryPage()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.addRun(Rig::sampleRun(u"failed"_s, RunPhase::Failed), Rig::sampleLog());
    rig.start();
    for (const auto& show : pagesToShow()) {
        show(rig);
        settle(rig);
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
        for (QAbstractButton* button : rig.window().findChildren<QAbstractButton*>()) {
            const QButtonGroup* const group = button->group();
            const bool byArrows = group && group->exclusive() && group->checkedButton()
                && group->checkedButton() != button; // Tab reaches the checked one
            if (button->isVisible() && button->isEnabled() && !hasKeys(button) && !byArrows) {
                QVERIFY2(seen.contains(button),
                    qPrintable(u"Tab does not reach “%1”"_s.arg(button->accessibleName())));
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
    rig.window().showPage(MainWindow::ImagesIndex);
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

void TestWindow::everyPage_canBeHeard()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.addRun(Rig::sampleRun(u"failed"_s, RunPhase::Failed), Rig::sampleLog());
    rig.start();
    for (const auto& show : pagesToShow()) {
        show(rig);
        settle(rig);
        Heard heard;
        listen(QAccessible::queryAccessibleInterface(&rig.window()), u"window"_s, &heard);
        QVERIFY2(heard.wrong.isEmpty(), qPrintable(heard.wrong.join(u'\n')));
        QVERIFY2(heard.controls >= 7, qPrintable(QString::number(heard.controls)));
    }
}

void TestWindow::toggleByAScreenReader_isAClick()
{
    Rig rig;
    rig.start();
    for (QAbstractButton* button : rig.window().findChildren<QAbstractButton*>()) {
        if (button->text() == u"Runs"_s) {
            QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(button);
            QCOMPARE(heard->role(), QAccessible::RadioButton);
            QVERIFY(!heard->state().checked);
            heard->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
            QTRY_COMPARE(page(rig), int(MainWindow::RunsIndex));
            QVERIFY(heard->state().checked);
        }
    }
    QCOMPARE(page(rig), int(MainWindow::RunsIndex));
}

void TestWindow::confirm_obeysTheButtonWithTheFocus()
{
    for (const bool yes : {false, true}) {
        auto* ask = new Confirm(
            u"Remove it?"_s, u"It cannot be undone."_s, u"Remove"_s, ButtonKind::Danger);
        QSignalSpy accepted(ask, &QDialog::accepted);
        QSignalSpy rejected(ask, &QDialog::rejected);
        ask->open();
        QTRY_VERIFY(ask->focusWidget() && ask->focusWidget()->hasFocus());
        auto* confirm = ask->findChild<QPushButton*>(u"confirm"_s);
        QVERIFY(ask->focusWidget() != confirm);
        if (yes) {
            confirm->setFocus();
        }
        QTest::keyClick(ask->focusWidget(), Qt::Key_Return);
        QCOMPARE(accepted.count(), yes ? 1 : 0);
        QCOMPARE(rejected.count(), yes ? 0 : 1);
    }
}

void TestWindow::focus_followsWhatWasChosen()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    const auto choose = [&](const QString& words) {
        QTest::keyClick(&rig.window(), Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(rig.window().findChild<CommandPalette*>());
        auto* text = rig.window().findChild<CommandPalette*>()->findChild<QLineEdit*>();
        QTest::keyClicks(text, words);
        QTest::keyClick(text, Qt::Key_Return);
        QTRY_VERIFY(!rig.window().findChild<CommandPalette*>());
        rig.window().activateWindow(); // as a window manager does
    };
    const auto focusIsIn = [](const QWidget* page) {
        const QWidget* now = QApplication::focusWidget();
        return now && page->isAncestorOf(now) && now->isVisible();
    };
    choose(u"go to runs"_s);
    QTRY_VERIFY(focusIsIn(rig.window().runsPage()));
    choose(u"matmul scaling"_s);
    QTRY_VERIFY(focusIsIn(rig.window().launchPage()));
    rig.window().compareRuns({u"done"_s});
    QTRY_VERIFY(focusIsIn(rig.window().comparePage()));
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

/// Although the name of a recipe begins with the same letters.
void TestWindow::palette_lightIsTheTheme()
{
    Rig rig;
    rig.theme().setChoice(Theme::Choice::Dark);
    rig.start();
    QVERIFY(rig.engine().catalogue()->recipe(u"lightning-ddp"_s));
    QTest::keyClick(&rig.window(), Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(rig.window().findChild<CommandPalette*>());
    auto* text = rig.window().findChild<CommandPalette*>()->findChild<QLineEdit*>();
    QTest::keyClicks(text, u"light"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_VERIFY(rig.theme().choice() == Theme::Choice::Light);
    QCOMPARE(page(rig), int(MainWindow::SitesIndex)); // and no recipe was opened
    rig.theme().setChoice(Theme::Choice::Light);
}

void TestWindow::palette_ranks()
{
    const std::vector<PaletteEntry> entries{{u"Action"_s, u"Go to Runs"_s, {}, {}},
        {u"Run"_s, u"BERT"_s, u"runs well"_s, {}}, {u"Recipe"_s, u"Run a command"_s, {}, {}}};
    QCOMPARE(matchEntries(entries, u"run"_s), (std::vector<size_t>{2, 0, 1}));
    QCOMPARE(matchEntries(entries, u"run command"_s), (std::vector<size_t>{2}));
    const std::vector<PaletteEntry> lights{{u"Recipe"_s, u"Lightning on two nodes"_s, {}, {}},
        {u"Run"_s, u"A light run"_s, {}, {}},
        {u"Action"_s, u"Switch to the light theme"_s, {}, {}, true}};
    QCOMPARE(matchEntries(lights, u"light"_s), (std::vector<size_t>{2, 1, 0}));
    QCOMPARE(matchEntries(lights, u"lightn"_s), (std::vector<size_t>{0}));
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
    wait.write("30");
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

/// What the cluster was is asked more than once at the start, and the last answer may come when a
/// person has started it already.
void TestWindow::demo_lateAnswerHidesNoStart()
{
    Rig rig;
    rig.setDemoOutput(
        u"up"_s, R"({"event":"plan","stages":[{"stage":"base","title":"Base system"}]})");
    const auto write = [&](const QString& name, const QByteArray& text) {
        QFile file(rig.paths().resources % u"/demo-cluster/"_s % name);
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
    };
    QVERIFY(write(u"up.wait"_s, "30"));
    rig.start();
    auto* start = rig.find<QPushButton>("demoMain");
    QTRY_VERIFY(start->isEnabled());
    DemoCluster* const demo = rig.engine().sessions()->demoCluster();
    QTRY_COMPARE(demo->state(), DemoState::Absent);
    QVERIFY(write(u"status.delay"_s, "1"));
    bool isAnswered = false;
    const auto asked = demo->refresh().then([&](const Result<DemoState>&) { isAnswered = true; });
    QTest::mouseClick(start, Qt::LeftButton);
    auto* stages = rig.window().sitesPage()->demoCard()->findChild<Timeline*>();
    QTRY_COMPARE(stages->parts().size(), size_t(1));
    QTRY_VERIFY(isAnswered);
    QCOMPARE(demo->state(), DemoState::Starting);
    QCOMPARE(stages->parts().size(), size_t(1));
    QTest::mouseClick(rig.find<QPushButton>("demoSecond"), Qt::LeftButton);
    QTRY_VERIFY(demo->state() != DemoState::Starting);
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
    QCOMPARE(emulate->text(), u"Emulate a site…"_s);
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

void TestWindow::demo_stopAsksAndNeverTakesTheFocus()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"runs"_s, RunPhase::Running));
    rig.addRun(Rig::sampleRun(u"wait"_s, RunPhase::Queued));
    rig.setDemoOutput(u"status"_s, R"({"event":"status","state":"running"})");
    rig.start();
    DemoCard* card = rig.window().sitesPage()->demoCard();
    auto* main = rig.find<QPushButton>("demoMain");
    auto* stop = rig.find<QPushButton>("demoSecond");
    QTRY_VERIFY(stop->isVisible() && main->isEnabled());
    QCOMPARE(stop->text(), u"Stop"_s);
    main->setFocus();
    ConnectionState connecting;
    connecting.phase = ConnectionState::Phase::Connecting;
    card->setConnection(connecting);
    QVERIFY(!main->isEnabled());
    QVERIFY(rig.window().focusWidget() != stop);
    card->setConnection({});
    QCOMPARE(rig.window().focusWidget(), static_cast<QWidget*>(main));
    QTest::mouseClick(stop, Qt::LeftButton);
    QPointer<Confirm> question = card->findChild<Confirm*>();
    QVERIFY(question);
    QStringList said;
    for (QLabel* label : question->findChildren<QLabel*>()) {
        said << label->text();
    }
    QVERIFY2(said.join(u' ').contains(u"2 jobs are running or waiting there"_s),
        qPrintable(said.join(u' ')));
    QCOMPARE(rig.engine().sessions()->demoCluster()->state(), DemoState::Running);
    QTest::keyClick(question, Qt::Key_Escape);
    QTRY_VERIFY(!question);
    QCOMPARE(rig.engine().sessions()->demoCluster()->state(), DemoState::Running);
}

/// The person's own sites, then those of earlier runs; and one accented button on the page.
void TestWindow::sites_ownAndUsedComeFirst()
{
    Rig rig;
    QDir().mkpath(rig.paths().config % u"/sites"_s);
    QFile file(rig.paths().config % u"/sites/zebra.json"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"id":"zebra","name":"Zebra","logins":[{"host":"z"}]})");
    file.close();
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    run.spec.siteId = u"swift"_s;
    rig.addRun(run);
    rig.start();
    const auto cards = rig.window().sitesPage()->findChildren<SiteCard*>();
    QVERIFY(cards.size() > 3);
    QCOMPARE(cards.at(0)->siteId(), u"zebra"_s);
    QCOMPARE(cards.at(1)->siteId(), u"swift"_s);
    QStringList accented;
    for (QPushButton* button : rig.window().sitesPage()->findChildren<QPushButton*>()) {
        if (button->property("primary").toBool() && button->isVisible()) {
            accented << button->accessibleName();
        }
    }
    QCOMPARE(accented, QStringList{u"Connect to Zebra"_s});
    QVERIFY(cards.at(0)->findChild<QPushButton*>(u"siteRemove"_s));
    QVERIFY(!cards.at(1)->findChild<QPushButton*>(u"siteRemove"_s));
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

void TestWindow::title_tellsTheProgress()
{
    QCOMPARE(windowTitleOf(0, {}, {}), u"Slipway"_s);
    QCOMPARE(windowTitleOf(2, {}, {}), u"Slipway – 2 running"_s);
    QCOMPARE(windowTitleOf(2, u"Matmul %1"_s, 0.459), u"▶ 45 % · Matmul %1 – Slipway"_s);
    QCOMPARE(windowTitleOf(0, u"Matmul"_s, 0.459), u"Slipway"_s);
    QVERIFY(!shareOf({}));
    QVERIFY(!shareOf(RunProgress{u"download"_s, 1, 4}));
    QVERIFY(!shareOf(RunProgress{u"step"_s, 1, 0}));
    QCOMPARE(shareOf(RunProgress{u"step"_s, 1, 4}), std::optional(0.25));
    // What is not connected is not known to run.
    Rig rig;
    rig.addRun(Rig::sampleRun(u"one"_s, RunPhase::Running), Rig::sampleLog());
    rig.start();
    rig.window().openRun(u"one"_s);
    QTest::qWait(50);
    QCOMPARE(rig.window().windowTitle(), u"Slipway"_s);
}

void TestWindow::news_areNotOfTheRunInFront()
{
    Rig rig;
    const Run away = Rig::sampleRun(u"away"_s, RunPhase::Running);
    const Run front = Rig::sampleRun(u"front"_s, RunPhase::Running);
    rig.addRun(away);
    rig.addRun(front);
    rig.start();
    RunStore store(rig.paths().data % u"/runs.sqlite"_s);
    QVERIFY(store.open().ok());
    QSignalSpy noted(rig.window().runWatch(), &RunWatch::noted);
    // As another program does that follows them.
    const auto become = [&](Run run, RunPhase phase) {
        run.phase = phase;
        QVERIFY(store.save(run).ok());
    };
    const auto phaseOfRun = [&](const Run& run) { return rig.engine().runs()->run(run.id)->phase; };
    NotifySettings{true, true}.store();
    rig.window().openRun(front.id);
    QTRY_VERIFY(rig.window().isActiveWindow());
    become(away, RunPhase::Allocated);
    become(front, RunPhase::Failed);
    QTRY_COMPARE(phaseOfRun(away), RunPhase::Allocated);
    QTRY_COMPARE(phaseOfRun(front), RunPhase::Failed);
    QCOMPARE(noted.count(), 1);
    const auto note = noted.takeFirst().first().value<DesktopNote>();
    QCOMPARE(note.key, away.id);
    QVERIFY2(note.news.title.contains(u"Matmul scaling"_s), qPrintable(note.news.title));
    QVERIFY(note.sound);
    NotifySettings{false, true}.store();
    become(away, RunPhase::Done);
    QTRY_COMPARE(phaseOfRun(away), RunPhase::Done);
    QCOMPARE(noted.count(), 0);
}

void TestWindow::nearTimeLimit_isToldOnce()
{
    Rig rig;
    Run run = Rig::sampleRun(u"late"_s, RunPhase::Running);
    run.spec.siteId = u"kestrel"_s;
    run.started = QDateTime::currentDateTimeUtc().addSecs(200 - 30 * 60); // its limit is 30 minutes
    rig.addRun(run);
    Run early = Rig::sampleRun(u"soon"_s, RunPhase::Running);
    early.spec.siteId = u"kestrel"_s;
    rig.addRun(early);
    // Another program drives them: nothing here ends what the scheduler does not know.
    LocalRun driver(rig.paths().data % u"/runs/late"_s);
    LocalRun otherDriver(rig.paths().data % u"/runs/soon"_s);
    QVERIFY(driver.lock() && otherDriver.lock());
    rig.start();
    QSignalSpy noted(rig.window().runWatch(), &RunWatch::noted);
    rig.connectTo(u"kestrel"_s);
    QTRY_COMPARE_WITH_TIMEOUT(noted.count(), 1, 20'000);
    const auto note = noted.first().first().value<DesktopNote>();
    QCOMPARE(note.key, run.id);
    QVERIFY(note.news.kind == RunNews::Kind::TimeShort);
    QVERIFY2(note.news.title.contains(u"is near its time limit"_s), qPrintable(note.news.title));
    QVERIFY2(note.news.text.contains(u"in about 3:"_s) || note.news.text.contains(u"in about 2:"_s),
        qPrintable(note.news.text));
    QVERIFY(!note.sound);
    // A change of its phase looks at it again: it goes on, and has been told.
    RunStore store(rig.paths().data % u"/runs.sqlite"_s);
    QVERIFY(store.open().ok());
    run.phase = RunPhase::Allocated;
    QVERIFY(store.save(run).ok());
    QTRY_COMPARE(rig.engine().runs()->run(run.id)->phase, RunPhase::Allocated);
    const auto warnings = std::count_if(noted.begin(), noted.end(), [](const QVariantList& one) {
        return one.first().value<DesktopNote>().news.kind == RunNews::Kind::TimeShort;
    });
    QCOMPARE(warnings, 1);
}

void TestWindow::sounds_areOffUntilTheyAreChosen()
{
    Rig rig; // with settings of its own
    QVERIFY(NotifySettings::stored().on);
    QVERIFY(!NotifySettings::stored().sound);
    AppearanceMenu menus(&rig.theme(), nullptr);
    QPushButton button;
    button.show();
    menus.popUp(&button);
    auto* sound = button.findChild<QAction*>(u"notifySound"_s);
    QVERIFY(sound && sound->isEnabled() && !sound->isChecked());
    sound->trigger();
    QVERIFY(NotifySettings::stored().sound);
    QVERIFY(NotifySettings::stored().on);
}

void TestWindow::notifications_reachTheDesktop()
{
    const QString program = QStandardPaths::findExecutable(u"dbus-daemon"_s);
    QVERIFY2(!program.isEmpty(), "dbus-daemon is missing: install the package dbus-daemon");
    QTemporaryDir folder;
    const QString address = u"unix:path="_s % folder.filePath(u"bus"_s);
    QFile settings(folder.filePath(u"bus.conf"_s)); // without the services of this computer
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write("<busconfig><type>session</type><listen>" + address.toUtf8()
        + R"(</listen><auth>EXTERNAL</auth><policy context="default">)"
          R"(<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>)"
          R"(<allow own="*"/></policy></busconfig>)");
    settings.close();
    QProcess daemon;
    daemon.start(
        program, {u"--config-file="_s + settings.fileName(), u"--nofork"_s, u"--print-address"_s});
    QVERIFY2(daemon.waitForReadyRead(20'000), daemon.readAllStandardError());

    DesktopBus desktop;
    QSignalSpy ready(&desktop, &DesktopBus::ready);
    QSignalSpy wanted(&desktop, &DesktopBus::showRequested);
    desktop.connectTo(address);
    QVERIFY(ready.wait(20'000));
    const QString text = u"On <gpu01> & more."_s;
    desktop.notify({u"r0"_s, {RunNews::Kind::Ended, u"Nobody listens"_s, text}, false});

    NotificationService service;
    service.capabilities = QStringList{u"body"_s, u"body-markup"_s, u"actions"_s, u"sound"_s};
    QDBusConnection server = QDBusConnection::connectToBus(address, u"service"_s);
    QVERIFY(server.isConnected());
    server.connect({}, {}, u"com.canonical.Unity.LauncherEntry"_s, u"Update"_s, &service,
        SLOT(onLauncher(QString, QVariantMap)));
    QTRY_VERIFY(desktop.isIdle()); // the first note has found no service
    QVERIFY(server.registerObject(u"/org/freedesktop/Notifications"_s, &service,
        QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals));
    QVERIFY(server.registerService(u"org.freedesktop.Notifications"_s));
    desktop.notify({u"r1"_s, {RunNews::Kind::Started, u"A is running"_s, text}, false});
    QTRY_COMPARE(service.notes.size(), 1);
    QCOMPARE(service.notes[0].title, u"A is running"_s);
    QCOMPARE(service.notes[0].body, text.toHtmlEscaped());
    QCOMPARE(service.notes[0].replaces, 0u);
    QVERIFY(service.notes[0].actions.contains(u"Show"_s));
    QCOMPARE(service.notes[0].hints.value(u"suppress-sound"_s), QVariant(true));

    service.capabilities = QStringList{u"body"_s, u"sound"_s};
    desktop.notify({u"r1"_s, {RunNews::Kind::Failed, u"A failed"_s, text}, true});
    QTRY_COMPARE(service.notes.size(), 2);
    QCOMPARE(service.notes[1].replaces, 41u);
    QCOMPARE(service.notes[1].body, text);
    QVERIFY(service.notes[1].actions.isEmpty());
    QCOMPARE(service.notes[1].hints.value(u"sound-name"_s).toString(), u"dialog-error"_s);
    desktop.showProgress(2, 0.25);
    QTRY_COMPARE(service.launcher.value(u"progress"_s).toDouble(), 0.25);
    QCOMPARE(service.launcher.value(u"count"_s).toInt(), 2);
    emit service.ActionInvoked(41, u"default"_s);
    QTRY_COMPARE(wanted.count(), 1);
    QCOMPARE(wanted.first().first().toString(), u"r1"_s);
    QDBusConnection::disconnectFromBus(u"service"_s);
    daemon.terminate();
    QVERIFY(daemon.waitForFinished(20'000));
}

SLIPWAY_GUI_TEST(TestWindow, gui_window)
#include "tst_window.moc"
