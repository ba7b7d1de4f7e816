// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/cluster.h"
#include "remote/cluster/scriptgroup.h"
#include "remote/shell/localshell.h"
#include "tests/support/scriptedshell.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

namespace {

/// A script of the group, and what came of it.
struct Told {
    explicit Told(std::unique_ptr<Process> started)
        : process(std::move(started))
    {
        QObject::connect(process.get(), &Process::output, process.get(),
            [this](const QByteArray& bytes) { out += bytes; });
        QObject::connect(process.get(), &Process::errorOutput, process.get(),
            [this](const QByteArray& bytes) { err += bytes; });
        QObject::connect(process.get(), &Process::finished, process.get(),
            [this](const Result<int>& code) { ends.push_back(code); });
    }

    int code() const { return ends.size() == 1 && ends[0].ok() ? *ends[0] : -1; }
    ErrorKind kind() const
    {
        return ends.size() == 1 && !ends[0].ok() ? ends[0].error().kind : ErrorKind::Unknown;
    }

    std::unique_ptr<Process> process;
    QByteArray out, err;
    std::vector<Result<int>> ends;
};

} // namespace

/// Many scripts behind one process; a real bash is the far side, or a scripted one that fails.
class TestScriptGroup : public QObject {
    Q_OBJECT

private slots:
    void init();
    void scripts_runBesideEachOther();
    void output_staysWithItsScript();
    void longLines_areWhole();
    void lastLine_needsNoNewline();
    void input_closesForOneScriptOnly();
    void closedInput_endsAScriptAmongOthers();
    void deletedScript_saysNothingMore();
    void cancel_finishesOnce();
    void group_endsWithItsLastScript();
    void group_beginsAgain();
    void lostLink_finishesEveryScript();
    void missingBash_isTold();
    void slotOfOne_mayDeleteAnother();
    void deletedGroup_finishesItsScripts();
    void noise_isDropped();
    void forgedMarks_areDropped();
    void clusterStartsInAGroup();
    void script_isCleanForShellcheck();

private:
    std::shared_ptr<Shell> m_shell;
    std::unique_ptr<ScriptGroup> m_group;
};

void TestScriptGroup::init()
{
    m_shell = std::make_shared<LocalShell>();
    m_group = std::make_unique<ScriptGroup>(m_shell);
}

void TestScriptGroup::scripts_runBesideEachOther()
{
    Told one(m_group->start("exit 3\n"));
    Told two(m_group->start("echo hi\n"));
    QTRY_COMPARE(one.code(), 3);
    QTRY_COMPARE(two.code(), 0);
    QCOMPARE(two.out, QByteArray("hi\n"));
}

void TestScriptGroup::output_staysWithItsScript()
{
    std::vector<std::unique_ptr<Told>> all;
    for (int i = 0; i < 8; ++i) {
        const QByteArray n = QByteArray::number(i);
        all.push_back(std::make_unique<Told>(m_group->start("i=0; while [ $i -lt 200 ]; do echo "
            + n + ":$i; echo e" + n + ":$i >&2; i=$((i+1)); done; exit " + n + "\n")));
    }
    for (int i = 0; i < 8; ++i) {
        QTRY_COMPARE_WITH_TIMEOUT(all[size_t(i)]->code(), i, 20'000);
        QByteArray out, err;
        for (int k = 0; k < 200; ++k) {
            out += QByteArray::number(i) + ':' + QByteArray::number(k) + '\n';
            err += 'e' + QByteArray::number(i) + ':' + QByteArray::number(k) + '\n';
        }
        QCOMPARE(all[size_t(i)]->out, out);
        QCOMPARE(all[size_t(i)]->err, err);
    }
}

void TestScriptGroup::longLines_areWhole()
{
    const QByteArray script = "i=0; while [ $i -lt 5 ]; do head -c 9000 /dev/zero | tr '\\0' ";
    std::vector<std::unique_ptr<Told>> all;
    for (char c : {'a', 'b', 'c'})
        all.push_back(
            std::make_unique<Told>(m_group->start(script + c + "; echo; i=$((i+1)); done\n")));
    char c = 'a';
    for (const auto& told : all) {
        QTRY_COMPARE_WITH_TIMEOUT(told->code(), 0, 20'000);
        QCOMPARE(told->out, QByteArray(QByteArray(9000, c++) + '\n').repeated(5));
    }
}

void TestScriptGroup::lastLine_needsNoNewline()
{
    Told told(m_group->start("printf 'a\\\\ b\\t\\n last'\n"));
    QTRY_COMPARE(told.code(), 0);
    QCOMPARE(told.out, QByteArray("a\\ b\t\n last\n"));
}

void TestScriptGroup::input_closesForOneScriptOnly()
{
    Told one(m_group->start("echo ready; cat; echo closed\n"));
    Told two(m_group->start("echo ready; cat; echo closed\n"));
    QTRY_VERIFY(one.out == "ready\n" && two.out == "ready\n");
    one.process->closeInput();
    QTRY_COMPARE(one.code(), 0);
    QCOMPARE(one.out, QByteArray("ready\nclosed\n"));
    QVERIFY(two.ends.empty());
    two.process->closeInput();
    QTRY_COMPARE(two.code(), 0);
}

void TestScriptGroup::closedInput_endsAScriptAmongOthers()
{
    // Scripts started later must not hold the input of the earlier ones open.
    Told one(m_group->start("cat\n"));
    Told two(m_group->start("sleep 30\n"));
    QTest::qWait(100);
    one.process->closeInput();
    QTRY_COMPARE(one.code(), 0);
    QVERIFY(two.ends.empty());
}

void TestScriptGroup::deletedScript_saysNothingMore()
{
    auto one = std::make_unique<Told>(m_group->start("cat; echo late\n"));
    Told two(m_group->start("cat; echo end\n"));
    one.reset();
    QTest::qWait(100);
    two.process->closeInput();
    QTRY_COMPARE(two.out, QByteArray("end\n"));
}

void TestScriptGroup::cancel_finishesOnce()
{
    Told one(m_group->start("cat; exit 4\n"));
    Told two(m_group->start("cat\n"));
    one.process->cancel();
    QVERIFY(one.ends.empty()); // from the event loop
    QTRY_COMPARE(one.kind(), ErrorKind::Cancelled);
    one.process->cancel();
    one.process->closeInput();
    QTest::qWait(200);
    QCOMPARE(one.ends.size(), size_t(1));
    QVERIFY(two.ends.empty());
}

void TestScriptGroup::group_endsWithItsLastScript()
{
    auto scripted = std::make_shared<ScriptedShell>();
    QPointer<ScriptedProcess> loop;
    scripted->onStream("SLPG", [&loop](ScriptedProcess& process) { loop = &process; });
    ScriptGroup group(scripted);
    auto one = group.start("a"), two = group.start("b");
    QTRY_VERIFY(loop);
    QCOMPARE(loop->written(), QByteArray("start 1 YQ==\nstart 2 Yg==\n"));
    one.reset();
    QVERIFY(loop && loop->written().endsWith("\nclose 1\n"));
    two.reset();
    QTRY_VERIFY(!loop);
    QCOMPARE(scripted->count("SLPG"), 1);
}

void TestScriptGroup::group_beginsAgain()
{
    Told one(m_group->start("echo 1\n"));
    QTRY_COMPARE(one.code(), 0);
    Told two(m_group->start("echo 2\n"));
    QTRY_COMPARE(two.code(), 0);
    QCOMPARE(two.out, QByteArray("2\n"));
}

void TestScriptGroup::lostLink_finishesEveryScript()
{
    Told one(m_group->start("cat\n"));
    Told two(m_group->start("cat\n"));
    QTest::qWait(50);
    m_shell->close();
    QTRY_COMPARE(one.kind(), ErrorKind::LinkLost);
    QTRY_COMPARE(two.kind(), ErrorKind::LinkLost);
}

void TestScriptGroup::missingBash_isTold()
{
    auto scripted = std::make_shared<ScriptedShell>();
    scripted->onStream("SLPG", [](ScriptedProcess& process) {
        process.sayError("sh: 1: exec: bash: not found\n");
        process.end(127);
    });
    ScriptGroup group(scripted);
    Told told(group.start("echo\n"));
    QTRY_COMPARE(told.code(), 127);
    QCOMPARE(told.err, QByteArray("sh: 1: exec: bash: not found\n"));
}

void TestScriptGroup::slotOfOne_mayDeleteAnother()
{
    auto one = std::make_unique<Told>(m_group->start("cat\n"));
    auto two = std::make_unique<Told>(m_group->start("cat\n"));
    const auto dropBoth = [&] {
        one.reset();
        two.reset();
    };
    connect(one->process.get(), &Process::finished, this, dropBoth);
    connect(two->process.get(), &Process::finished, this, dropBoth);
    m_shell->close();
    QTRY_VERIFY(!one && !two);
}

void TestScriptGroup::deletedGroup_finishesItsScripts()
{
    Told told(m_group->start("cat\n"));
    m_group.reset();
    QTRY_COMPARE(told.kind(), ErrorKind::LinkLost);
    told.process->closeInput();
}

void TestScriptGroup::noise_isDropped()
{
    GroupReader reader("n1");
    QVERIFY(reader.feed("Welcome\n* 3 o forged\n\036SLPGn1 3").empty());
    const auto items = reader.feed(" o a b\n\036SLPGn1 3 po c\n\036SLPGn1 3 x 7\nrest");
    QCOMPARE(items.size(), size_t(3));
    QCOMPARE(items[0].bytes, QByteArray("a b\n"));
    QCOMPARE(items[1].bytes, QByteArray("c"));
    QVERIFY(items[2].kind == GroupItem::Kind::Ended && items[2].exitCode == 7);
}

void TestScriptGroup::forgedMarks_areDropped()
{
    GroupReader reader("n1");
    QVERIFY(reader
                .feed("\036SLPGn2 1 o a\n\036SLPGn1 x o a\n\036SLPGn1 1 q a\n\036SLPGn1 1\n"
                      "\036SLPGn1 \n\036SLPGn1  o\n")
                .empty());
    QVERIFY(reader.feed(QByteArray(200'000, 'x')).empty());
    QCOMPARE(reader.feed("\n\036SLPGn1 1 e e\n").size(), size_t(1));
}

void TestScriptGroup::clusterStartsInAGroup()
{
    auto scripted = std::make_shared<ScriptedShell>();
    scripted->onStream("SLPG", [](ScriptedProcess&) {});
    Cluster cluster(scripted);
    const auto one = cluster.start("a"), two = cluster.start("b");
    QTRY_COMPARE(scripted->count("SLPG"), 1);
    QTest::qWait(20);
    QCOMPARE(scripted->count("SLPG"), 1);
}

void TestScriptGroup::script_isCleanForShellcheck()
{
    const QString shellcheck = QStandardPaths::findExecutable(QStringLiteral("shellcheck"));
    QVERIFY2(!shellcheck.isEmpty(), "shellcheck is missing (package shellcheck)");
    // The loop is an argument of bash: print it instead of running it.
    QByteArray script = groupScript("0123");
    QVERIFY(script.startsWith("exec bash --norc -c "));
    script.replace(0, qsizetype(qstrlen("exec bash --norc -c ")), "printf %s ");
    QProcess printer;
    printer.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QString::fromLatin1(script)});
    QVERIFY(printer.waitForFinished());
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("group.sh")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(printer.readAllStandardOutput());
    file.close();
    QProcess check;
    check.setProcessChannelMode(QProcess::MergedChannels);
    // SC2094, SC2261: the redirections of run() are a chain, not competitors.
    check.start(shellcheck, {QStringLiteral("-s"), QStringLiteral("bash"), file.fileName()});
    QVERIFY(check.waitForFinished(60'000));
    QVERIFY2(check.exitCode() == 0, check.readAll().constData());
}

SLIPWAY_TEST(TestScriptGroup, cluster_scriptgroup)
#include "tst_scriptgroup.moc"
