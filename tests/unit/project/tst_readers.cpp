// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/pythonreading.h"
#include "app/project/requirements.h"
#include "app/project/sourcereading.h"
#include "tests/support/testmain.h"

#include <QtTest>

using namespace slipway;

/// The readers behind readProject(), each with the forms that people write.
class TestReaders : public QObject {
    Q_OBJECT

private slots:
    void imports_areRead_data();
    void imports_areRead();
    void trainer_isReadAtItsOwnLevel();
    void variables_areThoseThatAreRead();
    void requirement_isRead_data();
    void requirement_isRead();
    void version_fits_data();
    void version_fits();
    void poetrysSigns_keepTheirNumbers();
    void condasVersion_isABeginning_data();
    void condasVersion_isABeginning();
    void makefile_namesItsPrograms_data();
    void makefile_namesItsPrograms();
    void mpi_isSeenOutsideOfComments_data();
    void mpi_isSeenOutsideOfComments();
    void request_isTakenWhereItFits_data();
    void request_isTakenWhereItFits();
    void base_isTheLastStage_data();
    void base_isTheLastStage();
};

void TestReaders::imports_areRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("imports"); // "line module names", '?' in a try
    const auto row = [](const char* name, const char* text, const char* imports) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(imports);
    };
    row("dotted, renamed", "import a.b as c, d", "1 a.b; 1 d");
    row("from", "from x.y import z as w, v", "1 x.y z,v");
    row("brackets", "from x import (\n  y,  # import no\n  z,\n)\nimport q", "1 x y,z; 5 q");
    row("continued", "from x \\\n  import y", "1 x y");
    row("star", "from x import *", "1 x ");
    row("relative", "from . import a\nfrom ..b import c", "1 . a; 2 ..b c");
    row("in a try", "try:\n  import a\nexcept ImportError:\n  import b\nimport c",
        "2 a ?; 4 b ?; 5 c");
    row("try in a line", "try: import a\nexcept: pass\nimport b", "1 a ?; 3 b");
    row("nested", "def f():\n    try:\n        pass\n    finally:\n        pass\n    import a",
        "6 a");
    row("after a semicolon", "x = 1; import a", "1 a");
    row("strings", "x = 'import a'\ny = '''\nimport b\n'''\nz = r'\\\\'; import c", "5 c");
    row("prefixes", "x = rb'import a' f\"import {b}\"\nimport c", "2 c");
    row("comment", "# import a\nimport b # import c", "2 b");
    row("no statement", "x.import_module('a')\nimportant = 1\nyield from b", "");
    row("unfinished", "import\nfrom\nfrom x\nfrom x import\nimport a.", "4 x ; 5 a.");
    row("open bracket", "f(\nimport a\n", "");
}

void TestReaders::imports_areRead()
{
    QFETCH(QString, text);
    QFETCH(QString, imports);
    QStringList read;
    for (const PythonImport& one : readPython(text).imports) {
        const bool from = one.level > 0 || !one.names.isEmpty()
            || text.section(u'\n', one.line - 1, one.line - 1).trimmed().startsWith(u"from");
        read << QString::number(one.line) + u' ' + QString(one.level, u'.') + one.module
                + (from ? u' ' + one.names.join(u',') : QString())
                + (one.isOptional ? QStringLiteral(" ?") : QString());
    }
    QCOMPARE(read.join(QStringLiteral("; ")), imports);
}

void TestReaders::trainer_isReadAtItsOwnLevel()
{
    const PythonReading reading = readPython(QStringLiteral(
        "t = L.Trainer(devices=-1, num_nodes=args.nodes, x=f(devices=3),\n accelerator='cpu')\n"
        "u = Trainer(devices=7)\n"));
    QCOMPARE(reading.trainer.line, 1);
    QCOMPARE(reading.trainerValues.value(QStringLiteral("devices")), QStringLiteral("-1"));
    QCOMPARE(reading.trainerValues.value(QStringLiteral("num_nodes")), QString());
    QCOMPARE(reading.trainerValues.value(QStringLiteral("accelerator")), QStringLiteral("cpu"));
}

void TestReaders::variables_areThoseThatAreRead()
{
    const PythonReading reading = readPython(QStringLiteral(
        "a = os.environ['A_TOKEN']\nb = os.getenv(\"B_KEY\", '')\nc = environ.get('C_SECRET')\n"
        "os.environ['D_TOKEN'] = 'x'\ne = os.environ['HOME']\nf = os.environ['E_KEY'] == 'x'\n"));
    QStringList names;
    for (const Found& one : reading.variables)
        names << one.what;
    QCOMPARE(names.join(u' '), QStringLiteral("A_TOKEN B_KEY C_SECRET E_KEY"));
}

void TestReaders::requirement_isRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("packages");
    const auto row = [](const char* text, const char* packages) {
        QTest::newRow(qPrintable(QString::fromUtf8(text).simplified()))
            << QString::fromUtf8(text) << QString::fromUtf8(packages);
    };
    row("torch", "torch");
    row("Scikit_Learn == 1.5", "scikit-learn==1.5");
    row("a[b,c]>=1,<2 # why", "a>=1,<2");
    row("a (>=1)", "a>=1");
    row("a ; python_version < '3.9'", "a");
    row("a ; sys_platform == 'win32'", "");
    row("a==1 --hash=sha256:00 \\\n  --hash=sha256:11\nb", "a==1 b");
    row("-e git+https://x.org/a.git#egg=My.Tool", "my-tool");
    row("git+https://x.org/a.git", "");
    row("a @ https://x.org/a-1.whl", "a");
    row("./local.whl", "");
    row("-c constraints.txt\n--no-index\n-f x", "");
    row("# a\n\n   \n", "");
    row("<!DOCTYPE html>", "");
}

void TestReaders::requirement_isRead()
{
    QFETCH(QString, text);
    QFETCH(QString, packages);
    ProjectFiles files;
    files.files.push_back({QStringLiteral("r.txt"), text});
    QStringList read;
    for (const Requirement& one : readRequirements(files, QStringLiteral("r.txt")).packages)
        read << one.name + one.versions;
    QCOMPARE(read.join(u' '), packages);
}

void TestReaders::version_fits_data()
{
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<bool>("fits"); // 2.4.1
    for (const char* wanted : {" ", "==2.4.1", "==2.4.1+cu118", "==2.4.*", ">=2.3", ">=2,<3",
             "~=2.4", "~=2.4.0", "^2.1", "!=2.4.0", "<=2.4.1", ">2.4", "nonsense", "===2.4.1"})
        QTest::newRow(wanted) << QString::fromUtf8(wanted) << true;
    for (const char* wanted : {"==2.4", "==2.3.*", ">=2.5", "<2.4.1", ">=2,<2.4", "~=2.3.0",
             "~=2.5", "^3.0", "!=2.4.1", "!=2.4.*", ">2.4.1"})
        QTest::newRow(wanted) << QString::fromUtf8(wanted) << false;
}

void TestReaders::version_fits()
{
    QFETCH(QString, wanted);
    QFETCH(bool, fits);
    QCOMPARE(versionFits(QStringLiteral("2.4.1"), wanted), fits);
}

void TestReaders::poetrysSigns_keepTheirNumbers()
{
    const auto fits = [](const char* version, const char* wanted) {
        return versionFits(QString::fromLatin1(version), QString::fromLatin1(wanted));
    };
    QVERIFY(fits("0.15.3", "^0.15") && !fits("0.16.0", "^0.15") && !fits("0.14.9", "^0.15"));
    QVERIFY(fits("0.0.3", "^0.0.3") && !fits("0.0.4", "^0.0.3"));
    QVERIFY(fits("0.9", "^0") && !fits("1.0", "^0") && fits("0.0.9", "^0.0"));
    QVERIFY(fits("1.9", "^1.2.3") && !fits("2.0", "^1.2.3"));
    QVERIFY(fits("1.2.9", "~1.2") && !fits("1.3", "~1.2") && !fits("1.3", "~1.2.3"));
    QVERIFY(fits("1.9", "~1") && !fits("2.0", "~1"));
}

void TestReaders::condasVersion_isABeginning_data()
{
    QTest::addColumn<QString>("package");
    QTest::addColumn<QString>("read");
    const auto row = [](const char* package, const char* read) {
        QTest::newRow(package) << QString::fromLatin1(package) << QString::fromLatin1(read);
    };
    row("numpy=1.26", "numpy==1.26.*");
    row("numpy=1.26.*", "numpy==1.26.*");
    row("numpy=1.26*", "numpy==1.26.*");
    row("numpy==1.26.4", "numpy==1.26.4");
    row("numpy=1.26.4=py311_0", "numpy==1.26.4");
    row("conda-forge::pytorch=2.4", "torch==2.4.*");
    row("numpy>=1.26", "numpy>=1.26");
    row("numpy", "numpy");
}

void TestReaders::condasVersion_isABeginning()
{
    QFETCH(QString, package);
    QFETCH(QString, read);
    const PackageReading reading = readEnvironment(
        {QStringLiteral("environment.yml"), u"dependencies:\n  - " + package + u'\n'});
    QCOMPARE(reading.packages.size(), std::size_t(1));
    QCOMPARE(reading.packages.front().name + reading.packages.front().versions, read);
}

void TestReaders::makefile_namesItsPrograms_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("programs");
    const auto row = [](const char* name, const char* text, const char* programs) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(programs);
    };
    row("first rule", "hello: hello.c\n\tcc -o $@ $<\nclean:\n", "hello");
    row("all", "all: a b.o lib.a\na: a.c\n", "a");
    row("variable", "BIN ?= x\nall: ${BIN}\n", "x");
    row("phony name", ".PHONY: build\nbuild: x\nx: x.c\n", "x");
    row("pattern and suffix rules", ".SUFFIXES:\n%.o: %.c\n\tcc\nx: x.o\n", "x");
    row("assignments are no rules", "CC := gcc\nFLAGS = -D:x\nx: x.c\n", "x");
    row("names that lead out", "all: ../x /bin/y -z $(shell reboot)\n", "");
    row("endless variable", "A = $(B)\nB = $(A)\nall: $(A)\n", "");
    row("empty", "", "");
}

void TestReaders::makefile_namesItsPrograms()
{
    QFETCH(QString, text);
    QFETCH(QString, programs);
    QCOMPARE(readMakefile(text).programs.join(u' '), programs);
}

void TestReaders::mpi_isSeenOutsideOfComments_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isFortran");
    QTest::addColumn<int>("line"); // 0: none
    const auto row = [](const char* text, bool isFortran, int line) {
        QTest::newRow(qPrintable(QString::fromUtf8(text).simplified()))
            << QString::fromUtf8(text) << isFortran << line;
    };
    row("#include <mpi.h>", false, 1);
    row("\n # include \"mpi.h\"", false, 2);
    row("// #include <mpi.h>", false, 0);
    row("/*\n#include <mpi.h>\n*/\n#include <mpi.h>", false, 4);
    row("char* x = \"/*\";\n#include <mpi.h>", false, 2);
    row("#include <mpi.hpp>", false, 0);
    row("  use mpi", true, 1);
    row("use, intrinsic :: mpi_f08", true, 1);
    row("USE MPI_F08, only: x", true, 1);
    row("include 'mpif.h'", true, 1);
    row("! use mpi", true, 0);
    row("use mpi_helpers", true, 0);
}

void TestReaders::mpi_isSeenOutsideOfComments()
{
    QFETCH(QString, text);
    QFETCH(bool, isFortran);
    QFETCH(int, line);
    QCOMPARE(readMpiUse(text, isFortran).line, line);
}

void TestReaders::request_isTakenWhereItFits_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("request"); // "key=value"; empty: none
    const auto row = [](const char* text, const char* request) {
        QTest::newRow(qPrintable(QString::fromUtf8(text).simplified()))
            << QString::fromUtf8(text) << QString::fromUtf8(request);
    };
    row("#SBATCH --gres=gpu:a100:2", "gpus=2");
    row("#SBATCH --gres=gpu", "gpus=1");
    row("#SBATCH --gres=tmp:10G", "");
    row("#SBATCH -G 4", "all-gpus=4");
    row("#SBATCH --mem 64G # all", "memory=64G");
    row("#SBATCH -t 1-00:00:00", "time=1-00:00:00");
    row("#SBATCH --time=$T", "");
    row("#SBATCH --nodes=2-4", "");
    row("#SBATCH -n 8", "ranks=8");
    row("#SBATCH --gpus=a100:8", "all-gpus=8");
    row("#SBATCH --gpus-per-node=4", "gpus=4");
    row("##SBATCH -n 8", "");
    row("#SBATCH --partition=gpu", "");
}

void TestReaders::request_isTakenWhereItFits()
{
    QFETCH(QString, text);
    QFETCH(QString, request);
    const ScriptReading script = readScript(text);
    QStringList read;
    for (auto it = script.requests.cbegin(); it != script.requests.cend(); ++it)
        read << it.key() + u'=' + it->what;
    QCOMPARE(read.join(u' '), request);
}

void TestReaders::base_isTheLastStage_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("docker"); // what each of the two readers finds
    QTest::addColumn<QString>("definition");
    const auto row = [](const char* text, const char* docker, const char* definition) {
        QTest::newRow(qPrintable(QString::fromUtf8(text).simplified())) << QString::fromUtf8(
            text) << QString::fromUtf8(docker) << QString::fromUtf8(definition);
    };
    row("FROM a:1 AS x\nFROM b\nFROM x", "docker://a:1", "");
    row("ARG V=2\nfrom --platform=linux/amd64 \\\n a:${V}", "docker://a:2", "");
    row("FROM scratch", "", "");
    row("FROM $(reboot)", "", "");
    row("Bootstrap: docker\nFrom: a/b:1", "", "docker://a/b:1");
    row("bootstrap: library\nfrom: a\n%post\n x", "", "library://a");
    row("Bootstrap: localimage\nFrom: a.sif", "", "");
    row("Bootstrap: docker\nFrom: a\nStage: x\nBootstrap: docker\nFrom: b", "", "docker://b");
}

void TestReaders::base_isTheLastStage()
{
    QFETCH(QString, text);
    QFETCH(QString, docker);
    QFETCH(QString, definition);
    QCOMPARE(readDockerfileBase(text).reference, docker);
    QCOMPARE(readDefinitionBase(text).reference, definition);
}

SLIPWAY_TEST(TestReaders, project_readers)
#include "tst_readers.moc"
