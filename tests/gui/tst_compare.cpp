// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/compare/statistics.h"
#include "plots/charts/metricchart.h"
#include "plots/figure/curves.h"
#include "plots/metrics/seriesstore.h"
#include "rig.h"
#include "sampleraces.h"
#include "sampletrainings.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparefigure.h"
#include "ui/compare/comparehead.h"
#include "ui/compare/comparepage.h"
#include "ui/compare/comparesheet.h"
#include "ui/compare/curvesmodel.h"
#include "ui/compare/curvespage.h"
#include "ui/compare/curvessheet.h"
#include "ui/compare/presenter.h"
#include "ui/compare/verdict.h"
#include "ui/look/colours.h"
#include "ui/parts/gripsplitter.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QShortcut>
#include <QSlider>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTest>
#include <QXmlStreamReader>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The Compare page: a number only when the race was fair, lanes to choose, runs to add and remove,
/// exports, the presenter's view, and that all of it is live.
class TestCompare : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void headline_onlyWhenFair();
    void intervalWithOne_claimsNoDifference();
    void refusal_hidesEveryRatio();
    void refusal_saysWhatFixesIt();
    void missingLane_isReported();
    void empty_showsWhatToDo();
    void lanes_arePicked();
    void lanes_hideAndKeepTheirLook();
    void runs_areAddedAndRemoved();
    void view_switches();
    void exports_holdEveryRepeatAndTheProtocol();
    void pictures_areWritten();
    void points_comeLive();
    void curvesDivider_movesAndIsRemembered();
    void curvesText_isNeverCut_data();
    void curvesText_isNeverCut();
    void race_isReadFromTheRun();
    void selection_isCompared();
    void runWithoutNumbers_isNotKept();
    void trainings_openAsCurves();
    void curves_areTabledAndSaved();
    void smoothing_changesTheCurveAndIsRemembered();
    void twoFields_areParallelAxes();
    void presenter_keys();
    void presenter_isLiveAndLeaves();
    void presenter_fitsEveryScreen_data();
    void presenter_fitsEveryScreen();
    void text_isNeverCut_data();
    void text_isNeverCut();
    void largeText_fits();

private:
    static QString shownText(const QWidget& page);
    template <typename T> static T* part(const QWidget& page, const char* name)
    {
        T* found = page.findChild<T*>(QLatin1StringView(name));
        return found ? found : (qFatal("%s is not on the page", name), nullptr);
    }
    static ComparedRun fair()
    {
        return sampleRace(u"race"_s, {sampleGpu(), sampleCpu(), sampleCpu(1)});
    }
    static ComparedRun unfair() { return sampleRace(u"race"_s, {sampleGpu(), sampleCpu(1)}); }
};

void TestCompare::initTestCase()
{
    requireFont();
    QStandardPaths::setTestModeEnabled(true);
}

/// All that a person can read on the page but the names of lanes.
QString TestCompare::shownText(const QWidget& page)
{
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        texts << (label->isVisibleTo(&page) ? label->text() : QString());
    }
    const auto* table = page.findChild<QTableWidget*>(u"compareTable"_s);
    for (int row = 0; row < table->rowCount(); ++row) {
        for (int column = 0; column < table->columnCount(); ++column) {
            texts << table->item(row, column)->text();
        }
    }
    return texts.join(u'\n');
}

void TestCompare::headline_onlyWhenFair()
{
    ComparePage page(nullptr);
    page.model()->putRun(fair());
    const Comparison& pair = *page.model()->comparison();
    QVERIFY2(pair.fair(), qPrintable(pair.refusal));
    QCOMPARE(part<QLabel>(page, "verdictHeadline")->text(), pair.headline);
    QVERIFY(pair.headline.contains(u"×"_s));
    const QString text = shownText(page);
    QVERIFY2(text.contains(pair.where) && text.contains(pair.crossoverText), qPrintable(text));
    QCOMPARE(part<QTableWidget>(page, "compareTable")->columnCount(), 5);
    QCOMPARE(part<QTableWidget>(page, "compareTable")->rowCount(), 6);
}

/// The repeats of one lane are so far apart that the other may be faster or slower.
void TestCompare::intervalWithOne_claimsNoDifference()
{
    ComparedRun run = sampleRace(u"race"_s, {sampleGpu(), sampleCpu()});
    const size_t sizes = run.file.points.size() / 2; // of the GPU, then of the CPU
    for (size_t i = 0; i < sizes; ++i) {
        Measurement& gpu = run.file.points[i];
        Measurement& cpu = run.file.points[i + sizes];
        QCOMPARE(gpu.x, cpu.x);
        const double time = median(cpu.seconds);
        gpu.seconds.clear();
        cpu.seconds.clear();
        for (const double part : {0.55, 0.7, 0.8, 1.0, 1.2, 1.6, 2.3}) {
            gpu.seconds.push_back(time * (0.95 + 0.001 * part));
            cpu.seconds.push_back(time * part);
        }
        gpu.secondsWithTransfers = gpu.seconds;
    }
    ComparePage page(nullptr);
    page.model()->putRun(run);
    const Comparison& pair = *page.model()->comparison();
    QVERIFY2(pair.fair(), qPrintable(pair.refusal));
    for (const Ratio& ratio : pair.ratios) {
        QVERIFY(ratio.low < 1 && ratio.ratio > 1 && ratio.high > 1);
    }
    QCOMPARE(part<QLabel>(page, "verdictHeadline")->text(), u"no difference measured"_s);
    const QString text = shownText(page).replace(QChar(0xa0), u' ');
    QVERIFY2(text.contains(u"No difference between GPU and CPU, all threads was measured at any "
                           u"size, transfers counted."_s),
        qPrintable(text));
    QVERIFY2(!text.contains(u"takes less time"_s), qPrintable(text));
    PresenterView view(page.model());
    for (int step = 0; step < PresenterView::StepCount; ++step) {
        view.setStep(step);
        QVERIFY2(!view.words().contains(u"less time"_s) && !view.words().contains(u"as fast"_s),
            qPrintable(view.words()));
    }
}

void TestCompare::refusal_hidesEveryRatio()
{
    ComparePage page(nullptr);
    page.model()->putRun(unfair());
    QVERIFY(!page.model()->comparison()->fair());
    QCOMPARE(part<QLabel>(page, "verdictHeadline")->text(), u"No speed-up is stated"_s);
    const QString text = shownText(page);
    QVERIFY2(!text.contains(u"×"_s), qPrintable(text));
    QCOMPARE(part<QTableWidget>(page, "compareTable")->columnCount(), 3);
    for (int step = 0; step < PresenterView::StepCount; ++step) {
        PresenterView view(page.model());
        view.setStep(step);
        QVERIFY2(!view.words().contains(u"×"_s), qPrintable(view.words()));
    }
    for (const QByteArray& file : {compareMarkdown(*page.model()), compareCsv(*page.model())}) {
        QVERIFY2(!QString::fromUtf8(file).contains(u"×"_s), file.constData());
    }
    page.model()->putRun(fair()); // measured anew, and now fair
    QVERIFY(shownText(page).contains(u"×"_s));
}

void TestCompare::refusal_saysWhatFixesIt()
{
    ComparePage page(nullptr);
    page.model()->putRun(unfair());
    const QString why = part<QLabel>(page, "verdictDetail")->text();
    QVERIFY2(why.contains(u"1 of 16"_s), qPrintable(why));
    QVERIFY(!part<QLabel>(page, "verdictMend")->text().isEmpty());
    SampleLane gpu = sampleGpu();
    gpu.repeats = 2;
    page.model()->putRun(sampleRace(u"race"_s, {gpu, sampleCpu()}));
    QVERIFY(part<QLabel>(page, "verdictMend")->text().contains(u"repeats"_s));
    const QString few = part<QLabel>(page, "verdictDetail")->text();
    QVERIFY2(few.contains(u"at least 5 are needed"_s), qPrintable(few));
}

void TestCompare::missingLane_isReported()
{
    ComparePage page(nullptr);
    ComparedRun run = sampleRace(u"race"_s, {sampleCpu()});
    run.file.absent = {sampleAbsentGpu()};
    page.model()->putRun(run);
    QVERIFY(!page.model()->comparison());
    QVERIFY(shownText(page).contains(u"No GPU lane: this node has no GPU driver."_s));
    QVERIFY(!shownText(page).contains(u"×"_s));
    QVERIFY(part<QPushButton>(page, "present")->isEnabled());
}

void TestCompare::empty_showsWhatToDo()
{
    Rig rig;
    rig.start();
    QTest::keyClick(&rig.window(), Qt::Key_4, Qt::ControlModifier);
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->isVisible());
    QVERIFY(part<QPushButton>(*page, "pickRuns")->isVisible());
    QTest::mouseClick(part<QPushButton>(*page, "launchRace"), Qt::LeftButton);
    QCOMPARE(
        rig.window().findChild<QStackedWidget*>()->currentIndex(), int(MainWindow::LaunchIndex));
}

void TestCompare::lanes_arePicked()
{
    ComparePage page(nullptr);
    page.model()->putRun(fair());
    auto* first = part<QComboBox>(page, "firstLane");
    auto* second = part<QComboBox>(page, "secondLane");
    QCOMPARE(first->currentText(), u"GPU"_s);
    QCOMPARE(second->currentText(), u"CPU, all threads"_s);
    const auto pick = [](QComboBox* combo, const QString& text) {
        combo->setCurrentIndex(combo->findText(text));
        emit combo->activated(combo->currentIndex());
    };
    pick(second, u"CPU, 1 thread"_s);
    QCOMPARE(page.model()->comparison()->b.label, u"CPU, 1 thread"_s);
    QCOMPARE(part<QLabel>(page, "verdictHeadline")->text(), u"No speed-up is stated"_s);
    pick(first, u"CPU, 1 thread"_s); // the same twice: they change places
    QCOMPARE(page.model()->comparison()->a.label, u"CPU, 1 thread"_s);
    QCOMPARE(page.model()->comparison()->b.label, u"GPU"_s);
}

void TestCompare::lanes_hideAndKeepTheirLook()
{
    ComparePage page(nullptr);
    page.model()->putRun(fair());
    const auto looks = [&] {
        SeriesStore store;
        fillSeries(store, *page.model());
        QHash<QString, QColor> list;
        for (const Curve& curve : curvesOf(compareChart(*page.model()), store,
                 laneTheme(ChartTheme::light(), *page.model()))) {
            if (curve.series) {
                list.insert(curve.name, curve.style.colour);
            }
        }
        return list;
    };
    const auto before = looks();
    QCOMPARE(before.size(), 3);
    part<QCheckBox>(page, "show-race:gpu:gemm-fp32")->click();
    auto wanted = before;
    wanted.remove(u"GPU"_s);
    QCOMPARE(looks(), wanted);
    QVERIFY(!page.chart()->summaryText().contains(u"GPU 4"_s));
    part<QCheckBox>(page, "show-race:gpu:gemm-fp32")->click();
    QCOMPARE(looks(), before);
}

void TestCompare::runs_areAddedAndRemoved()
{
    ComparePage page(nullptr);
    page.model()->putRun(fair());
    QVERIFY(!page.findChild<QPushButton*>(u"remove-race"_s)); // the only one
    page.model()->putRun(sampleRace(u"other"_s, {sampleCpu()}));
    QCOMPARE(page.model()->lanes().size(), size_t(4));
    QSet<QString> labels;
    for (const CompareLane& lane : page.model()->lanes()) {
        labels << lane.label;
    }
    QCOMPARE(labels.size(), 4); // each can be told from the others
    QTest::mouseClick(part<QPushButton>(page, "remove-race"), Qt::LeftButton);
    QCOMPARE(page.model()->lanes().size(), size_t(1));
    QVERIFY(!page.model()->holds(u"race"_s));
}

void TestCompare::view_switches()
{
    ComparePage page(nullptr);
    page.model()->putRun(fair());
    QCOMPARE(page.chart()->spec().higherIsBetter, std::optional(true));
    QVERIFY(page.chart()->spec().x.logarithmic && page.chart()->spec().y.logarithmic);
    const auto& references = page.chart()->spec().references;
    QVERIFY(std::any_of(references.begin(), references.end(), [](const ReferenceSeries& one) {
        return one.label == u"measured peak, GPU"_s && one.points.size() == 1;
    }));
    QVERIFY(std::any_of(references.begin(), references.end(),
        [](const ReferenceSeries& one) { return one.source == u"test data"_s; }));
    part<QPushButton>(page, "inSeconds")->click();
    QCOMPARE(page.chart()->spec().y.unit, u"s"_s);
    QCOMPARE(page.chart()->spec().higherIsBetter, std::optional(false));
    const auto top = [&] { return part<QTableWidget>(page, "compareTable")->item(5, 1)->text(); };
    const QString compute = top();
    part<QPushButton>(page, "withTransfers")->click();
    QVERIFY(page.model()->view().withTransfers);
    QVERIFY(top() != compute);
}

void TestCompare::exports_holdEveryRepeatAndTheProtocol()
{
    CompareModel model;
    model.putRun(fair());
    const QStringList protocol = model.comparison()->protocol;
    QVERIFY(!protocol.isEmpty());
    const QString csv = QString::fromUtf8(compareCsv(model));
    const QString text = QString::fromUtf8(compareMarkdown(model));
    for (const QString& line : protocol) {
        QVERIFY2(csv.contains(line), qPrintable(line));
        QVERIFY2(text.contains(line), qPrintable(line));
    }
    constexpr int repeats = 3 * 6 * 7;
    QCOMPARE(csv.split(u'\n').filter(QRegularExpression(u"^[0-9]"_s)).size(), repeats);
    QCOMPARE(
        text.split(u'\n').filter(QRegularExpression(u"^\\| (GPU|CPU, .*) \\|"_s)).size(), repeats);
    const QString svg = QString::fromUtf8(compareSvg(model));
    QVERIFY(svg.contains(model.comparison()->headline));
    QVERIFY(svg.contains(protocol.front().left(20)));
}

void TestCompare::pictures_areWritten()
{
    CompareModel model;
    model.putRun(fair());
    const QTemporaryDir folder;
    for (const auto& [suffix, begin] :
        {std::pair("png", "\x89PNG"), std::pair("pdf", "%PDF"), std::pair("svg", "<?xml"),
            std::pair("csv", "#"), std::pair("md", "# "), std::pair("html", "<!DOCTYPE html>")}) {
        const QString path = folder.filePath(u"comparison."_s % QLatin1StringView(suffix));
        const Result<void> saved = saveComparison(path, model);
        QVERIFY2(saved.ok(), suffix);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll().startsWith(begin), suffix);
    }
    QVERIFY(!saveComparison(folder.filePath(u"comparison.doc"_s), model).ok());
    QVERIFY(!saveComparison(u"/nowhere/at/all.png"_s, model).ok());
    QFile report(folder.filePath(u"comparison.html"_s));
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY(QString::fromUtf8(report.readAll()).contains(model.comparison()->sentence));
    const CompareModel nothing;
    QVERIFY(!saveComparison(folder.filePath(u"nothing.html"_s), nothing).ok());
    ComparePage page(nullptr);
    page.model()->putRun(fair());
    part<QPushButton>(page, "copyComparison")->click();
    const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
    QVERIFY(copied->hasImage());
    QVERIFY(copied->text().contains(page.model()->comparison()->headline));
}

void TestCompare::points_comeLive()
{
    ComparePage page(nullptr);
    ComparedRun run = sampleRace(u"race"_s, {}, 0);
    run.live = true;
    page.model()->putRun(run);
    QCOMPARE(part<QLabel>(page, "verdictHeadline")->text(), u"The race is running"_s);
    for (int sizes = 1; sizes <= 6; ++sizes) {
        run = sampleRace(u"race"_s, {sampleGpu(), sampleCpu()}, sizes);
        run.live = sizes < 6;
        page.model()->putRun(run);
        QCOMPARE(part<QTableWidget>(page, "compareTable")->rowCount(), sizes);
        QCOMPARE(shownText(page).contains(u"so far"_s), sizes < 6);
    }
}

void TestCompare::race_isReadFromTheRun()
{
    Rig rig;
    Run run = Rig::sampleRun(u"done"_s, RunPhase::Done);
    rig.addRun(run);
    const QString folder = rig.paths().data % u"/runs/done/results"_s;
    QVERIFY(QDir().mkpath(folder));
    const auto put = [&](int sizes) {
        QFile file(folder % u"/race.ndjson"_s);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(raceRows(sampleRace(u"done"_s, {sampleGpu(), sampleCpu()}, sizes).file));
    };
    put(3);
    rig.start();
    rig.window().openRun(u"done"_s);
    auto* compare = rig.find<QPushButton>("compareRun");
    QTRY_VERIFY(compare->isVisible());
    QTest::mouseClick(compare, Qt::LeftButton);
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->isVisible());
    QCOMPARE(page->model()->lanes().size(), size_t(2));
    auto* table = part<QTableWidget>(*page, "compareTable");
    QCOMPARE(table->rowCount(), 3);
    QVERIFY2(page->model()->comparison()->fair(), qPrintable(page->model()->comparison()->refusal));
    put(5);
    emit rig.engine().runs()->raceChanged(u"done"_s);
    QTRY_COMPARE(table->rowCount(), 5);
    QTest::keyClick(&rig.window(), Qt::Key_F11);
    QTRY_VERIFY(rig.window().findChild<PresenterView*>());
    QVERIFY(!rig.window().isFullScreen());
    QTest::keyClick(rig.window().findChild<PresenterView*>(), Qt::Key_Escape);
    QTRY_VERIFY(!rig.window().findChild<PresenterView*>());
}

void TestCompare::selection_isCompared()
{
    Rig rig;
    for (const QString& id : {u"one"_s, u"two"_s, u"three"_s}) {
        rig.addRun(Rig::sampleRun(id, RunPhase::Done), Rig::sampleLog());
    }
    rig.start();
    rig.window().showPage(MainWindow::RunsIndex);
    auto* list = rig.find<QListView>("runList");
    auto* compare = rig.find<QPushButton>("compareRuns");
    QTRY_VERIFY(list->isVisible());
    QVERIFY(!compare->isEnabled());
    const auto click = [&](int row, Qt::KeyboardModifiers keys) {
        QTest::mouseClick(list->viewport(), Qt::LeftButton, keys,
            list->visualRect(list->model()->index(row, 0)).center());
    };
    click(1, Qt::ControlModifier); // row 0 is the day
    click(2, Qt::ControlModifier);
    QVERIFY(list->isVisible()); // marked, not opened
    QVERIFY(compare->isEnabled());
    QTest::mouseClick(compare, Qt::LeftButton);
    QTRY_VERIFY(rig.window().comparePage()->isVisible());
    QCOMPARE(rig.window().comparePage()->model()->runs().size(), size_t(2));
    QTRY_COMPARE(
        rig.window().comparePage()->model()->lanes().size(), size_t(4)); // read from the logs
}

void TestCompare::runWithoutNumbers_isNotKept()
{
    Rig rig;
    rig.addRun(Rig::sampleRun(u"bare"_s, RunPhase::Done), "a log without a number\n");
    rig.start();
    rig.window().compareRuns({u"bare"_s});
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->model()->runs().empty());
    QVERIFY(part<QLabel>(*page, "compareNote")->text().contains(u"bare"_s));
    QVERIFY(part<QLabel>(*page, "emptyNote")->isVisible());
}

void TestCompare::trainings_openAsCurves()
{
    Rig rig;
    addTrainings(rig);
    rig.start();
    rig.window().compareRuns({u"batch32"_s, u"batch64"_s});
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->showsCurves());
    QVERIFY(!page->canPresent()); // there is no race to present
    CurvesPage& curves = *page->curves();
    const auto drawn = [&] {
        QStringList list;
        for (const auto& series : curves.model()->store().all()) {
            list << series->series() % u' ' % series->lane() % u' '
                    % QString::number(series->size());
        }
        list.sort();
        return list;
    };
    QTRY_COMPARE(drawn(), QStringList({u"train_loss Batch 32 4"_s, u"train_loss Batch 64 4"_s}));
    const ChartTheme theme = curves.model()->theme(ChartTheme::light());
    QVERIFY(theme.style(0).dashes != theme.style(1).dashes); // not by colour alone
    QVERIFY(!part<QWidget>(curves, "parallelView")->isVisible()); // one field only was varied
    QCOMPARE(curves.chart()->spec().x.name, u"step"_s);
    part<QCheckBox>(curves, "series-valid_loss")->click();
    QTRY_COMPARE(drawn().size(), 4);
    part<QCheckBox>(curves, "series-epoch_seconds")->click(); // another unit
    QTRY_COMPARE(
        drawn(), QStringList({u"epoch_seconds Batch 32 4"_s, u"epoch_seconds Batch 64 4"_s}));
    QVERIFY(part<QLabel>(curves, "curvesNote")->text().contains(u"One axis has one unit"_s));
    QVERIFY(!part<QPushButton>(curves, "axis-step")->isEnabled()); // not printed by steps
    part<QPushButton>(curves, "axis-time")->click();
    QCOMPARE(curves.chart()->spec().x.unit, u"s"_s);
    QTRY_COMPARE(drawn().size(), 2);
    QCOMPARE(curves.model()->store().all().front()->at(3).x, 8.0); // four epochs of 2 s

    auto* showRace = part<QPushButton>(curves, "showRace");
    QTRY_VERIFY(showRace->isVisible()); // the epochs are lanes
    QTest::mouseClick(showRace, Qt::LeftButton);
    QVERIFY(!page->showsCurves());
    auto* head = page->findChild<CompareHead*>();
    QTest::mouseClick(part<QPushButton>(*head, "showCurves"), Qt::LeftButton);
    QVERIFY(page->showsCurves());
}

void TestCompare::curves_areTabledAndSaved()
{
    Rig rig;
    addTrainings(rig);
    rig.start();
    rig.window().compareRuns({u"batch32"_s, u"batch64"_s});
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->showsCurves());
    CurvesPage& curves = *page->curves();
    auto* table = part<QTableWidget>(curves, "curvesTable");
    const auto column = [&](const QString& title) {
        for (int i = 0; i < table->columnCount(); ++i) {
            if (table->horizontalHeaderItem(i)->text() == title) {
                return i;
            }
        }
        return -1;
    };
    QTRY_VERIFY(column(u"train loss, final"_s) > 0);
    QTRY_COMPARE(table->item(0, column(u"train loss, final"_s))->text(), u"0.5"_s); // 2 / 4
    QCOMPARE(table->item(1, column(u"Batch"_s))->text(), u"64"_s);
    QCOMPARE(column(u"Epochs"_s), -1); // equal in both
    QCOMPARE(table->item(0, column(u"Duration"_s))->text(), u"6:02"_s);
    QVERIFY(table->item(0, column(u"Node"_s))->text() == u"gpu01"_s);

    // The digest is shortened, but not in its tool tip, and not when it is copied.
    const int digest = column(u"Image digest"_s);
    QVERIFY(digest > 0);
    QCOMPARE(table->item(1, digest)->text(), u"646464646464"_s);
    const QString whole = u"sha256:"_s % u"64"_s.repeated(32);
    QVERIFY2(table->item(1, digest)->toolTip().contains(whole),
        qPrintable(table->item(1, digest)->toolTip()));
    table->setCurrentCell(1, digest);
    QGuiApplication::clipboard()->clear();
    emit table->findChild<QShortcut*>()->activated();
    QCOMPARE(QGuiApplication::clipboard()->text(), whole);
    table->setCurrentCell(1, column(u"Node"_s));
    emit table->findChild<QShortcut*>()->activated();
    QCOMPARE(QGuiApplication::clipboard()->text(), u"gpu01"_s);

    emit table->horizontalHeader()->sectionClicked(column(u"train loss, final"_s));
    QCOMPARE(table->item(0, column(u"Batch"_s))->text(), u"64"_s);
    table->item(1, 0)->setCheckState(Qt::Checked); // pinned
    QTRY_COMPARE(table->item(0, column(u"Batch"_s))->text(), u"32"_s);
    auto* filter = part<QLineEdit>(curves, "curvesFilter");
    filter->setText(u"nothing like this"_s);
    QCOMPARE(table->rowCount(), 1); // what is pinned stays
    filter->clear();
    QCOMPARE(table->rowCount(), 2);

    const QTemporaryDir folder;
    QTRY_VERIFY(curves.model()->isComplete());
    const auto saved = [&](const QString& name) {
        const Result<void> result =
            saveCurves(folder.filePath(name), *curves.model(), 0, &rig.engine());
        QFile file(folder.filePath(name));
        return result.ok() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QXmlStreamReader svg(saved(u"curves.svg"_s));
    QString words;
    while (!svg.atEnd()) {
        if (svg.readNext() == QXmlStreamReader::Characters) {
            words += svg.text();
        }
    }
    QVERIFY2(!svg.hasError(), qPrintable(svg.errorString()));
    QVERIFY2(words.contains(u"Batch 32"_s) && words.contains(u"Batch 64"_s), qPrintable(words));
    const QByteArray csv = saved(u"curves.csv"_s);
    QCOMPARE(csv.count('\n'), 1 + 2 * 4);
    QVERIFY2(csv.contains("train_loss,Batch 64,step,1,1,"), csv.constData());
    QVERIFY(saved(u"curves.png"_s).startsWith("\x89PNG"));
    const QByteArray html = saved(u"curves.html"_s);
    QVERIFY2(html.startsWith("<!DOCTYPE html>"), html.left(80).constData());
    QVERIFY(html.contains("Batch 64 is lowest") && html.contains("Batch 32: Job script"));
    QVERIFY2(html.indexOf("<td>batch32</td>") < html.indexOf("<td>batch64</td>"),
        "the pinned run comes first, as on the page");

    table->setCurrentCell(0, 1);
    QTest::mouseClick(part<QPushButton>(curves, "curvesRemove"), Qt::LeftButton);
    QCOMPARE(table->rowCount(), 1);
    QVERIFY(!page->model()->holds(u"batch32"_s) && page->showsCurves());
}

/// Of curves with many points; the others are drawn as they are.
void TestCompare::smoothing_changesTheCurveAndIsRemembered()
{
    Rig rig;
    addTrainings(rig, {64, 32}, {}, 120);
    rig.start();
    rig.window().compareRuns({u"batch32"_s, u"batch64"_s});
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->showsCurves());
    CurvesPage& curves = *page->curves();
    const auto& drawn = curves.model()->store().all();
    QTRY_VERIFY(curves.model()->isComplete() && drawn.size() == 2 && drawn.back()->size() == 120);
    MetricChart* chart = curves.chart();
    const auto picture = [chart] {
        chart->drawNow();
        return chart->grab().toImage();
    };
    QImage raw;
    QTRY_VERIFY((raw = picture()) == picture()); // nothing else changes it
    auto* slider = part<QSlider>(curves, "curvesSmooth");
    QCOMPARE(slider->value(), 0);
    QCOMPARE(chart->smoothing(), 0.0);
    QTest::keyClick(slider, Qt::Key_End);
    QCOMPARE(chart->smoothing(), 0.99);
    QVERIFY(picture() != raw);
    for (int i = 0; i < 3; ++i) {
        QTest::keyClick(slider, Qt::Key_PageDown);
    }
    QCOMPARE(chart->smoothing(), 0.69);
    // The next page begins as this one was left.
    CurvesPage again(&rig.engine());
    QCOMPARE(part<QSlider>(again, "curvesSmooth")->value(), 69);
    QCOMPARE(again.chart()->smoothing(), 0.69);
}

/// One axis for each field that was varied and one for the result, and a line for each run.
void TestCompare::twoFields_areParallelAxes()
{
    Rig rig;
    QStringList ids;
    for (const int batch : {32, 64}) {
        for (const char* noise : {"0.35", "0.8"}) {
            Run run = Rig::sampleRun(u"run%1"_s.arg(ids.size()), RunPhase::Done);
            run.spec.recipeId = u"train-digits"_s;
            QByteArray log;
            for (int step = 1; step <= 4; ++step) {
                log += R"(@slipway {"sample":"train_loss","x_name":"step","x":)"
                    + QByteArray::number(step) + R"(,"y":)"
                    + QByteArray::number(double(ids.size() + 4) / 2 / step) + R"(,"unit":""})"
                    + '\n';
            }
            rig.addRun(run, log);
            rig.setFacts(run.id,
                R"({"site":"Demo cluster","image":"docker://login:5000/demo/pytorch:2.6",)"
                R"("values":{"epochs":"4","batch":")"
                    + QByteArray::number(batch) + R"(","noise":")" + noise + "\"}}");
            ids << run.id;
        }
    }
    rig.start();
    rig.window().compareRuns(ids);
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->showsCurves());
    auto* view = part<QWidget>(*page->curves(), "parallelView");
    QTRY_VERIFY(view->isVisible());
    QTRY_COMPARE(view->accessibleDescription().count(u"train loss, final"_s), 4);
    const QString words = view->accessibleDescription();
    QVERIFY(!view->accessibleName().isEmpty());
    for (const QString& place :
        {u": Batch 32,"_s, u": Batch 64,"_s, u", Noise 0.35, train"_s, u", Noise 0.8, train"_s}) {
        QVERIFY2(words.count(place) == 2, qPrintable(words));
    }
    QVERIFY2(!words.contains(u"Epochs"_s), qPrintable(words)); // equal in all
    for (const QString& result : {u"final 0.5"_s, u"final 0.625"_s, u"final 0.75"_s}) {
        QVERIFY2(words.contains(result), qPrintable(words));
    }
    // Each line is drawn in the look of its run's curve.
    const QImage picture = view->grab().toImage();
    const ChartTheme theme = ChartTheme::forBackground(Colours::now().surface);
    for (int run = 0; run < 4; ++run) {
        const QRgb colour = theme.style(run).colour.rgb();
        int pixels = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                pixels += picture.pixel(x, y) == colour;
            }
        }
        QVERIFY2(pixels > 20, qPrintable(u"run %1: %2 pixels"_s.arg(run).arg(pixels)));
    }
    // Without one of the fields it goes again.
    for (const QString& id : {ids.at(1), ids.at(3)}) {
        page->curves()->drop(id);
    }
    QTRY_VERIFY(!view->isVisible());
}

void TestCompare::curvesDivider_movesAndIsRemembered()
{
    Rig rig;
    addTrainings(rig);
    rig.start(QSize(1600, 1600));
    rig.window().compareRuns({u"batch32"_s, u"batch64"_s});
    ComparePage* page = rig.window().comparePage();
    QTRY_VERIFY(page->showsCurves());
    CurvesPage& curves = *page->curves();
    auto* split = part<GripSplitter>(curves, "curvesSplitter");
    auto* table = part<QTableWidget>(curves, "curvesTable");
    QTRY_COMPARE(table->rowCount(), 2);
    QTRY_VERIFY(curves.model()->isComplete());
    // Until somebody moves it, the table is as high as its rows and the chart has the rest.
    QTRY_VERIFY(table->height() > 0 && table->verticalScrollBar()->maximum() == 0);
    QTRY_VERIFY(split->sizes().at(0) > split->sizes().at(1));
    QVERIFY(!split->isPlaced());

    QSplitterHandle* divider = split->handle(1);
    QVERIFY(!divider->accessibleName().isEmpty());
    const int chart = curves.chart()->height(), rows = table->height();
    for (int i = 0; i < 4; ++i) {
        QTest::keyClick(divider, Qt::Key_Up);
    }
    QTRY_VERIFY(curves.chart()->height() < chart && table->height() > rows);
    const QList<int> moved = split->sizes();
    QCOMPARE(QSettings().value(u"curves/split"_s).toByteArray(), split->saveState());
    // What changes on the page leaves it where it is.
    part<QCheckBox>(curves, "series-valid_loss")->click();
    QTRY_COMPARE(curves.model()->store().all().size(), size_t(4));
    QTRY_VERIFY(std::abs(split->sizes().at(1) - moved.at(1)) <= 4);

    CurvesPage again(&rig.engine());
    again.resize(curves.size());
    again.setRuns({u"batch32"_s, u"batch64"_s});
    again.show();
    auto* other = part<GripSplitter>(again, "curvesSplitter");
    QTRY_VERIFY2(std::abs(other->sizes().at(1) - moved.at(1)) <= 4,
        qPrintable(u"%1, not %2"_s.arg(other->sizes().at(1)).arg(moved.at(1))));
}

void TestCompare::curvesText_isNeverCut_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x800") << QSize(1092, 800);
    QTest::newRow("1440x900") << QSize(1250, 900);
    QTest::newRow("narrow") << QSize(640, 560);
}

void TestCompare::curvesText_isNeverCut()
{
    QFETCH(QSize, size);
    Rig rig;
    addTrainings(rig);
    rig.start();
    CurvesPage page(&rig.engine());
    page.resize(size);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto cut = [&page] {
        QStringList labels;
        for (const QLabel* label : page.findChildren<QLabel*>()) {
            const int wanted = label->hasHeightForWidth() ? label->heightForWidth(label->width())
                                                          : label->sizeHint().height();
            if (label->isVisible() && label->height() < wanted - 1) {
                labels << label->text();
            }
        }
        return labels.join(u'\n');
    };
    page.setRuns({u"batch32"_s, u"batch64"_s});
    QTRY_VERIFY(page.hasCurves() && page.model()->isComplete());
    QTRY_COMPARE(cut(), QString());
    page.setNote(u"A note that is so long that it needs more than one line: "_s.repeated(6));
    QTRY_COMPARE(cut(), QString());
    page.model()->setAxis(u"field:batch"_s);
    QTRY_COMPARE(cut(), QString());
    QVERIFY(page.chart()->height() >= 220);
}

void TestCompare::presenter_keys()
{
    CompareModel model;
    model.putRun(fair());
    PresenterView view(&model);
    view.setAttribute(Qt::WA_DeleteOnClose, false);
    view.showOn(QGuiApplication::primaryScreen());
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(view.isFullScreen());
    QCOMPARE(view.step(), PresenterView::Curves);
    for (const int step : {1, 2, 3, 3}) {
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(int(view.step()), step);
    }
    QTest::keyClick(&view, Qt::Key_PageUp);
    QCOMPARE(view.step(), PresenterView::Fairness);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.step(), PresenterView::Curves);
    QTest::keyClick(&view, Qt::Key_Space);
    QCOMPARE(view.step(), PresenterView::Number);
    QVERIFY(view.accessibleName().contains(model.comparison()->headline));
    QTRY_COMPARE_WITH_TIMEOUT(view.cursor().shape(), Qt::BlankCursor, 4000);
    QTest::mouseMove(&view, QPoint(50, 60));
    QTest::mouseMove(&view, QPoint(80, 90));
    QTRY_VERIFY(view.cursor().shape() != Qt::BlankCursor);
    QTest::keyClick(&view, Qt::Key_Escape);
    QTRY_VERIFY(!view.isVisible());
}

void TestCompare::presenter_isLiveAndLeaves()
{
    ComparePage page(nullptr);
    ComparedRun run = sampleRace(u"race"_s, {sampleGpu(), sampleCpu()}, 2);
    run.live = true;
    page.model()->putRun(run);
    QPointer<PresenterView> view = page.present();
    view->setStep(PresenterView::Table);
    const QString before = view->accessibleName();
    page.model()->putRun(sampleRace(u"race"_s, {sampleGpu(), sampleCpu()}, 4));
    QVERIFY(view->accessibleName() != before);
    QTest::keyClick(view, Qt::Key_F11);
    QTRY_VERIFY(!view);
}

void TestCompare::presenter_fitsEveryScreen_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("projector") << QSize(1024, 768);
    QTest::newRow("1080p") << QSize(1920, 1080);
    QTest::newRow("4K") << QSize(3840, 2160);
    QTest::newRow("upright") << QSize(1080, 1920);
}

void TestCompare::presenter_fitsEveryScreen()
{
    QFETCH(QSize, size);
    CompareModel model;
    model.putRun(fair());
    PresenterView view(&model);
    view.setAttribute(Qt::WA_DeleteOnClose, false);
    view.resize(size);
    for (int step = 0; step < PresenterView::StepCount; ++step) {
        view.setStep(step);
        const QImage picture = view.grab().toImage();
        // The rim is empty: nothing is cut off.
        const QRgb ground = picture.pixel(1, 1);
        for (int y = 0; y < picture.height(); ++y) {
            QCOMPARE(picture.pixel(0, y), ground);
            QCOMPARE(picture.pixel(picture.width() - 1, y), ground);
        }
    }
}

void TestCompare::text_isNeverCut_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x800") << QSize(1092, 800);
    QTest::newRow("1440x900") << QSize(1250, 900);
    QTest::newRow("narrow") << QSize(640, 560);
}

/// Whatever comes and goes on the page: words have the room that they need, and nothing overlaps.
void TestCompare::text_isNeverCut()
{
    QFETCH(QSize, size);
    ComparePage page(nullptr);
    page.resize(size);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto check = [&](const char* state) {
        QTest::qWait(60);
        for (const QLabel* label : page.findChildren<QLabel*>()) {
            const int wanted = label->hasHeightForWidth() ? label->heightForWidth(label->width())
                                                          : label->sizeHint().height();
            QVERIFY2(!label->isVisible() || label->height() >= wanted - 1,
                qPrintable(
                    u"%1: “%2” has %3 of %4 pixels"_s.arg(QLatin1StringView(state), label->text())
                        .arg(label->height())
                        .arg(wanted)));
        }
        const auto* strip = page.findChild<QWidget*>(u"laneStrip"_s);
        QVERIFY2(page.chart()->geometry().bottom() < strip->geometry().top(), state);
        QVERIFY2(strip->height() >= strip->heightForWidth(strip->width()), state);
        for (const char* name : {"firstLane", "secondLane"}) {
            const auto* combo = part<QComboBox>(page, name);
            const auto* group = combo->parentWidget();
            QVERIFY2(
                !combo->isVisible() || group->width() <= group->parentWidget()->width(), state);
            QVERIFY2(
                !combo->isVisible() || combo->width() >= combo->minimumSizeHint().width(), state);
        }
    };
    page.model()->putRun(fair());
    check("fair");
    page.model()->putRun(sampleRace(u"othr"_s, {sampleCpu()}));
    check("overlay");
    page.model()->clear();
    page.model()->putRun(unfair());
    check("refused");
    page.model()->clear();
    page.model()->putRun(sampleRace(u"race"_s, {sampleCpu()}));
    check("alone");
    page.model()->putRun(fair());
    check("fair again");
}

void TestCompare::largeText_fits()
{
    Theme theme;
    theme.setTextScale(2.0);
    ComparePage page(nullptr);
    page.model()->putRun(fair());
    page.resize(1920 - 180, 1200);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QTest::qWait(50);
    for (const QPushButton* button : page.findChildren<QPushButton*>()) {
        if (button->isVisible()) {
            QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(button->text()),
                qPrintable(button->text()));
        }
    }
    theme.setTextScale(1.0);
}

SLIPWAY_GUI_TEST(TestCompare, gui_compare)
#include "tst_compare.moc"
