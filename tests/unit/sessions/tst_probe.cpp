// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/node/nodewatch.h"
#include "app/node/probedelivery.h"
#include "app/sessions/cleanupscan.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QPointer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

#include <sys/stat.h>

using namespace slipway;

/// The probe's way to a cluster and what is taken away again, with this computer's own shell as the
/// far side; the agent, against a far side that is played.
class TestProbe : public QObject {
    Q_OBJECT

private slots:
    void init();
    void file_isTheOneThatIsAskedFor();
    void delivery_isOnceForEachContent();
    void delivery_replacesWhatWasDamaged();
    void delivery_followsNoLink();
    void delivery_trustsOnlyFoldersOfOnesOwn_data();
    void delivery_trustsOnlyFoldersOfOnesOwn();
    void delivery_saysWhyThereIsNone();
    void items_areFoundAndRemoved();
    void items_inUseStay();
    void items_outsideAreNotTouched_data();
    void items_outsideAreNotTouched();
    void items_linksAreNotFollowed();
    void hostileAnswer_namesNothing();
    void watch_endsWithItsInput();
    void watch_triesAgainAndThenSaysWhy();
    void watch_saysWhatIsMissing();
    void watch_startsOnlyWhatIsOnesOwn_data();
    void watch_startsOnlyWhatIsOnesOwn();
    void cleanup() { qunsetenv("SLIPWAY_PROBE"); }

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& bytes);
    QByteArray read(const QString& name) const;
    CleanupContext context() const;
    CleanupList look(const CleanupContext& context);
    std::vector<CleanupItem> remove(const CleanupList& wanted, const CleanupContext& context);
    NodeWatch* watch();

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<LocalShell> m_shell;
    std::shared_ptr<ScriptedShell> m_played;
};

namespace {

const QString runName = QStringLiteral("20261121-1200-matmul-scaling-k3f9");

ino_t inodeOf(const QString& path)
{
    struct stat status = {};
    return ::stat(path.toUtf8().constData(), &status) == 0 ? status.st_ino : 0;
}

int modeOf(const QString& path)
{
    struct stat status = {};
    return ::stat(path.toUtf8().constData(), &status) == 0 ? int(status.st_mode & 0777) : -1;
}

QStringList names(const CleanupList& list, CleanupItem::Kind kind)
{
    QStringList result;
    for (const CleanupItem& item : list.items)
        if (item.kind == kind)
            result << item.path.section(QStringLiteral("/slipway/"), 1);
    result.sort();
    return result;
}

} // namespace

void TestProbe::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_shell = std::make_shared<LocalShell>();
    m_played = std::make_shared<ScriptedShell>();
    write(QStringLiteral("probe-here"), "#!/bin/sh\necho probe\n");
    qputenv("SLIPWAY_PROBE", path(QStringLiteral("probe-here")).toUtf8());
}

void TestProbe::write(const QString& name, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path(name)).path());
    QFile file(path(name));
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(name));
    file.write(bytes);
}

QByteArray TestProbe::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(none)");
}

void TestProbe::file_isTheOneThatIsAskedFor()
{
    QVERIFY(haveProbe());
    const auto files = probeFiles();
    QCOMPARE(files.size(), size_t(1));
    QCOMPARE(files[0].content, QByteArray("#!/bin/sh\necho probe\n"));
    QVERIFY(probeFor(files, QStringLiteral("riscv64"))); // the person's own: theirs to know
    qputenv("SLIPWAY_PROBE", "none");
    QVERIFY(!haveProbe() && probeFiles().empty());
    const std::vector<ProbeFile> came{
        {QStringLiteral("x86_64"), {}, "a", "1"}, {QStringLiteral("aarch64"), {}, "b", "2"}};
    QCOMPARE(probeFor(came, QStringLiteral("aarch64"))->content, QByteArray("b"));
    QVERIFY(!probeFor(came, QStringLiteral("ppc64le")));
}

void TestProbe::delivery_isOnceForEachContent()
{
    const auto first = awaited(deliverProbe(m_shell, m_folder->path()));
    QVERIFY2(first.ok(), first.ok() ? "" : first.error().text().toUtf8());
    QVERIFY(first->path.startsWith(
        m_folder->path() + u"/slipway/probe/" + QString::fromLatin1(first->sha256)));
    QCOMPARE(first->sumFile(), first->sha256 + "  " + first->path.toUtf8() + "\n");
    QCOMPARE(modeOf(first->path), 0700);
    QCOMPARE(modeOf(QFileInfo(first->path).path()), 0700);
    const ino_t inode = inodeOf(first->path);
    const auto second = awaited(deliverProbe(m_shell, m_folder->path()));
    QVERIFY(second.ok());
    QCOMPARE(second->path, first->path);
    QCOMPARE(inodeOf(second->path), inode); // not written again
    QCOMPARE(QDir(QFileInfo(first->path).path()).entryList(QDir::Files | QDir::Hidden).size(),
        1); // nothing temporary stays
    write(QStringLiteral("probe-here"), "#!/bin/sh\necho another\n");
    const auto third = awaited(deliverProbe(m_shell, m_folder->path()));
    QVERIFY(third.ok() && third->path != first->path && QFile::exists(first->path));
}

void TestProbe::delivery_replacesWhatWasDamaged()
{
    const auto first = awaited(deliverProbe(m_shell, m_folder->path()));
    QVERIFY(first.ok());
    QFile damaged(first->path);
    QVERIFY(damaged.open(QIODevice::WriteOnly | QIODevice::Append));
    damaged.write("x");
    damaged.close();
    QVERIFY(QFile::setPermissions(QFileInfo(first->path).path(), QFile::Permissions(0x7775)));
    QVERIFY(awaited(deliverProbe(m_shell, m_folder->path())).ok());
    QFile repaired(first->path);
    QVERIFY(repaired.open(QIODevice::ReadOnly));
    QCOMPARE(repaired.readAll(), QByteArray("#!/bin/sh\necho probe\n"));
    QCOMPARE(modeOf(QFileInfo(first->path).path()), 0700);
}

void TestProbe::delivery_followsNoLink()
{
    QDir().mkpath(path(QStringLiteral("elsewhere")));
    QDir().mkpath(path(QStringLiteral("slipway")));
    QVERIFY(QFile::link(path(QStringLiteral("elsewhere")), path(QStringLiteral("slipway/probe"))));
    const auto refused = awaited(deliverProbe(m_shell, m_folder->path()));
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Refused);
    QVERIFY(QDir(path(QStringLiteral("elsewhere"))).isEmpty());
}

void TestProbe::delivery_trustsOnlyFoldersOfOnesOwn_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QString>("said");
    QTest::newRow("as it was") << QByteArray("true") << QString();
    QTest::newRow("others may write above it")
        << QByteArray("chmod 777 slipway") << QStringLiteral("Others may write");
    QTest::newRow("a link above it")
        << QByteArray("mv slipway moved && ln -s moved slipway") << QStringLiteral("symbolic link");
    if (::geteuid() != 0) // only root can give a folder away
        return;
    QTest::newRow("another's folder above it")
        << QByteArray("chown 65534 slipway") << QStringLiteral("belongs to someone else");
    QTest::newRow("another's folder")
        << QByteArray("chown 65534 slipway/probe/*") << QStringLiteral("belongs to someone else");
}

/// The probe is there already, so nothing would be written.
void TestProbe::delivery_trustsOnlyFoldersOfOnesOwn()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QString, said);
    QVERIFY(awaited(deliverProbe(m_shell, m_folder->path())).ok());
    const auto done =
        awaited(m_shell->run("cd " + shellQuoted(m_folder->path()) + " && " + before));
    QVERIFY(done.ok() && done->exitCode == 0);
    const auto again = awaited(deliverProbe(m_shell, m_folder->path()));
    QCOMPARE(again.ok(), said.isEmpty());
    if (!again.ok()) {
        QCOMPARE(again.error().kind, ErrorKind::Refused);
        QVERIFY2(again.error().summary.contains(said), qPrintable(again.error().summary));
    }
}

void TestProbe::delivery_saysWhyThereIsNone()
{
    QVERIFY(!awaited(deliverProbe(m_shell, QStringLiteral("relative"))).ok());
    QVERIFY(!awaited(deliverProbe(m_shell, QStringLiteral("/a\nb"))).ok());
    m_played->on("uname -m", {0, "ppc64le none\n", {}});
    const auto foreign = awaited(deliverProbe(m_played, QStringLiteral("/scratch/me")));
    QCOMPARE(foreign.error().kind, ErrorKind::Unsupported);
    QVERIFY(foreign.error().summary.contains(u"ppc64le"));
    qputenv("SLIPWAY_PROBE", "none");
    QCOMPARE(awaited(deliverProbe(m_played, QStringLiteral("/scratch/me"))).error().kind,
        ErrorKind::NotFound);
    QVERIFY(missingProbeRow(foreign.error()).startsWith("{\"")
        && missingProbeRow(foreign.error()).endsWith("}\n"));
}

CleanupContext TestProbe::context() const
{
    CleanupContext context;
    context.base = m_folder->path() + QStringLiteral("/slipway");
    context.host = QStringLiteral("here");
    return context;
}

CleanupList TestProbe::look(const CleanupContext& context)
{
    const auto answer = awaited(m_shell->run(cleanupScript(context.base)));
    return answer.ok() ? readCleanupList(answer->out, context) : CleanupList();
}

std::vector<CleanupItem> TestProbe::remove(const CleanupList& wanted, const CleanupContext& context)
{
    std::vector<CleanupItem> left;
    const auto doomed = removableItems(wanted, look(context), &left);
    const auto answer = awaited(m_shell->run(removeScript(context.base, doomed)));
    readRemoved(answer.ok() ? answer->out : QByteArray(), doomed, &left);
    return left;
}

void TestProbe::items_areFoundAndRemoved()
{
    QVERIFY(awaited(deliverProbe(m_shell, m_folder->path())).ok());
    write(u"slipway/" + runName + u"/job.sh", QByteArray(5000, 'x'));
    write(QStringLiteral("slipway/images/docker.io/a b.sif"), QByteArray(3000, 'x'));
    write(QStringLiteral("slipway/images/docker.io/a b.sif.lock"), {});
    write(QStringLiteral("slipway/images/docker.io/a b.sif.slipway-digest"), "sum");
    write(QStringLiteral("slipway/images/docker.io/c.sif.part"), "half");
    write(QStringLiteral("slipway/cache/blob"), "layer");
    write(QStringLiteral("slipway/notes/mine.txt"), "not Slipway's");
    write(QStringLiteral("slipway/checkpoints/k3f9/model.pt"), QByteArray(7000, 'x'));
    write(QStringLiteral("slipway/checkpoints/Not one/model.pt"), "x");
    CleanupList list = look(context());
    QCOMPARE(names(list, CleanupItem::Kind::Checkpoints),
        QStringList{QStringLiteral("checkpoints/k3f9")});
    const auto kept = std::find_if(list.items.begin(), list.items.end(),
        [](const CleanupItem& one) { return one.kind == CleanupItem::Kind::Checkpoints; });
    QVERIFY(kept->bytes >= 7000);
    QVERIFY2(kept->detail.contains(u"run k3f9"), qPrintable(kept->detail));
    QCOMPARE(names(list, CleanupItem::Kind::RunFolder), QStringList{runName});
    const auto folder = std::find_if(list.items.begin(), list.items.end(),
        [](const CleanupItem& one) { return one.kind == CleanupItem::Kind::RunFolder; });
    QCOMPARE(folder->detail, QStringLiteral("a run that is not in this computer's run list"));
    QCOMPARE(names(list, CleanupItem::Kind::Image),
        (QStringList{QStringLiteral("cache"), QStringLiteral("images/docker.io/a b.sif"),
            QStringLiteral("images/docker.io/a b.sif.lock"),
            QStringLiteral("images/docker.io/a b.sif.slipway-digest"),
            QStringLiteral("images/docker.io/c.sif.part")}));
    QCOMPARE(names(list, CleanupItem::Kind::Probe).size(), 1);
    QVERIFY(list.bytes() > 8000);
    for (const CleanupItem& item : list.items)
        QVERIFY2(item.kind == CleanupItem::Kind::Process || item.modified.isValid(),
            qPrintable(item.path));
    std::erase_if(list.items,
        [](const CleanupItem& item) { return item.kind == CleanupItem::Kind::Process; });
    const auto left = remove(list, context());
    QVERIFY2(left.empty(), left.empty() ? "" : qPrintable(left[0].path + left[0].detail));
    const CleanupList after = look(context());
    QVERIFY(names(after, CleanupItem::Kind::RunFolder).isEmpty()
        && names(after, CleanupItem::Kind::Image).isEmpty()
        && names(after, CleanupItem::Kind::Probe).isEmpty());
    QCOMPARE(read(QStringLiteral("slipway/notes/mine.txt")), QByteArray("not Slipway's"));
}

void TestProbe::items_inUseStay()
{
    write(u"slipway/" + runName + u"/job.sh", "x");
    write(QStringLiteral("slipway/20261121-1300-matmul-scaling-m4n5/job.sh"), "x");
    CleanupContext busy = context();
    Allocation job;
    job.id = JobId{QStringLiteral("42")};
    job.folder = busy.base + u'/' + runName;
    busy.jobs.push_back(job);
    const CleanupList list = look(busy);
    QCOMPARE(names(list, CleanupItem::Kind::Job).size(), 1);
    const auto left = remove(list, busy);
    QVERIFY(QFile::exists(path(u"slipway/" + runName + u"/job.sh")));
    QVERIFY(!QFile::exists(path(QStringLiteral("slipway/20261121-1300-matmul-scaling-m4n5"))));
    for (const CleanupItem& item : left)
        QVERIFY(!item.detail.isEmpty());
    QVERIFY(std::any_of(left.begin(), left.end(),
        [](const CleanupItem& item) { return item.kind == CleanupItem::Kind::Job; }));
}

void TestProbe::items_outsideAreNotTouched_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("above") << QStringLiteral("slipway/../outside");
    QTest::newRow("beside") << QStringLiteral("outside");
    QTest::newRow("the folder itself") << QStringLiteral("slipway");
    QTest::newRow("nothing") << QStringLiteral("slipway/");
    QTest::newRow("not Slipway's") << QStringLiteral("slipway/notes");
    QTest::newRow("through a run") << u"slipway/" + runName + QStringLiteral("/../notes");
}

void TestProbe::items_outsideAreNotTouched()
{
    QFETCH(QString, name);
    write(QStringLiteral("outside/file"), "x");
    write(QStringLiteral("slipway/notes/file"), "x");
    write(u"slipway/" + runName + u"/file", "x");
    for (const CleanupItem::Kind kind : {CleanupItem::Kind::RunFolder, CleanupItem::Kind::Image,
             CleanupItem::Kind::Checkpoints, CleanupItem::Kind::Probe}) {
        CleanupItem item;
        item.kind = kind;
        item.path = path(name);
        remove({{item}, {}}, context());
        // Even past the comparison with what is there, the script itself refuses.
        QVERIFY(awaited(m_shell->run(removeScript(context().base, {item}))).ok());
    }
    QVERIFY(QFile::exists(path(QStringLiteral("outside/file"))));
    QVERIFY(QFile::exists(path(u"slipway/" + runName + u"/file")));
    if (name != u"slipway/notes") // plain and inside: only the comparison keeps it
        QVERIFY(QFile::exists(path(QStringLiteral("slipway/notes/file"))));
}

void TestProbe::items_linksAreNotFollowed()
{
    write(QStringLiteral("outside/file"), "x");
    QDir().mkpath(path(u"slipway/" + runName));
    QVERIFY(QFile::link(path(QStringLiteral("outside")), path(u"slipway/" + runName + u"/link")));
    QVERIFY(QFile::link(path(QStringLiteral("outside")), path(QStringLiteral("slipway/images"))));
    QVERIFY(QFile::link(
        path(QStringLiteral("outside")), path(QStringLiteral("slipway/20261121-1300-x-m4n5"))));
    const CleanupList list = look(context());
    QCOMPARE(names(list, CleanupItem::Kind::RunFolder), QStringList{runName});
    QVERIFY(names(list, CleanupItem::Kind::Image).isEmpty());
    CleanupItem image;
    image.kind = CleanupItem::Kind::Image;
    image.path = path(QStringLiteral("slipway/images/file"));
    const auto answer = awaited(m_shell->run(removeScript(context().base, {image})));
    QVERIFY(answer.ok() && answer->out.contains("left 0 it is a link"));
    remove(list, context());
    QVERIFY(!QFile::exists(path(u"slipway/" + runName)));
    QCOMPARE(read(QStringLiteral("outside/file")), QByteArray("x"));
    // The folder itself as a link: nothing is looked at, nothing removed.
    QVERIFY(QDir().rename(path(QStringLiteral("slipway")), path(QStringLiteral("moved"))));
    QVERIFY(QFile::link(path(QStringLiteral("moved")), path(QStringLiteral("slipway"))));
    write(u"moved/" + runName + u"/file", "x");
    QVERIFY(names(look(context()), CleanupItem::Kind::RunFolder).isEmpty());
}

void TestProbe::hostileAnswer_namesNothing()
{
    const QByteArray zero(1, '\0');
    const QByteArray answer = QByteArray("run 1 0 ../x") + zero
        + "run 1 0 20261121-1200-x-k3f9/../../y" + zero + "probe 1 0 probe/short" + zero
        + "image 1 5 images/../../etc/passwd" + zero + "run 1 0 20261121-1200-a\nb-k3f9" + zero
        + "run" + zero + "image 1 0 images/\xff\xfe" + zero + "process 1:0 3 /" + zero + "process x"
        + zero;
    QVERIFY(readCleanupList(answer, context()).items.empty());
    std::vector<CleanupItem> items(1), left;
    readRemoved("gone 7\nleft\ngone x\n", items, &left);
    QCOMPARE(left.size(), size_t(1)); // no word of it: it is not gone
}

NodeWatch* TestProbe::watch()
{
    const auto start = [played = m_played](const QByteArray& script) {
        return played->start({script, Invocation::Place::Argument, true});
    };
    return new NodeWatch(start,
        {JobId{QStringLiteral("77")}, QStringLiteral("/scratch/x"), 1, QStringLiteral("24.11.5")},
        NodeWatch::Pace{std::chrono::milliseconds(20), std::chrono::milliseconds(20)}, this);
}

void TestProbe::watch_endsWithItsInput()
{
    QPointer<ScriptedProcess> agent;
    m_played->onStream("slipway-agent", [&](ScriptedProcess& process) {
        agent = &process;
        QObject::connect(
            &process, &ScriptedProcess::inputEnded, &process, [&process] { process.end(0); });
    });
    QPointer<NodeWatch> looking = watch();
    QSignalSpy samples(looking.data(), &NodeWatch::sampled);
    QTRY_VERIFY_WITH_TIMEOUT(agent, 10'000);
    agent->say("welcome to the login node\n{\"id\":\"sample\",\"t\":17600");
    agent->say("00000,\"node\":\"c1\",\"host\":{\"cpu\":5}}\n");
    QTRY_COMPARE(samples.size(), 1);
    QCOMPARE(samples[0][1].toByteArray(),
        QByteArray(R"({"id":"sample","t":1760000000,"node":"c1","host":{"cpu":5}})"));
    QVERIFY(!agent->inputClosed());
    looking->stop();
    QVERIFY(!agent || agent->inputClosed());
    QTRY_VERIFY(!looking);
}

void TestProbe::watch_triesAgainAndThenSaysWhy()
{
    m_played->onStream("slipway-agent", [](ScriptedProcess& process) {
        process.sayError("srun: error: something is wrong\n");
        process.end(1);
    });
    QPointer<NodeWatch> looking = watch();
    QSignalSpy troubles(looking.data(), &NodeWatch::troubled);
    QTRY_COMPARE_WITH_TIMEOUT(troubles.size(), 1, 60'000);
    QCOMPARE(m_played->count("slipway-agent"), 4); // it gives up then
    QVERIFY2(looking->trouble().contains(QStringLiteral("something is wrong")),
        qPrintable(looking->trouble()));
    delete looking;
}

void TestProbe::watch_saysWhatIsMissing()
{
    m_played->onStream("slipway-agent", [](ScriptedProcess& process) { process.end(91); });
    QPointer<NodeWatch> looking = watch();
    QTRY_VERIFY_WITH_TIMEOUT(
        looking->trouble().contains(QStringLiteral("no slipway-probe")), 10'000);
    QCOMPARE(m_played->count("slipway-agent"), 1);
    delete looking;
}

void TestProbe::watch_startsOnlyWhatIsOnesOwn_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<int>("code");
    QTest::newRow("as it was") << QByteArray("true") << 0;
    QTest::newRow("no sum") << QByteArray("rm probe.sha256") << 91;
    QTest::newRow("a sum that is a link")
        << QByteArray("mv probe.sha256 other; ln -s other probe.sha256") << 91;
    QTest::newRow("another program") << QByteArray("echo x >>probe") << 92;
    if (::geteuid() != 0) // only root can give a file away
        return;
    QTest::newRow("another's sum") << QByteArray("chown 65534 probe.sha256") << 91;
    QTest::newRow("another's folder") << QByteArray("chown 65534 .") << 91;
    QTest::newRow("another's program") << QByteArray("chown 65534 probe") << 92;
}

/// The script of the sampling step, with an srun that does nothing.
void TestProbe::watch_startsOnlyWhatIsOnesOwn()
{
    QFETCH(const QByteArray, before);
    QFETCH(const int, code);
    write(QStringLiteral("run/probe"), "#!/bin/sh\n");
    write(QStringLiteral("bin/srun"), "#!/bin/sh\nexit 0\n");
    const QByteArray prepare = "cd " + shellQuoted(path(QStringLiteral("run")))
        + " && chmod 755 ../bin/srun && echo \"$(sha256sum <probe | cut -c -64)  $PWD/probe\" "
          ">probe.sha256 && "
        + before;
    const auto prepared = awaited(m_shell->run(prepare));
    QVERIFY(prepared.ok() && prepared->exitCode == 0);
    NodeWatchRequest request;
    request.job = JobId{QStringLiteral("7")};
    request.folder = path(QStringLiteral("run"));
    const auto ended = awaited(m_shell->run(
        "PATH=" + shellQuoted(path(QStringLiteral("bin"))) + ":$PATH\n" + watchScript(request)));
    QVERIFY(ended.ok());
    QCOMPARE(ended->exitCode, code);
}

SLIPWAY_TEST(TestProbe, sessions_probe)
#include "tst_probe.moc"
