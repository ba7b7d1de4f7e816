// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/cluster/democlusterfixture.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QTest>

namespace slipway {

namespace {

const QString resources = slipway::sourcePath(QStringLiteral("/resources"));

void write(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

} // namespace

DemoClusterFixture::DemoClusterFixture()
{
    QString state = qEnvironmentVariable("SLIPWAY_DEMO_DIR");
    if (state.isEmpty())
        state = qEnvironmentVariable("XDG_STATE_HOME", QDir::homePath() + u"/.local/state")
            + u"/slipway/demo-cluster";
    // A copy of the tests' instance, so that half of the tests need not wait for the other half.
    if (qEnvironmentVariableIsSet("SLIPWAY_DEMO_SECOND")) {
        qputenv("SLIPWAY_DEMO_FROM", state.toLocal8Bit());
        state += u"-second";
    }
    // Resolved before the home folder changes.
    qputenv("SLIPWAY_DEMO_DIR", state.toLocal8Bit());
    qputenv("HOME", m_home.path().toLocal8Bit());
    qunsetenv("SSH_AUTH_SOCK");
    m_state = state;
    const QByteArray status = script({QStringLiteral("status"), QStringLiteral("--json")}, 60).out;
    // A test that was cut off may have left it emulating a site.
    if (!status.contains("\"state\":\"running\"") || !status.contains("\"emulates\":\"\"")
        || !status.contains("\"slurm\":\"24.11\"")) {
        const Ended up = script({QStringLiteral("up"), QStringLiteral("--json")}, 1200);
        if (up.code != 0) {
            m_missing = u"The demo cluster cannot be started here: "
                + QString::fromUtf8(up.out.right(1500));
            return;
        }
    }
    m_connection = QJsonDocument::fromJson(contentOf(state + u"/connection.json")).object();
    if (m_connection.isEmpty())
        m_missing = u"There is no connection.json in " + state;
    setKey(true);
    // OpenSSH takes "~" from the password file, not from HOME: the test's own files are named.
    const QString config = m_home.filePath(QStringLiteral(".ssh/config"));
    write(config,
        QStringLiteral(
            "Host *\n  IdentityFile %1/.ssh/id_ed25519\n  UserKnownHostsFile %1/.ssh/known_hosts\n")
            .arg(m_home.path())
            .toUtf8());
    SshConnector::Settings settings;
    settings.configFile = config;
    m_connector = SshConnector(settings);
    // What Apptainer keeps of each image beside the file takes twice the file's space.
    ssh(QStringLiteral("rm -rf /scratch/demo/slipway/cache"));
}

std::unique_ptr<QProcess> DemoClusterFixture::terminal(const QStringList& words) const
{
    auto environment = QProcessEnvironment::systemEnvironment();
    // The program's own folders are called slipway.
    for (const char* kind : {"data", "config"}) {
        const QString name = QString::fromLatin1(kind), folder = m_home.filePath(u"xdg-" + name);
        for (const QString& one : {folder, m_home.filePath(name)})
            QDir().mkpath(one);
        QFile::link(m_home.filePath(name), folder + u"/slipway");
        environment.insert(u"XDG_" + name.toUpper() + u"_HOME", folder);
    }
    const QString bin = m_home.filePath(QStringLiteral("bin"));
    write(bin + u"/ssh",
        "#!/bin/sh\nexec " + QStandardPaths::findExecutable(QStringLiteral("ssh")).toUtf8() + " -F "
            + m_home.filePath(QStringLiteral(".ssh/config")).toUtf8() + " \"$@\"\n");
    QFile::setPermissions(bin + u"/ssh", QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    environment.insert(
        QStringLiteral("PATH"), bin + u':' + environment.value(QStringLiteral("PATH")));
    environment.insert(QStringLiteral("SLIPWAY_RESOURCES"), resources);
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(environment);
    process->start(
        qEnvironmentVariable("SLIPWAY_CLI", buildPath(QStringLiteral("/bin/slipway-cli"))), words);
    return process;
}

DemoClusterFixture::Ended DemoClusterFixture::emulate(const QString& site)
{
    QStringList arguments{QStringLiteral("up"), QStringLiteral("--json")};
    if (!site.isEmpty())
        arguments << QStringLiteral("--as") << site;
    // Images in the folders of the last site, and what Apptainer kept of them, serve no other site.
    if (!m_connection.value(u"emulates").toString().isEmpty())
        root(QStringLiteral("login"),
            QStringLiteral(
                "{ echo /home; echo /scratch/ws; "
                "awk '$4 ~ \"/places/[^/]*$\" { print $5 }' /proc/self/mountinfo; } | "
                "while read -r place; do find \"$place\" \\( -name '*.sif' -o -path "
                "'*/cache/blob' -o -path '*/cache/oci-tmp' \\) -prune -exec rm -rf {} +; done"));
    const Ended ended = script(arguments, 300);
    m_connection = QJsonDocument::fromJson(contentOf(m_state + u"/connection.json")).object();
    return ended;
}

DemoClusterFixture::~DemoClusterFixture()
{
    QTest::qWait(200);
}

QString DemoClusterFixture::password() const
{
    return QString::fromUtf8(contentOf(m_connection.value(u"password_file").toString()).trimmed());
}

void DemoClusterFixture::renewCalls()
{
    const QString folder = m_home.filePath(QStringLiteral("run-%1").arg(++m_renewals));
    QDir().mkpath(folder);
    QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("XDG_RUNTIME_DIR", folder.toLocal8Bit());
}

std::unique_ptr<Engine> DemoClusterFixture::engine(const QString& data)
{
    return std::make_unique<Engine>(&m_connector,
        EnginePaths{resources, m_home.filePath(QStringLiteral("config")),
            data.isEmpty() ? dataFolder() : data});
}

void DemoClusterFixture::addSite(
    const QString& id, int port, const QString& user, const QString& scratch)
{
    addSite(id,
        QJsonObject{{QStringLiteral("host"), QStringLiteral("127.0.0.1")},
            {QStringLiteral("port"), port}, {QStringLiteral("user"), user}},
        scratch);
}

void DemoClusterFixture::addSite(
    const QString& id, const QJsonObject& login, const QString& scratch)
{
    QJsonObject site = QJsonDocument::fromJson(contentOf(resources + u"/sites/demo.json")).object();
    site.remove(QStringLiteral("provided_by"));
    site.remove(QStringLiteral("$schema"));
    site.insert(QStringLiteral("id"), id);
    site.insert(QStringLiteral("name"), id);
    site.insert(QStringLiteral("logins"), QJsonArray{login});
    if (!scratch.isEmpty())
        site.insert(QStringLiteral("scratch"), scratch);
    write(m_home.filePath(u"config/sites/" + id + u".json"), QJsonDocument(site).toJson());
}

void DemoClusterFixture::setKey(bool present)
{
    const QString key = m_home.filePath(QStringLiteral(".ssh/id_ed25519"));
    QFile::remove(key);
    if (present)
        write(key, contentOf(m_connection.value(u"identity_file").toString()));
}

DemoClusterFixture::Ended DemoClusterFixture::ssh(const QString& command) const
{
    const QStringList options{QStringLiteral("-F"), QStringLiteral("none"), QStringLiteral("-o"),
        QStringLiteral("BatchMode=yes"), QStringLiteral("-o"),
        u"UserKnownHostsFile=" + m_connection.value(u"known_hosts_file").toString(),
        QStringLiteral("-i"), m_connection.value(u"identity_file").toString(), QStringLiteral("-p"),
        QString::number(m_connection.value(u"port").toInt()), QStringLiteral("demo@127.0.0.1"),
        command};
    return program(QStringLiteral("ssh"), options, 60);
}

DemoClusterFixture::Ended DemoClusterFixture::root(
    const QString& node, const QString& command) const
{
    return script(
        {QStringLiteral("shell"), node, QStringLiteral("sh"), QStringLiteral("-c"), command}, 60);
}

DemoClusterFixture::Ended DemoClusterFixture::script(
    const QStringList& arguments, int timeout) const
{
    return program(QStringLiteral("bash"),
        QStringList{resources + u"/demo-cluster/demo-cluster"} + arguments, timeout);
}

DemoClusterFixture::Ended DemoClusterFixture::program(
    const QString& name, const QStringList& arguments, int timeout) const
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(name, arguments, QIODevice::ReadOnly);
    if (!process.waitForFinished(timeout * 1000)) {
        process.kill();
        process.waitForFinished();
        return {-1, name.toUtf8() + " did not end in time"};
    }
    return {process.exitCode(), process.readAll()};
}

bool waitForRun(
    Engine& engine, const QString& id, const std::function<bool(const Run&)>& wanted, int seconds)
{
    return QTest::qWaitFor(
        [&] {
            const auto run = engine.runs()->run(id);
            return run && wanted(*run);
        },
        seconds * 1000);
}

bool waitForPhase(Engine& engine, const QString& id, RunPhase phase, int seconds)
{
    return waitForRun(
        engine, id, [phase](const Run& run) { return run.phase == phase; }, seconds);
}

bool waitForEnd(Engine& engine, const QString& id, int seconds)
{
    return waitForRun(
        engine, id, [](const Run& run) { return isTerminal(run.phase); }, seconds);
}

LaunchSpec commandSpec(const QString& command, const QString& site)
{
    LaunchSpec spec;
    spec.siteId = site;
    spec.recipeId = QStringLiteral("run-a-command");
    spec.values = {{QStringLiteral("image"), {}}, {QStringLiteral("command"), command},
        {QStringLiteral("time"), QStringLiteral("0:05:00")},
        {QStringLiteral("cpus"), QStringLiteral("1")},
        {QStringLiteral("memory"), QStringLiteral("500M")},
        {QStringLiteral("gpus"), QStringLiteral("0")}};
    return spec;
}

} // namespace slipway
