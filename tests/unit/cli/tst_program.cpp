// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

/// slipway-cli as a program: what it requires, how it handles malformed files, and that no messages
/// of Qt reach the terminal.
class TestProgram : public QObject {
    Q_OBJECT

private slots:
    void init();
    void malformedSite_isReportedAndTheProgramEnds_data();
    void malformedSite_isReportedAndTheProgramEnds();
    void help_alignsTheSummaries();
    void plot_isDrawnWithoutMessagesOfQt();
    void demoStatus_hasTheFormerKeyToo();
    void installed_findsItsResources();
    void completion_worksInTheShells_data();
    void completion_worksInTheShells();

private:
    int run(const QString& program, const QStringList& words, const QString& resources);

    const QString m_built = slipway::buildPath(QStringLiteral("/bin/slipway-cli"));
    const QString m_source = slipway::sourcePath(QStringLiteral("/resources"));
    std::unique_ptr<QTemporaryDir> m_home;
    QByteArray m_out, m_err;
};

namespace {

QStringList filesBelow(const QString& folder)
{
    QStringList files;
    QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext())
        files << it.next();
    files.sort();
    return files;
}

} // namespace

void TestProgram::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    QVERIFY(m_home->isValid());
}

int TestProgram::run(const QString& program, const QStringList& words, const QString& resources)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), m_home->path());
    for (const char* name : {"CONFIG", "DATA", "STATE"})
        environment.insert(QStringLiteral("XDG_%1_HOME").arg(QLatin1String(name)),
            m_home->filePath(QString::fromLatin1(name).toLower()));
    for (const char* name :
        {"XDG_RUNTIME_DIR", "SLIPWAY_RESOURCES", "SLIPWAY_PROBE", "SLIPWAY_DEMO_DIR"})
        environment.remove(QLatin1String(name));
    if (!resources.isEmpty())
        environment.insert(QStringLiteral("SLIPWAY_RESOURCES"), resources);
    process.setProcessEnvironment(environment);
    process.start(program, words);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000))
        return -1;
    m_out = process.readAllStandardOutput();
    m_err = process.readAllStandardError();
    return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
}

void TestProgram::malformedSite_isReportedAndTheProgramEnds_data()
{
    QTest::addColumn<QByteArray>("port");
    QTest::addColumn<QString>("command");
    for (const char* command : {"sites", "runs", "recipes"}) {
        for (const char* port :
            {"1e999", "-1e999", "123456789012345678901234567890", "NaN", "\"\\ud800\"",
                "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"}) {
            QTest::addRow("%s, port %.30s", command, port)
                << QByteArray(port) << QString::fromLatin1(command);
        }
    }
}

void TestProgram::malformedSite_isReportedAndTheProgramEnds()
{
    QFETCH(QByteArray, port);
    QFETCH(QString, command);
    const QString folder = m_home->filePath(QStringLiteral("config/slipway/sites"));
    QVERIFY(QDir().mkpath(folder));
    QFile file(folder + QStringLiteral("/x.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"id\":\"x\",\"name\":\"x\",\"logins\":[{\"host\":\"h\",\"port\":" + port + "}]}");
    file.close();
    QCOMPARE(run(m_built, {command}, m_source), 0);
    QVERIFY2(m_err.contains("sites/x.json, line 1"), m_err);
    QVERIFY(!m_out.isEmpty());
}

void TestProgram::help_alignsTheSummaries()
{
    QCOMPARE(run(m_built, {QStringLiteral("--help")}, m_source), 0);
    static const QRegularExpression row(QStringLiteral("\\A  [a-z]+ {2,}\\S"));
    qsizetype column = -1;
    int rows = 0;
    for (const QByteArray& line : m_out.split('\n')) {
        if (!line.startsWith("  "))
            continue;
        const auto match = row.match(QString::fromUtf8(line));
        QVERIFY2(match.hasMatch(), line);
        QVERIFY2(column < 0 || column == match.capturedLength(), line);
        column = match.capturedLength();
        ++rows;
    }
    QVERIFY(rows >= 17);
    QVERIFY2(m_out.contains("  workflows  "), m_out);
}

void TestProgram::plot_isDrawnWithoutMessagesOfQt()
{
    // A mistake in --plot starts QGuiApplication and prints one message of slipway-cli.
    QCOMPARE(run(m_built,
                 {QStringLiteral("run"), QStringLiteral("matmul-scaling"), QStringLiteral("--site"),
                     QStringLiteral("demo"), QStringLiteral("--plot"), QStringLiteral("x.bmp")},
                 m_source),
        2);
    QVERIFY2(m_err.contains("must end with .png"), m_err);
    QVERIFY2(!m_err.contains("XDG_RUNTIME_DIR"), m_err);
    QVERIFY2(!m_err.contains("QStandardPaths"), m_err);
}

/// “emulates” was called “dressed_as” in the previous version.
void TestProgram::demoStatus_hasTheFormerKeyToo()
{
    const QString resources = m_home->filePath(QStringLiteral("resources"));
    QVERIFY(QDir().mkpath(resources + u"/demo-cluster"));
    QFile script(resources + u"/demo-cluster/demo-cluster");
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(R"(echo '{"event":"status","state":"running","emulates":"kestrel"}')"
                 "\n");
    script.close();
    QCOMPARE(
        run(m_built, {QStringLiteral("demo"), QStringLiteral("status"), QStringLiteral("--json")},
            resources),
        0);
    const QJsonObject status = QJsonDocument::fromJson(m_out).object();
    QCOMPARE(status.value(u"state").toString(), QStringLiteral("running"));
    QCOMPARE(status.value(u"emulates").toString(), QStringLiteral("kestrel"));
    QCOMPARE(status.value(u"dressed_as"), status.value(u"emulates"));
    QCOMPARE(run(m_built, {QStringLiteral("demo"), QStringLiteral("status")}, resources), 0);
    QCOMPARE(m_out, QByteArray("The demo cluster is running.\n"));
}

void TestProgram::installed_findsItsResources()
{
    const QString cmake = QStandardPaths::findExecutable(QStringLiteral("cmake"));
    QVERIFY2(!cmake.isEmpty(), "cmake is not installed; this test requires it");
    // As a package is staged: DESTDIR is no part of the place where the programs will be.
    const QTemporaryDir staged;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("DESTDIR"), staged.path());
    const QDir prefix(staged.filePath(QStringLiteral("opt/slipway")));
    for (const char* component : {"terminal", "resources", "probe"}) {
        QProcess install;
        install.setProcessChannelMode(QProcess::MergedChannels);
        install.setProcessEnvironment(environment);
        install.start(cmake,
            {QStringLiteral("--install"), slipway::buildPath(), QStringLiteral("--prefix"),
                QStringLiteral("/opt/slipway"), QStringLiteral("--component"),
                QLatin1String(component)});
        QVERIFY(install.waitForFinished(120'000));
        QVERIFY2(install.exitCode() == 0, install.readAll());
    }
    const QStringList files = filesBelow(prefix.path());
    for (const char* name :
        {"share/man/man1/slipway-cli.1", "share/bash-completion/completions/slipway-cli"})
        QVERIFY2(files.contains(prefix.filePath(QLatin1String(name))), name);
    const QString program = prefix.filePath(QStringLiteral("bin/slipway-cli"));
    QCOMPARE(run(program, {QStringLiteral("sites")}, {}), 0);
    QVERIFY2(m_err.isEmpty(), m_err);
    QVERIFY2(m_out.contains("kestrel"), m_out);
    QCOMPARE(run(program,
                 {QStringLiteral("render"), QStringLiteral("matmul-scaling"),
                     QStringLiteral("--site"), QStringLiteral("demo")},
                 {}),
        0);
    // What the installed programs copy to a cluster, and start on this computer.
    const QStringList probes = QDir(prefix.filePath(QStringLiteral("lib/slipway")))
                                   .entryList({QStringLiteral("slipway-probe-*")}, QDir::Files);
    QVERIFY(!probes.isEmpty());
    const QString cluster =
        prefix.filePath(QStringLiteral("share/slipway/demo-cluster/demo-cluster"));
    QVERIFY(QFileInfo(cluster).isExecutable());
    QCOMPARE(run(program, {QStringLiteral("demo"), QStringLiteral("status")}, {}), 0);
    // It may be a place where nobody can write.
    QCOMPARE(filesBelow(prefix.path()), files);
}

void TestProgram::completion_worksInTheShells_data()
{
    QTest::addColumn<QString>("script");
    QTest::addRow("bash") << QStringLiteral(
        "source <(slipway-cli completion bash); compopt() { echo \"option $*\"; }; "
        "COMP_WORDS=(slipway-cli run --site = kes) COMP_CWORD=4; _slipway_cli; "
        "echo \"${COMPREPLY[@]}\"; "
        "COMP_WORDS=(slipway-cli metrics /etc/pass) COMP_CWORD=2; _slipway_cli; "
        "echo \"${COMPREPLY[@]}\"");
    QTest::addRow("fish") << QStringLiteral(
        "slipway-cli completion fish | source; complete -C 'slipway-cli run --site kes'; "
        "complete -C 'slipway-cli metrics /etc/pass'");
}

void TestProgram::completion_worksInTheShells()
{
    QFETCH(QString, script);
    const QString shell = QString::fromUtf8(QTest::currentDataTag());
    QVERIFY2(!QStandardPaths::findExecutable(shell).isEmpty(), "it is not installed");
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", QFile::encodeName(QFileInfo(m_built).path()) + ':' + path);
    const int code = run(shell, {QStringLiteral("-c"), script}, m_source);
    qputenv("PATH", path);
    QCOMPARE(code, 0);
    QVERIFY2(m_out.contains("kestrel"), QByteArray(m_out + m_err));
    QVERIFY2(m_out.contains("/etc/passwd"), QByteArray(m_out + m_err));
    QVERIFY2(!m_out.contains(":files"), m_out);
}

SLIPWAY_TEST(TestProgram, cli_program)
#include "tst_program.moc"
