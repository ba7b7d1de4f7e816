// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/catalogue.h"
#include "app/images/imagecheck.h"
#include "app/images/newesttag.h"
#include "app/runs/runcontext.h"
#include "app/runs/runjson.h"
#include "app/sessions/sessions.h"
#include "tests/support/awaited.h"
#include "tests/support/paths.h"
#include "tests/support/tagtransport.h"
#include "tests/support/testmain.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace slipway;

namespace {

const QString kestrel = QStringLiteral("kestrel");

class NoConnector : public Connector {
public:
    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(ConnectTarget, Prompter*) override
    {
        co_return Error{ErrorKind::Network, QStringLiteral("no cluster")};
    }
};

ImageReference tagged(const char* tag)
{
    return *ImageReference::parse(QStringLiteral("example.org/demo/app:") + QLatin1String(tag));
}

} // namespace

/// What is remembered of images, with a registry that needs no network.
class TestImageCheck : public QObject {
    Q_OBJECT

private slots:
    void init();
    void disabled_asksNothing();
    void existing_isAskedOnce();
    void answer_isKeptForTenMinutes();
    void error_isKeptForOneMinute();
    void sameQuestion_isAskedOnceAtATime();
    void missing_namesTheNearestTags();
    void files_areNotAskedFor();
    void waiting_endsInTime();
    void newest_isTheFirstThatRuns();
    void newest_looksAtSixAtMost();
    void pin_namesTheDigestOrRefuses();
    void record_keepsDigestAndPins();

private:
    using State = ImageAnswer::State;
    ImageAnswer asked(const ImageReference& image)
    {
        return awaited(m_check->asked(kestrel, image, std::chrono::seconds(20)));
    }

    QTemporaryDir m_folder;
    NoConnector m_connector;
    std::unique_ptr<Catalogue> m_catalogue;
    std::unique_ptr<Sessions> m_sessions;
    std::unique_ptr<ImageInspector> m_inspector;
    std::unique_ptr<ImageCheck> m_check;
    std::shared_ptr<TagTransport> m_registry;
    QDateTime m_now;
};

void TestImageCheck::init()
{
    const QString resources = sourcePath(QStringLiteral("/resources"));
    m_check.reset();
    m_inspector.reset();
    m_sessions.reset();
    m_catalogue =
        std::make_unique<Catalogue>(resources, m_folder.filePath(QStringLiteral("config")));
    m_sessions =
        std::make_unique<Sessions>(&m_connector, m_catalogue.get(), resources + u"/demo-cluster");
    m_inspector = std::make_unique<ImageInspector>(m_catalogue.get(), m_sessions.get());
    m_registry = std::make_shared<TagTransport>();
    m_registry->cuda = {{QStringLiteral("1.0"), "12.1.0"}};
    m_inspector->setLocalTransport(m_registry);
    m_check = std::make_unique<ImageCheck>(m_inspector.get(), m_sessions.get());
    m_now = QDateTime({2026, 1, 2}, {3, 4}, Qt::UTC);
    m_check->setClock([this] { return m_now; });
    m_check->setEnabled(true);
}

void TestImageCheck::disabled_asksNothing()
{
    m_check->setEnabled(false);
    QCOMPARE(asked(tagged("1.0")).state, State::Unasked);
    QVERIFY(m_registry->asked.isEmpty());
}

void TestImageCheck::existing_isAskedOnce()
{
    const ImageAnswer answer = asked(tagged("1.0"));
    QCOMPARE(answer.state, State::Exists);
    QCOMPARE(answer.digest().toLatin1(), m_registry->digestOf(QStringLiteral("1.0")));
    QCOMPARE(m_check->digest(kestrel, tagged("1.0")), answer.digest());
    QVERIFY(m_check->digest(kestrel, tagged("2.0")).isEmpty());
    const qsizetype before = m_registry->asked.size();
    QCOMPARE(asked(tagged("1.0")).state, State::Exists);
    QCOMPARE(m_registry->asked.size(), before);
}

void TestImageCheck::answer_isKeptForTenMinutes()
{
    QCOMPARE(asked(tagged("1.0")).state, State::Exists);
    const qsizetype before = m_registry->asked.size();
    m_now = m_now.addSecs(599);
    QCOMPARE(m_check->answer(kestrel, tagged("1.0")).state, State::Exists);
    m_now = m_now.addSecs(2);
    QCOMPARE(m_check->answer(kestrel, tagged("1.0")).state, State::Unasked);
    QVERIFY(m_check->digest(kestrel, tagged("1.0")).isEmpty());
    QCOMPARE(asked(tagged("1.0")).state, State::Exists);
    QVERIFY(m_registry->asked.size() > before);
}

void TestImageCheck::error_isKeptForOneMinute()
{
    m_registry->error = Error{ErrorKind::Network, QStringLiteral("No network.")};
    const ImageAnswer answer = asked(tagged("1.0"));
    QCOMPARE(answer.state, State::Unreachable);
    QCOMPARE(answer.why, QStringLiteral("No network."));
    m_registry->error.reset();
    QCOMPARE(asked(tagged("1.0")).state, State::Unreachable);
    m_now = m_now.addSecs(61);
    QCOMPARE(asked(tagged("1.0")).state, State::Exists);
}

void TestImageCheck::sameQuestion_isAskedOnceAtATime()
{
    QSignalSpy changed(m_check.get(), &ImageCheck::changed);
    const ImageReference slow = *ImageReference::parse(QStringLiteral("example.org/demo/slow:1.0"));
    m_check->ask(kestrel, slow);
    m_check->ask(kestrel, slow);
    QCOMPARE(m_check->answer(kestrel, slow).state, State::Asking);
    QCOMPARE(m_registry->asked.size(), 1);
    m_registry->release();
    QTRY_COMPARE(m_check->answer(kestrel, slow).state, State::Exists);
    QCOMPARE(changed.size(), 2); // asked, answered
}

void TestImageCheck::missing_namesTheNearestTags()
{
    m_registry->cuda = {{QStringLiteral("1.0"), "12.1"}, {QStringLiteral("1.2"), "12.1"},
        {QStringLiteral("1.1-dev"), "12.1"}};
    const ImageAnswer answer = asked(tagged("1.99"));
    QCOMPARE(answer.state, State::Missing);
    QCOMPARE(answer.nearest, (QStringList{QStringLiteral("1.2"), QStringLiteral("1.0")}));
}

void TestImageCheck::files_areNotAskedFor()
{
    QCOMPARE(asked(*ImageReference::parse(QStringLiteral("/a.sif"))).state, State::File);
    QCOMPARE(asked(*ImageReference::parse(QStringLiteral("library://a/b/c:1"))).state, State::File);
    QVERIFY(m_registry->asked.isEmpty());
}

void TestImageCheck::waiting_endsInTime()
{
    const ImageReference slow = *ImageReference::parse(QStringLiteral("example.org/demo/slow:1.0"));
    const ImageAnswer late = awaited(m_check->asked(kestrel, slow, std::chrono::milliseconds(20)));
    QCOMPARE(late.state, State::Asking);
    m_registry->release();
    QTRY_COMPARE(m_check->answer(kestrel, slow).state, State::Exists);
}

void TestImageCheck::newest_isTheFirstThatRuns()
{
    m_registry->cuda = {{QStringLiteral("1.0"), "12.1.0"}, {QStringLiteral("2.0"), "12.4.0"},
        {QStringLiteral("3.0"), "99.0"}, {QStringLiteral("9.0-other"), "12.1"}};
    const auto newest = awaited(
        newestThatRuns(m_inspector.get(), kestrel, tagged("1.0"), QStringLiteral("gpu-h100")));
    QVERIFY(newest.ok());
    QVERIFY(newest->image);
    QCOMPARE(newest->image->tag, QStringLiteral("2.0"));
    QCOMPARE(newest->lookedAt, (QStringList{QStringLiteral("3.0"), QStringLiteral("2.0")}));
    QCOMPARE(newest->partition, QStringLiteral("gpu-h100"));
    QVERIFY2(newest->words().contains(u"2.0"), qPrintable(newest->words()));
}

void TestImageCheck::newest_looksAtSixAtMost()
{
    m_registry->cuda.clear();
    for (int i = 1; i < 20; ++i)
        m_registry->cuda.insert(QStringLiteral("%1.0").arg(i), "99.0");
    const auto newest = awaited(
        newestThatRuns(m_inspector.get(), kestrel, tagged("1.0"), QStringLiteral("gpu-h100")));
    QVERIFY(newest.ok());
    QVERIFY(!newest->image);
    QCOMPARE(newest->lookedAt.size(), 6);
    QCOMPARE(newest->lookedAt.first(), QStringLiteral("19.0"));
}

void TestImageCheck::pin_namesTheDigestOrRefuses()
{
    RunContext context;
    context.catalogue = m_catalogue.get();
    context.sessions = m_sessions.get();
    context.registryDigest = [this](const QString& siteId, const ImageReference& image) {
        return m_check->digest(siteId, image);
    };
    LaunchSpec spec;
    spec.siteId = kestrel;
    spec.recipeId = QStringLiteral("run-a-command");
    spec.values = {{QStringLiteral("image"), tagged("1.0").text()},
        {QStringLiteral("command"), QStringLiteral("true")},
        {QStringLiteral("pin"), QStringLiteral("true")}};
    const auto isRefused = [](const Plan& plan) {
        return std::any_of(plan.problems.begin(), plan.problems.end(), [](const Problem& one) {
            return one.field == u"pin" && one.severity == Problem::Severity::Error;
        });
    };
    QVERIFY(isRefused(context.plan(spec)));
    QCOMPARE(asked(tagged("1.0")).state, State::Exists);
    const Plan plan = context.plan(spec);
    QVERIFY(!isRefused(plan));
    const QByteArray digest = m_registry->digestOf(QStringLiteral("1.0"));
    const QByteArray pinned = "docker://example.org/demo/app@" + digest;
    QVERIFY(renderScript(plan).contains(pinned));
    QCOMPARE(plan.spec.pins.value(tagged("1.0").text()).toLatin1(), digest);
    // What was pinned stays, whatever the registry says later.
    context.registryDigest = [](const QString&, const ImageReference&) {
        return u"sha256:" + QString(64, u'0');
    };
    QVERIFY(renderScript(context.plan(plan.spec)).contains(digest));
}

void TestImageCheck::record_keepsDigestAndPins()
{
    Run run;
    run.id = QStringLiteral("k3f9");
    run.registryDigest = u"sha256:" + QString(64, u'a');
    run.spec.pins.insert(QStringLiteral("docker://a/b:1"), run.registryDigest);
    const auto read = runFromJson(runToJson(run));
    QVERIFY(read.ok());
    QCOMPARE(read->registryDigest, run.registryDigest);
    QCOMPARE(read->spec.pins, run.spec.pins);
}

SLIPWAY_TEST(TestImageCheck, images_imagecheck)
#include "tst_imagecheck.moc"
