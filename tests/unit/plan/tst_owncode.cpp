// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

using namespace slipway;

/// The recipe for a person's own program: which steps it has, and what bash does with its script,
/// with stand-ins for srun and for pip.
class TestOwnCode : public QObject {
    Q_OBJECT

private slots:
    void init();
    void noFolder_isAnError();
    void steps_areThoseThatHaveAValue_data();
    void steps_areThoseThatHaveAValue();
    void packages_areBoundIntoTheContainer();
    void noImage_startsOnTheNode();
    void program_runsInItsFolder();
    void packages_areInstalledOnce();
    void packages_ofALocalFileFollowTheCode();
    void dependencies_areReadFromAProject();
    void failedInstallation_leavesNothing();
    void offlineNode_isNamed();
    void missingRequirements_areNamed();
    void editableRequirements_areRefused_data();
    void editableRequirements_areRefused();
    void filesOfTheFolder_areNoneOfPip();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void write(const QString& name, const QByteArray& bytes, bool executable = false);
    QByteArray read(const QString& name) const;
    /// Runs the job of such a launch; `setting` is one more variable of it.
    int run(const QMap<QString, QString>& values, const QString& setting = {});
    int installations() const { return int(read(QStringLiteral("installed")).count('\n')); }
    QStringList keptSets() const;
    /// The folder that was sent, as a program there names it.
    QByteArray code() const
    {
        return QFile::encodeName(QDir(path(QStringLiteral("code"))).canonicalPath());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QByteArray m_printed;
};

namespace {

const QString demoPython = QStringLiteral("docker://login:5000/demo/python:3.13");

Plan ownPlan(QMap<QString, QString> values, const QString& folder = QStringLiteral("/home/ada/p"))
{
    if (!values.contains(QStringLiteral("command")))
        values.insert(QStringLiteral("command"), QStringLiteral("python3 train.py --epochs 3"));
    LaunchSpec spec;
    spec.project = folder;
    spec.values = values;
    return makePlan(spec, builtInRecipe("own-code"), builtInSite("demo"), {});
}

QByteArray bodyOf(const Plan& plan, const char* id)
{
    for (const PlanStep& step : plan.steps) {
        if (step.id == QLatin1String(id))
            return step.body;
    }
    return "no such step";
}

} // namespace

void TestOwnCode::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    write(QStringLiteral("bin/srun"),
        "#!/bin/sh\nwhile [ \"${1#-}\" != \"$1\" ]; do shift; done\nexec \"$@\"\n", true);
    // Instead of pip: two packages of the image, and one that an installation adds.
    write(QStringLiteral("fake/pip/__init__.py"), "\n");
    write(QStringLiteral("fake/pip/__main__.py"), R"py(import os, sys
if sys.argv[1] == "list":
    print("torch==2.6.0+local\nnumpy==2.0\nnot a pin")
    sys.exit()
with open(os.environ["INSTALLED"], "a") as file:
    print(" ".join(sys.argv[1:]), "in", os.getcwd(), file=file)
if "OFFLINE" in os.environ:
    print("WARNING: Retrying after NewConnectionError('Temporary failure in name resolution')")
    sys.exit(1)
if "CONFLICT" in os.environ:
    sys.exit("ERROR: ResolutionImpossible")
place = os.path.join(sys.argv[sys.argv.index("--prefix") + 1], "lib/python3.99/site-packages")
os.makedirs(place)
with open(os.path.join(place, "extra.py"), "w") as file:
    file.write("loss = 0.25\n")
)py");
    write(QStringLiteral("code/requirements.txt"), "extra>=1\n");
    write(QStringLiteral("code.manifest"), "one\n");
}

void TestOwnCode::write(const QString& name, const QByteArray& bytes, bool executable)
{
    QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    if (executable)
        file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeUser);
}

QByteArray TestOwnCode::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

int TestOwnCode::run(const QMap<QString, QString>& values, const QString& setting)
{
    QMap<QString, QString> all = values;
    all.insert(QStringLiteral("image"), {});
    const Result<std::vector<LaunchFile>> files = launchFiles(ownPlan(all));
    if (!files.ok())
        return -2;
    for (const LaunchFile& file : *files)
        write(file.name, file.bytes);
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"),
        path(QStringLiteral("bin")) + u':' + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("PYTHONPATH"), path(QStringLiteral("fake")));
    environment.insert(QStringLiteral("SCRATCH"), path(QStringLiteral("scratch")));
    environment.insert(QStringLiteral("INSTALLED"), path(QStringLiteral("installed")));
    environment.insert(QStringLiteral("HOME"), m_folder->path());
    if (!setting.isEmpty())
        environment.insert(setting, QStringLiteral("yes"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder->path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("bash"), {QStringLiteral("job.sh")});
    if (!process.waitForFinished(60'000))
        return -1;
    m_printed = process.readAll();
    return process.exitCode();
}

QStringList TestOwnCode::keptSets() const
{
    return QDir(path(QStringLiteral("scratch/slipway/packages")))
        .entryList(QDir::Dirs | QDir::NoDotAndDotDot);
}

void TestOwnCode::noFolder_isAnError()
{
    const Plan plan = ownPlan({}, {});
    QVERIFY(plan.hasErrors());
    QVERIFY2(problemsText(plan).contains("No folder was chosen"), problemsText(plan));
    QVERIFY2(plan.problems.front().fix.contains(u"slipway-cli run ./train.py --site demo"),
        qPrintable(plan.problems.front().fix));
    QVERIFY2(!ownPlan({}).hasErrors(), problemsText(ownPlan({})));
}

void TestOwnCode::steps_areThoseThatHaveAValue_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QStringList>("steps");
    const QString pull = QStringLiteral("image"), go = QStringLiteral("run");
    QTest::newRow("nothing") << QString() << QString() << QStringList{pull, go};
    QTest::newRow("blanks") << QStringLiteral("setup") << QStringLiteral("  ")
                            << QStringList{pull, go};
    QTest::newRow("setup") << QStringLiteral("setup") << QStringLiteral("make -j 2")
                           << QStringList{pull, QStringLiteral("setup"), go};
    QTest::newRow("packages") << QStringLiteral("packages") << QStringLiteral("requirements.txt")
                              << QStringList{pull, QStringLiteral("packages"), go};
    QTest::newRow("no image") << QStringLiteral("image") << QString() << QStringList{go};
}

void TestOwnCode::steps_areThoseThatHaveAValue()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QStringList, steps);
    QMap<QString, QString> values{{QStringLiteral("image"), demoPython}};
    if (!key.isEmpty())
        values.insert(key, value);
    QStringList found;
    for (const PlanStep& step : ownPlan(values).steps)
        found << step.id;
    QCOMPARE(found, steps);
}

void TestOwnCode::packages_areBoundIntoTheContainer()
{
    const Plan plan = ownPlan({{QStringLiteral("image"), demoPython},
        {QStringLiteral("packages"), QStringLiteral("my reqs.txt")}});
    QCOMPARE(bodyOf(plan, "packages"),
        QByteArray("packages_once \"$image\" \\\n"
                   "    srun apptainer exec -B \"$packages\":\"$packages\" \"$image\" \\\n"
                   "    python3 install_packages.py code/'my reqs.txt'\n"));
    QCOMPARE(bodyOf(plan, "run"),
        QByteArray("srun apptainer exec -B \"$packages\":\"$packages\":ro \"$image\" \\\n"
                   "    sh in_code.sh python3 train.py --epochs 3\n"));
    const QByteArray script = renderScript(plan);
    QVERIFY2(script.contains("\npackages=\"$SCRATCH/slipway/packages\""), script);
    QVERIFY2(!renderScript(ownPlan({{QStringLiteral("image"), demoPython}})).contains("packages"),
        script);
}

void TestOwnCode::noImage_startsOnTheNode()
{
    const Plan plan = ownPlan({{QStringLiteral("image"), {}},
        {QStringLiteral("packages"), QStringLiteral("requirements.txt")},
        {QStringLiteral("setup"), QStringLiteral("make && ./prepare")}});
    QCOMPARE(bodyOf(plan, "packages"),
        QByteArray("packages_once none \\\n"
                   "    srun python3 install_packages.py code/requirements.txt\n"));
    QCOMPARE(bodyOf(plan, "setup"), QByteArray("srun sh in_code.sh sh -c 'make && ./prepare'\n"));
    QCOMPARE(bodyOf(plan, "run"), QByteArray("srun sh in_code.sh python3 train.py --epochs 3\n"));
}

void TestOwnCode::program_runsInItsFolder()
{
    write(QStringLiteral("code/show.sh"), "pwd; echo \"$1\"; echo kept >results/kept.txt\n");
    QVERIFY2(run({{QStringLiteral("command"), QStringLiteral("sh show.sh 'a  b'")},
                 {QStringLiteral("setup"), QStringLiteral("touch made")}})
            == 0,
        m_printed);
    QVERIFY2(m_printed.contains("/code\na  b\n"), m_printed);
    QCOMPARE(read(QStringLiteral("results/kept.txt")), QByteArray("kept\n"));
    QVERIFY(QFile::exists(path(QStringLiteral("code/made"))));
}

void TestOwnCode::packages_areInstalledOnce()
{
    const QMap<QString, QString> values{
        {QStringLiteral("packages"), QStringLiteral("requirements.txt")},
        {QStringLiteral("command"),
            QStringLiteral("python3 -c 'import extra; print(extra.loss)'")}};
    QVERIFY2(run(values) == 0, m_printed);
    QVERIFY2(m_printed.contains("2 packages of the image stay as they are."), m_printed);
    QVERIFY2(m_printed.contains("\n0.25\n"), m_printed);
    QCOMPARE(installations(), 1);
    const QByteArray first = read(QStringLiteral("installed")).split('\n').front();
    QVERIFY2(first.endsWith(QByteArray(" -r " + code() + "/requirements.txt in " + code())), first);
    const QString kept = QStringLiteral("scratch/slipway/packages/") + keptSets().value(0);
    QCOMPARE(read(kept + u"/constraints.txt"), QByteArray("torch==2.6.0+local\nnumpy==2.0\n"));
    // Other code, the same file: nothing to do.
    write(QStringLiteral("code.manifest"), "two\n");
    QVERIFY2(run(values) == 0, m_printed);
    QVERIFY2(m_printed.contains("Already installed: "), m_printed);
    QVERIFY2(m_printed.contains("\n0.25\n"), m_printed);
    QCOMPARE(installations(), 1);
    // A set that a killed job has left is no set.
    QVERIFY(QFile::remove(path(kept + u"/complete")));
    QVERIFY2(run(values) == 0, m_printed);
    QCOMPARE(installations(), 2);
    // Nor is one of which the site has removed a part, whatever Python has added to it.
    write(kept + u"/bin/__pycache__/tool.pyc", "compiled");
    QVERIFY2(run(values) == 0, m_printed);
    QCOMPARE(installations(), 2);
    QVERIFY(QFile::remove(path(kept + u"/lib/python3.99/site-packages/extra.py")));
    QVERIFY2(run(values) == 0, m_printed);
    QVERIFY2(m_printed.contains("\n0.25\n"), m_printed);
    QCOMPARE(installations(), 3);
    write(QStringLiteral("code/requirements.txt"), "extra>=2\n");
    QVERIFY2(run(values) == 0, m_printed);
    QCOMPARE(installations(), 4);
    QCOMPARE(keptSets().size(), 2);
}

void TestOwnCode::packages_ofALocalFileFollowTheCode()
{
    const QMap<QString, QString> values{
        {QStringLiteral("packages"), QStringLiteral("requirements.txt")},
        {QStringLiteral("command"), QStringLiteral("true")}};
    write(QStringLiteral("code/requirements.txt"), "extra\n-r more.txt\n");
    QVERIFY2(run(values) == 0, m_printed);
    QVERIFY2(run(values) == 0, m_printed);
    QCOMPARE(installations(), 1);
    write(QStringLiteral("code.manifest"), "two\n");
    QVERIFY2(run(values) == 0, m_printed);
    QCOMPARE(installations(), 2);
}

void TestOwnCode::dependencies_areReadFromAProject()
{
    const QMap<QString, QString> values{
        {QStringLiteral("packages"), QStringLiteral("pyproject.toml")},
        {QStringLiteral("command"), QStringLiteral("true")}};
    write(QStringLiteral("code/pyproject.toml"),
        "[project]\nname = 'p'\ndependencies = ['extra>=1', 'more']\n");
    QVERIFY2(run(values) == 0, m_printed);
    QCOMPARE(read(QStringLiteral("scratch/slipway/packages/") + keptSets().value(0)
                 + u"/dependencies.txt"),
        QByteArray("extra>=1\nmore\n"));
    write(QStringLiteral("code/pyproject.toml"), "[tool.poetry.dependencies]\nextra = '1'\n");
    QCOMPARE(run(values), 1);
    QVERIFY2(m_printed.contains("Write them into a requirements.txt"), m_printed);
    QCOMPARE(installations(), 1);
}

void TestOwnCode::failedInstallation_leavesNothing()
{
    const QMap<QString, QString> values{
        {QStringLiteral("packages"), QStringLiteral("requirements.txt")},
        {QStringLiteral("command"), QStringLiteral("echo started")}};
    QCOMPARE(run(values, QStringLiteral("CONFLICT")), 1);
    QVERIFY2(m_printed.contains("ResolutionImpossible"), m_printed);
    QVERIFY2(!m_printed.contains("\nstarted\n"), m_printed);
    QVERIFY2(!m_printed.contains("pip download"), m_printed);
    QVERIFY(keptSets().isEmpty());
    QVERIFY2(run(values) == 0, m_printed);
    QVERIFY2(m_printed.contains("\nstarted\n"), m_printed);
}

void TestOwnCode::offlineNode_isNamed()
{
    const QMap<QString, QString> values{
        {QStringLiteral("packages"), QStringLiteral("requirements.txt")}};
    QCOMPARE(run(values, QStringLiteral("OFFLINE")), 1);
    QVERIFY2(m_printed.contains("Error: this node cannot reach the package index."), m_printed);
    QVERIFY2(m_printed.contains("pip download -r requirements.txt -d wheels"), m_printed);
    // With wheels in the folder no index is asked.
    write(QStringLiteral("code/wheels/extra-1.whl"), "wheel");
    QVERIFY2(run(values, QStringLiteral("OFFLINE")) == 1, m_printed);
    const QByteArray wheels = " --no-index --find-links " + code() + "/wheels in " + code() + '\n';
    QVERIFY(read(QStringLiteral("installed")).endsWith(wheels));
}

void TestOwnCode::missingRequirements_areNamed()
{
    QCOMPARE(run({{QStringLiteral("packages"), QStringLiteral("nothing.txt")}}), 1);
    QVERIFY2(m_printed.contains("the folder that was sent has no file nothing.txt"), m_printed);
    QCOMPARE(installations(), 0);
}

void TestOwnCode::editableRequirements_areRefused_data()
{
    QTest::addColumn<QByteArray>("lines");
    QTest::addColumn<bool>("refused");
    QTest::newRow("short") << QByteArray("extra\n-e .\n") << true;
    QTest::newRow("joined") << QByteArray(" -e./lib\n") << true;
    QTest::newRow("long") << QByteArray("--editable=git+https://x/y\n") << true;
    QTest::newRow("a folder") << QByteArray(".\n") << false;
    QTest::newRow("another option") << QByteArray("--extra-index-url https://x\n") << false;
    QTest::newRow("a comment") << QByteArray("# -e .\nextra -e\n") << false;
}

void TestOwnCode::editableRequirements_areRefused()
{
    QFETCH(QByteArray, lines);
    QFETCH(bool, refused);
    write(QStringLiteral("code/requirements.txt"), lines);
    QCOMPARE(run({{QStringLiteral("packages"), QStringLiteral("requirements.txt")},
                 {QStringLiteral("command"), QStringLiteral("true")}}),
        refused ? 1 : 0);
    QCOMPARE(m_printed.contains("write . in place of -e ."), refused);
    QCOMPARE(installations(), refused ? 0 : 1);
}

/// pip starts in the person's folder, which may have a queue.py.
void TestOwnCode::filesOfTheFolder_areNoneOfPip()
{
    for (const char* name : {"pip", "runpy", "queue"})
        write(QStringLiteral("code/%1.py").arg(QLatin1String(name)), "raise SystemExit(9)\n");
    write(QStringLiteral("fake/pip/__init__.py"), "import queue\n");
    QVERIFY2(run({{QStringLiteral("packages"), QStringLiteral("requirements.txt")},
                 {QStringLiteral("command"), QStringLiteral("true")}})
            == 0,
        m_printed);
    QCOMPARE(installations(), 1);
}

SLIPWAY_TEST(TestOwnCode, plan_owncode)
#include "tst_owncode.moc"
