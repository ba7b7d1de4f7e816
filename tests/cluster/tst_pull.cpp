// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/testmain.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTest>

#include <csignal>

using namespace slipway;

/// “image pull” on the real demo cluster: bytes that advance, a cancel that leaves nothing, the
/// same pull completed, reused, and on a full disk. The registry is reached by way of a forwarder
/// that is as slow as the test wants, in a scratch folder of the test's own.
class TestPulls : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_cluster.renewCalls(); }
    void cancelledPull_advancedAndLeavesNothing();
    void samePull_isCompleted();
    void secondPull_isReused();
    void imageThatCannotFit_isNotLaunched();
    void diskThatFillsUp_isNamed();
    void cleanupTestCase();

private:
    struct Answer {
        int code = -1;
        QList<QJsonObject> objects;
        QByteArray out, err;
        QByteArray all() const { return "stdout:\n" + out + "stderr:\n" + err; }
        /// The last object with this key.
        QJsonObject with(const char* key) const;
    };
    /// Ctrl-C once the bytes of a download have advanced, where `interrupts`.
    Answer cli(const QStringList& words, bool interrupts = false);
    Answer pull(const QString& site, bool interrupts = false);
    void addSite(const QString& id, const QString& imageFolder);
    void startForwarder(int bytesPerSecond);
    void stopForwarder();
    QByteArray halves(); ///< half layers, images and temporary folders, anywhere

    DemoClusterFixture m_cluster;
    QString m_forwarder; ///< its process
};

namespace {

const QString folder = QStringLiteral("/scratch/demo/pull-test");
const QString slowPython = QStringLiteral("docker://login:5002/demo/python:3.13");
constexpr int slow = 1'000'000;
constexpr int quick = 1'000'000'000;

/// Connections to port 5002 go to the registry; what it answers comes in parts.
const char forwarder[] = R"PY(import socket, sys, threading, time
rate = int(sys.argv[1])
part = min(262144, max(1, rate // 10))
def copy(a, b, limited):
    try:
        while True:
            data = a.recv(part)
            if not data:
                break
            b.sendall(data)
            if limited:
                time.sleep(len(data) / rate)
    except OSError:
        pass
    finally:
        for s in (a, b):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("", 5002))
server.listen(16)
while True:
    client, _ = server.accept()
    registry = socket.create_connection(("login", 5000))
    threading.Thread(target=copy, args=(client, registry, False), daemon=True).start()
    threading.Thread(target=copy, args=(registry, client, True), daemon=True).start()
)PY";

} // namespace

QJsonObject TestPulls::Answer::with(const char* key) const
{
    QJsonObject found;
    for (const QJsonObject& object : objects)
        if (object.contains(QLatin1String(key)))
            found = object;
    return found;
}

TestPulls::Answer TestPulls::cli(const QStringList& words, bool interrupts)
{
    static const QRegularExpression advanced(
        QStringLiteral("\"pull\":\\{\"bytes\":[1-9][^}]*\"phase\":\"download\""));

    const std::unique_ptr<QProcess> process = m_cluster.terminal(words);
    process->write("yes\n"); // accepts the host key, the first time
    Answer answer;
    bool interrupted = !interrupts;
    const bool isOver = QTest::qWaitFor(
        [&] {
            answer.out += process->readAllStandardOutput();
            if (!interrupted && advanced.match(QString::fromUtf8(answer.out)).hasMatch()) {
                interrupted = true;
                ::kill(pid_t(process->processId()), SIGINT);
            }
            return process->state() == QProcess::NotRunning;
        },
        240'000);
    if (!isOver) {
        process->kill();
        process->waitForFinished();
    }
    answer.out += process->readAllStandardOutput();
    answer.err = process->readAllStandardError();
    if (isOver && process->exitStatus() == QProcess::NormalExit)
        answer.code = process->exitCode();
    for (const QByteArray& line : answer.out.split('\n'))
        answer.objects << QJsonDocument::fromJson(line).object();
    return answer;
}

TestPulls::Answer TestPulls::pull(const QString& site, bool interrupts)
{
    return cli(
        {QStringLiteral("image"), QStringLiteral("pull"), slowPython, QStringLiteral("--site"),
            site, QStringLiteral("--partition"), QStringLiteral("cpu"), QStringLiteral("--time"),
            QStringLiteral("00:10:00"), QStringLiteral("--json")},
        interrupts);
}

/// A site of the test's own, to which the forwarder is a registry.
void TestPulls::addSite(const QString& id, const QString& imageFolder)
{
    m_cluster.addSite(
        id, m_cluster.connection().value(u"port").toInt(), QStringLiteral("demo"), folder);
    QFile file(m_cluster.home() + u"/config/sites/" + id + u".json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject site = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    site.insert(QStringLiteral("plain_http_registries"),
        QJsonArray{QStringLiteral("login:5000"), QStringLiteral("login:5002")});
    if (!imageFolder.isEmpty())
        site.insert(QStringLiteral("image_folder"), imageFolder);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QJsonDocument(site).toJson());
}

void TestPulls::startForwarder(int bytesPerSecond)
{
    stopForwarder();
    const auto started = m_cluster.ssh(
        QStringLiteral("cd %1 && { setsid python3 forward.py %2 >forward.log 2>&1 </dev/null & "
                       "echo $!; } && for i in $(seq 50); do (: </dev/tcp/login/5002) "
                       "2>/dev/null && exit; sleep 0.1; done; cat forward.log; exit 1")
            .arg(folder)
            .arg(bytesPerSecond));
    QVERIFY2(started.code == 0, started.out);
    m_forwarder = QString::fromLatin1(started.out.trimmed());
}

void TestPulls::stopForwarder()
{
    if (!m_forwarder.isEmpty())
        m_cluster.ssh(u"kill " + m_forwarder);
    m_forwarder.clear();
}

QByteArray TestPulls::halves()
{
    const QString find =
        QStringLiteral("find %1/slipway /scratch-tiny/pull-test /tmp -name '*.part' -o "
                       "-name 'oci-put-blob*' -o -name 'slipway-pull.*' 2>/dev/null")
            .arg(folder);
    QByteArray found = m_cluster.ssh(find).out;
    for (const char* node : {"gpu01", "gpu02"})
        found += m_cluster
                     .root(QLatin1String(node),
                         QStringLiteral("find /tmp -maxdepth 1 -name 'slipway-pull.*'"))
                     .out;
    return found;
}

void TestPulls::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_cluster.ssh(u"rm -rf /scratch-tiny/pull-test " + folder); // of a test that was ended
    QCOMPARE(m_cluster.ssh(u"mkdir -m 700 " + folder).code, 0);
    const QString script = QString::fromLatin1(QByteArray(forwarder).toBase64());
    QCOMPARE(
        m_cluster.ssh(u"echo " + script + u" | base64 -d >" + folder + u"/forward.py").code, 0);
    addSite(QStringLiteral("pulls"), {});
    addSite(QStringLiteral("tiny"), QStringLiteral("/scratch-tiny/pull-test"));
}

void TestPulls::cancelledPull_advancedAndLeavesNothing()
{
    startForwarder(slow);
    const Answer answer = pull(QStringLiteral("pulls"), true);
    QVERIFY2(answer.code == 130, answer.all());
    const QJsonObject progress = answer.with("pull").value(u"pull").toObject();
    QVERIFY2(progress[u"bytes"].toInteger() > 0, answer.all());
    QVERIFY2(progress[u"of"].toInteger() > progress[u"bytes"].toInteger(), answer.all());
    QVERIFY2(answer.with("cancelled").value(u"cancelled").toBool(), answer.all());
    // The job removes what it has written, and then ends.
    QTRY_COMPARE_WITH_TIMEOUT(halves(), QByteArray(), 30'000);
    const auto images = m_cluster.ssh(u"find " + folder + u"/slipway/images -name '*.sif'");
    QCOMPARE(images.out, QByteArray());
}

void TestPulls::samePull_isCompleted()
{
    startForwarder(3 * slow);
    const Answer answer = pull(QStringLiteral("pulls"));
    QVERIFY2(answer.code == 0, answer.all());
    qint64 before = -1;
    int advanced = 0;
    for (const QJsonObject& object : answer.objects) {
        const QJsonObject progress = object[u"pull"].toObject();
        if (progress[u"phase"].toString() != QLatin1String("download"))
            continue;
        const qint64 bytes = progress[u"bytes"].toInteger();
        QVERIFY2(bytes >= before, answer.all());
        advanced += bytes > before;
        before = bytes;
    }
    QVERIFY2(advanced >= 2, answer.all());
    const QJsonObject done = answer.with("file");
    QVERIFY2(done[u"file"].toString().startsWith(folder), answer.all());
    QVERIFY2(done[u"digest"].toString().startsWith(u"sha256:"), answer.all());
    QVERIFY2(done[u"bytes"].toInteger() > 1'000'000, answer.all());
    QVERIFY2(!done[u"reused"].toBool(), answer.all());
    QCOMPARE(halves(), QByteArray());
}

void TestPulls::secondPull_isReused()
{
    startForwarder(quick);
    const Answer answer = pull(QStringLiteral("pulls"));
    QVERIFY2(answer.code == 0, answer.all());
    QVERIFY2(answer.with("file").value(u"reused").toBool(), answer.all());
    QVERIFY2(answer.out.contains("Already present: "), answer.all());
}

void TestPulls::imageThatCannotFit_isNotLaunched()
{
    startForwarder(quick);
    QCOMPARE(m_cluster.ssh(QStringLiteral("mkdir -m 700 /scratch-tiny/pull-test")).code, 0);
    const Answer answer = pull(QStringLiteral("tiny"));
    QVERIFY2(answer.code != 0, answer.all());
    QVERIFY2(answer.all().contains("does not fit"), answer.all());
    QVERIFY2(answer.with("job").isEmpty(), answer.all());
    QCOMPARE(halves(), QByteArray());
}

/// A launch that knows no size: the disk is full in the middle of the pull.
void TestPulls::diskThatFillsUp_isNamed()
{
    startForwarder(quick);
    const Answer answer = cli({QStringLiteral("run"), QStringLiteral("run-a-command"),
        QStringLiteral("--site"), QStringLiteral("tiny"), QStringLiteral("--set"),
        u"image=" + slowPython, QStringLiteral("--set"), QStringLiteral("command=echo was started"),
        QStringLiteral("--no-image-check"), QStringLiteral("--json")});
    QVERIFY2(answer.code != 0, answer.all());
    QVERIFY2(answer.out.toLower().contains("no space left on device"), answer.all());
    QVERIFY2(!answer.out.contains("\"was started\""), answer.all());
    QVERIFY2(answer.out.contains("\"F9\"") || answer.out.contains("\"F10\""), answer.all());
    QCOMPARE(halves(), QByteArray());
    const auto left =
        m_cluster.ssh(QStringLiteral("find /scratch-tiny/pull-test -type f -size +0"));
    QCOMPARE(left.out, QByteArray());
}

void TestPulls::cleanupTestCase()
{
    stopForwarder();
    m_cluster.ssh(u"rm -rf /scratch-tiny/pull-test " + folder);
}

SLIPWAY_TEST(TestPulls, cluster_pull)
#include "tst_pull.moc"
