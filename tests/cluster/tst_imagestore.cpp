// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/testmain.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

using namespace slipway;

/// Images and caches on the real demo cluster, listed, deleted and cleared by the terminal program.
/// They are in a scratch folder of their own, because other tests use those of the demo site.
class TestImageStore : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void pulledImage_isListedWithOriginAndRun();
    void imageOfAWaitingJob_isLeft();
    void caches_areShownAndCleared();
    void image_isDeletedOnce();
    void cleanupTestCase();

private:
    struct Answer {
        int code = -1;
        QList<QJsonObject> objects;
        QByteArray out, err;
        QByteArray all() const { return "stdout:\n" + out + "stderr:\n" + err; }
        QList<QJsonObject> ofKind(const char* kind) const;
    };
    Answer cli(const QStringList& words, const QByteArray& typed = "yes\n");
    Answer images(const QStringList& words)
    {
        return cli(QStringList{QStringLiteral("image")} + words
            + QStringList{
                QStringLiteral("--site"), QStringLiteral("keep"), QStringLiteral("--json")});
    }
    Answer run(const QString& command, const QStringList& more = {});
    bool exists(const QString& path) { return m_cluster.ssh(u"test -e '" + path + u"'").code == 0; }

    DemoClusterFixture m_cluster;
    QString m_run; ///< which pulled the image
};

namespace {

const QString storeScratch = QStringLiteral("/scratch/demo/image-store");
const QString storedPython = QStringLiteral("docker://login:5000/demo/python:3.13");
const QString imageFile = QStringLiteral("login_5000/demo/python_3.13.sif");
const QString imagePath = QString(storeScratch + u"/slipway/images/" + imageFile);
const QString halfImage = QString(imagePath + u".part");

} // namespace

QList<QJsonObject> TestImageStore::Answer::ofKind(const char* kind) const
{
    QList<QJsonObject> found;
    for (const QJsonObject& object : objects)
        if (object.value(u"kind").toString() == QLatin1String(kind))
            found << object;
    return found;
}

/// What is typed accepts the host key, the first time.
TestImageStore::Answer TestImageStore::cli(const QStringList& words, const QByteArray& typed)
{
    const std::unique_ptr<QProcess> process = m_cluster.terminal(words);
    process->write(typed);
    const bool isOver =
        QTest::qWaitFor([&] { return process->state() == QProcess::NotRunning; }, 180'000);
    if (!isOver) {
        process->kill();
        process->waitForFinished();
    }
    Answer answer;
    answer.out = process->readAllStandardOutput();
    answer.err = process->readAllStandardError();
    if (isOver && process->exitStatus() == QProcess::NormalExit)
        answer.code = process->exitCode();
    for (const QByteArray& line : answer.out.split('\n'))
        answer.objects << QJsonDocument::fromJson(line).object();
    return answer;
}

/// A command in the container, whose image is pulled by the first one.
TestImageStore::Answer TestImageStore::run(const QString& command, const QStringList& more)
{
    QStringList words{QStringLiteral("run"), QStringLiteral("run-a-command"),
        QStringLiteral("--site"), QStringLiteral("keep")};
    for (const QString& setting :
        {QString(u"command=" + command), QString(u"image=" + storedPython),
            QStringLiteral("cpus=1"), QStringLiteral("memory=1G")})
        words << QStringLiteral("--set") << setting;
    return cli(words + more);
}

void TestImageStore::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    m_cluster.ssh(u"rm -rf " + storeScratch); // of a test that was ended
    QCOMPARE(m_cluster.ssh(u"mkdir -m 700 " + storeScratch).code, 0);
    m_cluster.addSite(QStringLiteral("keep"), m_cluster.connection().value(u"port").toInt(),
        QStringLiteral("demo"), storeScratch);
}

void TestImageStore::pulledImage_isListedWithOriginAndRun()
{
    const Answer pulled = run(QStringLiteral("true"));
    QVERIFY2(pulled.code == 0, pulled.all());
    static const QRegularExpression line(QStringLiteral("Run (\\w+) is job (\\d+)"));
    m_run = line.match(QString::fromUtf8(pulled.err)).captured(1);
    // What a pull that was killed has left.
    QCOMPARE(m_cluster.ssh(u"head -c 5000 /dev/zero >" + halfImage).code, 0);
    const Answer list = images({QStringLiteral("list")});
    QVERIFY2(list.code == 0, list.all());
    const auto found = list.ofKind("image");
    QVERIFY2(found.size() == 2, list.all());
    const QJsonObject& image = found[0];
    QCOMPARE(image.value(u"path").toString(), imagePath);
    QCOMPARE(image.value(u"name").toString(), imageFile);
    QCOMPARE(image.value(u"from").toString(), storedPython);
    QCOMPARE(image.value(u"runs").toArray(), QJsonArray{m_run});
    QVERIFY2(image.value(u"digest").toString().startsWith(u"sha256:"), list.all());
    QVERIFY(image.value(u"bytes").toInteger() > 1'000'000);
    QVERIFY(!image.value(u"in_use").toBool() && !image.value(u"partial").toBool());
    QCOMPARE(found[1].value(u"path").toString(), halfImage);
    QVERIFY(found[1].value(u"partial").toBool());
    const auto summary = list.ofKind("summary");
    QVERIFY(summary.size() == 1 && summary[0].value(u"free").toInteger() > 0);
    QVERIFY(summary[0].value(u"command").toString().contains(storeScratch));
    // For a person.
    const Answer table = cli({QStringLiteral("image"), QStringLiteral("list"),
        QStringLiteral("--site"), QStringLiteral("keep")});
    QVERIFY2(table.code == 0 && table.out.contains("DELETED ON")
            && table.out.contains(storedPython.toUtf8()) && table.err.contains("2 images, "),
        table.all());
}

void TestImageStore::imageOfAWaitingJob_isLeft()
{
    m_cluster.root(
        QStringLiteral("login"), QStringLiteral("scontrol update PartitionName=debug State=DOWN"));
    const auto up = qScopeGuard([this] {
        m_cluster.root(QStringLiteral("login"),
            QStringLiteral("scontrol update PartitionName=debug State=UP"));
    });
    const Answer waiting = run(QStringLiteral("true"),
        {QStringLiteral("--set"), QStringLiteral("partition=debug"), QStringLiteral("--detach")});
    QVERIFY2(waiting.code == 0, waiting.all());
    static const QRegularExpression line(QStringLiteral("Run (\\w+) is job (\\d+)"));
    const auto match = line.match(QString::fromUtf8(waiting.err));
    QVERIFY2(match.hasMatch(), waiting.all());
    const Answer left = images({QStringLiteral("remove"), imageFile, QStringLiteral("--yes")});
    const Answer cache =
        images({QStringLiteral("cache"), QStringLiteral("--clear"), QStringLiteral("--yes")});
    const Answer cancelled = cli({QStringLiteral("cancel"), match.captured(1)});
    QVERIFY2(left.code == 1 && left.out.contains("a job that has not ended"), left.all());
    QVERIFY(exists(imagePath));
    QVERIFY2(cache.code == 4 && cache.out.contains("a job that has not ended"), cache.all());
    QVERIFY2(cancelled.code == 0, cancelled.all());
}

void TestImageStore::caches_areShownAndCleared()
{
    const QString layers = QString(storeScratch + u"/slipway/cache/cache");
    const auto bytes = [&layers](const Answer& answer) {
        for (const QJsonObject& cache : answer.ofKind("cache"))
            if (cache.value(u"path").toString() == layers)
                return cache.value(u"bytes").toInteger();
        return qint64(-1);
    };
    const Answer shown = images({QStringLiteral("cache")});
    QVERIFY2(shown.code == 0, shown.all());
    const qint64 before = bytes(shown);
    QVERIFY2(before > 1'000'000, shown.all());
    const QStringList words{QStringLiteral("image"), QStringLiteral("cache"),
        QStringLiteral("--clear"), QStringLiteral("--site"), QStringLiteral("keep")};
    const Answer asked = cli(words, "no\n");
    QVERIFY2(asked.code == 4 && asked.err.contains("Type yes"), asked.all());
    const auto kilobytes = [&] {
        return m_cluster.ssh(u"du -sk " + layers).out.split('\t').value(0).toLongLong();
    };
    QCOMPARE(1024 * kilobytes(), before); // nothing happened
    const Answer cleared = cli(words);
    QVERIFY2(cleared.code == 0 && cleared.err.contains(" freed."), cleared.all());
    QVERIFY2(1024 * kilobytes() < before / 10, cleared.all());
}

void TestImageStore::image_isDeletedOnce()
{
    const Answer removed = images({QStringLiteral("remove"), QStringLiteral("python_3.13.sif"),
        halfImage, QStringLiteral("--yes")});
    QVERIFY2(removed.code == 0, removed.all());
    QVERIFY2(removed.objects.value(0).value(u"removed").toBool(), removed.all());
    for (const QString& file : {imagePath, halfImage, QString(imagePath + u".slipway-digest")})
        QVERIFY2(!exists(file), qPrintable(file));
    const Answer again = images({QStringLiteral("remove"), imagePath, QStringLiteral("--yes")});
    QVERIFY2(again.code == 2 && again.out.contains("There is no image"), again.all());
}

void TestImageStore::cleanupTestCase()
{
    m_cluster.ssh(u"rm -rf " + storeScratch);
}

SLIPWAY_TEST(TestImageStore, cluster_imagestore)
#include "tst_imagestore.moc"
