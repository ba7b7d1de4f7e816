// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QUuid>

using namespace slipway;

/// A person's own folder on the real demo cluster, from the terminal: sent, run, changed and sent
/// again, with a package beside the image.
class TestOwnWorkThere : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void folder_runsAndItsNumbersAreRead();
    void change_isAllThatTravels();
    void secret_reachesTheProgramAndNothingElse();
    void package_isInstalledOnceBesideTheImage();
    void torchProject_givesCurvesFromTheBareFolder();
    void makefileOverMpi_isBuiltAndItsRanksFindEachOther();
    void data_isReadAndNeverWritten();
    void missingData_isNamedBeforeTheJob();
    void run_isKeptAndLaunchedAgain();
    void cleanupTestCase();

private:
    void put(const QString& name, const QByteArray& bytes);
    /// Launches the program in project/; the objects that slipway-cli prints.
    QList<QJsonObject> launch(const QStringList& more);
    /// The same for any command.
    QList<QJsonObject> call(const QStringList& words);
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
    return call(words + more);
}

QList<QJsonObject> TestOwnWorkThere::call(const QStringList& words)
{
    const std::unique_ptr<QProcess> process = m_cluster.terminal(words);
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
    // A content that the cluster has from no earlier test.
    put(QStringLiteral("model.py"),
        "# " + QUuid::createUuid().toByteArray() + "\ndef loss(step):\n    return 2 / step\n");
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

void TestOwnWorkThere::secret_reachesTheProgramAndNothingElse()
{
    put(QStringLiteral("model.py"),
        "import os\n\n\ndef loss(step):\n    print('length', len(os.environ['HF_TOKEN']))\n"
        "    return 1 / step\n");
    const QByteArray value = "hf_" + QUuid::createUuid().toByteArray(QUuid::Id128);
    qputenv("HF_TOKEN", value);
    const QList<QJsonObject> said = launch({QStringLiteral("--secret"), QStringLiteral("HF_TOKEN"),
        QStringLiteral("--fetch"), m_cluster.home() + u"/with-secret"});
    qunsetenv("HF_TOKEN");
    QVERIFY2(m_code == 0, m_printed);
    const QByteArray length = "length " + QByteArray::number(value.size());
    QVERIFY2(m_printed.contains(length), m_printed);
    QVERIFY(!m_printed.contains(value));
    // Everything of Slipway on the cluster: the run folder, the store of sent files, the images.
    const QString folder = objectWith(said, "sent").value(u"folder").toString();
    QVERIFY(folder.startsWith(u'/'));
    const auto there = m_cluster.ssh(u"ls -a " + folder + u"; cd " + folder + u"/.. && grep -rlaF "
        + QString::fromLatin1(value) + u" . ; echo searched");
    QVERIFY2(there.out.contains("job.sh"), there.out);
    QVERIFY2(!there.out.contains("secrets.env"), there.out);
    QVERIFY2(there.out.trimmed().endsWith("\nsearched"), there.out);
    QVERIFY2(!there.out.contains("\n./"), there.out);
    // And everything here: the list of runs, their files, the capsule, the settings.
    QDirIterator files(m_cluster.home(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    int searched = 0;
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly))
            QVERIFY2(!file.readAll().contains(value), qPrintable(file.fileName()));
        ++searched;
    }
    QVERIFY(searched > 10);
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

/// A folder with two files and nothing that says how it is run.
void TestOwnWorkThere::torchProject_givesCurvesFromTheBareFolder()
{
    put(QStringLiteral("../torch/net.py"), R"(from torch import nn


def small():
    return nn.Sequential(nn.Flatten(), nn.Linear(784, 32), nn.ReLU(), nn.Linear(32, 10))
)");
    put(QStringLiteral("../torch/train.py"), R"(import gzip

import torch
from net import small

folder = "/usr/share/datasets/fashion-mnist/"


def load(name, skip):
    with gzip.open(folder + name) as file:
        return torch.frombuffer(bytearray(file.read()[skip:]), dtype=torch.uint8)


torch.manual_seed(1)
images = load("train-images-idx3-ubyte.gz", 16).view(-1, 784)[:6000].float() / 255
labels = load("train-labels-idx1-ubyte.gz", 8)[:6000].long()
net = small()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(1, 6):
    total = 0.0
    for at in range(0, 6000, 100):
        loss = torch.nn.functional.cross_entropy(net(images[at:at + 100]), labels[at:at + 100])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / 60:.4f}")
)");
    const QString table = m_cluster.home() + u"/torch.csv";
    call({QStringLiteral("run"), m_cluster.home() + u"/torch/train.py", QStringLiteral("--site"),
        QStringLiteral("demo"), QStringLiteral("--csv"), table, QStringLiteral("--json")});
    QVERIFY2(m_code == 0, m_printed);
    QFile numbers(table);
    QVERIFY(numbers.open(QIODevice::ReadOnly));
    QList<double> losses;
    for (const QByteArray& line : numbers.readAll().split('\n')) {
        const QList<QByteArray> cells = line.split(',');
        if (cells.size() > 4 && cells.first() == "train_loss")
            losses << cells.at(4).toDouble();
    }
    QCOMPARE(losses.size(), 5);
    QVERIFY2(losses.last() < losses.first() && losses.last() > 0, m_printed);
}

void TestOwnWorkThere::makefileOverMpi_isBuiltAndItsRanksFindEachOther()
{
    put(QStringLiteral("../pi/Makefile"),
        "pi: pi.c\n\tmpicc -O2 -o pi pi.c\n\nrun: pi\n\tmpirun -np 2 ./pi\n");
    put(QStringLiteral("../pi/pi.c"), R"(#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long n = 1000000;
    double part = 0, pi = 0;
    for (long i = rank; i < n; i += size) {
        const double x = (i + 0.5) / n;
        part += 4 / (1 + x * x) / n;
    }
    MPI_Reduce(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("pi: %.9f from %d ranks\n", pi, size);
    MPI_Finalize();
    return 0;
}
)");
    const QList<QJsonObject> said = call({QStringLiteral("run"), m_cluster.home() + u"/pi",
        QStringLiteral("--site"), QStringLiteral("demo"), QStringLiteral("--image"),
        QStringLiteral("docker://login:5000/demo/mpi:5"), QStringLiteral("--json")});
    QVERIFY2(m_code == 0, m_printed);
    const QJsonObject values =
        objectWith(said, "proposal").value(u"proposal").toObject().value(u"values").toObject();
    QCOMPARE(values.value(u"setup").toString(), QStringLiteral("make"));
    QCOMPARE(values.value(u"tasks_per_node").toString(), QStringLiteral("2"));
    QVERIFY2(m_printed.contains("pi: 3.141592654 from 2 ranks"), m_printed);
}

void TestOwnWorkThere::data_isReadAndNeverWritten()
{
    m_cluster.ssh(QStringLiteral("mkdir -p $HOME/numbers && echo 0.125 >$HOME/numbers/first"));
    put(QStringLiteral("model.py"),
        "def loss(step):\n"
        "    try:\n"
        "        open('/numbers/new', 'w')\n"
        "        print('it was written')\n"
        "    except OSError as error:\n"
        "        print('not written:', error.strerror)\n"
        "    return float(open('/numbers/first').read()) / step\n");
    launch({QStringLiteral("--set"), QStringLiteral("data=$HOME/numbers:/numbers")});
    QVERIFY2(m_code == 0, m_printed);
    QVERIFY2(m_printed.contains("step 1 loss 0.125"), m_printed);
    QVERIFY2(m_printed.contains("not written: Read-only file system"), m_printed);
    QVERIFY2(!m_printed.contains("it was written"), m_printed);
}

void TestOwnWorkThere::missingData_isNamedBeforeTheJob()
{
    const auto jobs = [this] {
        return m_cluster.ssh(QStringLiteral("squeue -h -t all -o %i")).out.split('\n');
    };
    const QList<QByteArray> before = jobs();
    const QList<QJsonObject> said = launch({QStringLiteral("--set"),
        QStringLiteral("data=$HOME/numbers,$HOME/nowhere,$SLIPWAY_UNSET/x")});
    QVERIFY2(m_code == 1, m_printed);
    QVERIFY2(m_printed.contains("not on the cluster: $HOME/nowhere."), m_printed);
    QVERIFY2(m_printed.contains("no value on the cluster: $SLIPWAY_UNSET/x."), m_printed);
    QVERIFY2(objectWith(said, "run").isEmpty(), m_printed);
    for (const QByteArray& job : jobs()) // an older one may be forgotten meanwhile
        QVERIFY2(before.contains(job), job);
}

void TestOwnWorkThere::run_isKeptAndLaunchedAgain()
{
    put(QStringLiteral("model.py"), "def loss(step):\n    return 4 / step\n");
    const QString run = objectWith(launch({}), "run").value(u"run").toString();
    QVERIFY2(m_code == 0 && !run.isEmpty(), m_printed);
    const QList<QJsonObject> kept = call({QStringLiteral("recipes"), QStringLiteral("keep"), run,
        QStringLiteral("--id"), QStringLiteral("mine"), QStringLiteral("--json")});
    QVERIFY2(m_code == 0, m_printed);
    const QString folder = objectWith(kept, "recipe").value(u"folder").toString();
    QVERIFY(QFile::exists(folder + u"/code/train.py"));
    QVERIFY(!QFile::exists(folder + u"/code/data.bin"));
    // What is in the folder now is not what was kept.
    put(QStringLiteral("model.py"), "def loss(step):\n    return 5 / step\n");
    call({QStringLiteral("run"), QStringLiteral("mine"), QStringLiteral("--site"),
        QStringLiteral("demo"), QStringLiteral("--json")});
    QVERIFY2(m_code == 0, m_printed);
    QVERIFY2(m_printed.contains("step 1 loss 4.000"), m_printed);
}

void TestOwnWorkThere::cleanupTestCase()
{
    if (m_cluster.missing().isEmpty())
        m_cluster.ssh(QStringLiteral("rm -rf $HOME/numbers"));
}

SLIPWAY_TEST(TestOwnWorkThere, cluster_ownwork)
#include "tst_ownwork.moc"
