// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/engine/engine.h"
#include "remote/base/qtmessages.h"
#include "remote/base/tr.h"
#include "remote/broker/sharingconnector.h"
#include "remote/ssh/sshconnector.h"
#include "ui/connect/connectflow.h"
#include "ui/images/imagespage.h"
#include "ui/launch/launchpage.h"
#include "ui/look/theme.h"
#include "ui/parts/accessible.h"
#include "ui/runs/runspage.h"
#include "ui/window/desktopbus.h"
#include "ui/window/mainwindow.h"
#include "ui/window/options.h"
#include "ui/window/runwatch.h"
#include "ui/window/startupclock.h"

#include <QApplication>
#include <QIcon>
#include <QMessageBox>
#include <QSettings>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>

using namespace slipway;
using namespace Qt::StringLiterals;

namespace {

constexpr int usageExit = 2; // as of slipway-cli

void print(FILE* to, const QString& text)
{
    std::fputs(text.toLocal8Bit().constData(), to);
}

/// "launch:RECIPE", "launch:RECIPE@SITE", "compare:RUN,RUN" or "images:IMAGE"; false: there is none
/// of that name.
bool showNamed(MainWindow& window, Engine& engine, const QString& page)
{
    const QString kind = page.section(u':', 0, 0), what = page.section(u':', 1);
    if (kind == u"launch"_s) {
        const QString recipe = what.section(u'@', 0, 0), site = what.section(u'@', 1);
        if (!engine.catalogue()->recipe(recipe)
            || (!site.isEmpty() && !engine.catalogue()->site(site))) {
            return false;
        }
        if (!site.isEmpty()) {
            window.launchPage()->selectSite(site);
        }
        window.launchPage()->selectRecipe(recipe);
        window.showPage(MainWindow::LaunchIndex);
        return true;
    }
    if (kind == u"images"_s) {
        window.showPage(MainWindow::ImagesIndex);
        window.imagesPage()->lookAt(what);
        return true;
    }
    const QStringList runs = what.split(u',');
    const bool known = std::all_of(runs.begin(), runs.end(),
        [&](const QString& run) { return engine.runs()->run(run).has_value(); });
    if (kind == u"compare"_s && known) {
        window.compareRuns(runs);
    }
    return kind == u"compare"_s && known;
}

/// The page of --page; false: there is none of that name, and no run with that id.
bool showWanted(MainWindow& window, Engine& engine, const QString& page)
{
    const QMap<QString, MainWindow::Page> pages{{u"sites"_s, MainWindow::SitesIndex},
        {u"launch"_s, MainWindow::LaunchIndex}, {u"runs"_s, MainWindow::RunsIndex},
        {u"compare"_s, MainWindow::CompareIndex}, {u"images"_s, MainWindow::ImagesIndex}};
    if (pages.contains(page)) {
        window.showPage(pages[page]);
    } else if (page.contains(u':')) {
        return showNamed(window, engine, page);
    } else if (engine.runs()->run(page)) {
        window.openRun(page);
    } else {
        return page.isEmpty();
    }
    return true;
}

/// Once the page has been loaded and stays as it is. What keeps moving is taken after ten seconds.
void saveScreenshot(MainWindow& window, const QString& file)
{
    constexpr std::chrono::milliseconds pause(300);
    constexpr int least = 5; // pauses: a page that is being read shows nothing for a while
    constexpr int most = 33;
    auto* timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, &window,
        [&window, file, timer, seen = QImage(), pauses = 0, unchanged = 0]() mutable {
            const QImage now = window.grab().toImage();
            unchanged = now == seen ? unchanged + 1 : 0;
            seen = now;
            if (++pauses < least || (unchanged < 2 && pauses < most)) {
                return;
            }
            timer->stop();
            const bool saved = now.save(file);
            if (!saved) {
                print(stderr, u"slipway: cannot write %1\n"_s.arg(file));
            }
            QApplication::exit(saved ? 0 : 1);
        });
    timer->start(pause);
}

/// The form of the demo cluster, which needs no password, is shown connected.
void connectAndSaveScreenshot(MainWindow& window, Engine& engine, const WindowOptions& options)
{
    const QString file = options.screenshot;
    const Site* site = engine.catalogue()->site(options.page.section(u'@', 1));
    if (!site || site->providedBy.isEmpty()) {
        saveScreenshot(window, file);
        return;
    }
    QObject::connect(window.connectFlow(), &ConnectFlow::connected, &window,
        [&window, file] { saveScreenshot(window, file); });
    QObject::connect(
        window.connectFlow(), &ConnectFlow::ended, &window, [](const QString&, const Error& error) {
            print(stderr, error.text() % u'\n');
            QApplication::exit(1);
        });
    window.connectFlow()->connectTo(site->id);
}

/// Runs are announced on the desktop, and a notification that was clicked shows its run.
void connectDesktop(MainWindow& window, Engine& engine, DesktopBus& desktop)
{
    QObject::connect(window.runWatch(), &RunWatch::noted, &desktop, &DesktopBus::notify);
    QObject::connect(window.runWatch(), &RunWatch::progressed, &desktop, &DesktopBus::showProgress);
    QObject::connect(&desktop, &DesktopBus::showRequested, &window, [&](const QString& runId) {
        if (engine.runs()->run(runId)) {
            window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
            window.raise();
            window.activateWindow();
            window.openRun(runId);
        }
    });
    desktop.connectTo(DesktopBus::sessionAddress());
}

void applySettings(Theme& theme, const WindowOptions& options)
{
    const QSettings settings;
    const int choice = settings.value(u"theme"_s, 0).toInt();
    theme.setTextScale(settings.value(u"textScale"_s, 1.0).toDouble());
    theme.setChoice(options.theme == u"dark"_s ? Theme::Choice::Dark
            : options.theme == u"light"_s      ? Theme::Choice::Light
            : choice >= 0 && choice <= 2       ? Theme::Choice(choice)
                                               : Theme::Choice::System);
}

/// Reports an exception that no part of the program caught. Without the dialog the window would
/// simply disappear.
void reportLastError(const char* why)
{
    const QString text =
        tr("Slipway has to close because of an unexpected error. Jobs on clusters keep "
           "running. Please report the error together with this line:");
    print(stderr, text % u'\n' % QString::fromUtf8(why) % u'\n');
    QMessageBox box(QMessageBox::Critical, u"Slipway"_s, text % u"\n\n"_s % QString::fromUtf8(why));
    box.setTextFormat(Qt::PlainText);
    box.exec();
}

/// The application object of the main thread, owned by main(). It ends the program in an orderly
/// way when an exception leaves an event handler, because Qt does not allow one to pass through.
class Application : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        try {
            return QApplication::notify(receiver, event);
        } catch (const std::exception& why) {
            if (!std::exchange(m_failed, true)) // the dialog below handles events as well
                reportLastError(why.what());
            exit(1);
            return false;
        }
    }

private:
    bool m_failed = false;
};

/// --help and --version need no display, but QApplication ends the program if there is none.
bool handlesHelpOrVersion(int argc, char* argv[])
{
    QStringList words;
    for (int i = 1; i < argc; ++i)
        words << QString::fromLocal8Bit(argv[i]);
    const Result<WindowOptions> options = parseWindowOptions(words);
    if (!options.ok() || (!options->help && !options->version))
        return false;
    print(stdout, options->help ? windowHelp() : u"slipway " SLIPWAY_VERSION "\n"_s);
    return true;
}

} // namespace

int main(int argc, char* argv[])
{
    if (handlesHelpOrVersion(argc, argv))
        return 0;
    silenceQtMessages();
    Application application(argc, argv);
    QApplication::setApplicationName(u"slipway"_s);
    QApplication::setOrganizationName(u"slipway"_s);
    QApplication::setApplicationVersion(QLatin1StringView(SLIPWAY_VERSION));
    QGuiApplication::setDesktopFileName(u"slipway"_s);
    const Result<WindowOptions> options = parseWindowOptions(QApplication::arguments().mid(1));
    if (!options.ok()) {
        print(stderr, options.error().text() % u'\n');
        return usageExit;
    }
    installAccessibleInterfaces(); // before there is a widget
    Theme theme;
    applySettings(theme, *options);
    // Declared in this order so that the window is destroyed first, then the engine, then the
    // connector.
    SshConnector direct;
    SharingConnector connector(&direct, {!sharingIsOff() && options->shares, {}, {}});
    std::unique_ptr<Engine> engine;
    DesktopBus desktop;
    MainWindow window(&theme);
    if (!options->size.isEmpty()) {
        window.resize(options->size);
    }
    QObject::connect(&window, &MainWindow::firstFrame, &window, [&] {
        if (options->benchmarkStartup) {
            print(stdout, u"%1\n"_s.arg(millisecondsSinceStart().value_or(-1)));
            QApplication::exit(0);
            return;
        }
        // Everything that reads files or waits for others starts after the first frame is on the
        // screen.
        const EnginePaths paths = EnginePaths::standard();
        engine = std::make_unique<Engine>(&connector, paths);
        engine->imageCheck()->setEnabled(true);
        window.setEngine(engine.get());
        window.setWindowIcon(QIcon(u":/slipway/slipway.svg"_s));
        theme.followDesktop();
        connectDesktop(window, *engine, desktop);
        if (!showWanted(window, *engine, options->page)) {
            print(stderr, tr("There is no page “%1”.").arg(options->page) % u'\n');
            QApplication::exit(usageExit);
            return;
        }
        if (!options->demoRecipe.isEmpty()) {
            window.runDemo(options->demoRecipe);
        } else if (!options->project.isEmpty()) {
            window.openFolder(options->project);
        } else if (options->page.isEmpty()) {
            window.showLastPage();
        }
        if (!options->screenshot.isEmpty()) {
            connectAndSaveScreenshot(window, *engine, *options);
        }
    });
    window.show();
    const int code = QApplication::exec();
    window.hide();
    return code;
}
