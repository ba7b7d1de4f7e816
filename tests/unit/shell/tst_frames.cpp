// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/frames.h"
#include "tests/support/testmain.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QSet>
#include <QTest>

using namespace slipway;

namespace {

const QByteArray nonce("0123456789abcdef0123456789abcdef");

struct Read {
    FrameReader reader{nonce};
    QByteArray payload;
    void feed(const QByteArray& bytes)
    {
        reader.feed(bytes);
        payload += reader.takePayload();
    }
};

struct Ran {
    QByteArray out;
    QByteArray err;
    int code = -1;
};

Ran runThrough(const QString& program, const QStringList& arguments, const QByteArray& script,
    const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    process.write(script);
    process.closeWriteChannel();
    process.waitForFinished();
    return {process.readAllStandardOutput(), process.readAllStandardError(), process.exitCode()};
}

} // namespace

class TestFrames : public QObject {
    Q_OBJECT

private slots:
    void reader_keepsWhatStandsBetweenTheMarks_data();
    void reader_keepsWhatStandsBetweenTheMarks();
    void reader_givesTheSameForEverySplit();
    void reader_neverEndsWithoutAnEndMark_data();
    void reader_neverEndsWithoutAnEndMark();
    void reader_holdsNoMoreThanItMust();
    void reader_keepsTheEndOfTheNoise();
    void nonce_is128BitsAndNeverTheSame();
    void script_endsWithItsExitCodeInEveryShell_data();
    void script_endsWithItsExitCodeInEveryShell();
    void preamble_removesWhatChangesSlurmsOutput_data();
    void preamble_removesWhatChangesSlurmsOutput();
    void unframedScript_givesBackTheScript_data();
    void unframedScript_givesBackTheScript();
};

void TestFrames::reader_keepsWhatStandsBetweenTheMarks_data()
{
    const auto begin = beginMark(nonce);
    const auto other = QByteArray(32, 'f');
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<int>("exitCode");
    QTest::newRow("one line") << begin + "hello\n" + endMark(nonce, 0) << QByteArray("hello\n")
                              << 0;
    QTest::newRow("nothing") << begin + endMark(nonce, 7) << QByteArray() << 7;
    QTest::newRow("no newline at the end")
        << begin + "x" + endMark(nonce, 255) << QByteArray("x") << 255;
    QTest::newRow("noise on both sides")
        << "Welcome\r\n\033[1mhi" + begin + "a" + endMark(nonce, 1) + "logout\n"
        << QByteArray("a") << 1;
    QTest::newRow("a frame with another nonce is payload")
        << begin + beginMark(other) + "b" + endMark(other, 9) + endMark(nonce, 2)
        << QByteArray(beginMark(other) + "b" + endMark(other, 9)) << 2;
    QTest::newRow("an end before the begin is noise")
        << endMark(nonce, 3) + begin + "c" + endMark(nonce, 4) << QByteArray("c") << 4;
    QTest::newRow("an end without a number is payload")
        << begin + "\n\036SLPE " + nonce + " x\n" + endMark(nonce, 5)
        << QByteArray("\n\036SLPE " + nonce + " x\n") << 5;
    QTest::newRow("an end with a huge number is payload")
        << begin + "\n\036SLPE " + nonce + " 12345678\n" + endMark(nonce, 5)
        << QByteArray("\n\036SLPE " + nonce + " 12345678\n") << 5;
    QTest::newRow("every byte") << begin + QByteArray::fromHex("00ff0a1e0d1b") + endMark(nonce, 0)
                                << QByteArray::fromHex("00ff0a1e0d1b") << 0;
}

void TestFrames::reader_keepsWhatStandsBetweenTheMarks()
{
    QFETCH(QByteArray, stream);
    QFETCH(QByteArray, payload);
    QFETCH(int, exitCode);
    Read read;
    read.feed(stream);
    QCOMPARE(read.payload, payload);
    QCOMPARE(read.reader.state(), FrameReader::State::Ended);
    QCOMPARE(read.reader.exitCode(), exitCode);
    // And byte by byte.
    Read slow;
    for (const char byte : stream)
        slow.feed(QByteArray(1, byte));
    QCOMPARE(slow.payload, payload);
    QCOMPARE(slow.reader.exitCode(), exitCode);
}

void TestFrames::reader_givesTheSameForEverySplit()
{
    const QByteArray stream =
        "noise\n" + beginMark(nonce) + "one\n\036SLPE almost\n" + endMark(nonce, 42) + "after";
    for (qsizetype cut = 0; cut <= stream.size(); ++cut) {
        Read read;
        read.feed(stream.first(cut));
        read.feed(stream.sliced(cut));
        QCOMPARE(read.payload, QByteArray("one\n\036SLPE almost\n"));
        QCOMPARE(read.reader.exitCode(), 42);
    }
}

void TestFrames::reader_neverEndsWithoutAnEndMark_data()
{
    QTest::addColumn<QByteArray>("stream");
    QTest::addColumn<bool>("begun");
    QTest::newRow("nothing at all") << QByteArray() << false;
    QTest::newRow("noise only") << QByteArray("This account is currently not available.\n")
                                << false;
    QTest::newRow("cut in the payload") << QByteArray(beginMark(nonce) + "half a li") << true;
    QTest::newRow("cut in the end mark")
        << QByteArray(beginMark(nonce) + "x" + endMark(nonce, 0).chopped(1)) << true;
    QTest::newRow("the end of another run")
        << QByteArray(beginMark(nonce) + "x" + endMark(QByteArray(32, '0'), 0)) << true;
}

void TestFrames::reader_neverEndsWithoutAnEndMark()
{
    QFETCH(QByteArray, stream);
    QFETCH(bool, begun);
    Read read;
    read.feed(stream);
    read.reader.flush();
    QCOMPARE(
        read.reader.state(), begun ? FrameReader::State::Inside : FrameReader::State::BeforeBegin);
    QCOMPARE(read.reader.exitCode(), -1);
}

void TestFrames::reader_holdsNoMoreThanItMust()
{
    Read read;
    read.feed(beginMark(nonce));
    const QByteArray piece(1024 * 1024, 'x');
    for (int i = 0; i < 64; ++i) {
        read.reader.feed(piece);
        const auto got = read.reader.takePayload();
        QVERIFY(piece.size() - got.size() < 64);
    }
    read.feed(endMark(nonce, 0));
    QCOMPARE(read.reader.state(), FrameReader::State::Ended);
}

void TestFrames::reader_keepsTheEndOfTheNoise()
{
    Read read;
    read.feed(QByteArray(1024 * 1024, 'n') + "the last words");
    read.reader.flush();
    QVERIFY(read.reader.noise().size() <= 8192);
    QVERIFY(read.reader.noise().endsWith("the last words"));
}

void TestFrames::nonce_is128BitsAndNeverTheSame()
{
    QSet<QByteArray> seen;
    for (int i = 0; i < 1000; ++i) {
        const auto fresh = newNonce();
        QCOMPARE(fresh.size(), 32);
        QVERIFY(!seen.contains(fresh));
        seen.insert(fresh);
    }
}

void TestFrames::script_endsWithItsExitCodeInEveryShell_data()
{
    struct Case {
        const char* name;
        QByteArray script;
        QByteArray out;
        int exitCode;
    };
    const Case cases[] = {
        {"success", "echo a", "a\n", 0},
        {"exit in the middle", "echo a; exit 3; echo b", "a\n", 3},
        {"a failing command", "false", "", 1},
        {"no such command", "no-such-command-here", "", 127},
        {"a syntax error", "if then fi )", "", 2},
        {"an open quote", "echo 'a", "", 2},
        {"a closing bracket", "echo a )", "", 2},
        {"reads its standard input", "cat; echo b", "b\n", 0},
        {"several lines, quotes and a comment", "x='it'\\''s' # ) '\necho \"$x\"\n", "it's\n", 0},
        {"a here-document", "cat <<'END'\n$x `y`\nEND\n", "$x `y`\n", 0},
        {"a backslash at the end of a line", "echo a \\\n b", "a b\n", 0},
        {"killed by a signal", "sh -c 'kill -9 $$'", "", 137},
    };
    QTest::addColumn<QString>("shell");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QByteArray>("out");
    QTest::addColumn<int>("exitCode");
    for (const auto* shell : {"sh", "bash", "dash", "bash --posix"})
        for (const auto& c : cases)
            QTest::addRow("%s, %s", shell, c.name)
                << QString::fromLatin1(shell) << c.script << c.out << c.exitCode;
}

void TestFrames::script_endsWithItsExitCodeInEveryShell()
{
    QFETCH(QString, shell);
    QFETCH(QByteArray, script);
    QFETCH(QByteArray, out);
    QFETCH(int, exitCode);
    auto arguments = shell.split(u' ');
    const auto program = arguments.takeFirst();
    const auto ran =
        runThrough(program, arguments << QStringLiteral("-s"), framedScript(nonce, script));
    Read read;
    read.feed(ran.out);
    QCOMPARE(read.reader.state(), FrameReader::State::Ended);
    // bash reports a syntax error inside eval with 1 or 2, depending on its version.
    if (exitCode == 2)
        QVERIFY(read.reader.exitCode() != 0);
    else
        QCOMPARE(read.reader.exitCode(), exitCode);
    QCOMPARE(read.payload, out);
}

void TestFrames::preamble_removesWhatChangesSlurmsOutput_data()
{
    QTest::addColumn<QString>("shell");
    for (const auto* shell : {"sh", "bash", "dash"})
        QTest::newRow(shell) << QString::fromLatin1(shell);
}

void TestFrames::preamble_removesWhatChangesSlurmsOutput()
{
    QFETCH(QString, shell);
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const auto* name : {"SQUEUE_FORMAT", "SQUEUE_PARTITION", "SINFO_SORT", "SACCT_FORMAT",
             "SBATCH_PARTITION", "SALLOC_ACCOUNT", "SCANCEL_VERBOSE", "SRUN_CPUS_PER_TASK"})
        environment.insert(
            QString::fromLatin1(name), QStringLiteral("a b * 'q\" $(id)\nSQUEUE_x;y=z"));
    environment.insert(QStringLiteral("SLURM_CLUSTERS"), QStringLiteral("all"));
    environment.insert(QStringLiteral("SLURM_TIME_FORMAT"), QStringLiteral("relative"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
    environment.insert(QStringLiteral("KEPT"), QStringLiteral("x SQUEUE_NO-NAME=1 SBATCH_A.B=2"));
    environment.insert(QStringLiteral("SLURM_CONF"), QStringLiteral("/etc/slurm.conf"));
    const auto ran = runThrough(shell, {QStringLiteral("-s")},
        framedScript(nonce,
            "env | grep -E '^(SQ|SI|SA|SB|SC|SR|SLURM|LC_ALL|KEPT)' | sort; umask; echo *SQUEUE*"),
        environment);
    Read read;
    read.feed(ran.out);
    QCOMPARE(QString::fromUtf8(read.payload),
        QStringLiteral("KEPT=x SQUEUE_NO-NAME=1 "
                       "SBATCH_A.B=2\nLC_ALL=C\nSLURM_CONF=/etc/slurm.conf\n0077\n*SQUEUE*\n"));
    Read error;
    error.feed(ran.err);
    error.reader.flush();
    QCOMPARE(QByteArray(error.payload + error.reader.takePayload()), QByteArray());
}

void TestFrames::unframedScript_givesBackTheScript_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("plain") << QByteArray("squeue --me");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("quotes") << QByteArray("echo 'it'\\''s' ) (eval 'x')\n");
    QTest::newRow("a frame in a frame") << framedScript(nonce, "echo 'a'");
}

void TestFrames::unframedScript_givesBackTheScript()
{
    QFETCH(QByteArray, script);
    for (const auto input : {ScriptInput::Nothing, ScriptInput::Data}) {
        const auto back = unframedScript(framedScript(nonce, script, input));
        QVERIFY(back.has_value());
        QCOMPARE(back->nonce, nonce);
        QCOMPARE(back->script, script);
    }
    QVERIFY(!unframedScript("tail -f x").has_value());
}

SLIPWAY_TEST(TestFrames, shell_frames)
#include "tst_frames.moc"
