// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/awaited.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/support/totp.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace slipway;

/// The demo cluster emulating one site after the other; on each, the main workflows go through the
/// same submit path as at the centre itself: the single-GPU one (on its CPU lanes: there is no GPU
/// here), one of the CPU alone, and MPI over two nodes.
class TestEverySite : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void workflows_run_data();
    void workflows_run();

private:
    static QMap<QString, QString> tinyProduct();
    QString launched(Engine& engine, const char* recipe, const QMap<QString, QString>& values);

    DemoClusterFixture m_cluster;
};

void TestEverySite::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    // The large image is pulled once, plain: most of these sites keep their images elsewhere, and
    // the two small ones show the pull at each.
    const auto engine = m_cluster.engine();
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &m_cluster.prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
    const QString id = launched(*engine, "matmul-scaling", tinyProduct());
    QVERIFY(!id.isEmpty());
    QVERIFY2(waitForEnd(*engine, id, 600), qPrintable(engine->runs()->run(id)->sentence));
    QVERIFY2(engine->runs()->run(id)->phase == RunPhase::Done,
        qPrintable(engine->runs()->run(id)->sentence));
}

QMap<QString, QString> TestEverySite::tinyProduct()
{
    return {{QStringLiteral("lanes"), QStringLiteral("cpu-1")},
        {QStringLiteral("sizes"), QStringLiteral("64,128")},
        {QStringLiteral("repeats"), QStringLiteral("2")}};
}

void TestEverySite::cleanupTestCase()
{
    const auto plain = m_cluster.emulate({});
    QVERIFY2(plain.code == 0, plain.out.constData());
}

void TestEverySite::workflows_run_data()
{
    QTest::addColumn<QString>("site");
    const QDir folder(slipway::sourcePath(QStringLiteral("/resources/sites/emulate")));
    for (const QString& file :
        folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name))
        QTest::newRow(file.section(u'.', 0, 0).toUtf8()) << file.section(u'.', 0, 0);
    QVERIFY(folder.entryList({QStringLiteral("*.json")}, QDir::Files).size() >= 11);
}

QString TestEverySite::launched(
    Engine& engine, const char* recipe, const QMap<QString, QString>& values)
{
    LaunchSpec spec{
        QStringLiteral("demo"), QString::fromUtf8(recipe), LaunchMode::Batch, values, {}};
    const auto id = awaited(engine.runs()->launch(spec));
    if (!id.ok())
        qWarning().noquote() << recipe << id.error().text();
    return id.ok() ? *id : QString();
}

void TestEverySite::workflows_run()
{
    QFETCH(QString, site);
    const auto emulated = m_cluster.emulate(site);
    QVERIFY2(emulated.code == 0, emulated.out.constData());
    QCOMPARE(m_cluster.connection().value(u"emulates").toString(), site);

    const QString secretFile =
        m_cluster.connection().value(u"login").toObject().value(u"totp_secret_file").toString();
    QFile secret(secretFile);
    ListPrompter prompter;
    prompter.answers = {{m_cluster.password()}};
    if (!secretFile.isEmpty() && secret.open(QIODevice::ReadOnly))
        prompter.answers.append({totpCode(secret.readAll().trimmed())});
    const auto engine = m_cluster.engine(m_cluster.home() + u"/data-" + site);
    const auto connected =
        awaited(engine->sessions()->connectSite(QStringLiteral("demo"), &prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));

    const QString mpi = launched(*engine, "pi-nodes",
        {{QStringLiteral("nodes"), QStringLiteral("2")},
            {QStringLiteral("samples"), QStringLiteral("20000")}});
    QMap<QString, QString> product = tinyProduct();
    product.insert(QStringLiteral("image"),
        QStringLiteral("/scratch/demo/slipway/images/login_5000/demo/pytorch_2.6.sif"));
    const QString gpu = launched(*engine, "matmul-scaling", product);
    const QString cpu = launched(*engine, "run-a-command",
        {{QStringLiteral("command"), QStringLiteral("python3 -c 'print(\"step 1 loss 0.5\")'")}});
    const QList<std::pair<QString, QString>> wanted{{mpi, QStringLiteral("seconds")},
        {gpu, QStringLiteral("flops")}, {cpu, QStringLiteral("loss")}};
    for (const auto& [id, series] : wanted) {
        QVERIFY(!id.isEmpty());
        QVERIFY2(waitForEnd(*engine, id, 300), qPrintable(engine->runs()->run(id)->sentence));
        const Run run = *engine->runs()->run(id);
        RunFeed* const feed = engine->runs()->feed(id);
        if (run.phase != RunPhase::Done) // what it printed belongs into the message
            Q_UNUSED(QTest::qWaitFor([feed] { return feed->lines().size() > 4; }, 5000));
        QVERIFY2(run.phase == RunPhase::Done,
            qPrintable(run.title + u": " + run.sentence + u'\n' + feed->lines().join(u'\n')));
        const auto found = [&feed = *feed, &series = series] {
            for (const auto& one : feed.series().all()) {
                if (one->series() == series)
                    return true;
            }
            return false;
        };
        QTRY_VERIFY2(
            found(), qPrintable(run.title + u": no " + series + u'\n' + feed->lines().join(u'\n')));
    }
    // Two ranks that found each other, not two that counted alone.
    const auto isSeconds = [](const auto& one) {
        return one->series() == QStringLiteral("seconds");
    };
    const auto& all = engine->runs()->feed(mpi)->series().all();
    const auto seconds = std::find_if(all.begin(), all.end(), isSeconds);
    QVERIFY2((*seconds)->at(0).x >= 2, qPrintable(engine->runs()->feed(mpi)->lines().join(u'\n')));
}

SLIPWAY_TEST(TestEverySite, cluster_everysite)
#include "tst_everysite.moc"
