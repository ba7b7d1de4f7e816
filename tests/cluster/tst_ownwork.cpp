// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace slipway;

/// A person's own folder on the real demo cluster, from the terminal: sent, run, changed and sent
/// again, with a package beside the image.
class TestOwnWorkThere : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void folder_runsAndItsNumbersAreRead();
    void change_isAllThatTravels();
    void package_isInstalledOnceBesideTheImage();

private:
    void put(const QString& name, const QByteArray& bytes);
    /// Runs slipway-cli to its end; the objects that it prints.
    QList<QJsonObject> launch(const QStringList& more);
    static QJsonObject objectWith(const QList<QJsonObject>& objects, const char* key);

    DemoClusterFixture m_cluster;
    int m_code = -1;
    QByteArray m_printed;
};

void TestOwnWorkThere::initTestCase()
{
    QVERIFY2(m_cluster.missing().isEmpty(), qPrintable(m_cluster.missing()));
    put(QStringLiteral("train.py"), R"(import os
import model

for step in range(1, 6):
    print(f"step {step} loss {model.loss(step):.3f}")
print("files:", " ".join(sorted(os.listdir("."))))
with open("results/weights.txt", "w") as file:
    file.write("0.5\n")
)");
    put(QStringLiteral("model.py"), "def loss(step):\n    return 1 / step\n");
    put(QStringLiteral("notes/plan.txt"), "Not for the cluster.\n");
    put(QStringLiteral("data.bin"), QByteArray(100'000, 'x'));
    put(QStringLiteral(".slipwayignore"), "data.bin\nnotes/\n");
}

void TestOwnWorkThere::put(const QString& name, const QByteArray& bytes)
{
    const QString path = m_cluster.home() + u"/project/" + name;
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

QList<QJsonObject> TestOwnWorkThere::launch(const QStringList& more)
{
    const QStringList words{QStringLiteral("run"), m_cluster.home() + u"/project/train.py",
        QStringLiteral("--site"), QStringLiteral("demo"), QStringLiteral("--image"),
        QStringLiteral("docker://login:5000/demo/python:3.13"), QStringLiteral("--set"),
        QStringLiteral("memory=500M"), QStringLiteral("--json")};
    const std::unique_ptr<QProcess> process = m_cluster.terminal(words + more);
    const bool ended =
        QTest::qWaitFor([&process] { return process->state() == QProcess::NotRunning; }, 240'000);
    m_code = ended && process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1;
    const QByteArray out = process->readAllStandardOutput();
    m_printed = out + "stderr:\n" + process->readAllStandardError();
    if (!ended)
        process->kill();
    QList<QJsonObject> objects;
    for (const QByteArray& line : out.split('\n')) {
        if (!line.isEmpty())
            objects << QJsonDocument::fromJson(line).object();
    }
    return objects;
}

QJsonObject TestOwnWorkThere::objectWith(const QList<QJsonObject>& objects, const char* key)
{
    for (const QJsonObject& object : objects) {
        if (object.contains(QLatin1String(key)))
            return object;
    }
    return {};
}

void TestOwnWorkThere::folder_runsAndItsNumbersAreRead()
{
    const QString results = m_cluster.home() + u"/fetched";
    const QList<QJsonObject> said = launch({QStringLiteral("--csv"),
        m_cluster.home() + u"/numbers.csv", QStringLiteral("--fetch"), results});
    QVERIFY2(m_code == 0, m_printed);
    const QJsonObject proposal =
        objectWith(said, "proposal").value(u"proposal").toObject().value(u"values").toObject();
    QCOMPARE(proposal.value(u"command").toString(), QStringLiteral("python3 train.py"));
    QVERIFY2(
        !objectWith(said, "code").value(u"code").toObject().contains(u"since_last_run"), m_printed);
    // What is not for the cluster is not there; what the program wrote has come back.
    QVERIFY2(m_printed.contains("files: "), m_printed);
    const QByteArray there = m_cluster
                                 .ssh(u"cd " + objectWith(said, "sent").value(u"folder").toString()
                                     + u" && ls code code/notes code.manifest; cat results/*")
                                 .out;
    QVERIFY2(there.contains("model.py") && there.contains("0.5\n"), there);
    QVERIFY2(there.contains("code.manifest") && !there.contains("data.bin")
            && !there.contains("plan.txt"),
        there);
    QFile numbers(m_cluster.home() + u"/numbers.csv");
    QVERIFY(numbers.open(QIODevice::ReadOnly));
    const QByteArray table = numbers.readAll();
    QVERIFY2(table.contains("loss") && table.contains("0.2"), table);
    const QStringList fetched = QDir(results).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(fetched.size(), 1);
    QVERIFY(QFile::exists(results + u'/' + fetched.front() + u"/results/weights.txt"));
}

void TestOwnWorkThere::change_isAllThatTravels()
{
    put(QStringLiteral("model.py"), "def loss(step):\n    return 2 / step\n");
    const QList<QJsonObject> said = launch({});
    QVERIFY2(m_code == 0, m_printed);
    const QJsonObject changes =
        objectWith(said, "code").value(u"code").toObject().value(u"since_last_run").toObject();
    QCOMPARE(changes.value(u"changed").toArray(), QJsonArray{QStringLiteral("model.py")});
    QVERIFY(changes.value(u"added").toArray().isEmpty());
    QVERIFY(changes.value(u"removed").toArray().isEmpty());
    const QJsonObject sent = objectWith(said, "sent").value(u"sent").toObject();
    QVERIFY2(sent.value(u"sent").toInt() == 1, m_printed);
    QVERIFY2(sent.value(u"files").toInt() >= 2, m_printed);
    QVERIFY2(m_printed.contains("step 1 loss 2.000"), m_printed);
}

void TestOwnWorkThere::package_isInstalledOnceBesideTheImage()
{
    put(QStringLiteral("requirements.txt"),
        "--no-index\n--find-links /usr/share/slipway-wheels\nslipway-trainer\n");
    put(QStringLiteral("model.py"),
        "import slipway_tensor\nimport slipway_trainer\n\n\ndef loss(step):\n"
        "    print('tensor', slipway_tensor.__version__, slipway_trainer.__version__)\n"
        "    return 1 / step\n");
    const QStringList packages{
        QStringLiteral("--set"), QStringLiteral("packages=requirements.txt")};
    launch(packages);
    QVERIFY2(m_code == 0, m_printed);
    // The image's own version stays, although the wheels have a newer one.
    QVERIFY2(m_printed.contains("tensor 1.0+local 1.0"), m_printed);
    launch(packages);
    QVERIFY2(m_code == 0, m_printed);
    QVERIFY2(m_printed.contains("Already installed: "), m_printed);
    QVERIFY2(m_printed.contains("tensor 1.0+local 1.0"), m_printed);
}

SLIPWAY_TEST(TestOwnWorkThere, cluster_ownwork)
#include "tst_ownwork.moc"
