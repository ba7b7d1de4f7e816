// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/runhandle.h"
#include "app/runs/runsecrets.h"
#include "app/runs/runstore.h"
#include "remote/cluster/runfolder.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/testmain.h"
#include "tests/unit/runs/playedcluster.h"

#include <QDirIterator>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

namespace {

const QByteArray secretText = "hf_distinctive'\"$(id)";
const char* const secretMark = "distinctive"; ///< what must be in nothing but secrets.env

/// A LocalShell that remembers what would be seen in a list of processes.
class ListeningShell : public LocalShell {
public:
    std::unique_ptr<Process> start(Invocation invocation) override
    {
        scripts << invocation.script;
        return LocalShell::start(std::move(invocation));
    }
    QList<QByteArray> scripts;
};

} // namespace

/// The secrets of a launch: where their values come from, and that they are in one file only.
class TestRunSecrets : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void file_isReadByTheShellAsItWas();
    void file_refusesWhatIsNoVariable();
    void file_hasAnotherChecksumEachTime();
    void value_isInNoOtherFileAndNoScript();
    void environment_isUsedWithoutAKeychain();
    void missingSecret_refusesTheLaunch();
    void refusedJob_leavesNoSecrets();
    void endOfTheRun_removesSecrets();
    void upload_isOnStandardInputOnly();
    void folder_neverListsThem();
    void folder_isRidOfThemAtTheEnd();
    void local_neverKeepsThem();

private:
    Plan plan() const;
    Result<void> begin(const PlayedCluster& side);
    QByteArray sent(const PlayedCluster& side) const
    {
        return side.shell->file(m_launch->run().folder + u"/secrets.env");
    }
    /// Files of this computer and scripts there that contain the value; empty: none does.
    QStringList leaks(const PlayedCluster& side);

    QByteArray m_state = "PD";
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MemoryKeychain::Table> m_table;
    std::unique_ptr<SecretStore> m_secrets;
    std::unique_ptr<RunStore> m_store;
    std::unique_ptr<RunHandle> m_launch;
};

void TestRunSecrets::init()
{
    m_state = "PD";
    m_folder = std::make_unique<QTemporaryDir>();
    m_table = std::make_shared<MemoryKeychain::Table>();
    m_secrets = std::make_unique<SecretStore>(m_folder->filePath(QStringLiteral("config")));
    m_secrets->setKeychain(std::make_unique<MemoryKeychain>(m_table));
    m_store = std::make_unique<RunStore>(m_folder->filePath(QStringLiteral("runs.sqlite")));
    QVERIFY(m_store->open().ok());
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QString::fromLatin1(playedTag);
    run.spec.siteId = QStringLiteral("s");
    run.spec.recipeId = QStringLiteral("r");
    run.spec.values.insert(QStringLiteral("secrets"), QStringLiteral("HF_TOKEN"));
    run.created = QDateTime::currentDateTime();
    QVERIFY(m_store->insert(run).ok());
    m_launch = std::make_unique<RunHandle>(
        run, m_folder->filePath(QStringLiteral("runs/k3f9")), m_store.get(), QStringList());
    m_launch->useSecrets(m_secrets.get());
}

void TestRunSecrets::cleanup()
{
    qunsetenv("HF_TOKEN");
    m_launch.reset();
    m_store.reset();
    QTest::qWait(10); // coroutines that waited for the far side end here
}

Plan TestRunSecrets::plan() const
{
    Plan plan;
    plan.spec = m_launch->run().spec;
    plan.values = plan.spec.values;
    plan.tag = QString::fromLatin1(playedTag);
    plan.steps = {{QStringLiteral("run"), QStringLiteral("Run"), QStringLiteral("running"), {},
        "true\n", {}, false, RecipeStep::Expect::Success}};
    return plan;
}

Result<void> TestRunSecrets::begin(const PlayedCluster& side)
{
    return awaited(m_launch->begin(plan(), side.cluster, QStringLiteral("/scratch/me")));
}

QStringList TestRunSecrets::leaks(const PlayedCluster& side)
{
    QStringList found;
    QDirIterator files(m_folder->path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        if (contentOf(file).contains(secretMark) || QFileInfo(file).fileName() == u"secrets.env")
            found << file;
    }
    for (const QByteArray& script : side.shell->scripts()) {
        if (script.contains(secretMark) || script.contains(secretText.toBase64()))
            found << QString::fromUtf8(script);
    }
    for (const char* name : {"job.sh", "slipway.sh", "env.sh"}) {
        if (side.shell->file(m_launch->run().folder + u'/' + QLatin1String(name))
                .contains(secretMark))
            found << QLatin1String(name);
    }
    return found;
}

void TestRunSecrets::file_isReadByTheShellAsItWas()
{
    const QByteArray hard = "a'b\"c$HOME`id`\\ \xe6\xbc\xa2 #x";
    const auto file =
        secretsFile({{QStringLiteral("HF_TOKEN"), hard}, {QStringLiteral("X"), "'"}}, "salt");
    QVERIFY(file.ok());
    QCOMPARE(file->name, QStringLiteral("secrets.env"));
    QCOMPARE(file->mode, 0600);
    const QString path = m_folder->filePath(QStringLiteral("secrets.env"));
    putFile(path, file->bytes);
    QProcess shell;
    shell.start(QStringLiteral("bash"),
        {QStringLiteral("-c"),
            QStringLiteral(". \"$1\"; sh -c 'printf \"%s|%s\" \"$HF_TOKEN\" \"$X\"'"),
            QStringLiteral("bash"), path});
    QVERIFY(shell.waitForFinished());
    QCOMPARE(shell.readAllStandardOutput(), hard + "|'");
}

void TestRunSecrets::file_refusesWhatIsNoVariable()
{
    for (const QByteArray& value :
        {QByteArray("distinctive\nb"), QByteArray("distinctive\0b", 13)}) {
        const auto file = secretsFile({{QStringLiteral("HF_TOKEN"), value}}, {});
        QVERIFY(!file.ok());
        QVERIFY(file.error().summary.contains(u"HF_TOKEN"));
        QVERIFY(!file.error().text().contains(QLatin1String(secretMark)));
    }
    QVERIFY(!secretsFile({{QStringLiteral("LD_PRELOAD"), "x"}}, {}).ok());
    QVERIFY(!secretsFile({{QStringLiteral("A;id"), "x"}}, {}).ok());
}

void TestRunSecrets::file_hasAnotherChecksumEachTime()
{
    QVERIFY(awaited(m_secrets->keep(QStringLiteral("HF_TOKEN"), secretText)).ok());
    const PlayedCluster there(&m_state);
    RunFlow flow;
    flow.secrets = m_secrets.get();
    flow.cluster = there.cluster;
    const auto first = awaited(readSecrets(flow, plan()));
    const auto second = awaited(readSecrets(flow, plan()));
    QVERIFY(first.ok() && second.ok() && *first && *second);
    QVERIFY((*first)->bytes.contains(secretMark));
    QVERIFY((*first)->bytes != (*second)->bytes);
}

void TestRunSecrets::value_isInNoOtherFileAndNoScript()
{
    QVERIFY(awaited(m_secrets->keep(QStringLiteral("HF_TOKEN"), secretText)).ok());
    const PlayedCluster there(&m_state);
    QVERIFY(begin(there).ok());
    QVERIFY(sent(there).contains(secretMark));
    QCOMPARE(there.shell->fileMode(m_launch->run().folder + u"/secrets.env"), 0600);
    QVERIFY(there.shell->file(m_launch->run().folder + u"/job.sh")
                .contains("\nread_secrets HF_TOKEN || exit\n"));
    QCOMPARE(leaks(there), QStringList());
}

void TestRunSecrets::environment_isUsedWithoutAKeychain()
{
    m_table->refusal = Error{ErrorKind::Unsupported, QStringLiteral("No keychain")};
    qputenv("HF_TOKEN", secretText);
    const PlayedCluster there(&m_state);
    QVERIFY(begin(there).ok());
    QVERIFY(sent(there).contains(secretMark));
    QCOMPARE(leaks(there), QStringList());
}

void TestRunSecrets::missingSecret_refusesTheLaunch()
{
    const PlayedCluster there(&m_state);
    const auto begun = begin(there);
    QVERIFY(!begun.ok());
    QVERIFY2(begun.error().text().contains(u"HF_TOKEN")
            && begun.error().text().contains(u"slipway-cli secret set HF_TOKEN"),
        begun.error().text().toUtf8());
    QVERIFY(isTerminal(m_launch->run().phase));
    QCOMPARE(there.shell->count("sbatch --parsable"), 0);
    QVERIFY(!there.shell->hasFile(m_launch->run().folder + u"/job.sh"));
}

void TestRunSecrets::refusedJob_leavesNoSecrets()
{
    QVERIFY(awaited(m_secrets->keep(QStringLiteral("HF_TOKEN"), secretText)).ok());
    const PlayedCluster there(&m_state);
    there.shell->failWrites({ErrorKind::DiskFull, QStringLiteral("The disk is full.")});
    const auto begun = begin(there);
    QVERIFY(!begun.ok());
    QVERIFY(!begun.error().text().contains(QLatin1String(secretMark)));
    QCOMPARE(there.shell->count("rm -f -- secrets.env"), 1);
    QCOMPARE(leaks(there), QStringList());
}

void TestRunSecrets::endOfTheRun_removesSecrets()
{
    QVERIFY(awaited(m_secrets->keep(QStringLiteral("HF_TOKEN"), secretText)).ok());
    const PlayedCluster there(&m_state);
    connect(there.cluster->watcher(), &JobWatcher::events, m_launch.get(),
        [this](const std::vector<JobEvent>& events) {
            for (const JobEvent& event : events)
                m_launch->onJobEvent(event);
        });
    QVERIFY(begin(there).ok());
    QCOMPARE(there.shell->count("rm -f -- secrets.env"), 0);
    there.shell->on("exit.json", {0, "{\"code\":0,\"t\":1}", {}});
    m_state = "CD"; // without having been seen running, as after a cancel in the queue
    QTRY_VERIFY_WITH_TIMEOUT(isTerminal(m_launch->run().phase), 15000);
    QVERIFY(there.shell->count("rm -f -- secrets.env") > 0);
    QCOMPARE(leaks(there), QStringList());
}

void TestRunSecrets::upload_isOnStandardInputOnly()
{
    ListeningShell shell;
    const QString path = m_folder->filePath(QStringLiteral("secrets.env"));
    const auto written = awaited(shell.writeFile(path, "export HF_TOKEN='" + secretText + "'\n"));
    QVERIFY(written.ok());
    QVERIFY(contentOf(path).contains(secretMark));
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(!(QFile::permissions(path) & others));
    QVERIFY(!shell.scripts.isEmpty());
    for (const QByteArray& script : shell.scripts) {
        QVERIFY(!script.contains(secretMark));
        // mktemp makes a file that only its owner can read, whatever the umask is.
        QVERIFY(script.contains("mktemp"));
    }
}

void TestRunSecrets::folder_neverListsThem()
{
    const QString path = m_folder->filePath(QStringLiteral("run"));
    for (const char* name : {"secrets.env", "registry.env", "secrets.env.Ab12Cd",
             "registry.enroot/.credentials", "job.sh", "code/secrets.env"})
        putFile(path + u'/' + QLatin1String(name), "x");
    const RunFolder folder(std::make_shared<LocalShell>(), path);
    const auto all = awaited(folder.listAll());
    QVERIFY(all.ok());
    QStringList names;
    for (const RemoteFile& file : all->files)
        names << file.name;
    QCOMPARE(names, (QStringList{QStringLiteral("code/secrets.env"), QStringLiteral("job.sh")}));
    QVERIFY(awaited(folder.list({QStringLiteral("secrets*")}))->empty());
}

void TestRunSecrets::folder_isRidOfThemAtTheEnd()
{
    const QString path = m_folder->filePath(QStringLiteral("run"));
    const QStringList secrets{QStringLiteral("secrets.env"), QStringLiteral("registry.env"),
        QStringLiteral("secrets.env.Ab12Cd"), QStringLiteral("registry.enroot/.credentials")};
    for (const QString& name : secrets)
        putFile(path + u'/' + name, "x");
    putFile(path + u"/exit.json", R"({"code":0})");
    const RunFolder folder(std::make_shared<LocalShell>(), path);
    QVERIFY(awaited(folder.readExit())->record);
    for (const QString& name : secrets)
        QVERIFY(QFile::exists(path + u'/' + name)); // the job may still run
    QVERIFY(awaited(folder.readLastExit())->record);
    for (const QString& name : secrets)
        QVERIFY2(!QFile::exists(path + u'/' + name), qPrintable(name));
    QVERIFY(!QFile::exists(path + u"/registry.enroot"));
}

void TestRunSecrets::local_neverKeepsThem()
{
    LocalRun local(m_folder->filePath(QStringLiteral("runs/kept")));
    QVERIFY(local
                .keepFiles({{QStringLiteral("secrets.env"), secretText},
                    {QStringLiteral("registry.env"), secretText}, {QStringLiteral("job.sh"), "x"}})
                .ok());
    QVERIFY(QFile::exists(local.folder() + u"/files/job.sh"));
    QVERIFY(!QFile::exists(local.folder() + u"/files/secrets.env"));
    QVERIFY(!QFile::exists(local.folder() + u"/files/registry.env"));
}

SLIPWAY_TEST(TestRunSecrets, runs_runsecrets)
#include "tst_runsecrets.moc"
