// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/testmain.h"
#include "tests/unit/cli/clihome.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace slipway;

/// A person's own program in the terminal, as far as that needs no cluster: the proposal, what the
/// command line changes in it, and the script.
class TestOwnWork : public QObject {
    Q_OBJECT

private slots:
    void init();
    void program_isProposedAndRendered();
    void words_areThoseOfTheProgram();
    void settings_goBeforeTheProposal();
    void sitesOwnValues_goBeforeTheProposal();
    void recipe_goesBeforeAFileOfItsName();
    void proposal_isOneObject();
    void missingProgram_isNamed();
    void misuse_isNamed_data();
    void misuse_isNamed();
    void completion_offersFiles();
    void run_isKeptAsARecipe();

private:
    void put(const QString& name, const QByteArray& bytes);
    std::unique_ptr<CliHome> m_home;
};

void TestOwnWork::init()
{
    m_home = std::make_unique<CliHome>();
    put(QStringLiteral("work/train.py"), "import torch\nprint('loss: 0.5')\n");
}

void TestOwnWork::put(const QString& name, const QByteArray& bytes)
{
    QVERIFY(QDir().mkpath(QFileInfo(m_home->path(name)).path()));
    QFile file(m_home->path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

void TestOwnWork::program_isProposedAndRendered()
{
    QVERIFY2(m_home->run(QStringLiteral("render ./work/train.py --site demo")) == 0,
        qPrintable(m_home->err));
    QVERIFY2(m_home->out.contains(u"sh in_code.sh python3 train.py\n"), qPrintable(m_home->out));
    QVERIFY2(m_home->err.contains(m_home->path(QStringLiteral("work"))), qPrintable(m_home->err));
    QVERIFY2(m_home->err.contains(u"torch"), qPrintable(m_home->err)); // a reason
}

void TestOwnWork::words_areThoseOfTheProgram()
{
    QVERIFY2(m_home->run(QStringLiteral(
                 "render work/train.py --site demo -- --epochs 3 --site kestrel --json"))
            == 0,
        qPrintable(m_home->err));
    QVERIFY2(m_home->out.contains(u"python3 train.py --epochs 3 --site kestrel --json\n"),
        qPrintable(m_home->out));
}

void TestOwnWork::settings_goBeforeTheProposal()
{
    QVERIFY2(m_home->run(QStringLiteral("render work/train.py --site demo --gpus 1 --image /a.sif "
                                        "--set command=./other"))
            == 0,
        qPrintable(m_home->err));
    QVERIFY2(m_home->out.contains(u"#SBATCH --gres=gpu:1"), qPrintable(m_home->out));
    QVERIFY2(m_home->out.contains(u"\nimage=\"/a.sif\"\n"), qPrintable(m_home->out));
    QVERIFY2(m_home->out.contains(u"sh in_code.sh ./other\n"), qPrintable(m_home->out));
    QVERIFY2(m_home->err.contains(u"set on the command line"), qPrintable(m_home->err));
}

void TestOwnWork::sitesOwnValues_goBeforeTheProposal()
{
    QCOMPARE(m_home->run(QStringLiteral("render work --site demo")), 0);
    QVERIFY2(
        m_home->out.contains(u"docker://login:5000/demo/pytorch:2.6"), qPrintable(m_home->out));
}

void TestOwnWork::recipe_goesBeforeAFileOfItsName()
{
    put(QStringLiteral("run-a-command"), "a file\n");
    QCOMPARE(m_home->run(QStringLiteral("render run-a-command --site demo")), 0);
    QVERIFY2(m_home->out.contains(u"python3 --version"), qPrintable(m_home->out));
}

void TestOwnWork::proposal_isOneObject()
{
    QCOMPARE(m_home->run(QStringLiteral("render work/train.py --site demo --json")), 0);
    const QStringList lines = m_home->out.split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 2);
    const QJsonObject proposal =
        QJsonDocument::fromJson(lines.front().toUtf8()).object().value(u"proposal").toObject();
    QCOMPARE(proposal.value(u"program").toString(), QStringLiteral("train.py"));
    QCOMPARE(proposal.value(u"folder").toString(), m_home->path(QStringLiteral("work")));
    QCOMPARE(proposal.value(u"values").toObject().value(u"command").toString(),
        QStringLiteral("python3 train.py"));
    QVERIFY(QJsonDocument::fromJson(lines.back().toUtf8()).object().contains(u"script"));
}

void TestOwnWork::missingProgram_isNamed()
{
    QCOMPARE(m_home->run(QStringLiteral("run ./work/trian.py --site demo")), 2);
    QVERIFY2(m_home->err.contains(u"trian.py"), qPrintable(m_home->err));
}

void TestOwnWork::misuse_isNamed_data()
{
    QTest::addColumn<QString>("said");
    QTest::newRow("render run-a-command --site demo -- x")
        << QStringLiteral("are for a program of your own");
    QTest::newRow("run work/train.py") << QStringLiteral("--site is required");
    QTest::newRow("run work/train.py --site demo --send data.bin")
        << QStringLiteral("has no such file to send");
    QTest::newRow("run work/train.py --site demo --set sises=1")
        << QStringLiteral("has no field “sises”");
    QTest::newRow("run own-code --site demo --set command=x")
        << QStringLiteral("No folder was chosen");
}

void TestOwnWork::misuse_isNamed()
{
    QFETCH(QString, said);
    const QString line = QString::fromUtf8(QTest::currentDataTag());
    if (line.contains(u"own-code")) // what needs no connection is said by lint
        QCOMPARE(
            m_home->run(QString(line).replace(QStringLiteral("run "), QStringLiteral("lint "))), 1);
    else
        QCOMPARE(m_home->run(line), 2);
    const QString all = m_home->err + m_home->out;
    QVERIFY2(all.contains(said), qPrintable(all));
}

void TestOwnWork::completion_offersFiles()
{
    QCOMPARE(m_home->run(QStringLiteral("completion words -- run ./w")), 0);
    QVERIFY2(m_home->out.contains(u":files\t"), qPrintable(m_home->out));
    QCOMPARE(m_home->run(QStringLiteral("completion words -- render own")), 0);
    QVERIFY2(m_home->out.contains(u"own-code\t"), qPrintable(m_home->out));
}

void TestOwnWork::run_isKeptAsARecipe()
{
    Run run;
    run.id = QStringLiteral("k3f9");
    run.tag = QStringLiteral("tag-k3f9");
    run.spec.siteId = QStringLiteral("demo");
    run.spec.recipeId = QStringLiteral("own-code");
    run.spec.project = m_home->path(QStringLiteral("work"));
    run.spec.values = {{QStringLiteral("command"), QStringLiteral("python3 train.py --lr 0.1")},
        {QStringLiteral("partition"), QStringLiteral("cpu")},
        {QStringLiteral("environment"), QStringLiteral("HF_TOKEN=hf_abcdefghijklmnopqrstuv")}};
    run.title = QStringLiteral("Your own program");
    run.phase = RunPhase::Done;
    run.created = QDateTime::currentDateTime();
    m_home->keep(run, {}, "loss 0.5\n");
    put(QStringLiteral("work/.env"), "WANDB_API_KEY=0123456789\n");
    QCOMPARE(m_home->run(QStringLiteral("recipes keep k3f9")), 2);
    QVERIFY2(m_home->err.contains(u"--id is required"), qPrintable(m_home->err));
    QCOMPARE(m_home->run(QStringLiteral("recipes keep none --id mine")), 2);
    QCOMPARE(m_home->run(QStringLiteral("recipes keep k3f9 --id own-code --replace")), 1);
    QVERIFY2(m_home->err.contains(u"is a recipe of Slipway"), qPrintable(m_home->err));
    QVERIFY2(m_home->run(QStringLiteral("recipes keep k3f9 --id mine --title Mine")) == 0,
        qPrintable(m_home->err));
    const QString folder = m_home->path(QStringLiteral("config/slipway/recipes/mine"));
    QCOMPARE(m_home->out.trimmed(), folder);
    QVERIFY2(m_home->err.contains(u"on another computer"), qPrintable(m_home->err));
    QVERIFY2(m_home->err.contains(u".env"), qPrintable(m_home->err));
    const QByteArray json =
        m_home->written(QStringLiteral("config/slipway/recipes/mine/recipe.json"));
    QVERIFY2(json.contains("train.py --lr 0.1") && !json.contains("hf_abc")
            && !json.contains(m_home->path().toUtf8()),
        json);
    QVERIFY(QFile::exists(folder + u"/code/train.py"));
    QVERIFY(!QFile::exists(folder + u"/code/.env"));
    // It is a recipe as any other, and brings its folder.
    QCOMPARE(m_home->run(QStringLiteral("render mine --site demo")), 0);
    QVERIFY2(m_home->out.contains(u"sh in_code.sh python3 train.py --lr 0.1\n"),
        qPrintable(m_home->out));
    QVERIFY2(m_home->out.contains(u"#SBATCH --partition=cpu"), qPrintable(m_home->out));
    QCOMPARE(m_home->run(QStringLiteral("recipes keep k3f9 --id mine")), 1);
    QCOMPARE(m_home->run(QStringLiteral("recipes keep k3f9 --id mine --title Two --replace")), 0);
    QCOMPARE(m_home->run(QStringLiteral("recipes remove own-code")), 1);
    QCOMPARE(m_home->run(QStringLiteral("recipes remove mine")), 0);
    QVERIFY(!QFile::exists(folder));
}

SLIPWAY_TEST(TestOwnWork, cli_ownwork)
#include "tst_ownwork.moc"
