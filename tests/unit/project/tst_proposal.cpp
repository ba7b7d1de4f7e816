// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/owncodetable.h"
#include "app/project/proposal.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace slipway;

/// readProject() over the folders of tests/data/projects, each with a text of the same name that
/// holds its proposal, and over folders that are broken, hostile or large.
class TestProposal : public QObject {
    Q_OBJECT

private slots:
    void folder_isRead_data();
    void folder_isRead();
    void program_decidesWhatIsRead();
    void givenFile_isTheProgram_data();
    void givenFile_isTheProgram();
    void arguments_areQuotedAsNeeded();
    void everyValue_hasOneLineWithItsReason_data();
    void everyValue_hasOneLineWithItsReason();
    void emptyFolder_isAQuestion();
    void missingOrSpecialFile_isAnError();
    void bytes_areReadAsTheyCome_data();
    void bytes_areReadAsTheyCome();
    void binaryAndLargeFiles_areNamedAndNotRead();
    void linksThatLeadOut_areNotFollowed();
    void skippedFolders_areNotRead();
    void manyFiles_areReadInBounds();
    void deepFolders_areReadInBounds();
    void hostileNames_areLiteral();
    void hostileContent_isCutAndPlain();
    void total_isDividedAmongTheNodes_data();
    void total_isDividedAmongTheNodes();
    void project_countsMoreThanASoleList();
    void missingTable_isAQuestion();
    void brokenTable_isNamed_data();
    void brokenTable_isNamed();
};

namespace {

QString resources()
{
    return slipway::sourcePath(QStringLiteral("/resources"));
}

QString projects()
{
    return slipway::sourcePath(QStringLiteral("/tests/data/projects"));
}

Proposal proposalOf(const QString& path, const QStringList& arguments = {})
{
    const auto read = readProject(path, arguments, resources());
    return read.ok() ? *read : Proposal{{}, {}, {}, {}, {}, {}, {read.error().summary}};
}

/// The proposal as text: what the files beside the folders hold.
QByteArray textOf(const Proposal& proposal)
{
    QString text = QStringLiteral("program: %1\n").arg(proposal.program);
    for (const ProposalLine& line : proposal.lines)
        text += QStringLiteral("%1: %2\n    %3: %4\n")
                    .arg(line.key.isEmpty() ? QStringLiteral("-") : line.key, line.value,
                        line.label, line.reason);
    for (const QString& name : proposal.secrets)
        text += QStringLiteral("secret: %1\n").arg(name);
    for (const QString& question : proposal.questions)
        text += QStringLiteral("question: %1\n").arg(question);
    return text.toUtf8();
}

void writeFile(const QTemporaryDir& folder, const QByteArray& name, const QByteArray& content)
{
    const QString path = folder.filePath(QString::fromUtf8(name));
    QVERIFY(QDir().mkpath(path.left(path.lastIndexOf(u'/'))));
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    QCOMPARE(file.write(content), content.size());
}

QStringList projectNames()
{
    return QDir(projects()).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace

void TestProposal::folder_isRead_data()
{
    QTest::addColumn<QString>("name");
    const QStringList names = projectNames();
    QVERIFY(names.size() >= 20);
    for (const QString& name : names)
        QTest::newRow(qPrintable(name)) << name;
}

void TestProposal::folder_isRead()
{
    QFETCH(QString, name);
    const Proposal proposal = proposalOf(projects() + u'/' + name);
    QCOMPARE(proposal.title, name);
    QVERIFY(proposal.folder.endsWith(u'/' + name));
    const QString wanted = projects() + u'/' + name + QStringLiteral(".txt");
    const QByteArray text = textOf(proposal);
    if (qEnvironmentVariableIsSet("SLIPWAY_UPDATE_GOLDEN")) {
        QFile file(wanted);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QCOMPARE(QString::fromUtf8(text), QString::fromUtf8(contentOf(wanted)));
}

void TestProposal::program_decidesWhatIsRead()
{
    const Proposal digits = proposalOf(projects() + QStringLiteral("/digits"));
    QCOMPARE(digits.program, QStringLiteral("train.py")); // model.py has a main, and is imported
    QCOMPARE(digits.values.value(QStringLiteral("command")), QStringLiteral("python3 train.py"));
    QCOMPARE(digits.values.value(QStringLiteral("image")),
        QStringLiteral("docker://pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime"));
    QCOMPARE(digits.values.value(QStringLiteral("gpus")), QStringLiteral("1"));
    QCOMPARE(digits.values.value(QStringLiteral("packages")), QStringLiteral("requirements.txt"));
    QCOMPARE(digits.secrets, QStringList{QStringLiteral("WANDB_API_KEY")});
    QVERIFY(!digits.values.contains(QStringLiteral("time"))); // nothing says how long it takes
    // other/plot.py imports TensorFlow, but main.py does not import that.
    const Proposal package = proposalOf(projects() + QStringLiteral("/package"));
    QCOMPARE(
        package.values.value(QStringLiteral("image")), QStringLiteral("docker://python:3.13-slim"));
}

void TestProposal::givenFile_isTheProgram_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("command"); // empty: a question
    const auto row = [](const char* file, const char* command) {
        QTest::newRow(file) << QString::fromUtf8(file) << QString::fromUtf8(command);
    };
    row("several/eval.py", "python3 eval.py");
    row("digits/model.py", "python3 model.py");
    row("shell/run.sh", "bash run.sh");
    row("makefile-many/two.cpp", "./two");
    row("fortran/heat.f90", "./heat");
    row("cuda-cmake/nbody.cu", "build/nbody");
    row("notebook/study.ipynb", "");
    row("torchrun/job.sbatch", "");
    row("docker/Dockerfile", "");
}

void TestProposal::givenFile_isTheProgram()
{
    QFETCH(QString, file);
    QFETCH(QString, command);
    const Proposal proposal = proposalOf(projects() + u'/' + file);
    QCOMPARE(proposal.values.value(QStringLiteral("command")), command);
    QCOMPARE(proposal.values.contains(QStringLiteral("command")), !command.isEmpty());
    QVERIFY(!command.isEmpty() || !proposal.questions.isEmpty());
    QVERIFY(proposal.folder.endsWith(u'/' + file.section(u'/', 0, 0)));
}

void TestProposal::arguments_areQuotedAsNeeded()
{
    const QStringList arguments{QStringLiteral("--epochs"), QStringLiteral("20"),
        QStringLiteral("--name=two words"), QStringLiteral("it's; $HOME"), QString()};
    const Proposal proposal =
        proposalOf(projects() + QStringLiteral("/digits/train.py"), arguments);
    QCOMPARE(proposal.values.value(QStringLiteral("command")),
        QStringLiteral("python3 train.py --epochs 20 '--name=two words' 'it'\\''s; $HOME' ''"));
    const auto broken = readProject(
        projects() + QStringLiteral("/digits/train.py"), {QStringLiteral("a\nb")}, resources());
    QVERIFY(!broken.ok());
    QCOMPARE(broken.error().kind, ErrorKind::Invalid);
    QVERIFY(!broken.error().remedy.isEmpty());
}

void TestProposal::everyValue_hasOneLineWithItsReason_data()
{
    folder_isRead_data();
}

void TestProposal::everyValue_hasOneLineWithItsReason()
{
    QFETCH(QString, name);
    const Proposal proposal = proposalOf(projects() + u'/' + name);
    static const QStringList known{QStringLiteral("command"), QStringLiteral("setup"),
        QStringLiteral("image"), QStringLiteral("packages"), QStringLiteral("gpus"),
        QStringLiteral("cpus"), QStringLiteral("memory"), QStringLiteral("time"),
        QStringLiteral("nodes"), QStringLiteral("tasks")};
    QStringList keys;
    for (const ProposalLine& line : proposal.lines) {
        QVERIFY(!line.label.isEmpty() && !line.value.isEmpty() && !line.reason.isEmpty());
        if (line.key.isEmpty())
            continue;
        QVERIFY2(known.contains(line.key), qPrintable(line.key));
        QCOMPARE(proposal.values.value(line.key), line.value);
        keys << line.key;
    }
    keys.sort();
    QCOMPARE(keys, proposal.values.keys());
    for (const QString& question : proposal.questions)
        QVERIFY2(question.endsWith(u'?') || question.endsWith(u'.'), qPrintable(question));
}

void TestProposal::emptyFolder_isAQuestion()
{
    QTemporaryDir folder;
    const Proposal proposal = proposalOf(folder.path());
    QVERIFY(proposal.values.isEmpty() && proposal.lines.empty() && proposal.program.isEmpty());
    QCOMPARE(proposal.questions.size(), 1);
    QVERIFY(proposal.questions[0].contains(u"No program was found"));
}

void TestProposal::missingOrSpecialFile_isAnError()
{
    const auto missing = readProject(QStringLiteral("/nowhere/train.py"), {}, resources());
    QVERIFY(!missing.ok());
    QCOMPARE(missing.error().kind, ErrorKind::NotFound);
    QVERIFY(missing.error().summary.contains(u"/nowhere/train.py"));
    const auto device = readProject(QStringLiteral("/dev/null"), {}, resources());
    QVERIFY(!device.ok());
    QCOMPARE(device.error().kind, ErrorKind::Invalid);
}

void TestProposal::bytes_areReadAsTheyCome_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFimport torch\nx = torch.cuda\n");
    QTest::newRow("CRLF") << QByteArray("\r\nimport torch\r\nx = \\\r\n  torch.cuda\r\n");
    QTest::newRow("CR") << QByteArray("import os\rimport torch\rx = torch.cuda\r");
    QTest::newRow("Latin-1") << QByteArray("# \xE9t\xE9\nimport torch\nx = torch.cuda\n");
    QTest::newRow("several names") << QByteArray("import os, torch as t; t.cuda\n");
    QTest::newRow("brackets") << QByteArray("from torch import (nn, # import jax\n  cuda)\n"
                                            "import torch.nn\nx.to('cuda:0')\n");
    QTest::newRow("continued") << QByteArray("import os, \\\n    torch\nx.cuda()\n");
    QTest::newRow("one line") << QByteArray("if x: import torch; torch.cuda\n");
    QTest::newRow("after a text that looks like code")
        << QByteArray("'''\nimport jax\n'''\nx = \"\"\"\\\"\"\"\"\nimport torch\nx.cuda()\n");
    QTest::newRow("string that is not closed")
        << QByteArray("x = 'import jax\nimport torch\nx.cuda()\n");
}

void TestProposal::bytes_areReadAsTheyCome()
{
    QFETCH(QByteArray, content);
    QTemporaryDir folder;
    writeFile(folder, "main.py", content);
    const Proposal proposal = proposalOf(folder.path());
    QVERIFY2(proposal.values.value(QStringLiteral("image")).contains(u"pytorch"),
        textOf(proposal).constData());
    QCOMPARE(proposal.values.value(QStringLiteral("gpus")), QStringLiteral("1"));
}

void TestProposal::binaryAndLargeFiles_areNamedAndNotRead()
{
    QTemporaryDir folder;
    writeFile(folder, "main.py", "print(1)\n");
    writeFile(folder, "Makefile", QByteArray("all:\0\n", 6));
    writeFile(folder, "requirements.txt", QByteArray(1024 * 1024 + 1, 'x'));
    const Proposal proposal = proposalOf(folder.path());
    QCOMPARE(proposal.program, QStringLiteral("main.py"));
    QVERIFY(!proposal.values.contains(QStringLiteral("packages")));
    QVERIFY2(proposal.questions.last().contains(u"Makefile, requirements.txt"),
        textOf(proposal).constData());
}

void TestProposal::linksThatLeadOut_areNotFollowed()
{
    QTemporaryDir folder, outside;
    writeFile(outside, "secret.py", "import tensorflow\nif __name__ == '__main__': pass\n");
    writeFile(outside, "lib/deep.py", "import tensorflow\n");
    writeFile(folder, "inside/real.py", "import torch\n");
    QVERIFY(QFile::link(
        outside.filePath(QStringLiteral("secret.py")), folder.filePath(QStringLiteral("main.py"))));
    QVERIFY(QFile::link(
        outside.filePath(QStringLiteral("lib")), folder.filePath(QStringLiteral("lib"))));
    QVERIFY(QFile::link(QStringLiteral("."), folder.filePath(QStringLiteral("loop"))));
    QVERIFY(
        QFile::link(QStringLiteral("inside/real.py"), folder.filePath(QStringLiteral("train.py"))));
    const Proposal proposal = proposalOf(folder.path());
    QCOMPARE(proposal.program, QStringLiteral("train.py"));
    QVERIFY2(!textOf(proposal).contains("tensorflow"), textOf(proposal).constData());
    QVERIFY(proposal.values.value(QStringLiteral("image")).contains(u"pytorch"));
}

void TestProposal::skippedFolders_areNotRead()
{
    QTemporaryDir folder;
    for (const char* name : {".git/x.py", "node_modules/x.py", "__pycache__/x.py", "venv/x.py",
             ".venv/x.py", "tool.egg-info/x.py"})
        writeFile(folder, name, "if __name__ == '__main__': pass\n");
    QVERIFY(proposalOf(folder.path()).program.isEmpty());
    writeFile(folder, "ok/x.py", "if __name__ == '__main__': pass\n");
    QCOMPARE(proposalOf(folder.path()).program, QStringLiteral("ok/x.py"));
}

void TestProposal::manyFiles_areReadInBounds()
{
    QTemporaryDir folder;
    writeFile(folder, "train.py", "import torch\n");
    for (int i = 0; i < 2100; ++i)
        writeFile(folder, "many/m" + QByteArray::number(i) + ".c", "x");
    const Proposal proposal = proposalOf(folder.path());
    QCOMPARE(proposal.program, QStringLiteral("train.py")); // the top is read first
    QVERIFY(proposal.questions.last().contains(u"not all of it was read"));
}

void TestProposal::deepFolders_areReadInBounds()
{
    QTemporaryDir folder;
    QByteArray path;
    for (int i = 0; i < 40; ++i)
        path += "d/";
    writeFile(folder, path + "main.py", "if __name__ == '__main__': pass\n");
    const Proposal proposal = proposalOf(folder.path());
    QVERIFY(proposal.program.isEmpty());
    QVERIFY(proposal.questions.last().contains(u"not all of it was read"));
}

void TestProposal::hostileNames_areLiteral()
{
    QTemporaryDir folder;
    writeFile(folder, "a b;$(reboot).py", "import torch\nif __name__ == '__main__': pass\n");
    writeFile(folder, "x\ny.py", "import jax\nif __name__ == '__main__': pass\n");
    const Proposal proposal = proposalOf(folder.path());
    QCOMPARE(proposal.values.value(QStringLiteral("command")),
        QStringLiteral("python3 'a b;$(reboot).py'"));
    QTemporaryDir other;
    writeFile(other, "-c.py", "if __name__ == '__main__': pass\n");
    QCOMPARE(proposalOf(other.path()).values.value(QStringLiteral("command")),
        QStringLiteral("python3 ./-c.py"));
}

void TestProposal::hostileContent_isCutAndPlain()
{
    QTemporaryDir folder;
    const QByteArray name(20'000, 'a');
    writeFile(folder, "main.py",
        "import " + name + "." + name + "\nx.\x1b[31mcuda\n" + QByteArray(50'000, '(') + "\n");
    writeFile(folder, "requirements.txt", "torch==" + name + "\n\x1b[2J" + name + "==1\n");
    writeFile(folder, "Dockerfile",
        "FROM " + name
            + "\x1b[31m\nFROM a\xE2\x80\xAE"
              "b\n");
    writeFile(folder, "CMakeLists.txt", QByteArray(100'000, '(') + "add_executable(\x07)\n");
    writeFile(folder, "job.sbatch", "#SBATCH --time=1;reboot\n#SBATCH --mem=$(x)\n#SBATCH -c 0\n");
    const Proposal proposal = proposalOf(folder.path());
    const auto plain = [](const QString& text) {
        return text.size() <= 1000 && std::none_of(text.begin(), text.end(), [](QChar c) {
            return c.category() == QChar::Other_Control || c.category() == QChar::Other_Format;
        });
    };
    for (const ProposalLine& line : proposal.lines)
        QVERIFY2(line.value.size() <= 500 && plain(line.value) && plain(line.reason),
            qPrintable(line.key));
    for (const QString& question : proposal.questions)
        QVERIFY2(plain(question), qPrintable(question));
    for (const char* key : {"time", "memory", "cpus"})
        QVERIFY(!proposal.values.contains(QLatin1String(key)));
}

void TestProposal::total_isDividedAmongTheNodes_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("values"); // GPUs and tasks of a node
    QTest::addColumn<bool>("isAsked");
    const auto row = [](const char* script, const char* values, bool isAsked) {
        QTest::newRow(script) << QByteArray(script) << QString::fromLatin1(values) << isAsked;
    };
    row("#SBATCH -N 2\n#SBATCH --gpus=8\n#SBATCH -n 16\n", "4 8", false);
    row("#SBATCH --gpus=8\n#SBATCH -n 16\n", "8 16", false);
    row("#SBATCH -N 2\n#SBATCH --gpus-per-node=8\n#SBATCH --ntasks-per-node=4\n", "8 4", false);
    row("#SBATCH -N 2\n#SBATCH -G a100:3\n#SBATCH --ntasks-per-node=4\n", " 4", true);
    row("#SBATCH -N 2\n#SBATCH --gres=gpu:1\nmpirun -np 4 python main.py\n", "1 2", false);
    row("#SBATCH -N 3\n#SBATCH --gres=gpu:1\nmpirun -np 4 python main.py\n", "1 ", true);
    row("#SBATCH --gres=gpu:1\nmpirun -np 4 python main.py\n", "1 4", false);
}

void TestProposal::total_isDividedAmongTheNodes()
{
    QFETCH(QByteArray, script);
    QFETCH(QString, values);
    QFETCH(bool, isAsked);
    QTemporaryDir folder;
    writeFile(folder, "main.py", "from mpi4py import MPI\nimport cupy\n");
    writeFile(folder, "job.sbatch", script);
    const Proposal proposal = proposalOf(folder.path());
    const auto value = [&](const char* key) { return proposal.values.value(QLatin1String(key)); };
    QCOMPARE(QString(value("gpus") + u' ' + value("tasks")), values);
    QCOMPARE(textOf(proposal).contains("divided evenly"), isAsked);
}

void TestProposal::project_countsMoreThanASoleList()
{
    QTemporaryDir folder;
    writeFile(folder, "main.py", "import numpy\n");
    writeFile(folder, "docs/requirements.txt", "sphinx\n");
    const auto packages = [&folder] {
        return proposalOf(folder.path()).values.value(QStringLiteral("packages"));
    };
    QCOMPARE(packages(), QStringLiteral("docs/requirements.txt"));
    writeFile(folder, "pyproject.toml", "[project]\ndependencies = ['numpy']\n");
    QCOMPARE(packages(), QStringLiteral("pyproject.toml"));
    writeFile(folder, "requirements.txt", "numpy\n");
    QCOMPARE(packages(), QStringLiteral("requirements.txt"));
}

void TestProposal::missingTable_isAQuestion()
{
    QTemporaryDir empty;
    const auto read = readProject(projects() + QStringLiteral("/digits"), {}, empty.path());
    QVERIFY(read.ok());
    QVERIFY(!read->values.contains(QStringLiteral("image")));
    QVERIFY(read->questions.last().contains(u"own-code.json"));
    QCOMPARE(read->values.value(QStringLiteral("command")), QStringLiteral("python3 train.py"));
}

void TestProposal::brokenTable_isNamed_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("named");
    QTest::newRow("no address") << QByteArray(
        R"({"images": [{"id": "x", "name": "X", "image": "x", "modules": ["x"]}]})")
                                << QStringLiteral("images[0].image");
    QTest::newRow("for nothing") << QByteArray(
        R"({"images": [{"id": "x", "name": "X", "image": "docker://x"}]})")
                                 << QStringLiteral("images[0].modules");
    QTest::newRow("unknown field")
        << QByteArray(R"({"pictures": []})") << QStringLiteral("pictures");
}

void TestProposal::brokenTable_isNamed()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, named);
    const auto table = parseOwnCodeTable(json, QStringLiteral("t.json"));
    QVERIFY(!table.ok());
    QVERIFY2(table.error().summary.contains(named), qPrintable(table.error().summary));
}

SLIPWAY_TEST(TestProposal, project_proposal)
#include "tst_proposal.moc"
