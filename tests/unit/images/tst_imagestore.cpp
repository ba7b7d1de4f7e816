// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagestore.h"
#include "app/runs/runs.h"
#include "app/runs/runstore.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/listprompter.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/unit/cluster/fakeslurm.h"
#include "tests/unit/images/localsite.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

namespace {

/// A connector into this computer.
class HereConnector : public Connector {
public:
    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(ConnectTarget, Prompter*) override
    {
        std::shared_ptr<Shell> shell = std::make_shared<LocalShell>();
        co_return shell;
    }
};

const QString siteId = QStringLiteral("here");
const QString pythonFile = QStringLiteral("login_5000/demo/python_3.13.sif");

} // namespace

/// Images and caches of a site with a run in the list, where this computer is the cluster and
/// scripts are its scheduler.
class TestImageStore : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void list_namesOriginAndRuns();
    void missingConnection_isAnError();
    void remove_deletesAndSaysWhatIsNotThere();
    void remove_leavesWhatAJobMayUse();
    void caches_areClearedUnlessAJobRuns();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    QString image(const QString& name) const { return path(u"scratch/slipway/images/" + name); }
    void writeRun() const;
    bool connectHere();

    QByteArray m_home;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeSlurm> m_slurm;
    HereConnector m_connector;
    ListPrompter m_prompter;
    std::unique_ptr<Catalogue> m_catalogue;
    std::unique_ptr<Sessions> m_sessions;
    std::unique_ptr<Runs> m_runs;
    std::unique_ptr<ImageStore> m_store;
};

void TestImageStore::init()
{
    m_home = qgetenv("HOME");
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QDir().mkpath(path(QStringLiteral("home")));
    qputenv("HOME", path(QStringLiteral("home")).toUtf8());
    for (const char* name :
        {"APPTAINER_CACHEDIR", "SINGULARITY_CACHEDIR", "ENROOT_CACHE_PATH", "XDG_CACHE_HOME"})
        qunsetenv(name);
    m_slurm = std::make_unique<FakeSlurm>();
    m_slurm->program("scontrol", "echo slurm 24.11.5\n");
    putLocalSite(path(QStringLiteral("config")), siteId, path(QStringLiteral("scratch")),
        {{QStringLiteral("purge_days"), 10}});
    writeRun();
    const QString resources = sourcePath(QStringLiteral("/resources"));
    m_catalogue = std::make_unique<Catalogue>(resources, path(QStringLiteral("config")));
    m_sessions =
        std::make_unique<Sessions>(&m_connector, m_catalogue.get(), resources + u"/demo-cluster");
    m_runs = std::make_unique<Runs>(RunContext{m_catalogue.get(), m_sessions.get(),
        std::make_shared<HintSource>(resources, QString()), path(QStringLiteral("data"))});
    m_store = std::make_unique<ImageStore>(m_catalogue.get(), m_sessions.get(), m_runs.get());
    QVERIFY(m_catalogue->site(siteId));
    putFile(image(pythonFile), QByteArray(5000, 'x'));
    putFile(image(QStringLiteral("mine.sif")), QByteArray(300, 'x'));
}

void TestImageStore::cleanup()
{
    m_store.reset();
    m_runs.reset();
    m_sessions.reset();
    m_catalogue.reset();
    m_slurm.reset();
    qputenv("HOME", m_home);
}

void TestImageStore::writeRun() const
{
    QDir().mkpath(path(QStringLiteral("data")));
    RunStore store(path(QStringLiteral("data/runs.sqlite")));
    QVERIFY(store.open().ok());
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QStringLiteral("tag");
    run.spec.siteId = siteId;
    run.spec.recipeId = QStringLiteral("run-a-command");
    run.spec.values.insert(
        QStringLiteral("image"), QStringLiteral("docker://login:5000/demo/python:3.13"));
    run.spec.values.insert(QStringLiteral("command"), QStringLiteral("true"));
    run.phase = RunPhase::Done;
    run.created = run.started = run.ended = QDateTime::currentDateTime();
    QVERIFY(store.insert(run).ok());
}

bool TestImageStore::connectHere()
{
    const auto connected = awaited(m_sessions->connectSite(siteId, &m_prompter));
    if (!connected.ok())
        qWarning().noquote() << connected.error().text();
    return connected.ok();
}

void TestImageStore::list_namesOriginAndRuns()
{
    QVERIFY(connectHere());
    const auto list = awaited(m_store->list(siteId));
    QVERIFY2(list.ok(), list.ok() ? "" : list.error().text().toUtf8().constData());
    QCOMPARE(list->images.size(), size_t(2));
    const StoredImage& pulled = list->images[0];
    QCOMPARE(pulled.path, image(pythonFile));
    QCOMPARE(pulled.from, QStringLiteral("docker://login:5000/demo/python:3.13"));
    QCOMPARE(pulled.runs, QStringList{QStringLiteral("k3f9")});
    QVERIFY(!pulled.inUse && pulled.deletedOn
        && *pulled.deletedOn >= pulled.modified.date().addDays(10));
    const StoredImage& mine = list->images[1];
    QVERIFY(mine.from.isEmpty() && mine.runs.isEmpty());
}

void TestImageStore::missingConnection_isAnError()
{
    QVERIFY(!awaited(m_store->list(siteId)).ok());
    QVERIFY(!awaited(m_store->remove(siteId, {image(pythonFile)})).ok());
    QVERIFY(!awaited(m_store->clearCaches(siteId)).ok());
    QVERIFY(!awaited(m_store->list(QStringLiteral("nowhere"))).ok());
    QVERIFY(QFile::exists(image(pythonFile)));
}

void TestImageStore::remove_deletesAndSaysWhatIsNotThere()
{
    putFile(path(QStringLiteral("scratch/other.sif")), "x");
    QVERIFY(connectHere());
    const QStringList wanted{image(pythonFile), image(QStringLiteral("gone.sif")),
        path(QStringLiteral("scratch/other.sif")), image(pythonFile)};
    const auto removed = awaited(m_store->remove(siteId, wanted));
    QVERIFY2(removed.ok(), removed.ok() ? "" : removed.error().text().toUtf8().constData());
    QCOMPARE(removed->gone, QStringList{image(pythonFile)});
    QCOMPARE(removed->bytes, qint64(5000));
    QCOMPARE(removed->left, (QStringList{wanted[1], wanted[2]}));
    QCOMPARE(removed->whyLeft,
        (QStringList{QStringLiteral("it is not there"), QStringLiteral("it is not there")}));
    QVERIFY(!QFile::exists(image(pythonFile)) && QFile::exists(wanted[2]));
    const auto list = awaited(m_store->list(siteId));
    QVERIFY(list.ok() && list->images.size() == 1);
}

/// A job that is in no list here may use any image.
void TestImageStore::remove_leavesWhatAJobMayUse()
{
    QVERIFY(connectHere());
    m_slurm->queue("77|R|slipway:other-tag|/nowhere\n");
    const auto removed =
        awaited(m_store->remove(siteId, {image(pythonFile), image(QStringLiteral("mine.sif"))}));
    QVERIFY2(removed.ok(), removed.ok() ? "" : removed.error().text().toUtf8().constData());
    QVERIFY(removed->gone.isEmpty() && removed->bytes == 0);
    QCOMPARE(removed->left.size(), 2);
    QVERIFY(removed->whyLeft[0].contains(u"a job that has not ended"));
    QVERIFY(QFile::exists(image(pythonFile)));
    // A scheduler that does not answer is not one without jobs.
    putFile(m_slurm->queueFile() + u".down", {});
    QVERIFY(!awaited(m_store->remove(siteId, {image(pythonFile)})).ok());
    QVERIFY(QFile::exists(image(pythonFile)));
}

void TestImageStore::caches_areClearedUnlessAJobRuns()
{
    const QString layer = path(QStringLiteral("scratch/slipway/cache/cache/blob/layer"));
    putFile(layer, QByteArray(100'000, 'x'));
    QVERIFY(connectHere());
    const auto freed = awaited(m_store->clearCaches(siteId));
    QVERIFY2(freed.ok(), freed.ok() ? "" : freed.error().text().toUtf8().constData());
    QVERIFY(*freed > 0 && !QFile::exists(layer));
    putFile(layer, "x");
    m_slurm->queue("77|R|slipway:other-tag|/nowhere\n");
    const auto refused = awaited(m_store->clearCaches(siteId));
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Refused);
    QVERIFY(QFile::exists(layer));
}

SLIPWAY_TEST(TestImageStore, images_imagestore)
#include "tst_imagestore.moc"
