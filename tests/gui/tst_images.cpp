// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/registrylogins.h"
#include "remote/shell/gate.h"
#include "rig.h"
#include "sampleimages.h"
#include "tests/support/awaited.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/testmain.h"
#include "ui/images/imagespage.h"
#include "ui/images/imagewords.h"
#include "ui/images/layerbar.h"
#include "ui/images/storedimagescard.h"
#include "ui/images/storedimagestable.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/confirm.h"
#include "ui/parts/pill.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCryptographicHash>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

namespace {

QByteArray digestOf(const QByteArray& bytes)
{
    return "sha256:" + QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

/// FakeRegistry has every image, and they are all the same. What it is asked of an image whose name
/// contains “slow” is answered after release(). The test owns it together with the inspector.
class FakeRegistry : public RegistryTransport {
public:
    QString place() const override { return u"this computer"_s; }
    QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) override
    {
        asked << request.url.path();
        if (request.url.path().contains(u"slow") && !m_released) {
            co_await m_gate.wait();
        }
        QByteArray given;
        for (const auto& header : request.headers) {
            if (header.first == "Authorization") {
                given = header.second;
                told << request.url.host();
            }
        }
        RegistryAnswer answer = answerTo(request.url.path());
        if (!login.isEmpty() && given != "Basic " + login.toBase64()) {
            answer = {};
            answer.status = 401;
            answer.headers["www-authenticate"] = "Basic realm=\"x\"";
            answer.body = "{}";
        }
        co_return answer;
    }
    void release()
    {
        m_released = true;
        m_gate.open();
    }
    qsizetype count(const QString& part) const { return asked.filter(part).size(); }

    QStringList asked;
    QStringList told; ///< the hosts that a login was sent to
    QByteArray login; ///< "user:secret", without which nothing is shown; empty: all is
    int status = 200;

private:
    RegistryAnswer answerTo(const QString& path) const
    {
        const QByteArray layer = digestOf("layer"), other = digestOf("other");
        const QByteArray config =
            R"({"architecture":"amd64","os":"linux","created":"2025-09-12T08:00:00Z",)"
            R"("config":{"Env":["CUDA_VERSION=12.4.1"],"Entrypoint":["/entry.sh"]},)"
            R"("rootfs":{"type":"layers","diff_ids":[")"
            + layer + R"(",")" + other
            + R"("]},"history":[{"created_by":"RUN one"},{"created_by":"RUN two"}]})";
        const QByteArray kind = "application/vnd.oci.image.";
        const QByteArray manifest = R"({"schemaVersion":2,"mediaType":")" + kind
            + R"(manifest.v1+json","config":{"mediaType":")" + kind
            + R"(config.v1+json","digest":")" + digestOf(config) + R"(","size":)"
            + QByteArray::number(config.size()) + R"(},"layers":[{"mediaType":")" + kind
            + R"(layer.v1.tar+gzip","digest":")" + layer + R"(","size":3145728},{"mediaType":")"
            + kind + R"(layer.v1.tar+gzip","digest":")" + other + R"(","size":1048576}]})";
        RegistryAnswer answer;
        answer.status = status;
        answer.body = status != 200           ? QByteArray("{}")
            : path.contains(u"/manifests/")   ? manifest
            : path.contains(u"/blobs/sha256") ? config
                                              : QByteArray("{}");
        answer.headers["content-type"] =
            answer.body == manifest ? QByteArray(kind + "manifest.v1+json") : "application/json";
        answer.headers["docker-content-digest"] = digestOf(answer.body);
        return answer;
    }

    bool m_released = false;
    Gate m_gate;
};

} // namespace

/// The Images page: what it says of an image, first with values, then in a window with a registry
/// that needs no network.
class TestImages : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void shownText_isBoundedAndCanBeWrapped();
    void verdictWords_data();
    void verdictWords();
    void summary_namesThePartitions();
    void empty_invites();
    void inspection_isShown();
    void unknownFacts_areSaidToBeUnknown();
    void digest_isCopied();
    void layers_areTold();
    void verdicts_haveSignAndWord();
    void howKnown_showsRuleSourceAndCommand();
    void error_hasItsRemedyAndItsRawText();
    void hostileTexts_arePlain();
    void controls_haveNames();
    void keyboard_asksAndShows();
    void invalidName_asksNoRegistry();
    void missingImage_isAnError();
    void staleAnswer_isIgnored();
    void cancelledQuestion_showsNothing();
    void failedRepeat_keepsTheAnswer();
    void siteThatConnectsMeanwhile_isAskedOnceMore();
    void login_isOffered();
    void login_isEnteredAndKept();
    void loginThatIsNotKept_isSaid();
    void keptLogins_areListedAndRemoved();
    void use_opensTheLaunchForm();
    void pull_asksAndLaunches();
    void pull_connectsFirst();
    void connection_isOffered();

private:
    template <typename T> static T* part(const QWidget& page, const char* name)
    {
        return page.findChild<T*>(QString::fromLatin1(name));
    }
    static QString text(const QWidget& page, const char* name)
    {
        return part<QLabel>(page, name)->text();
    }
    static QStringList pills(const QWidget& page);
    /// The page in the window of a rig whose registry is this one.
    static ImagesPage* open(Rig& rig, const std::shared_ptr<FakeRegistry>& registry);
};

QStringList TestImages::pills(const QWidget& page)
{
    QStringList names;
    for (const StatePill* pill : page.findChildren<StatePill*>(u"verdictPill"_s)) {
        if (pill->isVisible()) {
            names << pill->accessibleName();
        }
    }
    return names;
}

ImagesPage* TestImages::open(Rig& rig, const std::shared_ptr<FakeRegistry>& registry)
{
    rig.start();
    rig.engine().imageInspector()->setLocalTransport(registry);
    rig.window().showPage(MainWindow::ImagesIndex);
    return rig.window().imagesPage();
}

void TestImages::shownText_isBoundedAndCanBeWrapped()
{
    QCOMPARE(shownText(u"RUN  pip\n install x"_s, 80), u"RUN pip install x"_s);
    QCOMPARE(shownText(u"abcdefgh"_s, 5), u"abcd…"_s);
    const QString word = shownText(QString(1000, u'x'), 100);
    QVERIFY(word.contains(QChar(0x200b)));
    QVERIFY(word.size() < 120);
    QVERIFY(!shownText(u"a\u202eb"_s, 80).contains(QChar(0x202e))); // turns the rest around
}

void TestImages::verdictWords_data()
{
    QTest::addColumn<int>("verdict");
    QTest::addColumn<bool>("cpu");
    QTest::addColumn<int>("sign");
    QTest::addColumn<QString>("word");
    QTest::newRow("yes") << int(Verdict::Ok) << false << int(Sign::Check) << u"yes"_s;
    QTest::newRow("CPU only") << int(Verdict::Ok) << true << int(Sign::Bang) << u"CPU only"_s;
    QTest::newRow("no") << int(Verdict::Fail) << false << int(Sign::Cross) << u"no"_s;
    QTest::newRow("no, without GPU") << int(Verdict::Fail) << true << int(Sign::Cross) << u"no"_s;
    QTest::newRow("unknown") << int(Verdict::Unknown) << false << int(Sign::Query) << u"unknown"_s;
}

void TestImages::verdictWords()
{
    QFETCH(int, verdict);
    QFETCH(bool, cpu);
    PartitionVerdict one;
    one.verdict = Verdict(verdict);
    one.isCpuOnly = cpu;
    const StateWord shown = verdictWord(one);
    QTEST(int(shown.sign), "sign");
    QTEST(shown.word, "word");
    QCOMPARE(shown.tint == Tint::Done, one.verdict == Verdict::Ok && !cpu); // green is a promise
}

void TestImages::summary_namesThePartitions()
{
    QCOMPARE(verdictSummary(sampleInspection().verdicts),
        u"Runs on gpu-b200. Runs without a GPU on shared. Does not run on gpu-h100. "
        "Not known for debug."_s);
    QCOMPARE(verdictSummary({}), u"Not known: no partition of this site is known yet."_s);
    std::vector<PartitionVerdict> many(6);
    for (size_t i = 0; i < many.size(); ++i) {
        many[i].partition = u"p%1"_s.arg(i);
        many[i].verdict = Verdict::Ok;
    }
    QCOMPARE(verdictSummary(many), u"Runs on p0, p1, p2 and 3 more."_s);
}

void TestImages::empty_invites()
{
    Rig rig;
    ImagesPage* page = open(rig, std::make_shared<FakeRegistry>());
    QTRY_VERIFY(part<QWidget>(*page, "imagesIntro")->isVisible());
    QVERIFY(!part<QWidget>(*page, "inspectionCard")->isVisible());
    QCOMPARE(pills(*page), QStringList());
    QVERIFY(!part<QPushButton>(*page, "imageLook")->isEnabled());
    const auto examples = page->findChildren<QPushButton*>(u"imageExample"_s);
    QVERIFY(examples.size() >= 2);
    for (const QPushButton* one : examples) {
        QVERIFY(ImageReference::parse(one->accessibleDescription()).ok());
    }
    QTest::mouseClick(examples.front(), Qt::LeftButton);
    QCOMPARE(
        part<QLineEdit>(*page, "imageField")->text(), examples.front()->accessibleDescription());
    QTRY_VERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
}

void TestImages::inspection_isShown()
{
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    page.showInspection(sampleInspection());
    QVERIFY(part<QWidget>(page, "inspectionCard")->isVisible());
    QVERIFY(!part<QWidget>(page, "imagesIntro")->isVisible());
    QCOMPARE(text(page, "imageTitle"), u"nvidia/pytorch 25.09-py3"_s);
    QCOMPARE(text(page, "imageOrigin"), u"linux/amd64, linux/arm64 · built 12 Sep 2025"_s);
    QCOMPARE(text(page, "imageDownload"), u"8.7 GiB, compressed, in 61 layers"_s);
    const QString self = text(page, "imageSelf");
    QVERIFY2(self.startsWith(u"CUDA 13.0.1 · PyTorch 2.9.0a0 · Python 3.12\n"_s)
            && self.contains(u"NVIDIA_REQUIRE_CUDA: cuda>=9.0"_s) && self.endsWith(u"user: root"_s),
        qPrintable(self));
    QCOMPARE(text(page, "imageWhere").remove(QChar(0x200b)),
        u"/scratch/mira/slipway/images · 3.0 TiB free"_s);
}

void TestImages::unknownFacts_areSaidToBeUnknown()
{
    ImageInspection one = sampleInspection();
    one.cuda = {};
    one.frameworks.clear();
    one.folder.clear();
    one.image.created = {};
    QVERIFY(selfLines(one).startsWith(u"nothing about CUDA or frameworks"_s));
    QVERIFY(whereLine(one).startsWith(u"unknown"_s));
    QVERIFY(originLine(one.image).endsWith(u"its date is not said"_s));
    one = sampleInspection();
    one.freeBytes.reset();
    QVERIFY(whereLine(one).endsWith(u"free space unknown"_s));
    QVERIFY(!isTooLarge(one));
    one.freeBytes = 1024;
    QVERIFY(isTooLarge(one) && whereLine(one).endsWith(u"not enough for this image"_s));
}

void TestImages::digest_isCopied()
{
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    const ImageInspection one = sampleInspection();
    page.showInspection(one);
    auto* digest = part<QPushButton>(page, "imageDigest");
    QCOMPARE(digest->text(), u"sha256:44444444…4444"_s);
    QVERIFY(digest->toolTip().contains(one.image.digest));
    QTest::mouseClick(digest, Qt::LeftButton);
    QCOMPARE(QGuiApplication::clipboard()->text(), one.image.digest);
}

void TestImages::layers_areTold()
{
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    page.showInspection(sampleInspection());
    const auto* bar = part<LayerBar>(page, "layerBar");
    QCOMPARE(bar->parts().size(), size_t(11)); // ten, and the rest
    QVERIFY(
        bar->parts().back().isRest && bar->parts().back().words.startsWith(u"51 more layers"_s));
    QVERIFY(bar->parts().front().words.startsWith(u"3.8 GiB: RUN"_s));
    QVERIFY(bar->accessibleDescription().contains(u"61 layers"_s));
    QVERIFY(text(page, "imageLayers").endsWith(u"58 more"_s));
    ImageInspection none = sampleInspection();
    none.image.layers.clear();
    page.showInspection(none);
    QVERIFY(!page.grab().isNull()); // without parts, nothing is divided by their number
}

void TestImages::verdicts_haveSignAndWord()
{
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    page.showInspection(sampleInspection());
    QCOMPARE(pills(page),
        (QStringList{
            u"gpu-b200: yes"_s, u"gpu-h100: no"_s, u"shared: CPU only"_s, u"debug: unknown"_s}));
    QCOMPARE(part<QWidget>(page, "partitionsCard")->accessibleName(), text(page, "verdictSummary"));
    ImageInspection other = sampleInspection();
    other.verdicts.resize(1);
    page.showInspection(other);
    QTRY_COMPARE(pills(page), QStringList{u"gpu-b200: yes"_s}); // and none of the one before
}

void TestImages::howKnown_showsRuleSourceAndCommand()
{
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    const ImageInspection one = sampleInspection();
    page.showInspection(one);
    auto* command = part<QPlainTextEdit>(page, "imageCommand");
    auto* fold = part<QPushButton>(page, "howKnown");
    QVERIFY(!command->isVisible());
    QTest::mouseClick(fold, Qt::LeftButton);
    QVERIFY(command->isVisible());
    QCOMPARE(command->toPlainText(), one.command);
    const QString rules = text(page, "verdictRules").remove(QChar(0x200b));
    QCOMPARE(rules.count(u"(source: CUDA Compatibility, NVIDIA)"_s), 1); // said once
    QVERIFY(rules.contains(u"the partition has no GPU"_s));
    QVERIFY(text(page, "imageAsked").contains(u"this computer"_s));
    QCOMPARE(fold->accessibleName(), u"Hide how this is known"_s);
}

void TestImages::error_hasItsRemedyAndItsRawText()
{
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    page.showInspection(sampleInspection());
    page.showError({ErrorKind::NotFound, u"nvcr.io has no image nvidia/pytorch:99."_s,
        u"Check its tag."_s, "MANIFEST_UNKNOWN"});
    auto* card = part<QWidget>(page, "imagesError");
    QVERIFY(card->isVisible());
    QVERIFY(!part<QWidget>(page, "inspectionCard")->isVisible());
    QCOMPARE(pills(page), QStringList());
    QCOMPARE(text(*card, "errorSummary"), u"nvcr.io has no image nvidia/pytorch:99."_s);
    auto* raw = part<QPlainTextEdit>(*card, "errorRaw");
    QVERIFY(!raw->isVisible());
    QCOMPARE(raw->toPlainText(), u"MANIFEST_UNKNOWN"_s);
}

void TestImages::hostileTexts_arePlain()
{
    const QString hostile = u"<img src=\"file:///etc/passwd\"><b>bold</b>"_s + QString(4000, u'x');
    ImageInspection one = sampleInspection();
    one.cuda.version = one.cuda.require = hostile;
    one.frameworks = {hostile};
    one.image.user = hostile;
    one.image.entrypoint = QStringList{hostile};
    one.image.platforms = {{hostile, hostile, hostile}};
    for (ImageLayer& layer : one.image.layers) {
        layer.createdBy = hostile;
    }
    for (PartitionVerdict& verdict : one.verdicts) {
        verdict.partition = verdict.hardware = verdict.sentence = verdict.rule = hostile;
    }
    ImageList list = sampleImageList();
    for (StoredImage& image : list.images) {
        image.path = image.from = hostile;
        image.runs = {hostile};
    }
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    page.showInspection(one);
    page.stored()->show(); // without an engine there is no site
    page.stored()->setList(list);
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        QCOMPARE(label->textFormat(), Qt::PlainText);
        QVERIFY(label->text().size() < 2500);
    }
    for (const QWidget* widget : page.findChildren<QWidget*>()) {
        QVERIFY(!widget->toolTip().contains(u"<img"_s));
    }
    const auto* table = part<StoredImagesTable>(page, "storedImages");
    for (int column = 0; column < table->columnCount(); ++column) {
        QVERIFY(!table->item(0, column)->toolTip().contains(u"<img"_s));
    }
    // No word of it makes the page wider than it is.
    QTest::qWait(100);
    QTRY_COMPARE(page.findChild<QScrollArea*>()->horizontalScrollBar()->maximum(), 0);
}

void TestImages::controls_haveNames()
{
    ImagesPage page(nullptr);
    page.resize(1100, 800);
    page.show();
    page.showInspection(sampleInspection());
    page.stored()->show(); // without an engine there is no site
    page.stored()->setList(sampleImageList());
    QTest::mouseClick(part<QPushButton>(page, "howKnown"), Qt::LeftButton);
    int controls = 0;
    for (QWidget* widget : page.findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible()
            || qobject_cast<QLabel*>(widget) || widget->objectName().startsWith(u"qt_"_s)) {
            continue;
        }
        ++controls;
        const QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(widget);
        QVERIFY2(
            heard && !heard->text(QAccessible::Name).isEmpty(), qPrintable(widget->objectName()));
    }
    QVERIFY(controls >= 9);
}

void TestImages::keyboard_asksAndShows()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    ImagesPage* page = open(rig, registry);
    rig.window().showPage(MainWindow::SitesIndex);
    QTest::keyClick(&rig.window(), Qt::Key_5, Qt::ControlModifier);
    auto* field = part<QLineEdit>(*page, "imageField");
    QTRY_COMPARE(QApplication::focusWidget(), field); // ready for typing
    QTest::keyClicks(field, u"example.org/team/net:2"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(text(*page, "imageTitle"), u"team/net 2"_s);
    QVERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
    QVERIFY(text(*page, "imageSelf").startsWith(u"CUDA 12.4.1"_s));
    QCOMPARE(text(*page, "imageDownload"), u"4.0 MiB, compressed, in 2 layers"_s);
    QTRY_VERIFY(!pills(*page).isEmpty());
    QVERIFY(registry->count(u"/team/net/"_s) >= 2);
}

void TestImages::invalidName_asksNoRegistry()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    ImagesPage* page = open(rig, registry);
    page->lookAt(u"docker://Not/An Image"_s);
    QVERIFY(part<QWidget>(*page, "imagesError")->isVisible());
    QCOMPARE(registry->asked, QStringList());
}

void TestImages::missingImage_isAnError()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    registry->status = 404;
    ImagesPage* page = open(rig, registry);
    page->lookAt(u"docker://example.org/none:1"_s);
    QTRY_VERIFY(part<QWidget>(*page, "imagesError")->isVisible());
    QVERIFY(!part<QWidget>(*page, "inspectionCard")->isVisible());
    registry->status = 200; // pushed meanwhile
    QPushButton* again = nullptr;
    for (QPushButton* one : part<QWidget>(*page, "imagesError")->findChildren<QPushButton*>()) {
        again = one->text() == u"Look again"_s ? one : again;
    }
    QVERIFY(again);
    QTest::mouseClick(again, Qt::LeftButton);
    QTRY_VERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
}

void TestImages::staleAnswer_isIgnored()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    ImagesPage* page = open(rig, registry);
    page->lookAt(u"docker://example.org/slow:1"_s);
    QTRY_VERIFY(part<QWidget>(*page, "imagesBusy")->isVisible());
    QVERIFY(text(*page, "imagesStage").startsWith(u"Asking example.org about slow 1"_s));
    page->lookAt(u"docker://example.org/fast:1"_s);
    QTRY_COMPARE(text(*page, "imageTitle"), u"fast 1"_s);
    QVERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
    registry->release();
    QTRY_VERIFY(registry->count(u"/slow/blobs/"_s) > 0); // the old question was answered
    QTest::qWait(100);
    QCOMPARE(text(*page, "imageTitle"), u"fast 1"_s);
    QVERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
}

void TestImages::cancelledQuestion_showsNothing()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    ImagesPage* page = open(rig, registry);
    page->lookAt(u"docker://example.org/slow:1"_s);
    auto* cancel = part<QPushButton>(*page, "imagesCancel");
    QTRY_VERIFY(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    QVERIFY(part<QWidget>(*page, "imagesIntro")->isVisible());
    registry->release();
    QTRY_VERIFY(registry->count(u"/slow/blobs/"_s) > 0);
    QTest::qWait(100);
    QVERIFY(part<QWidget>(*page, "imagesIntro")->isVisible());
    QVERIFY(!part<QWidget>(*page, "inspectionCard")->isVisible());
}

void TestImages::failedRepeat_keepsTheAnswer()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    ImagesPage* page = open(rig, registry);
    page->lookAt(u"docker://example.org/net:1"_s);
    auto* card = part<QWidget>(*page, "inspectionCard");
    QTRY_VERIFY(card->isVisible());
    registry->status = 500;
    const qsizetype before = registry->count(u"/net/"_s);
    emit rig.engine().sessions()->connected(page->siteId());
    QTRY_VERIFY(registry->count(u"/net/"_s) > before && card->isVisible());
    QVERIFY(!part<QWidget>(*page, "imagesError")->isVisible());
    QCOMPARE(text(*page, "imageTitle"), u"net 1"_s);
}

void TestImages::siteThatConnectsMeanwhile_isAskedOnceMore()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    ImagesPage* page = open(rig, registry);
    page->lookAt(u"docker://example.org/slow:1"_s);
    QTRY_COMPARE(registry->count(u"/slow/manifests/"_s), 1);
    emit rig.engine().sessions()->connected(page->siteId());
    registry->release();
    QTRY_COMPARE(registry->count(u"/slow/manifests/"_s), 2);
    QTRY_VERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
}

void TestImages::login_isOffered()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    ImagesPage* page = open(rig, registry);
    const QString command = u"slipway-cli image login example.org --site %1"_s.arg(page->siteId());
    auto* card = part<QWidget>(*page, "registryLoginCard");
    for (const int status : {403, 429}) {
        registry->status = status;
        page->lookAt(u"docker://example.org/private:1"_s);
        auto* error = part<QWidget>(*page, "imagesError");
        QTRY_VERIFY(error->isVisible());
        const auto labels = error->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
            [&command](const QLabel* one) { return one->text().contains(command); }));
        QTRY_VERIFY(card->isVisible());
    }
    registry->status = 404;
    page->lookAt(u"docker://example.org/private:2"_s);
    QTRY_VERIFY(!card->isVisible()); // no login would help
    QTRY_VERIFY(part<QWidget>(*page, "imagesError")->isVisible());
    QVERIFY(!card->isVisible());
}

void TestImages::login_isEnteredAndKept()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    registry->login = "me:hunter2";
    ImagesPage* page = open(rig, registry);
    SecretStore* const secrets = rig.engine().secrets();
    const auto table = std::make_shared<MemoryKeychain::Table>();
    secrets->setKeychain(std::make_unique<MemoryKeychain>(table));
    page->lookAt(u"docker://example.org/private:1"_s);
    QTRY_VERIFY(part<QWidget>(*page, "registryLoginCard")->isVisible());
    QCOMPARE(text(*page, "registryLoginTitle"), u"Log in to example.org"_s);
    auto* user = part<QLineEdit>(*page, "registryUser");
    auto* password = part<QLineEdit>(*page, "registryPassword");
    QCOMPARE(password->echoMode(), QLineEdit::Password);
    QVERIFY(!part<QPushButton>(*page, "registryLogIn")->isEnabled());
    user->setFocus();
    QTest::keyClicks(user, u"me"_s);
    QTest::keyClick(user, Qt::Key_Return);
    QTest::keyClicks(password, u"wrong"_s);
    QTest::keyClick(password, Qt::Key_Return);
    QTRY_VERIFY(part<QWidget>(*page, "registryLoginCard")->isVisible());
    QVERIFY(password->text().isEmpty());
    QVERIFY(table->values.isEmpty()); // nothing that was refused
    QVERIFY(password->hasFocus());
    QTest::keyClicks(password, u"hunter2"_s);
    // Meanwhile another image was typed: the login is for the registry that wanted it.
    part<QLineEdit>(*page, "imageField")->setText(u"docker://elsewhere.org/x:1"_s);
    QTest::keyClick(password, Qt::Key_Return);
    QTRY_VERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
    QTRY_COMPARE(RegistryLogins(secrets).registries(), QStringList{u"example.org"_s});
    QCOMPARE(QSet<QString>(registry->told.begin(), registry->told.end()),
        QSet<QString>{u"example.org"_s});
    QVERIFY(!part<QWidget>(*page, "registryLoginCard")->isVisible());
    page->lookAt(u"docker://example.org/private:2"_s); // with the kept one
    QTRY_COMPARE(text(*page, "imageTitle"), u"private 2"_s);
}

void TestImages::loginThatIsNotKept_isSaid()
{
    Rig rig;
    const auto registry = std::make_shared<FakeRegistry>();
    registry->login = "me:hunter2";
    ImagesPage* page = open(rig, registry);
    const auto table = std::make_shared<MemoryKeychain::Table>();
    table->refusal = Error{ErrorKind::Refused, u"It is locked."_s};
    rig.engine().secrets()->setKeychain(std::make_unique<MemoryKeychain>(table));
    page->lookAt(u"docker://example.org/private:1"_s);
    QTRY_VERIFY(part<QWidget>(*page, "registryLoginCard")->isVisible());
    part<QLineEdit>(*page, "registryUser")->setText(u"me"_s);
    part<QLineEdit>(*page, "registryPassword")->setText(u"hunter2"_s);
    QTest::mouseClick(part<QPushButton>(*page, "registryLogIn"), Qt::LeftButton);
    QTRY_VERIFY(part<QWidget>(*page, "inspectionCard")->isVisible());
    QTRY_VERIFY(text(*page, "registryLoginAdvice").contains(u"could not be kept"_s));
    QVERIFY(part<QWidget>(*page, "registryLoginCard")->isVisible());
}

void TestImages::keptLogins_areListedAndRemoved()
{
    Rig rig;
    ImagesPage* page = open(rig, std::make_shared<FakeRegistry>());
    SecretStore* const secrets = rig.engine().secrets();
    const auto table = std::make_shared<MemoryKeychain::Table>();
    secrets->setKeychain(std::make_unique<MemoryKeychain>(table));
    RegistryLogins logins(secrets);
    QVERIFY(awaited(logins.keep(u"nvcr.io"_s, {u"me"_s, u"hunter2"_s})).ok());
    QTest::mouseClick(part<QPushButton>(*page, "registryLoginsOpen"), Qt::LeftButton);
    auto* dialog = part<QDialog>(*page, "registryLogins");
    QVERIFY(dialog && dialog->isVisible());
    auto* remove = part<QPushButton>(*dialog, "registryLoginRemove");
    QVERIFY(remove);
    QCOMPARE(remove->accessibleName(), u"Remove the login for nvcr.io"_s);
    for (const QLabel* one : dialog->findChildren<QLabel*>()) {
        QVERIFY(!one->text().contains(u"hunter2"_s));
    }
    QTest::mouseClick(remove, Qt::LeftButton);
    QTRY_COMPARE(logins.registries(), QStringList());
    QTRY_VERIFY(!part<QPushButton>(*dialog, "registryLoginRemove"));
    QVERIFY(table->values.isEmpty());
    dialog->reject();
}

void TestImages::use_opensTheLaunchForm()
{
    Rig rig;
    ImagesPage* page = open(rig, std::make_shared<FakeRegistry>());
    page->selectSite(u"kestrel"_s);
    page->showInspection(sampleInspection());
    auto* use = part<QPushButton>(*page, "imageUse");
    QTRY_VERIFY(use->isVisible());
    use->setFocus();
    QTest::keyClick(use, Qt::Key_Return);
    QTRY_COMPARE(
        rig.window().findChild<QStackedWidget*>()->currentIndex(), int(MainWindow::LaunchIndex));
    const LaunchSpec& spec = rig.window().launchPage()->spec();
    QCOMPARE(spec.siteId, u"kestrel"_s);
    QCOMPARE(spec.recipeId, u"run-a-command"_s);
    QCOMPARE(spec.values.value(u"image"_s), u"docker://nvcr.io/nvidia/pytorch:25.09-py3"_s);
}

void TestImages::pull_asksAndLaunches()
{
    Rig rig;
    rig.setDemoRunning();
    ImagesPage* page = open(rig, std::make_shared<FakeRegistry>());
    rig.connectTo(u"demo"_s);
    page->selectSite(u"demo"_s);
    ImageInspection image = sampleInspection();
    image.siteId = u"demo"_s;
    page->showInspection(image);
    auto* pull = part<QPushButton>(*page, "imagePull");
    QTRY_VERIFY(pull->isVisible());
    QVERIFY2(pull->accessibleName().contains(u"pytorch"), qPrintable(pull->accessibleName()));
    // The window's launcher would submit it; here it is enough that it is asked.
    QObject::disconnect(page, &ImagesPage::launchRequested, nullptr, nullptr);
    QSignalSpy launches(page, &ImagesPage::launchRequested);
    QTest::mouseClick(pull, Qt::LeftButton);
    QTRY_VERIFY(page->findChild<Confirm*>());
    QVERIFY(launches.isEmpty());
    const auto* lines = page->findChild<Confirm*>()->findChild<QPlainTextEdit*>(u"confirmList"_s);
    for (const char* text : {"Image: docker://nvcr.io/nvidia/pytorch:25.09-py3", "Partition: ",
             "Time limit: ", "To download: ", "Where to: /scratch/mira/slipway/images"}) {
        QVERIFY2(
            lines->toPlainText().contains(QLatin1String(text)), qPrintable(lines->toPlainText()));
    }
    QTest::mouseClick(
        page->findChild<Confirm*>()->findChild<QPushButton*>(u"confirm"_s), Qt::LeftButton);
    QTRY_COMPARE(launches.size(), 1);
    const auto spec = launches.front().front().value<LaunchSpec>();
    QCOMPARE(spec.siteId, u"demo"_s);
    QCOMPARE(spec.recipeId, u"pull-image"_s);
    QCOMPARE(spec.values.value(u"image"_s), u"docker://nvcr.io/nvidia/pytorch:25.09-py3"_s);
}

void TestImages::pull_connectsFirst()
{
    Rig rig;
    ImagesPage* page = open(rig, std::make_shared<FakeRegistry>());
    QObject::disconnect(page, &ImagesPage::connectRequested, nullptr, nullptr);
    QSignalSpy connects(page, &ImagesPage::connectRequested);
    page->selectSite(u"demo"_s);
    ImageInspection image = sampleInspection();
    image.siteId = u"demo"_s;
    page->showInspection(image);
    auto* pull = part<QPushButton>(*page, "imagePull");
    QTRY_VERIFY(pull->isVisible());
    QTest::mouseClick(pull, Qt::LeftButton);
    QCOMPARE(connects.size(), 1);
    QCOMPARE(connects.front().front().toString(), u"demo"_s);
    QVERIFY(!page->findChild<Confirm*>());
}

void TestImages::connection_isOffered()
{
    Rig rig;
    ImagesPage* page = open(rig, std::make_shared<FakeRegistry>());
    QSignalSpy connects(page, &ImagesPage::connectRequested);
    page->selectSite(u"kestrel"_s);
    QCOMPARE(page->siteId(), u"kestrel"_s);
    auto* action = part<QPushButton>(*page, "storedAction");
    QTRY_VERIFY(action->isVisible());
    QCOMPARE(action->text(), u"Connect"_s);
    QTest::mouseClick(action, Qt::LeftButton);
    QCOMPARE(connects.count(), 1);
    QCOMPARE(connects.front().front().toString(), u"kestrel"_s);
    rig.connectTo(u"kestrel"_s);
    // Whatever the cluster answers, the card no longer says that it is not connected.
    QTRY_VERIFY(!text(*page, "storedState").startsWith(u"Not connected"_s));
    QVERIFY(text(*page, "storedTitle").endsWith(u"Kestrel"_s));
}

SLIPWAY_GUI_TEST(TestImages, gui_images)
#include "tst_images.moc"
