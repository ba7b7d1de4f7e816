// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart.h"
#include "plots/figure/curves.h"
#include "plots/metrics/seriesstore.h"
#include "rig.h"
#include "sampleraces.h"
#include "tests/support/testmain.h"
#include "ui/compare/comparefigure.h"
#include "ui/compare/comparepage.h"
#include "ui/compare/comparesheet.h"
#include "ui/compare/presenter.h"
#include "ui/compare/verdict.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The Compare page: a number only when the race was fair, lanes to choose, runs to add and remove,
/// exports, the presenter's view, and that all of it is live.
class TestCompare : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void headline_onlyWhenFair();
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
    void race_isReadFromTheRun();
    void selection_isCompared();
    void runWithoutNumbers_isNotKept();
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
    QVERIFY(page.chart()->spec().higherIsBetter);
    QVERIFY(page.chart()->spec().x.logarithmic && page.chart()->spec().y.logarithmic);
    const auto& references = page.chart()->spec().references;
    QVERIFY(std::any_of(references.begin(), references.end(), [](const ReferenceSeries& one) {
        return one.label == u"measured peak, GPU"_s && one.points.size() == 1;
    }));
    QVERIFY(std::any_of(references.begin(), references.end(),
        [](const ReferenceSeries& one) { return one.source == u"test data"_s; }));
    part<QPushButton>(page, "inSeconds")->click();
    QCOMPARE(page.chart()->spec().y.unit, u"s"_s);
    QVERIFY(!page.chart()->spec().higherIsBetter);
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
    for (const auto& [suffix, begin] : {std::pair("png", "\x89PNG"), std::pair("pdf", "%PDF"),
             std::pair("svg", "<?xml"), std::pair("csv", "#"), std::pair("md", "# ")}) {
        const QString path = folder.filePath(u"comparison."_s % QLatin1StringView(suffix));
        const Result<void> saved = saveComparison(path, model);
        QVERIFY2(saved.ok(), suffix);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll().startsWith(begin), suffix);
    }
    QVERIFY(!saveComparison(folder.filePath(u"comparison.doc"_s), model).ok());
    QVERIFY(!saveComparison(u"/nowhere/at/all.png"_s, model).ok());
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
    click(0, Qt::ControlModifier);
    click(1, Qt::ControlModifier);
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
