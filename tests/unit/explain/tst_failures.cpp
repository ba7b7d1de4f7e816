// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/explain.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QTest>

using namespace slipway;

namespace {

/// A block of tests/data/failures: a text, where it was printed, and the hint that it must have, or
/// the hints that it must not have.
struct FailureText {
    bool wanted = true;
    QStringList hints;
    QString origin;
    QByteArray text;
    QString place; ///< "gpu.txt:12"
};

std::vector<FailureText> readTexts()
{
    std::vector<FailureText> texts;
    const QDir folder(sourcePath() + QStringLiteral("/tests/data/failures"));
    for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files)) {
        int number = 0;
        for (const QByteArray& line : contentOf(folder.filePath(name)).split('\n')) {
            ++number;
            if (!line.startsWith("=== ")) {
                if (!texts.empty())
                    texts.back().text += line + '\n';
                continue;
            }
            FailureText one;
            const QString head = QString::fromUtf8(line.mid(4));
            one.hints = head.section(u'|', 0, 0).split(u' ', Qt::SkipEmptyParts);
            one.origin = head.section(u'|', 1).trimmed();
            one.wanted = one.hints.value(0) != u"not";
            if (!one.wanted)
                one.hints.removeFirst();
            one.place = QStringLiteral("%1:%2").arg(name).arg(number);
            texts.push_back(one);
        }
    }
    return texts;
}

} // namespace

/// The texts of failures that programs printed elsewhere, each with its origin, and texts that look
/// alike and are none.
class TestFailures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void text_hasItsCause_data();
    void text_hasItsCause();
    void launcher_leavesTheCause_data();
    void launcher_leavesTheCause();
    void consequences_leaveTheCause_data();
    void consequences_leaveTheCause();
    void twoFailures_areNotNothing();
    void everyHint_hasTextsForAndAgainstIt();
    void health_hasNoCause_data();
    void health_hasNoCause();

private:
    QString foundInstead(const FailureText& one, const QByteArray& text) const;

    std::shared_ptr<const HintBook> m_book;
};

void TestFailures::initTestCase()
{
    std::vector<Error> errors;
    m_book = loadHints(sourcePath() + QStringLiteral("/resources"), {}, &errors);
    QVERIFY2(errors.empty(), errors.empty() ? "" : qPrintable(errors.front().text()));
}

void TestFailures::text_hasItsCause_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("wanted");
    QTest::addColumn<QStringList>("hints");
    for (const FailureText& one : readTexts())
        QTest::newRow(qPrintable(one.place + u' ' + one.hints.value(0)))
            << one.text << one.wanted << one.hints;
}

void TestFailures::text_hasItsCause()
{
    QFETCH(QByteArray, text);
    QFETCH(bool, wanted);
    QFETCH(QStringList, hints);
    ExplainContext context;
    context.endedWell = wanted ? std::optional(false) : std::nullopt; // these jobs had failed
    const auto explanations = explain(m_book, text, context);
    QStringList names;
    for (const Explanation& one : explanations)
        names << one.name;
    if (!wanted) {
        for (const QString& hint : hints)
            QVERIFY2(!names.contains(hint), qPrintable(names.join(u' ')));
        return;
    }
    QVERIFY2(names.value(0) == hints.value(0), qPrintable(u"found: " + names.join(u' ')));
    const Explanation& first = explanations.front();
    QString evidence = first.evidence;
    QVERIFY2(text.contains(evidence.remove(u'…').left(30).toUtf8()), qPrintable(first.evidence));
    qint64 before = 0; // consequences are behind the first line that counts
    for (const EvidenceLine& one : first.further) {
        QVERIFY(one.line >= before && one.line != first.line);
        before = one.line;
    }
}

/// What is found in a text that has the failure of `one` in it; empty when it is the right cause.
QString TestFailures::foundInstead(const FailureText& one, const QByteArray& text) const
{
    ExplainContext context;
    context.endedWell = one.wanted ? std::optional(false) : std::nullopt;
    QStringList names;
    for (const Explanation& found : explain(m_book, text, context))
        names << found.name;
    const bool unwanted = std::any_of(one.hints.begin(), one.hints.end(),
        [&](const QString& hint) { return names.contains(hint); });
    if (one.wanted ? names.value(0) == one.hints.value(0) : !unwanted)
        return {};
    return QStringLiteral("%1 %2%3, found: %4")
        .arg(one.place, one.wanted ? QString() : QStringLiteral("not "), one.hints.join(u' '),
            names.join(u' '));
}

void TestFailures::launcher_leavesTheCause_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("behind");
    const auto add = [](const char* before, const char* behind = "") {
        QTest::newRow(qPrintable(QString::fromLatin1(before).simplified() + u'…'
            + QString::fromLatin1(behind).simplified()))
            << QByteArray(before) << QByteArray(behind);
    };
    // srun --label, mpirun --tag-output, mpiexec -l, pdsh, torchrun, Ray
    add("0: ");
    add("  3: ");
    add("[1,0]<stderr>:");
    add("[1,12]<stdout>: ");
    add("[3] ");
    add("node0042: ");
    add("[rank3]: ");
    add("[default0]:");
    add("(RayWorkerWrapper pid=4242, ip=10.0.0.2) ");
    add("\x1b[36m(train pid=4242)\x1b[0m ");
    // Loggers
    add("2026-11-20 21:01:31,595 ERROR    ");
    add("2026-11-20 21:01:31,595 - trainer - ERROR - ");
    add("[2026-11-20 21:01:31] [ERROR] ");
    add("E1120 21:01:31.123456 4242 worker.cc:12] ");
    add("[rank0]:E1120 21:01:31.123000 4242 torch/run.py:12] ");
    add("ERROR:root:");
    // Containers, workflow systems, system logs
    add("2026-11-20T21:01:31.595123Z ");
    add("worker-0  | ");
    add("Nov 20 21:01:31 node1 slurmstepd[4242]: ");
    add("stderr: ");
    // Indented, coloured, with the line ends of Windows, behind a bar that was not ended
    add("    ");
    add("\t");
    add("\x1b[31m", "\x1b[0m");
    add("", "\r");
    add(" 42%|####      | 42/100 [00:01<00:02, 21.0it/s]\r");
}

/// Whatever stands before the lines of a failure, it is the same failure.
void TestFailures::launcher_leavesTheCause()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, behind);
    constexpr size_t every = 5; // texts, others for each launcher
    const std::vector<FailureText> texts = readTexts();
    QStringList other;
    for (size_t i = size_t(before.size()) % every; i < texts.size(); i += every) {
        QByteArray text;
        for (const QByteArray& line : texts[i].text.split('\n'))
            text += line.isEmpty() ? QByteArray("\n") : before + line + behind + '\n';
        if (const QString found = foundInstead(texts[i], text); !found.isEmpty())
            other << found;
    }
    QVERIFY2(other.isEmpty(), qPrintable(other.join(u'\n')));
}

void TestFailures::consequences_leaveTheCause_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("behind");
    QTest::newRow("srun") << QByteArray()
                          << QByteArray("srun: error: node0042: task 3: Exited with exit code 1\n"
                                        "srun: Terminating StepId=4242.0\n"
                                        "slurmstepd: error: *** STEP 4242.0 ON node0042 CANCELLED "
                                        "AT 2026-11-20T21:01:31 ***\n"
                                        "srun: error: node0042: tasks 0-2: Terminated\n");
    QTest::newRow("torchrun")
        << QByteArray()
        << QByteArray("W1120 21:01:31.123000 4242 "
                      "torch/distributed/elastic/multiprocessing/api.py:897] Sending "
                      "process 4243 closing signal SIGTERM\n"
                      "E1120 21:01:31.523000 4242 "
                      "torch/distributed/elastic/multiprocessing/api.py:869] failed "
                      "(exitcode: 1) local_rank: 0 (pid: 4244) of binary: /usr/bin/python3\n"
                      "Traceback (most recent call last):\n"
                      "  File \"/usr/local/bin/torchrun\", line 8, in <module>\n"
                      "    sys.exit(main())\n"
                      "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
                      "============================================================\n"
                      "train.py FAILED\n"
                      "------------------------------------------------------------\n"
                      "Failures:\n"
                      "  <NO_OTHER_FAILURES>\n");
    QTest::newRow("mpirun")
        << QByteArray()
        << QByteArray("--------------------------------------------------------------------------\n"
                      "Primary job  terminated normally, but 1 process returned\n"
                      "a non-zero exit code. Per user-direction, the job has been aborted.\n"
                      "--------------------------------------------------------------------------\n"
                      "mpirun detected that one or more processes exited with non-zero status, "
                      "thus causing\n"
                      "the job to be terminated. The first process to do so was:\n\n"
                      "  Process name: [[4242,1],0]\n"
                      "  Exit code:    1\n");
    QTest::newRow("mpiexec") << QByteArray()
                             << QByteArray(
                                    "=============================================================="
                                    "=====================\n"
                                    "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"
                                    "=   PID 4242 RUNNING AT node0042\n"
                                    "=   EXIT CODE: 1\n"
                                    "=   CLEANING UP REMAINING PROCESSES\n"
                                    "=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES\n"
                                    "=============================================================="
                                    "=====================\n");
    QByteArray training("Loading modules\nUsing device: cuda\n");
    for (int step = 1; step <= 200; ++step)
        training += "Epoch 1/10 step " + QByteArray::number(step) + "/400 loss: 0.5 acc: 0.75\n";
    QTest::newRow("a training before") << training << QByteArray();
}

/// What launchers print about a failure, and what was printed before, is not its cause.
void TestFailures::consequences_leaveTheCause()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, behind);
    QStringList other;
    for (const FailureText& one : readTexts()) {
        const auto hint = std::find_if(m_book->hints().begin(), m_book->hints().end(),
            [&](const Hint& known) { return known.name == one.hints.value(0); });
        const bool isFault =
            hint == m_book->hints().end() || hint->severity == Explanation::Severity::Fault;
        if (!one.wanted || !isFault)
            continue; // then the launcher's is the only failure
        // mpirun connected the processes.
        if (one.hints.first() == u"mpi-not-connected" && behind.contains("mpirun detected"))
            continue;
        if (const QString found = foundInstead(one, before + one.text + behind); !found.isEmpty())
            other << found;
    }
    QVERIFY2(other.isEmpty(), qPrintable(other.join(u'\n')));
}

/// Hints that give way to others, and those that are consequences of others, do not do both until
/// none is left.
void TestFailures::twoFailures_areNotNothing()
{
    constexpr size_t every = 101; // pairs
    const std::vector<FailureText> texts = readTexts();
    QStringList silent;
    for (size_t pair = 0; pair < texts.size() * texts.size(); pair += every) {
        const FailureText& one = texts[pair / texts.size()];
        const FailureText& other = texts[pair % texts.size()];
        if (one.wanted && other.wanted && one.hints != other.hints
            && explain(m_book, QByteArray(one.text + other.text)).empty())
            silent << one.place + u' ' + other.place;
    }
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join(u'\n')));
}

void TestFailures::everyHint_hasTextsForAndAgainstIt()
{
    QMap<QString, int> with, without;
    QSet<QString> known{QStringLiteral("exception")}, twice;
    for (const FailureText& one : readTexts()) {
        QVERIFY2(!one.origin.isEmpty() && !one.text.trimmed().isEmpty(), qPrintable(one.place));
        for (const QString& hint : one.hints)
            ++(one.wanted ? with : without)[hint];
    }
    QStringList missing;
    for (const Hint& hint : m_book->hints()) {
        QVERIFY2(!hint.name.isEmpty() && !known.contains(hint.name), qPrintable(hint.title));
        known.insert(hint.name);
        if (with.value(hint.name) == 0)
            missing << hint.name + QStringLiteral(" (no text that must match)");
        if (without.value(hint.name) == 0)
            missing << hint.name + QStringLiteral(" (no text that must not match)");
    }
    for (const QString& hint : with.keys() + without.keys())
        QVERIFY2(known.contains(hint), qPrintable(hint));
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u", ")));
}

void TestFailures::health_hasNoCause_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(sourcePath() + QStringLiteral("/tests/data/healthy"));
    QVERIFY(folder.exists());
    for (const QString& name : folder.entryList({QStringLiteral("*.txt")}, QDir::Files))
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

void TestFailures::health_hasNoCause()
{
    QFETCH(QString, file);
    const QByteArray text = contentOf(file);
    QVERIFY(!text.isEmpty());
    for (const Explanation& one : explain(m_book, text))
        QVERIFY2(one.severity == Explanation::Severity::Note,
            qPrintable(
                QStringLiteral("%1, line %2: %3").arg(one.name).arg(one.line).arg(one.evidence)));
}

SLIPWAY_TEST(TestFailures, explain_failures)
#include "tst_failures.moc"
