// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/discovering.h"
#include "remote/cluster/runfolder.h"
#include "remote/shell/localshell.h"
#include "settled.h"
#include "tests/support/paths.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"
#include "tests/unit/cluster/captured.h"

#include <QBuffer>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace slipway;

namespace {

QByteArray folderAnswer(
    const QByteArray& nonce, const QByteArray& name, const QByteArray& out, int code = 0)
{
    return "\036SLPS " + nonce + ' ' + name + '\n' + out + "\n\036SLPT " + nonce + ' ' + name + ' '
        + QByteArray::number(code) + '\n';
}

std::vector<RunFolder::Upload> files()
{
    return {{QStringLiteral("job.sh"), "#!/bin/bash -l\n", 0700},
        {QStringLiteral("steps/01-x.sh"), "true\n", 0600}};
}

/// Counts what is started.
class CountingShell : public LocalShell {
public:
    std::unique_ptr<Process> start(Invocation invocation) override
    {
        ++starts;
        return LocalShell::start(std::move(invocation));
    }
    int starts = 0;
};

} // namespace

class TestFolder : public QObject {
    Q_OBJECT

private slots:
    void folder_isPrivate_andFilled();
    void manyFiles_areOneUpload();
    void link_isRefused();
    void foldersBelowScratch_belongToTheUserAlone_data();
    void foldersBelowScratch_belongToTheUserAlone();
    void usedUpQuota_isSaid_data();
    void usedUpQuota_isSaid();
    void unsafeNames_areRefused_data();
    void unsafeNames_areRefused();
    void exit_isRead();
    void events_areReadByOffset();
    void results_areListedByPattern();
    void listing_hasOnlyWholeRows_data();
    void listing_hasOnlyWholeRows();
    void sentCode_isLeftOut();
    void result_bringsNoMoreThanWasListed();
    void discovery_readsRealAnswers();
    void discovery_findsSlurmBehindALoginShell();
    void discovery_asksTheConfigurationOnce();
    void sections_cannotForgeEachOther();
};

void TestFolder::folder_isPrivate_andFilled()
{
    QTemporaryDir temporary;
    const QString path = temporary.filePath(QStringLiteral("scratch/slipway/run 'x"));
    RunFolder folder(std::make_shared<LocalShell>(), path);
    const auto made = settled(folder.make());
    QVERIFY2(made.ok(), made.ok() ? "" : qPrintable(made.error().text()));
    QVERIFY(settled(folder.make()).ok());
    QVERIFY(
        !(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteOther)));
    const auto written = settled(folder.write(files()));
    QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.error().text()));
    QVERIFY(QFileInfo(path + QStringLiteral("/job.sh")).isExecutable());
    QVERIFY(QFile::exists(path + QStringLiteral("/steps/01-x.sh")));
    QBuffer buffer;
    QVERIFY(buffer.open(QIODevice::WriteOnly));
    QVERIFY(settled(folder.fetch(QStringLiteral("steps/01-x.sh"), &buffer)).ok());
    QCOMPARE(buffer.data(), QByteArray("true\n"));
}

void TestFolder::manyFiles_areOneUpload()
{
    QTemporaryDir temporary;
    const auto shell = std::make_shared<CountingShell>();
    RunFolder folder(shell, temporary.path());
    std::vector<RunFolder::Upload> uploads;
    for (int i = 0; i < 12; ++i) {
        const QByteArray bytes =
            QByteArray(i * 40'000, char('a' + i)) + QByteArray("\0\n\xff", i % 4);
        uploads.push_back({QStringLiteral("it's %1 $x").arg(i), bytes, i % 2 ? 0600 : 0700});
    }
    const auto written = settled(folder.write(uploads));
    QVERIFY2(written.ok(), written.ok() ? "" : qPrintable(written.error().text()));
    QCOMPARE(shell->starts, 1);
    for (const auto& upload : uploads) {
        QFile file(folder.filePath(upload.name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), upload.bytes);
        QCOMPARE(QFileInfo(file).isExecutable(), upload.mode == 0700);
    }
    // The one that cannot be written is named; nothing of it stays behind.
    QVERIFY(QDir(temporary.path()).mkdir(QStringLiteral("taken")));
    const auto failed = settled(
        folder.write({{QStringLiteral("good"), "1", 0600}, {QStringLiteral("taken"), "2", 0600}}));
    QVERIFY(!failed.ok());
    QVERIFY2(failed.error().summary.contains(QStringLiteral("/taken could not be written")),
        qPrintable(failed.error().text()));
    QVERIFY(!failed.error().detail.contains("slipway: file"));
    QCOMPARE(QDir(temporary.path()).entryList({QStringLiteral("taken*")}).size(), 1);
}

void TestFolder::link_isRefused()
{
    QTemporaryDir temporary;
    QVERIFY(QFile::link(temporary.path(), temporary.filePath(QStringLiteral("link"))));
    RunFolder folder(std::make_shared<LocalShell>(), temporary.filePath(QStringLiteral("link")));
    const auto made = settled(folder.make());
    QVERIFY(!made.ok());
    QCOMPARE(made.error().kind, ErrorKind::Io);
    QVERIFY(!settled(RunFolder(std::make_shared<LocalShell>(), QStringLiteral("relative")).make())
                 .ok());
    QVERIFY(
        !settled(RunFolder(std::make_shared<LocalShell>(), QStringLiteral("/proc/slipway")).make())
             .ok());
}

void TestFolder::foldersBelowScratch_belongToTheUserAlone_data()
{
    QTest::addColumn<QByteArray>("before"); // what is done to the folders before
    QTest::addColumn<QString>("said"); // empty: the folder is made
    const auto row = [](const char* name, const char* before, const char* said) {
        QTest::newRow(name) << QByteArray(before) << QString::fromLatin1(said);
    };
    row("nothing there", ":", "");
    row("parent that others may read", "mkdir slipway; chmod 755 slipway", "");
    row("parent that the group may write", "mkdir slipway; chmod 775 slipway",
        "Others may write to");
    row("parent that anybody may write", "mkdir slipway; chmod 777 slipway", "Others may write to");
    row("parent with the sticky bit", "mkdir slipway; chmod 1777 slipway", "");
    row("scratch that anybody may write", "chmod 777 .", "Anybody may write to");
    row("scratch of a project", "chmod 2770 .", "");
    row("scratch with the sticky bit", "chmod 1777 .", "");
    row("parent that is a link", "mkdir elsewhere; ln -s elsewhere slipway",
        "is a symbolic link or belongs to someone else");
    row("parent that is a dangling link", "ln -s gone slipway", "is a symbolic link");
    row("parent that is a file", "echo >slipway", "could not be created");
    // Only root can give a folder away; the containers and machines that tests run in have it.
    if (::geteuid() == 0)
        row("another's parent", "mkdir slipway; chown 65534 slipway", "belongs to someone else");
    if (::geteuid() == 0)
        row("another's folder", "mkdir -p slipway/run; chown 65534 slipway/run",
            "belongs to someone else");
}

void TestFolder::foldersBelowScratch_belongToTheUserAlone()
{
    QFETCH(QByteArray, before);
    QFETCH(QString, said);
    QTemporaryDir scratch;
    const auto shell = std::make_shared<LocalShell>();
    const auto prepared =
        settled(shell->run("cd " + shellQuoted(scratch.path()) + " && umask 022 && " + before));
    QVERIFY(prepared.ok());
    RunFolder folder(shell, scratch.filePath(QStringLiteral("slipway/run")));
    const auto made = settled(folder.make(scratch.path()));
    QCOMPARE(made.ok(), said.isEmpty());
    if (!made.ok()) {
        QCOMPARE(made.error().kind, ErrorKind::Io);
        QVERIFY2(made.error().summary.contains(said), qPrintable(made.error().text()));
        QVERIFY2(made.error().summary.contains(scratch.path()), qPrintable(made.error().text()));
    }
}

void TestFolder::usedUpQuota_isSaid_data()
{
    QTest::addColumn<QByteArray>("reason");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("quota") << QByteArray("Disk quota exceeded") << ErrorKind::DiskFull
                           << QStringLiteral("quota there is used up");
    QTest::newRow("disk") << QByteArray("No space left on device") << ErrorKind::DiskFull
                          << QStringLiteral("disk there is full");
    QTest::newRow("other") << QByteArray("Permission denied") << ErrorKind::Io << QString();
}

void TestFolder::usedUpQuota_isSaid()
{
    QFETCH(QByteArray, reason);
    QFETCH(ErrorKind, kind);
    QFETCH(QString, says);
    const auto shell = std::make_shared<ScriptedShell>();
    shell->on({}, {1, {}, "mkdir: cannot create directory 'x': " + reason + '\n'});
    RunFolder folder(shell, QStringLiteral("/scratch/slipway/one"));
    for (const auto& done : {settled(folder.make()), settled(folder.write(files()))}) {
        QVERIFY(!done.ok());
        QCOMPARE(done.error().kind, kind);
        QVERIFY2(done.error().summary.contains(says), qPrintable(done.error().text()));
        QVERIFY2(done.error().summary.contains(QStringLiteral("/scratch/slipway/one")),
            qPrintable(done.error().text()));
        QCOMPARE(done.error().remedy.contains(QStringLiteral("Remove files there")),
            kind == ErrorKind::DiskFull);
        QVERIFY(done.error().detail.contains(reason));
    }
}

void TestFolder::unsafeNames_areRefused_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("safe");
    for (const auto* bad : {"", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a/.", "a\nb",
             "a\\b", "-rf", "a/\x1b[31m", "a/"})
        QTest::newRow(bad) << QString::fromLatin1(bad) << false;
    for (const auto* good : {"a", "results/a b.png", "results/..x", "ünï", "a-b"})
        QTest::newRow(good) << QString::fromUtf8(good) << true;
}

void TestFolder::unsafeNames_areRefused()
{
    QFETCH(QString, name);
    QFETCH(bool, safe);
    QCOMPARE(isSafeRelativeName(name), safe);
    if (safe)
        return;
    QTemporaryDir temporary;
    RunFolder folder(std::make_shared<LocalShell>(), temporary.path());
    QVERIFY(!settled(folder.readFrom(name, 0)).ok());
    QVERIFY(!settled(folder.write(std::vector<RunFolder::Upload>(1, {name, "x", 0600}))).ok());
}

void TestFolder::exit_isRead()
{
    const auto record =
        parseExit(R"({"code":3,"stage":"running","t":1763600000.5,"node":"gpu01","restart":1})");
    QVERIFY(record.ok());
    QCOMPARE(record->exitCode, 3);
    QCOMPARE(record->stage, QStringLiteral("running"));
    QCOMPARE(record->ended->toMSecsSinceEpoch(), qint64(1763600000500));
    QCOMPARE(record->restarts, 1);
    for (const auto* bad : {"", "{", "[]", "{}", "{\"code\":\"x\"}", "nonsense"})
        QVERIFY2(!parseExit(bad).ok(), bad);

    QTemporaryDir temporary;
    RunFolder folder(std::make_shared<LocalShell>(), temporary.path());
    const auto none = settled(folder.readExit());
    QVERIFY(none.ok());
    QCOMPARE(none->state, ExitNote::State::Absent);
    QVERIFY(QFile(temporary.filePath(QStringLiteral("exit.json"))).open(QIODevice::WriteOnly));
    QCOMPARE(settled(folder.readExit())->state, ExitNote::State::Unreadable);
    RunFolder gone(std::make_shared<LocalShell>(), temporary.filePath(QStringLiteral("gone")));
    QCOMPARE(settled(gone.readExit())->state, ExitNote::State::FolderGone);
    const QStringList all{QStringLiteral("*")};
    QCOMPARE(settled(gone.list(all)).error().kind, ErrorKind::NotFound);
    QVERIFY(settled(folder.write(std::vector<RunFolder::Upload>(
                        1, {QStringLiteral("exit.json"), R"({"code":0})", 0600})))
                .ok());
    const auto there = settled(folder.readExit());
    QVERIFY(there.ok() && there->record);
    QCOMPARE(there->record->exitCode, 0);
}

void TestFolder::events_areReadByOffset()
{
    QTemporaryDir temporary;
    RunFolder folder(std::make_shared<LocalShell>(), temporary.path());
    const QString name = QStringLiteral("events.ndjson");
    QCOMPARE(*settled(folder.readFrom(name, 0)), QByteArray());
    QVERIFY(settled(
        folder.write(std::vector<RunFolder::Upload>(1, {name, "{\"a\":1}\n{\"b\":2}\n", 0600})))
                .ok());
    QCOMPARE(*settled(folder.readFrom(name, 8)), QByteArray("{\"b\":2}\n"));
    QCOMPARE(*settled(folder.readFrom(name, 16)), QByteArray());
    QCOMPARE(*settled(folder.readFrom(name, 1000)), QByteArray());
}

void TestFolder::results_areListedByPattern()
{
    QTemporaryDir temporary;
    QDir(temporary.path()).mkdir(QStringLiteral("results"));
    for (const auto* name :
        {"results/b.png", "results/a.csv", "results/new\nline.png", "slurm-1.out"}) {
        QFile file(temporary.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("12345");
    }
    QVERIFY(QFile::link(
        QStringLiteral("/etc/passwd"), temporary.filePath(QStringLiteral("results/link.png"))));
    RunFolder folder(std::make_shared<LocalShell>(), temporary.path());
    const auto list = settled(folder.list(QStringList(QStringLiteral("results/*"))));
    QVERIFY(list.ok());
    QCOMPARE(list->size(), std::size_t(2));
    QCOMPARE(list->front().name, QStringLiteral("results/a.csv"));
    QCOMPARE(list->front().size, qint64(5));
}

void TestFolder::listing_hasOnlyWholeRows_data()
{
    QTest::addColumn<QByteArray>("printed");
    QTest::addColumn<QString>("names");
    QTest::addColumn<int>("leftOut");
    const auto row = [](const char* name, const char* printed, const char* names, int leftOut) {
        const QByteArray bytes = QByteArray(printed).replace('|', '\0');
        QTest::newRow(name) << bytes << QString::fromLatin1(names) << leftOut;
    };
    row("sorted", "5 b|6 a|", "a b", 0);
    row("the last one cut off", "5 a|6 results/loss.p", "a", 0);
    row("nothing", "", "", 0);
    row("no size", "x a|-5 b|99999999999999999999 c|5 d|", "d", 3);
    row("a byte order mark",
        "5 \xef\xbb\xbf"
        "a|5 b|",
        "b", 1);
    row("not UTF-8", "5 \xe9|5 b|", "b", 1);
    row("outside", "5 ../a|5 /b|5 c|", "c", 2);
    row("secrets", "5 secrets.env|5 registry.enroot/x|5 c|", "c", 0);
}

void TestFolder::listing_hasOnlyWholeRows()
{
    QFETCH(QByteArray, printed);
    QFETCH(QString, names);
    QFETCH(int, leftOut);
    const RemoteListing listing = parseListing(printed);
    QStringList listed;
    for (const RemoteFile& file : listing.files)
        listed << file.name;
    QCOMPARE(listed.join(u' '), names);
    QCOMPARE(listing.leftOut, qsizetype(leftOut));
}

/// Thousands of files that were sent must not displace what the job has made.
void TestFolder::sentCode_isLeftOut()
{
    QTemporaryDir temporary;
    RunFolder folder(std::make_shared<LocalShell>(), temporary.path());
    QVERIFY(settled(folder.write({{QStringLiteral("code/sent.py"), "a"},
                        {QStringLiteral("code/built"), "b"}, {QStringLiteral("code/out/x"), "c"},
                        {QStringLiteral("code/results/y"), "d"}, {QStringLiteral("old"), "e"}}))
                .ok());
    for (const auto& [name, seconds] :
        {std::pair("code/sent.py", 60), std::pair("code/built", 0), std::pair("old", 0)}) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(QDateTime::fromSecsSinceEpoch(1'000'000'000 + seconds),
            QFileDevice::FileModificationTime));
    }
    const auto all = settled(folder.listAll());
    QVERIFY(all.ok());
    QStringList names;
    for (const RemoteFile& file : all->files)
        names << file.name;
    QCOMPARE(names.join(u' '), QStringLiteral("code/out/x code/results/y old"));
    const auto results = settled(folder.list({QStringLiteral("code/results/*")}));
    QVERIFY(results.ok());
    QCOMPARE(results->size(), size_t(1));
}

void TestFolder::result_bringsNoMoreThanWasListed()
{
    QTemporaryDir temporary;
    RunFolder folder(std::make_shared<LocalShell>(), temporary.path());
    QVERIFY(
        settled(folder.write({{QStringLiteral("a"), "abc"}, {QStringLiteral("b"), "abc"}})).ok());
    const auto listed = settled(folder.list({QStringLiteral("*")}));
    QVERIFY(listed.ok());
    QCOMPARE(listed->size(), size_t(2));
    // Between the list and the fetching one grows, and the other becomes a link.
    QVERIFY(settled(folder.write({{QStringLiteral("a"), "abcdef"}})).ok());
    QVERIFY(QFile::remove(folder.filePath(QStringLiteral("b"))));
    QVERIFY(QFile::link(QStringLiteral("/dev/zero"), folder.filePath(QStringLiteral("b"))));
    QBuffer grown, link;
    QVERIFY(grown.open(QIODevice::WriteOnly) && link.open(QIODevice::WriteOnly));
    QVERIFY(settled(folder.fetch(listed->at(0), &grown)).ok());
    QCOMPARE(grown.data(), QByteArray("abc"));
    QVERIFY(!settled(folder.fetch(listed->at(1), &link)).ok());
    QVERIFY(link.data().isEmpty());
}

void TestFolder::discovery_readsRealAnswers()
{
    const QByteArray nonce = "0123456789abcdef0123456789abcdef";
    const Sections sections(nonce);
    const auto separators = Separators::of(nonce);
    const QByteArray output = "Last login: today\n"
        + folderAnswer(nonce, "version", captured("version.txt"))
        + folderAnswer(nonce, "config", captured("config.txt"))
        + folderAnswer(nonce, "partitions", captured("sinfo-partitions.bin"))
        + folderAnswer(nonce, "nodes", captured("sinfo-nodes.bin"))
        + folderAnswer(nonce, "mpi", captured("mpi.txt"))
        + folderAnswer(nonce, "who", "demo\n/home/demo\n/bin/bash\n")
        + folderAnswer(nonce, "accounts", "", 3) + folderAnswer(nonce, "scratch", "/scratch/demo")
        + folderAnswer(nonce, "runtime", "apptainer version 1.4.5\n");
    const auto found = parseDiscovery(output, sections, separators);
    const auto& info = found.info;
    QVERIFY(found.hasSlurm && found.pathLine.isEmpty());
    QCOMPARE(info.slurmVersion, QStringLiteral("24.11.5"));
    QCOMPARE(info.clusterName, QStringLiteral("slipway-demo"));
    QCOMPARE(info.userName, QStringLiteral("demo"));
    QCOMPARE(info.scratch, QStringLiteral("/scratch/demo"));
    QCOMPARE(info.runtimeVersion, QStringLiteral("apptainer version 1.4.5"));
    QVERIFY(!info.accounting && info.accounts.isEmpty());
    QVERIFY(info.mpiPlugins.contains(QStringLiteral("pmix"))
        && info.mpiPlugins.contains(QStringLiteral("pmix_v5")));
    QCOMPARE(info.partitions.size(), std::size_t(3));
    const auto& gpu = info.partitions.front();
    QVERIFY(gpu.isDefault);
    QCOMPARE(gpu.nodes, 2);
    QCOMPARE(gpu.gpusPerNode, 2);
    QCOMPARE(gpu.gpuType, QStringLiteral("demo"));
    QCOMPARE(gpu.gpusFree.value_or(-1), 2);

    const auto half = parseDiscovery(
        folderAnswer(nonce, "version", captured("version.txt")), sections, separators);
    QVERIFY(half.hasSlurm && half.info.partitions.empty()); // what could not be asked stays unknown
}

void TestFolder::discovery_asksTheConfigurationOnce()
{
    // Programs that note each call: "scontrol show config" and what follows from its answer.
    QTemporaryDir temporary;
    const QString calls = temporary.filePath(QStringLiteral("calls"));
    const auto program = [&](const char* name, const QByteArray& answer) {
        QFile file(temporary.filePath(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\nprintf '%s\\n' \"" + QByteArray(name) + " $*\" >>"
            + shellQuoted(calls) + "\n" + answer);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    };
    for (const QByteArray storage : {"accounting_storage/slurmdbd", "accounting_storage/none"}) {
        QFile::remove(calls);
        program("scontrol",
            "case $1 in --version) echo slurm 23.11.4;; *)"
            " printf 'AccountingStorageType   = "
                + storage
                + "\\nAccountingStoragePass = (null)\\nPriorityType = "
                  "priority/multifactor\\nClusterName = c\\n';; esac\n");
        program("sshare",
            "printf 'proj1||||gres/gpu=600|gres/gpu=60\\n proj1|%s||0.250000||\\n' \"$(id "
            "-un)\"\n");
        program("sacctmgr", "printf 'proj1|normal\\nproj2|normal,long\\n'\n");
        program("sinfo", "");
        program("srun", "");
        const QByteArray nonce(32, 'b');
        const Sections sections(nonce);
        const auto separators = Separators::of(nonce);
        const QByteArray script = "PATH=" + shellQuoted(temporary.path()) + ":$PATH; export PATH\n"
            + discoverScript(sections, separators, {});
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-s")});
        shell.write(script);
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished());
        const auto found = parseDiscovery(shell.readAllStandardOutput(), sections, separators).info;
        QFile seen(calls);
        QVERIFY(seen.open(QIODevice::ReadOnly));
        const QByteArrayList asked = seen.readAll().split('\n');
        QCOMPARE(asked.count("scontrol show config"), 1);
        const bool accounting = storage.endsWith("slurmdbd");
        QCOMPARE(found.clusterName, QStringLiteral("c"));
        QCOMPARE(found.accounting, accounting);
        QCOMPARE(found.accounts.join(u' '), accounting ? QStringLiteral("proj1 proj2") : QString());
        // One call for all accounts, and none where accounting is off.
        QCOMPARE(asked.count(sshareCommand()), accounting ? 1 : 0);
        QCOMPARE(found.shares.size(), std::size_t(accounting ? 1 : 0));
        if (accounting) {
            QCOMPARE(found.shares.front().fairShare.value_or(-1), 0.25);
            QCOMPARE(found.shares.front().limits.at(0).left(), std::chrono::minutes(540));
        }
    }
}

void TestFolder::discovery_findsSlurmBehindALoginShell()
{
    const QByteArray nonce(32, 'a');
    const Sections sections(nonce);
    const auto found = parseDiscovery(folderAnswer(nonce, "version", "", 127)
            + folderAnswer(nonce, "path", "/opt/slurm/bin/squeue\n/etc/slurm.conf\n"),
        sections, Separators::of(nonce));
    QVERIFY(!found.hasSlurm);
    QCOMPARE(found.pathLine,
        QByteArray("PATH='/opt/slurm/bin':$PATH; export PATH\nSLURM_CONF='/etc/slurm.conf'; export "
                   "SLURM_CONF\n"));
    QVERIFY(parseDiscovery("", sections, Separators::of(nonce)).pathLine.isEmpty());
}

void TestFolder::sections_cannotForgeEachOther()
{
    const QByteArray nonce(32, 'b');
    const Sections sections(nonce);
    const QByteArray forged = folderAnswer(QByteArray(32, 'c'), "scratch", "/evil");
    const QByteArray output = folderAnswer(nonce, "one", forged)
        + folderAnswer(nonce, "two", "2", 5) + "\036SLPS " + nonce + " three\ncut";
    const auto answers = sections.parse(output);
    QCOMPARE(answers.size(), 2);
    QCOMPARE(answers.value("one").out, forged);
    QCOMPARE(answers.value("two").exitCode, 5);

    LocalShell shell;
    const QByteArray script = sections.section("a", "echo hi; exit 4")
        + sections.section("b", "nosuchprogram") + sections.section("c", "printf x");
    const auto ran = settled(shell.run(script));
    QVERIFY(ran.ok());
    const auto real = sections.parse(ran->out);
    QCOMPARE(real.value("a").exitCode, 4);
    QCOMPARE(real.value("a").out, QByteArray("hi\n"));
    QCOMPARE(real.value("b").exitCode, 127);
    QCOMPARE(real.value("c").out, QByteArray("x"));
}

SLIPWAY_TEST(TestFolder, cluster_folder)
#include "tst_folder.moc"
