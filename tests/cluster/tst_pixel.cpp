// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/logfollower.h"
#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/testmain.h"
#include "ui/look/theme.h"
#include "ui/runs/logview.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QTest>
#include <QTextBlock>

#include <algorithm>
#include <map>

using namespace slipway;

namespace {

constexpr qint64 mostToThePixel = 200; // ms, medians
constexpr qint64 mostOfOurs = 50;

qint64 now()
{
    return QDateTime::currentMSecsSinceEpoch();
}

qint64 median(std::vector<qint64> times)
{
    std::sort(times.begin(), times.end());
    return times.empty() ? -1 : times[times.size() / 2];
}

/// When a line "at T …" of a log was printed; 0: it is another line.
qint64 printedAt(const QString& line)
{
    return line.startsWith(u"at ") ? line.section(u' ', 1, 1).toLongLong() : 0;
}

/// PaintClock notes when the lines of a log view were painted: at the end of the window's update,
/// which paints all that has changed. On the GUI thread; the test owns it.
class PaintClock : public QObject {
public:
    PaintClock(QWidget* window, const LogView* view)
        : m_view(view)
    {
        window->installEventFilter(this);
    }

    std::map<qint64, qint64> painted; ///< by the time of printing

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::UpdateRequest || m_inside)
            return false;
        m_inside = true;
        watched->event(event);
        m_inside = false;
        const qint64 done = now();
        for (QTextBlock block = m_view->document()->lastBlock(); block.isValid();
             block = block.previous()) {
            const qint64 printed = printedAt(block.text());
            if (printed > 0 && !painted.emplace(printed, done).second)
                break; // the lines before it were painted with it
        }
        return true;
    }

private:
    const LogView* m_view;
    bool m_inside = false;
};

} // namespace

/// How long a line takes from the job to the screen, and how much of it passes in this program:
/// from the bytes of the connection to the painted line. The window is real and paints into memory;
/// the nodes of the demo cluster have this machine's clock.
class TestPixel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    }
    void line_isPaintedSoon();

private:
    DemoClusterFixture m_cluster;
};

void TestPixel::line_isPaintedSoon()
{
    const auto engine = m_cluster.engine();
    const QString site = QStringLiteral("demo");
    QVERIFY(awaited(engine->sessions()->connectSite(site, &m_cluster.prompter)).ok());
    Theme theme;
    MainWindow window(&theme);
    window.resize(1440, 900);
    window.show();
    window.setEngine(engine.get());
    const auto id = awaited(engine->runs()->launch(
        commandSpec(QStringLiteral("sleep 4; for i in $(seq 40); do sleep 0.$((20 + i)); "
                                   "echo at $(date +%s%3N) loss: 0.$((1000 - i)); done"))));
    QVERIFY2(id.ok(), qPrintable(id.ok() ? QString() : id.error().text()));
    QVERIFY(waitForPhase(*engine, *id, RunPhase::Running, 60));
    window.openRun(*id);
    auto* view = window.findChild<LogView*>();
    QVERIFY(view && view->isVisible());
    PaintClock clock(&window, view);
    std::map<qint64, qint64> received;
    LogFollower follower(
        engine->sessions()->cluster(site)->tail(), engine->runs()->run(*id)->logFile);
    connect(&follower, &LogFollower::bytes, this, [&received](const QByteArray& bytes) {
        for (const QByteArray& line : bytes.split('\n'))
            if (const qint64 printed = printedAt(QString::fromUtf8(line)))
                received.emplace(printed, now());
    });
    follower.start();
    QVERIFY(waitForEnd(*engine, *id, 90));
    std::vector<qint64> whole, ours;
    for (const auto& [printed, painted] : clock.painted) {
        whole.push_back(painted - printed);
        if (const auto came = received.find(printed); came != received.end())
            ours.push_back(painted - came->second);
    }
    QVERIFY2(whole.size() >= 30 && ours.size() >= 30,
        qPrintable(QStringLiteral("%1 painted, %2 received").arg(whole.size()).arg(ours.size())));
    qInfo("printed to painted: median %lld ms; received to painted: median %lld ms (%zu lines)",
        median(whole), median(ours), whole.size());
    QVERIFY2(median(whole) <= mostToThePixel, "printed to painted");
    QVERIFY2(median(ours) <= mostOfOurs, "received to painted");
}

SLIPWAY_GUI_TEST(TestPixel, cluster_pixel)
#include "tst_pixel.moc"
