// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart.h"
#include "rig.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/parts/gripsplitter.h"
#include "ui/parts/text.h"
#include "ui/parts/timeline.h"
#include "ui/parts/toolrow.h"
#include "ui/parts/words.h"
#include "ui/runs/chartcard.h"
#include "ui/runs/explanationcard.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runerror.h"
#include "ui/runs/runheader.h"
#include "ui/runs/runlive.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/runs/summarycard.h"
#include "ui/runs/timelinecard.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The page of one run: what it says first, what it says once, and how it uses its room.
class TestRunPage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void summary_beginsWithTheFinding();
    void imageDigest_isShownShortAndCopiedWhole();
    void failure_isOneCard();
    void missingImage_isNamed();
    void failedAction_isShownToo();
    void plainLines_leaveNoCurves();
    void textOnly_givesTheLogThePage();
    void expectedNumbers_keepTheirPlaceWhileItRuns();
    void smallWindow_scrollsInsteadOfCrushing_data();
    void smallWindow_scrollsInsteadOfCrushing();
    void tools_thatDoNotFitAreInAMenu();
    void chartTabs_areNeverCut();
    void divider_movesWithKeysAndIsRemembered();
    void withoutConnection_theStateHasItsTime();
    void withoutConnection_theClockStands();
    void staleText_namesTheDay();
    void timeline_showsThePull();
    void keptNodes_offerTheirStepsAgain();
    void continuedRuns_nameOneAnother();
    void continueButton_launchesTheNextRun();
    void cancelledStage_isNoCross();
    void cancelledStage_isNotRed();

private:
    static RunPage* open(Rig& rig, const QString& runId);
    static QStringList summary(const RunPage* page);
};

RunPage* TestRunPage::open(Rig& rig, const QString& runId)
{
    rig.window().openRun(runId);
    return rig.window().runsPage()->page();
}

QStringList TestRunPage::summary(const RunPage* page)
{
    QStringList words;
    for (const QLabel* label : page->findChild<SummaryCard*>()->findChildren<QLabel*>()) {
        if (label->isVisible()) { // rows that were replaced are deleted a little later
            words << QString(label->text()).replace(QChar(0xa0), u' ');
        }
    }
    return words;
}

namespace {

Run explainedRun()
{
    Run run = Rig::sampleRun(u"oom"_s, RunPhase::Failed);
    run.sentence = run.error->summary;
    run.spec.values.insert(u"memory"_s, u"4G"_s);
    run.error->detail = QByteArray("a line\n").repeated(60) + "the last line";
    run.explanations.push_back({u"F22"_s, 3, u"slurmstepd: error: Detected 1 oom_kill event"_s,
        u"The job ran out of memory"_s, u"It used more main memory than it had requested."_s,
        u"Request more memory."_s, Explanation::Severity::Fault,
        FieldChange{u"memory"_s, FieldChange::Kind::Double, u"8G"_s}});
    return run;
}

/// A training that keeps checkpoints and was ended by its time limit.
Run longRun(const QString& id, const QString& continues = {})
{
    Run run = Rig::sampleRun(id, RunPhase::Failed);
    run.spec.recipeId = u"own-code"_s;
    run.spec.values = {{u"command"_s, u"sh train.sh"_s}, {u"image"_s, QString()},
        {u"checkpoints"_s, u"checkpoints"_s}};
    run.spec.continues = continues;
    run.spec.chain = continues;
    run.endState = u"TIMEOUT"_s;
    return run;
}

Run commandRun(const QString& id, RunPhase phase)
{
    Run run = Rig::sampleRun(id, phase);
    run.spec.recipeId = u"run-a-command"_s;
    return run;
}

/// What train_digits.py prints at a step: a line for people, then the same for machines.
QByteArray digitsStep(int step, double trainLoss, double validLoss)
{
    const std::pair<QByteArray, double> samples[] = {{"train_loss", trainLoss},
        {"valid_loss", validLoss}, {"train_accuracy", 20.0 + step},
        {"valid_accuracy", 21.0 + step}};
    QByteArray text = "Epoch [1/2], Step [" + QByteArray::number(step)
        + "/16], Train Loss: " + QByteArray::number(trainLoss, 'f', 4)
        + ", Valid Loss: " + QByteArray::number(validLoss, 'f', 4)
        + ", Train Accuracy: " + QByteArray::number(samples[2].second, 'f', 2)
        + ", Valid Accuracy: " + QByteArray::number(samples[3].second, 'f', 2) + '\n';
    for (const auto& [name, value] : samples) {
        text += R"(@slipway {"sample": ")" + name + R"(", "lane": "CPU", "x": )"
            + QByteArray::number(step) + R"(, "x_name": "step", "y": )" + QByteArray::number(value)
            + (name.endsWith("accuracy") ? R"(, "unit": "%")" : "") + "}\n";
    }
    return text;
}

} // namespace

void TestRunPage::summary_beginsWithTheFinding()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start();
    RunPage* page = open(rig, u"done"_s);
    const QString finding = u"cpu: 86.2 GFLOP/s at n 8192, 3.7 times as fast as cpu-1; the "
                            u"published Frontera rtx, Quadro RTX 5000 is 57 times as fast."_s;
    QTRY_VERIFY2(summary(page).contains(finding), qPrintable(summary(page).join(u'\n')));
    const QStringList words = summary(page);
    QVERIFY(words.indexOf(finding) < words.indexOf(u"Done in 6:12, exit code 0."_s));
}

void TestRunPage::imageDigest_isShownShortAndCopiedWhole()
{
    Rig rig;
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    run.imageDigest = u"sha256:0123456789ab"_s % QString(52, u'7');
    rig.addRun(run, Rig::sampleLog());
    rig.start();
    RunPage* page = open(rig, u"done"_s);
    QTRY_VERIFY2(summary(page).contains(u"Image digest 0123456789ab"_s),
        qPrintable(summary(page).join(u'\n')));
    const auto copyButton = [page] {
        QPushButton* found = nullptr;
        for (QPushButton* button : page->findChild<SummaryCard*>()->findChildren<QPushButton*>()) {
            if (button->isVisible() && button->text() == u"Copy"_s) {
                found = button;
            }
        }
        return found;
    };
    QTRY_VERIFY(copyButton());
    QCOMPARE(copyButton()->accessibleName(), u"Copy: Image digest 0123456789ab"_s);
    QGuiApplication::clipboard()->clear();
    copyButton()->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), run.imageDigest);
}

void TestRunPage::failure_isOneCard()
{
    Rig rig;
    const Run run = explainedRun();
    rig.addRun(run, "one\ntwo\nslurmstepd: error: Detected 1 oom_kill event\n");
    rig.start();
    RunPage* page = open(rig, run.id);
    auto* card = page->findChild<ExplanationCard*>();
    QTRY_VERIFY(card->isVisible());
    QVERIFY(!page->findChild<QWidget*>(u"errorView"_s)->isVisible());
    // How it ended is said there, and nowhere else.
    QCOMPARE(card->findChild<QLabel*>(u"explanationEnd"_s)->text(), run.error->summary);
    QVERIFY2(!summary(page).contains(run.error->summary), qPrintable(summary(page).join(u'\n')));
    QVERIFY(card->findChild<QPushButton*>(u"explanationAgain"_s)->isVisible());
    // The raw text is one key press away, at its end.
    auto* raw = card->findChild<QPlainTextEdit*>(u"explanationRaw"_s);
    auto* toggle = card->findChild<QPushButton*>(u"explanationRawToggle"_s);
    QVERIFY(!raw->isVisible());
    toggle->setFocus();
    QTest::keyClick(toggle, Qt::Key_Space);
    QVERIFY(raw->isVisible());
    QTRY_VERIFY(raw->verticalScrollBar()->maximum() > 0);
    QTRY_COMPARE(raw->verticalScrollBar()->value(), raw->verticalScrollBar()->maximum());
    QVERIFY(raw->toPlainText().endsWith(u"the last line"_s));
    // It stays open when something else of the run changes.
    emit rig.engine().runs()->runChanged(run.id);
    QVERIFY(raw->isVisible());
}

/// A run whose image is not in the registry: the cause, not only an exit code.
void TestRunPage::missingImage_isNamed()
{
    QFile printed(sourcePath(u"/tests/data/logs/apptainer-no-such-image-synthetic.txt"_s));
    QVERIFY(printed.open(QIODevice::ReadOnly));
    Rig rig;
    Run run = commandRun(u"image"_s, RunPhase::Failed);
    run.spec.values.insert(u"image"_s, u"docker://login:5000/demo/nothere:1"_s);
    run.exitCode = 255;
    run.sentence = u"The job ended with exit code 255."_s;
    run.error = Error{ErrorKind::JobFailed, run.sentence, {}, {}};
    rig.addRun(run, printed.readAll());
    rig.start();
    RunPage* page = open(rig, run.id);
    auto* card = page->findChild<ExplanationCard*>();
    QTRY_VERIFY(card->isVisible());
    QCOMPARE(card->findChild<QLabel*>(u"explanationTitle"_s)->text(),
        u"The registry does not have this image"_s);
    const QString remedy = card->findChild<QLabel*>(u"explanationRemedy"_s)->text();
    QVERIFY2(remedy.contains(u"choose an image that it has"_s), qPrintable(remedy));
    const QString evidence =
        card->findChild<QPushButton*>(u"explanationEvidence"_s)->accessibleName();
    QVERIFY2(evidence.startsWith(u"Line 3: "_s) && evidence.contains(u"manifest unknown"_s),
        qPrintable(evidence));
    QCOMPARE(card->findChild<QLabel*>(u"explanationEnd"_s)->text(), run.sentence);
    auto* again = card->findChild<QPushButton*>(u"explanationAgain"_s);
    QVERIFY(again->isVisible());
    QCOMPARE(again->accessibleName(), u"Run again with another image…"_s);
    QVERIFY(!page->findChild<QWidget*>(u"errorView"_s)->isVisible());
}

/// The first line for people comes before the first one for machines. What it said is no curve of
/// its own once the program has said it itself, neither then nor after a restart.
void TestRunPage::plainLines_leaveNoCurves()
{
    Rig rig;
    Run run = Rig::sampleRun(u"digits"_s, RunPhase::Running);
    run.spec.recipeId = u"train-digits"_s;
    const QByteArray log = digitsStep(4, 2.237, 2.146) + digitsStep(8, 1.8, 1.7);
    const qsizetype first = log.indexOf('\n') + 1;
    rig.addRun(run, log.left(first));
    rig.start();
    const QString sentence = u"Train loss, CPU 1.8, the lowest; valid loss, CPU 1.7, the lowest"_s;
    for (const bool again : {false, true}) {
        if (again) {
            rig.reopen();
        }
        RunPage* page = open(rig, run.id);
        const auto feed = rig.engine().runs()->holdFeed(run.id);
        if (!again) {
            QTRY_VERIFY(feed->series().find(u"train_loss"_s)); // there was nothing else to draw
            QFile file(rig.paths().data % u"/runs/digits/log.bin"_s);
            QVERIFY(file.open(QIODevice::Append));
            QCOMPARE(file.write(log.mid(first)), log.size() - first);
        }
        const QStringList curves{u"step"_s, u"train loss, CPU"_s, u"valid loss, CPU"_s};
        QTRY_COMPARE(page->charts()->chart()->dataTable().header, curves);
        QTRY_COMPARE(page->charts()->chart()->dataTable().rows.size(), size_t(2));
        for (const auto& series : feed->series().all()) {
            QCOMPARE(series->lane(), u"CPU"_s);
            QCOMPARE(series->size(), size_t(2));
        }
        const auto begin = [page] {
            QStringList words = summary(page);
            words.removeAll(QString());
            words.removeAll(u"Summary"_s); // the heading
            return words.value(0);
        };
        QTRY_VERIFY2(begin().startsWith(sentence), qPrintable(summary(page).join(u'\n')));
    }
}

void TestRunPage::failedAction_isShownToo()
{
    RunError card;
    card.show();
    Run run = explainedRun();
    card.setExplained(true);
    card.setRun(run);
    QVERIFY(card.isHidden());
    card.showFailure(Error{ErrorKind::Io, u"The folder cannot be written."_s, {}, {}});
    QVERIFY(!card.isHidden());
    card.clear();
    QVERIFY(card.isHidden());
    card.setExplained(false);
    card.setRun(run);
    QVERIFY(!card.isHidden());
}

void TestRunPage::textOnly_givesTheLogThePage()
{
    Rig rig;
    rig.addRun(commandRun(u"text"_s, RunPhase::Done), QByteArray("hello\n").repeated(50));
    rig.addRun(commandRun(u"live"_s, RunPhase::Running), "hello\n");
    rig.addRun(commandRun(u"numbers"_s, RunPhase::Done),
        "Epoch 1, Loss: 0.5\nEpoch 2, Loss: 0.4\nEpoch 3, Loss: 0.3\n");
    rig.start();
    RunPage* page = open(rig, u"text"_s);
    auto* live = page->findChild<RunLive*>();
    QTRY_VERIFY(!page->charts()->isVisible());
    QTRY_VERIFY2(page->log()->height() > live->height() / 2,
        qPrintable(u"%1 of %2"_s.arg(page->log()->height()).arg(live->height())));
    open(rig, u"numbers"_s);
    QTRY_VERIFY(page->charts()->isVisible());
    QTRY_VERIFY(page->charts()->chart()->height() >= 220);
    QVERIFY(page->charts()->isVisible());
    open(rig, u"live"_s); // a command may print numbers, or none
    QTRY_VERIFY(!page->charts()->isVisible());
}

void TestRunPage::expectedNumbers_keepTheirPlaceWhileItRuns()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"live"_s, RunPhase::Running), "loading\n");
    rig.addRun(Rig::sampleRun(u"none"_s, RunPhase::Cancelled), "loading\n");
    rig.start();
    RunPage* page = open(rig, u"live"_s);
    QTRY_COMPARE(page->log()->view()->blockCount(), 1);
    QTest::qWait(200); // longer than it looks for numbers
    QVERIFY(page->charts()->isVisible());
    open(rig, u"none"_s);
    QTRY_VERIFY(!page->charts()->isVisible());
}

void TestRunPage::smallWindow_scrollsInsteadOfCrushing_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("900x600") << QSize(900, 600) << 1.0;
    QTest::newRow("1280x800, text at 200 %") << QSize(1280, 800) << 2.0;
    QTest::newRow("1440x900") << QSize(1440, 900) << 1.0;
    QTest::newRow("3840x2160, text at 200 %") << QSize(3840, 2160) << 2.0;
}

void TestRunPage::smallWindow_scrollsInsteadOfCrushing()
{
    QFETCH(QSize, size);
    QFETCH(double, scale);
    Rig rig;
    rig.theme().setTextScale(scale);
    Run run = explainedRun();
    run.stages.push_back(run.stages.back());
    rig.addRun(run, Rig::sampleLog());
    rig.start(size);
    RunPage* page = open(rig, run.id);
    QTRY_VERIFY(page->findChild<ExplanationCard*>()->isVisible());
    QTest::mouseClick(page->findChild<QPushButton*>(u"explanationRawToggle"_s), Qt::LeftButton);
    LogView* log = page->log()->view();
    QTRY_VERIFY(page->charts()->chart()->height() >= 220);
    QTRY_VERIFY2(log->viewport()->height() >= 8 * log->fontMetrics().lineSpacing(),
        qPrintable(QString::number(log->viewport()->height())));
    auto* timeline = page->findChild<Timeline*>();
    QTRY_VERIFY(timeline->height() >= timeline->heightForWidth(timeline->width()));
    for (QPushButton* button : page->findChild<RunHeader*>()->findChildren<QPushButton*>()) {
        if (button->isVisible()) {
            QVERIFY2(button->width() >= button->sizeHint().width()
                    && button->height() >= button->sizeHint().height(),
                qPrintable(button->text()));
        }
    }
    // What does not fit is reached by scrolling down, never sideways.
    auto* scroll = page->findChild<QScrollArea*>(u"runScroll"_s);
    QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
    scroll->ensureWidgetVisible(page->log(), 0, 0);
    QVERIFY(!log->visibleRegion().isEmpty());
    rig.theme().setTextScale(1.0);
}

void TestRunPage::tools_thatDoNotFitAreInAMenu()
{
    ToolRow row(u"More tools"_s);
    std::vector<QPushButton*> tools;
    for (const char* name : {"smooth", "follow", "copy"}) {
        tools.push_back(makeButton(QString::fromLatin1(name), ButtonKind::Quiet));
        tools.back()->setAccessibleName(u"Tool "_s % QString::fromLatin1(name));
        row.addButton(tools.back());
    }
    tools[2]->setCheckable(true);
    row.resize(800, 40);
    row.show();
    QVERIFY(!tools[0]->isHidden() && !tools[2]->isHidden() && row.more()->isHidden());
    row.resize(tools[0]->sizeHint().width() + row.more()->sizeHint().width() + 12, 40);
    QVERIFY(!tools[0]->isHidden());
    QVERIFY(tools[1]->isHidden() && tools[2]->isHidden() && !row.more()->isHidden());
    QCOMPARE(row.more()->accessibleName(), u"More tools"_s);
    QMenu* menu = row.more()->menu();
    emit menu->aboutToShow();
    QCOMPARE(menu->actions().size(), 2);
    QCOMPARE(menu->actions().at(1)->text(), u"Tool copy"_s);
    menu->actions().at(1)->trigger();
    QVERIFY(tools[2]->isChecked());
    row.resize(800, 40);
    QVERIFY(!tools[1]->isHidden() && row.more()->isHidden());
}

/// At 1280 pixels the five charts of a recipe do not fit beside each other.
void TestRunPage::chartTabs_areNeverCut()
{
    Rig rig;
    Run run = Rig::sampleRun(u"digits"_s, RunPhase::Done);
    run.spec.recipeId = u"train-digits"_s;
    rig.addRun(run, digitsStep(4, 2.237, 2.146) + digitsStep(8, 1.8, 1.7));
    rig.start(QSize(1280, 800));
    ChartCard* card = open(rig, run.id)->charts();
    QTRY_VERIFY(card->chart()->dataTable().rows.size() == 2);
    auto* tabs = card->findChild<QTabBar*>();
    QVERIFY(tabs->isVisible() && tabs->count() >= 4);
    const auto isWhole = [tabs](int tab) {
        const QRect shown = tabs->visibleRegion().boundingRect();
        return shown.contains(tabs->tabRect(tab).adjusted(1, 1, -1, -1));
    };
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        QTRY_VERIFY2(isWhole(i), qPrintable(tabs->tabText(i)));
        QVERIFY2(
            tabs->tabRect(i).width() >= tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)),
            qPrintable(tabs->tabText(i)));
    }
    // A tool is there as a whole, or it is in the menu.
    auto* tools = card->findChild<ToolRow*>();
    for (const QPushButton* button : tools->findChildren<QPushButton*>()) {
        if (button->isVisible()) {
            QVERIFY2(tools->rect().contains(button->geometry()), qPrintable(button->text()));
        } else if (button != tools->more()) {
            QVERIFY2(tools->more()->isVisible(), qPrintable(button->text()));
        }
    }
}

void TestRunPage::divider_movesWithKeysAndIsRemembered()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.start(QSize(1600, 1600));
    RunPage* page = open(rig, u"done"_s);
    QTRY_VERIFY(page->charts()->chart()->dataTable().rows.size() == 5);
    auto* live = page->findChild<RunLive*>();
    QSplitterHandle* divider = live->handle(1);
    QVERIFY(!divider->accessibleName().isEmpty());
    QCOMPARE(divider->focusPolicy(), Qt::StrongFocus);
    QTest::keyClick(divider, Qt::Key_End);
    const int low = page->log()->height();
    QTest::keyClick(divider, Qt::Key_Home);
    const int high = page->log()->height();
    QVERIFY2(high > low, qPrintable(u"%1 and %2"_s.arg(high).arg(low)));
    QTest::keyClick(divider, Qt::Key_Down);
    const QList<int> sizes = live->sizes();
    QVERIFY(page->log()->height() < high);
    QCOMPARE(QSettings().value(u"run/split"_s).toByteArray(), live->saveState());
    GripSplitter again(Qt::Vertical, u"run/split"_s, u"again"_s, nullptr);
    again.addWidget(new QWidget);
    again.addWidget(new QWidget);
    again.resize(live->size());
    again.restorePosition();
    again.show();
    QTRY_VERIFY2(std::abs(again.sizes().at(1) - sizes.at(1)) <= 4,
        qPrintable(u"%1, not %2"_s.arg(again.sizes().at(1)).arg(sizes.at(1))));
}

void TestRunPage::withoutConnection_theStateHasItsTime()
{
    Rig rig;
    Run run = Rig::sampleRun(u"live"_s, RunPhase::Running);
    run.spec.siteId = u"kestrel"_s;
    rig.addRun(run, "Epoch [1/5], Step [16/160], Train Loss: 0.7057\n");
    rig.start();
    RunPage* page = open(rig, run.id);
    auto* asOf = rig.find<QLabel>("runAsOf");
    QTRY_VERIFY(asOf->isVisible());
    QVERIFY2(
        asOf->text().startsWith(u"State as of "_s) && asOf->text().endsWith(u", not connected"_s),
        qPrintable(asOf->text()));
    const QString facts = rig.find<ElidedLabel>("runFacts")->text();
    QVERIFY2(!facts.contains(u" left of "_s), qPrintable(facts));
    QTRY_COMPARE(page->log()->view()->blockCount(), 1);
    QTRY_VERIFY(rig.find<QLabel>("logFacts")->text().endsWith(u" · not connected"_s));
    for (const QString& word : summary(page)) {
        QVERIFY2(
            !word.startsWith(u"Last line"_s) && !word.startsWith(u"Step 16"_s), qPrintable(word));
    }
    QObject::disconnect(page, &RunPage::connectRequested, nullptr, nullptr);
    QSignalSpy wanted(page, &RunPage::connectRequested);
    QTest::mouseClick(rig.find<QPushButton>("connectRun"), Qt::LeftButton);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.at(0).at(0).toString(), u"kestrel"_s);
    const auto connecting = rig.engine().sessions()->connectSite(u"kestrel"_s, nullptr);
    QTRY_VERIFY(!asOf->isVisible());
}

/// What is known is as old as the last bytes of the log: no time is counted on from there.
void TestRunPage::withoutConnection_theClockStands()
{
    Rig rig;
    Run run = Rig::sampleRun(u"live"_s, RunPhase::Running); // its stage began at 220 s
    run.spec.siteId = u"kestrel"_s;
    rig.addRun(run, "hello\n");
    const QDateTime grew = run.created.addMSecs(300'500);
    QFile log(rig.paths().data % u"/runs/live/log.bin"_s);
    QVERIFY(log.open(QIODevice::ReadWrite));
    QVERIFY(log.setFileTime(grew, QFileDevice::FileModificationTime));
    log.close();
    rig.start();
    RunPage* page = open(rig, run.id);
    auto* asOf = rig.find<QLabel>("runAsOf");
    QTRY_COMPARE(asOf->text(), staleText(grew, QDateTime::currentDateTimeUtc()));
    QVERIFY(asOf->isVisible());
    QVERIFY(rig.find<QPushButton>("connectRun")->isVisible());
    const auto running = [page] {
        for (const TimelinePart& part : page->findChild<Timeline*>()->parts()) {
            if (part.state == StageState::Running) {
                return part.note;
            }
        }
        return QString();
    };
    QTRY_COMPARE(running(), u"1:20"_s);
    emit rig.engine().runs()->runChanged(run.id); // it is shown again, at a later time
    QCOMPARE(running(), u"1:20"_s);
}

void TestRunPage::staleText_namesTheDay()
{
    const QDateTime now(QDate(2026, 11, 20), QTime(9, 0));
    QCOMPARE(
        staleText(QDateTime(now.date(), QTime(8, 8)), now), u"State as of 08:08, not connected"_s);
    QVERIFY(staleText(now.addDays(-1), now).contains(u"19 "_s));
    QCOMPARE(staleText({}, now), u"Last known state, not connected"_s);
    // A stage that is running has no duration then.
    RunStage stage{u"run"_s, u"CPU"_s, StageState::Running, now, {}, {}};
    QCOMPARE(timelineParts({stage}, QDateTime()).at(0).note, QString());
}

void TestRunPage::timeline_showsThePull()
{
    const QDateTime now(QDate(2026, 11, 20), QTime(9, 0));
    Run run = Rig::sampleRun(u"k3f9"_s, RunPhase::Running);
    run.stages = {RunStage{u"image"_s, u"Pull the image"_s, StageState::Running, now, {}, {}}};
    run.pull = PullState{u"image"_s, u"download"_s, 25, 100, {}, {}};
    TimelineCard card;
    card.setRun(run, now);
    const auto* timeline = card.findChild<Timeline*>();
    QCOMPARE(timeline->parts().at(0).share, std::optional<double>(0.25));
    run.pull = PullState{u"image"_s, u"extract"_s, 25, {}, {}, {}}; // the whole is not known
    card.setRun(run, now);
    QVERIFY(!timeline->parts().at(0).share);
    run.pull.reset();
    run.stages[0].state = StageState::Done;
    run.stages[0].end = now;
    run.stages[0].detail = u"Image reused"_s;
    card.setRun(run, now);
    QCOMPARE(timeline->parts().at(0).note, u"reused"_s);
}

void TestRunPage::keptNodes_offerTheirStepsAgain()
{
    Rig rig;
    Run run = Rig::sampleRun(u"kept"_s, RunPhase::Allocated);
    run.spec.mode = LaunchMode::Interactive;
    run.spec.siteId = u"kestrel"_s;
    rig.addRun(run);
    rig.setSteps(run.id,
        R"({"shell":{"node":"srun --jobid={job} --overlap --pty bash -l"},)"
        R"("steps":[{"file":"steps/01-image.sh"},{"file":"steps/02-run.sh"}]})");
    rig.start();
    open(rig, run.id);
    auto* place = rig.find<QComboBox>("shellPlace");
    QTRY_VERIFY(place->isVisible());
    const int again = place->findText(u"Paste on the login node, to run the steps again"_s);
    QVERIFY(again >= 0);
    place->setCurrentIndex(again);
    QCOMPARE(rig.find<QLineEdit>("shellLine")->text(),
        u"cd "_s % run.folder
            % u" && srun --jobid=42 --overlap --preserve-env -N1 -n1 bash -l steps/01-image.sh && "
              "srun --jobid=42 --overlap --preserve-env -N1 -n1 bash -l steps/02-run.sh"_s);
    QVERIFY(rig.find<QPushButton>("runAgain")->isVisible());
}

void TestRunPage::continuedRuns_nameOneAnother()
{
    Rig rig;
    rig.addRun(longRun(u"aaa1"_s));
    Run second = longRun(u"aaa2"_s, u"aaa1"_s);
    second.created = second.created.addSecs(1);
    rig.addRun(second);
    rig.start();
    RunPage* page = open(rig, u"aaa2"_s);
    QTRY_VERIFY2(
        summary(page).contains(u"Continues run aaa1."_s), qPrintable(summary(page).join(u'\n')));
    auto* button = rig.find<QPushButton>("continueRun");
    QVERIFY(button->isVisible());
    QVERIFY(!button->isEnabled()); // not connected
    QCOMPARE(button->toolTip(), u"Connect to the site first"_s);
    QPushButton* link = nullptr;
    for (QPushButton* one : page->findChild<SummaryCard*>()->findChildren<QPushButton*>()) {
        link = one->text() == u"Open run aaa1"_s ? one : link;
    }
    QVERIFY(link);
    link->setFocus();
    QTest::keyClick(link, Qt::Key_Space);
    QTRY_COMPARE(page->runId(), u"aaa1"_s);
    QTRY_VERIFY2(
        summary(page).contains(u"Continued by run aaa2."_s), qPrintable(summary(page).join(u'\n')));
    QVERIFY(!button->isVisible()); // it goes on from the second
}

void TestRunPage::continueButton_launchesTheNextRun()
{
    QTemporaryDir project;
    QFile program(project.filePath(u"train.sh"_s));
    QVERIFY(program.open(QIODevice::WriteOnly) && program.write("true\n") > 0);
    program.close();
    Rig rig;
    rig.setDemoRunning();
    rig.connector().shell = StubConnector::launchingShell();
    Run run = longRun(u"aaa1"_s);
    run.spec.project = project.path();
    rig.addRun(run);
    Run plain = commandRun(u"aaa9"_s, RunPhase::Failed);
    rig.addRun(plain);
    rig.start();
    rig.connectTo(u"demo"_s);
    open(rig, u"aaa9"_s);
    auto* button = rig.find<QPushButton>("continueRun");
    QVERIFY(!button->isVisible()); // it keeps no checkpoints
    open(rig, u"aaa1"_s);
    QTRY_VERIFY(button->isVisible() && button->isEnabled());
    QVERIFY(!button->accessibleName().isEmpty());
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    QTest::keyClick(button, Qt::Key_Space); // a second click launches no second one
    const auto runs = [&rig] { return rig.engine().runs()->all(); };
    QTRY_COMPARE(runs().size(), size_t(3));
    const LaunchSpec spec = runs().front().spec;
    QCOMPARE(spec.continues, u"aaa1"_s);
    QCOMPARE(spec.chain, u"aaa1"_s);
    QCOMPARE(spec.project, project.path());
    QVERIFY(spec.afterJob.isEmpty()); // that run has ended
    QCOMPARE(runs().size(), size_t(3));
}

void TestRunPage::cancelledStage_isNoCross()
{
    const StateWord word = stateWord(StageState::Cancelled);
    QCOMPARE(word.sign, Sign::Dash);
    QCOMPARE(word.tint, Tint::Second);
    QCOMPARE(word.word, u"cancelled"_s);
}

/// Red is for what failed.
void TestRunPage::cancelledStage_isNotRed()
{
    Rig rig;
    Run run = Rig::sampleRun(u"stop"_s, RunPhase::Cancelled);
    run.stages[4].state = StageState::Cancelled;
    run.stages[5].state = StageState::Skipped;
    rig.addRun(run);
    rig.addRun(Rig::sampleRun(u"fail"_s, RunPhase::Failed));
    rig.start();
    const auto isRed = [](const RunPage* page) {
        const QImage picture = page->findChild<Timeline*>()->grab().toImage();
        const QRgb red = Colours::now().error.rgb();
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                if (picture.pixelColor(x, y).rgb() == red) {
                    return true;
                }
            }
        }
        return false;
    };
    const RunPage* page = open(rig, u"fail"_s);
    QTRY_VERIFY(isRed(page));
    open(rig, u"stop"_s);
    const auto* timeline = page->findChild<Timeline*>();
    QTRY_VERIFY(timeline->parts().at(4).state == StageState::Cancelled);
    QVERIFY2(timeline->accessibleDescription().contains(u"CPU, 1 thread: cancelled"_s),
        qPrintable(timeline->accessibleDescription()));
    QVERIFY(!isRed(page));
}

SLIPWAY_GUI_TEST(TestRunPage, gui_runpage)
#include "tst_runpage.moc"
