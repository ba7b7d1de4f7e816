// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measures Slipway's SSH against the system's ssh, both on one sshd on the loopback, in one run:
// the rounds are interleaved, the medians compared, and the time to connect is subtracted alike.

#include "tests/support/sshdlogin.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstdio>

using namespace slipway;

namespace {

constexpr qint64 streamBytes = 256 * 1024 * 1024;

struct Measure {
    QString name;
    QString unit;
    double ours;
    double theirs;
    double target;
    bool atLeast; ///< else at most
    double ratio() const { return theirs > 0 ? ours / theirs : 0; }
    bool met() const { return atLeast ? ratio() >= target : ratio() <= target; }
};

double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    return values.isEmpty() ? 0 : values[values.size() / 2];
}

/// Waits in an event loop of its own until `process` has ended.
bool waitFor(Process& process)
{
    QEventLoop loop;
    bool ok = false;
    QObject::connect(&process, &Process::finished, &loop, [&](const Result<int>& exitCode) {
        ok = exitCode.ok() && *exitCode == 0;
        loop.quit();
    });
    loop.exec();
    return ok;
}

/// The bench: a server, a file of zeros and text, and both clients.
class Bench {
public:
    QString prepare();
    double oursConnect();
    double theirsConnect();
    double oursDownload();
    double theirsDownload();
    double oursUpload();
    double theirsUpload();
    bool startMaster();
    void stopMaster();
    double oursNoop();
    double theirsNoop();

private:
    QStringList sshArguments(const QStringList& more) const;
    double timedSsh(const QStringList& arguments, const QString& input = {}) const;

    SshdFixture m_sshd;
    QString m_file;
    std::shared_ptr<Shell> m_shell;
};

QString Bench::prepare()
{
    // SHLVL keeps bash from reading the account's start-up files: they are not the client's
    // business.
    if (const auto missing =
            m_sshd.start({QStringLiteral("SetEnv SHLVL=1"), QStringLiteral("LogLevel ERROR")});
        !missing.isEmpty())
        return missing;
    m_sshd.clearKnownHosts();
    m_sshd.trustHostKey();
    m_file = m_sshd.path(QStringLiteral("stream"));
    QFile file(m_file);
    if (!file.open(QIODevice::WriteOnly))
        return file.errorString();
    QByteArray lines;
    for (int i = 0; lines.size() < 1024 * 1024; ++i)
        lines += "epoch " + QByteArray::number(i) + " loss 0.123456 images/s 1234.5\n";
    for (qint64 size = 0; size < streamBytes; size += lines.size())
        file.write(lines);
    file.close();
    m_shell = connected(m_sshd);
    return m_shell ? QString() : QStringLiteral("Slipway could not log in.");
}

QStringList Bench::sshArguments(const QStringList& more) const
{
    return QStringList{QStringLiteral("-F"), QStringLiteral("/dev/null"), QStringLiteral("-i"),
               m_sshd.userKey(), QStringLiteral("-o"),
               QStringLiteral("UserKnownHostsFile=") + m_sshd.knownHosts(), QStringLiteral("-o"),
               QStringLiteral("BatchMode=yes"), QStringLiteral("-o"),
               QStringLiteral("IdentityAgent=none"),
               // The same cipher on both sides: what is compared is the client.
               QStringLiteral("-c"),
               QStringLiteral("aes128-gcm@openssh.com,chacha20-poly1305@openssh.com"),
               QStringLiteral("-p"), QString::number(m_sshd.port())}
    + more;
}

double Bench::timedSsh(const QStringList& arguments, const QString& input) const
{
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.setStandardInputFile(input.isEmpty() ? QProcess::nullDevice() : input);
    QElapsedTimer timer;
    timer.start();
    process.start(QStringLiteral("ssh"), sshArguments(arguments));
    process.waitForFinished(120'000);
    if (process.exitCode() != 0)
        std::fprintf(stderr, "ssh: %s\n", process.readAllStandardError().constData());
    return double(timer.nsecsElapsed()) / 1e9;
}

double Bench::oursConnect()
{
    QElapsedTimer timer;
    timer.start();
    const auto shell = connected(m_sshd);
    const auto process = shell->start({"exec true"});
    waitFor(*process);
    return double(timer.nsecsElapsed()) / 1e9;
}

double Bench::theirsConnect()
{
    return timedSsh({QStringLiteral("127.0.0.1"), QStringLiteral("exec true")});
}

double Bench::oursDownload()
{
    QElapsedTimer timer;
    timer.start();
    const auto shell = connected(m_sshd);
    qint64 size = 0;
    const auto process = shell->start({"exec cat " + shellQuoted(m_file)});
    QObject::connect(process.get(), &Process::output, process.get(),
        [&](const QByteArray& bytes) { size += bytes.size(); });
    waitFor(*process);
    if (size < streamBytes)
        std::fprintf(stderr, "only %lld bytes came\n", static_cast<long long>(size));
    return double(timer.nsecsElapsed()) / 1e9;
}

double Bench::theirsDownload()
{
    return timedSsh({QStringLiteral("127.0.0.1"), QStringLiteral("exec cat ") + m_file});
}

double Bench::oursUpload()
{
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    QElapsedTimer timer;
    timer.start();
    const auto shell = connected(m_sshd);
    const auto process = shell->start({"exec cat >/dev/null", Invocation::Place::Argument});
    const auto feed = [&] {
        while (!file.atEnd() && process->bytesToWrite() < 4 * 1024 * 1024)
            process->write(file.read(512 * 1024));
        if (file.atEnd())
            process->closeInput();
    };
    QObject::connect(process.get(), &Process::bytesWritten, process.get(), feed);
    feed();
    waitFor(*process);
    return double(timer.nsecsElapsed()) / 1e9;
}

double Bench::theirsUpload()
{
    return timedSsh({QStringLiteral("127.0.0.1"), QStringLiteral("exec cat >/dev/null")}, m_file);
}

bool Bench::startMaster()
{
    return timedSsh({QStringLiteral("-M"), QStringLiteral("-f"), QStringLiteral("-N"),
               QStringLiteral("-o"),
               QStringLiteral("ControlPath=") + m_sshd.path(QStringLiteral("master")),
               QStringLiteral("127.0.0.1")})
        > 0;
}

void Bench::stopMaster()
{
    timedSsh({QStringLiteral("-O"), QStringLiteral("exit"), QStringLiteral("-o"),
        QStringLiteral("ControlPath=") + m_sshd.path(QStringLiteral("master")),
        QStringLiteral("127.0.0.1")});
}

double Bench::oursNoop()
{
    QElapsedTimer timer;
    timer.start();
    const auto done = awaited(m_shell->run("true"));
    if (!done.ok())
        std::fprintf(stderr, "%s\n", qPrintable(done.error().text()));
    return double(timer.nsecsElapsed()) / 1e9;
}

double Bench::theirsNoop()
{
    return timedSsh({QStringLiteral("-o"),
        QStringLiteral("ControlPath=") + m_sshd.path(QStringLiteral("master")),
        QStringLiteral("127.0.0.1"), QStringLiteral("true")});
}

QList<Measure> measure(Bench& bench, int rounds)
{
    QList<double> oursConnect, theirsConnect, oursDown, theirsDown, oursUp, theirsUp, oursNoop,
        theirsNoop;
    for (int i = 0; i < rounds; ++i) {
        oursConnect << bench.oursConnect();
        theirsConnect << bench.theirsConnect();
        oursDown << bench.oursDownload();
        theirsDown << bench.theirsDownload();
        oursUp << bench.oursUpload();
        theirsUp << bench.theirsUpload();
    }
    bench.startMaster();
    for (int i = 0; i < rounds * 20; ++i) {
        oursNoop << bench.oursNoop();
        theirsNoop << bench.theirsNoop();
    }
    bench.stopMaster();
    const double mega = double(streamBytes) / 1e6;
    const double ours = median(oursConnect);
    const double theirs = median(theirsConnect);
    const auto rate = [mega](double seconds, double connect) {
        return mega / std::max(0.001, seconds - connect);
    };
    return {
        {QStringLiteral("log stream, 256 MiB"), QStringLiteral("MB/s"),
            rate(median(oursDown), ours), rate(median(theirsDown), theirs), 0.95, true},
        {QStringLiteral("upload, 256 MiB"), QStringLiteral("MB/s"), rate(median(oursUp), ours),
            rate(median(theirsUp), theirs), 0.95, true},
        {QStringLiteral("no-op command"), QStringLiteral("ms"), median(oursNoop) * 1e3,
            median(theirsNoop) * 1e3, 0.5, false},
        {QStringLiteral("connect and no-op"), QStringLiteral("ms"), ours * 1e3, theirs * 1e3, 1.0,
            false},
    };
}

void printTable(const QList<Measure>& measures)
{
    std::printf("%-22s %10s %10s %8s   %s\n", "measure", "slipway", "openssh", "ratio", "target");
    for (const auto& one : measures)
        std::printf("%-22s %10.1f %10.1f %8.2f   %s %.2f  %s (%s)\n", qPrintable(one.name),
            one.ours, one.theirs, one.ratio(), one.atLeast ? ">=" : "<=", one.target,
            one.met() ? "met" : "MISSED", qPrintable(one.unit));
}

void printJson(const QList<Measure>& measures)
{
    QJsonArray rows;
    for (const auto& one : measures)
        rows.append(
            QJsonObject{{QStringLiteral("measure"), one.name}, {QStringLiteral("unit"), one.unit},
                {QStringLiteral("slipway"), one.ours}, {QStringLiteral("openssh"), one.theirs},
                {QStringLiteral("ratio"), one.ratio()}, {QStringLiteral("target"), one.target},
                {QStringLiteral("better"),
                    one.atLeast ? QStringLiteral("higher") : QStringLiteral("lower")},
                {QStringLiteral("met"), one.met()}});
    std::printf("%s", QJsonDocument(rows).toJson().constData());
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Slipway's SSH against the system's ssh, as ratios."));
    parser.addHelpOption();
    parser.addOption(
        {QStringLiteral("download"), QStringLiteral("Only one download, for a profiler.")});
    parser.addOption({QStringLiteral("json"), QStringLiteral("Print JSON.")});
    parser.addOption({QStringLiteral("rounds"), QStringLiteral("Rounds of each measure (5)."),
        QStringLiteral("n"), QStringLiteral("5")});
    parser.process(app);
    qunsetenv("SSH_AUTH_SOCK");
    Bench bench;
    if (const auto missing = bench.prepare(); !missing.isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(missing));
        return 1;
    }
    if (parser.isSet(QStringLiteral("download"))) {
        std::printf("%.2f s\n", bench.oursDownload());
        return 0;
    }
    const auto measures =
        measure(bench, std::max(1, parser.value(QStringLiteral("rounds")).toInt()));
    if (parser.isSet(QStringLiteral("json")))
        printJson(measures);
    else
        printTable(measures);
    return 0;
}
