// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/tagtransport.h"
#include "tests/support/testmain.h"
#include "ui/images/imagespage.h"
#include "ui/launch/imagelines.h"
#include "ui/launch/launchpage.h"

#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// What the launch page says of its image, and what a launch with a bad one asks first; with a
/// registry that needs no network.
class TestImageLines : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void init();
    void cleanup();
    void switchedOff_asksAndSaysNothing();
    void tick_comesFromTheRegistryOnly();
    void missingTag_offersTheNearest();
    void unreachableRegistry_isUnknown();
    void inspect_opensThePageOfImages();
    void badImage_isAskedAboutBeforeTheLaunch();
    void newestTag_isOfferedOnTheImagesPage();

private:
    LaunchPage* open(const QString& siteId, const QString& image);
    QString sentence() const;
    QString standing() const;

    std::unique_ptr<Rig> m_rig;
    std::shared_ptr<TagTransport> m_registry;
};

void TestImageLines::init()
{
    m_rig = std::make_unique<Rig>();
    m_registry = std::make_shared<TagTransport>();
    m_registry->cuda = {{u"1.0"_s, "12.1.0"}, {u"3.0"_s, "99.0"}};
}

void TestImageLines::cleanup()
{
    QTest::qWait(10); // coroutines that waited for the far side end here
    m_rig.reset();
}

LaunchPage* TestImageLines::open(const QString& siteId, const QString& image)
{
    m_rig->start();
    m_rig->engine().imageInspector()->setLocalTransport(m_registry);
    m_rig->engine().imageCheck()->setEnabled(true);
    LaunchSpec spec;
    spec.siteId = siteId;
    spec.recipeId = u"run-a-command"_s;
    spec.values = {{u"image"_s, image}, {u"command"_s, u"true"_s}, {u"gpus"_s, u"1"_s}};
    if (siteId == u"kestrel"_s) {
        spec.values.insert(u"partition"_s, u"gpu-h100"_s);
    }
    LaunchPage* page = m_rig->window().launchPage();
    page->load(spec);
    m_rig->window().showPage(MainWindow::LaunchIndex);
    return page;
}

QString TestImageLines::sentence() const
{
    const auto* label = m_rig->find<QLabel>("imageSentence");
    return label ? label->text() : QString();
}

QString TestImageLines::standing() const
{
    const auto* row = m_rig->find<QWidget>("imageLine");
    return row ? row->property("standing").toString() : QString();
}

void TestImageLines::switchedOff_asksAndSaysNothing()
{
    m_rig->start();
    m_rig->engine().imageInspector()->setLocalTransport(m_registry);
    QVERIFY(!m_rig->engine().imageCheck()->isEnabled());
    m_rig->window().launchPage()->selectRecipe(u"run-a-command"_s);
    m_rig->window().showPage(MainWindow::LaunchIndex);
    QTest::qWait(900); // longer than the page waits before it asks
    QVERIFY(m_registry->asked.isEmpty());
    QVERIFY(!m_rig->find<ImageLines>("imageLines")->isVisible());
}

void TestImageLines::tick_comesFromTheRegistryOnly()
{
    open(u"kestrel"_s, u"docker://example.org/demo/slow:1.0"_s);
    QCOMPARE(standing(), u"unknown"_s);
    QTRY_VERIFY2(sentence().contains(u"Asking"_s), qPrintable(sentence()));
    QCOMPARE(standing(), u"unknown"_s);
    QVERIFY(m_rig->find<QLabel>("note-image")->text().contains(u"not checked"_s));
    m_registry->release();
    QTRY_COMPARE(standing(), u"ok"_s);
    QVERIFY2(sentence().contains(u"gpu-h100"_s) && sentence().contains(u"12.1"_s),
        qPrintable(sentence()));
    QVERIFY(!m_rig->find<QLabel>("note-image")->text().contains(u"not checked"_s));
}

void TestImageLines::missingTag_offersTheNearest()
{
    LaunchPage* page = open(u"kestrel"_s, u"docker://example.org/demo/app:1.7"_s);
    QTRY_COMPARE(standing(), u"error"_s);
    auto* use = m_rig->find<QPushButton>("useNearest");
    QVERIFY(use);
    QCOMPARE(use->text(), u"Use app:1.0"_s);
    QTest::mouseClick(use, Qt::LeftButton);
    QCOMPARE(page->spec().values.value(u"image"_s), u"docker://example.org/demo/app:1.0"_s);
    QTRY_COMPARE(standing(), u"ok"_s);
}

void TestImageLines::unreachableRegistry_isUnknown()
{
    m_registry->error = Error{ErrorKind::Network, u"There is no network."_s};
    open(u"kestrel"_s, u"docker://example.org/demo/app:1.0"_s);
    QTRY_VERIFY2(sentence().contains(u"There is no network."_s), qPrintable(sentence()));
    QCOMPARE(standing(), u"unknown"_s);
    QVERIFY(m_rig->find<ImageLines>("imageLines")->objections().isEmpty());
}

void TestImageLines::inspect_opensThePageOfImages()
{
    open(u"kestrel"_s, u"docker://example.org/demo/app:1.0"_s);
    QTRY_COMPARE(standing(), u"ok"_s);
    QTest::mouseClick(m_rig->find<QPushButton>("inspectImage"), Qt::LeftButton);
    QTRY_VERIFY(m_rig->window().imagesPage()->isVisible());
    QCOMPARE(m_rig->window().imagesPage()->siteId(), u"kestrel"_s);
    QTRY_VERIFY(m_rig->find<QWidget>("inspectionCard")->isVisible());
}

void TestImageLines::badImage_isAskedAboutBeforeTheLaunch()
{
    m_rig->setDemoRunning();
    m_rig->connector().shell = StubConnector::launchingShell();
    LaunchPage* page = open(u"demo"_s, u"docker://example.org/demo/app:1.7"_s);
    m_rig->connectTo(u"demo"_s);
    page->planNow();
    QTRY_COMPARE(standing(), u"error"_s);
    auto* launch = m_rig->find<QPushButton>("launch");
    QTRY_VERIFY(launch->isEnabled());
    QTest::mouseClick(launch, Qt::LeftButton);
    QTRY_VERIFY(m_rig->find<QDialog>("confirmImages"));
    QVERIFY(m_rig->engine().runs()->all().empty());
    auto* question = m_rig->find<QDialog>("confirmImages");
    QTest::mouseClick(question->findChild<QPushButton*>(u"confirm"_s), Qt::LeftButton);
    QTRY_COMPARE(m_rig->engine().runs()->all().size(), size_t(1));
}

void TestImageLines::newestTag_isOfferedOnTheImagesPage()
{
    m_rig->start();
    m_rig->engine().imageInspector()->setLocalTransport(m_registry);
    ImagesPage* page = m_rig->window().imagesPage();
    page->selectSite(u"kestrel"_s);
    m_rig->window().showPage(MainWindow::ImagesIndex);
    page->lookAt(u"docker://example.org/demo/app:1.7"_s);
    auto* use = page->findChild<QPushButton*>(u"useNewest"_s);
    QVERIFY(use);
    QTRY_VERIFY(use->isVisible());
    QCOMPARE(use->text(), u"Look at 1.0"_s);
    QTest::mouseClick(use, Qt::LeftButton);
    QTRY_VERIFY(m_rig->find<QWidget>("inspectionCard")->isVisible());
    QVERIFY(!use->isVisible());
}

SLIPWAY_GUI_TEST(TestImageLines, gui_imagelines)
#include "tst_imagelines.moc"
