// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measures the transfers of large files against “ssh HOST cat”, nearby and at a round trip of 50
// ms, both through one sshd on the loopback, in one run: the rounds are interleaved, the medians
// compared. Slipway's times include the check of the sum on both sides; ssh's exclude its login.
// ssh is measured with the cipher that it chooses itself, and with AES-GCM, which Slipway asks for.
// Without --rate, both ends and both sums share the processors of one machine, which then are the
// limit; with it, as root, a network of this process alone has that rate, as a cable would.

#include "remote/cluster/largedownload.h"
#include "remote/cluster/largeupload.h"
#include "tests/support/delayproxy.h"
#include "tests/support/sshdlogin.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sched.h>

using namespace slipway;
using namespace std::chrono_literals;

namespace {

double median(QList<double> values)
{
    std::sort(values.begin(), values.end());
    return values.isEmpty() ? 0 : values[values.size() / 2];
}

/// From where to where; both are paths of this computer.
struct Ends {
    std::shared_ptr<Shell> shell;
    QString from;
    QString to;
    qint64 bytes = 0;
};

QCoro::Task<Result<LargeDownloadSummary>> download(const Ends& ends)
{
    return downloadLargeFile(ends.shell, ends.from, ends.bytes, ends.to);
}

QCoro::Task<Result<LargeUploadSummary>> upload(const Ends& ends)
{
    return uploadLargeFile(ends.shell, ends.from, ends.to);
}

/// Transfers is a server with one file of random bytes, and both clients.
class Transfers {
public:
    QString prepare(qint64 bytes);
    int port() const { return m_sshd.port(); }
    /// Prints a row for each direction; `proxy` may be null.
    void measure(const char* name, const DelayProxy* proxy, int rounds);

private:
    enum Cipher { Own, Aes };
    static constexpr Cipher ciphers[] = {Own, Aes};
    double ssh(const QString& command, int port, Cipher cipher, const QString& input = {},
        const QString& output = QProcess::nullDevice()) const;
    struct Seconds {
        QList<double> slipway, ssh[2]; ///< by the cipher
    };
    template <typename Summary>
    double timed(QCoro::Task<Result<Summary>> (*transfer)(const Ends& ends),
        const std::shared_ptr<Shell>& shell) const;
    void print(const char* name, const char* direction, const Seconds& seconds, double login) const;

    SshdFixture m_sshd;
    qint64 m_bytes = 0;
    QString m_there;
};

QString Transfers::prepare(qint64 bytes)
{
    const QString missing =
        m_sshd.start({QStringLiteral("SetEnv SHLVL=1"), QStringLiteral("LogLevel ERROR")});
    if (!missing.isEmpty())
        return missing;
    m_sshd.clearKnownHosts();
    m_sshd.trustHostKey();
    m_bytes = bytes;
    m_there = m_sshd.path(QStringLiteral("there"));
    QFile file(m_there), random(QStringLiteral("/dev/urandom"));
    if (!file.open(QIODevice::WriteOnly) || !random.open(QIODevice::ReadOnly))
        return file.errorString();
    const QByteArray some = random.read(1024 * 1024);
    for (qint64 size = 0; size < bytes; size += some.size())
        file.write(some);
    return {};
}

double Transfers::ssh(const QString& command, int port, Cipher cipher, const QString& input,
    const QString& output) const
{
    QStringList options{QStringLiteral("-F"), QStringLiteral("/dev/null"), QStringLiteral("-i"),
        m_sshd.userKey(), QStringLiteral("-o"), QStringLiteral("StrictHostKeyChecking=no"),
        QStringLiteral("-o"), QStringLiteral("UserKnownHostsFile=/dev/null"), QStringLiteral("-o"),
        QStringLiteral("LogLevel=ERROR"), QStringLiteral("-o"), QStringLiteral("BatchMode=yes"),
        QStringLiteral("-o"), QStringLiteral("IdentityAgent=none"), QStringLiteral("-p"),
        QString::number(port)};
    if (cipher == Aes)
        options << QStringLiteral("-c") << QStringLiteral("aes128-gcm@openssh.com");
    QProcess process;
    process.setStandardOutputFile(output);
    process.setStandardInputFile(input.isEmpty() ? QProcess::nullDevice() : input);
    QElapsedTimer timer;
    timer.start();
    process.start(QStringLiteral("ssh"), options << QStringLiteral("127.0.0.1") << command);
    process.waitForFinished(300'000);
    if (process.exitCode() != 0)
        std::fprintf(stderr, "ssh: %s\n", process.readAllStandardError().constData());
    return double(timer.nsecsElapsed()) / 1e9;
}

template <typename Summary>
double Transfers::timed(QCoro::Task<Result<Summary>> (*transfer)(const Ends& ends),
    const std::shared_ptr<Shell>& shell) const
{
    const Ends ends{shell, m_there, m_sshd.path(QStringLiteral("copy")), m_bytes};
    QFile::remove(ends.to);
    QElapsedTimer timer;
    timer.start();
    const auto done = awaited(transfer(ends));
    if (!done.ok())
        std::fprintf(stderr, "%s\n", qPrintable(done.error().text()));
    return double(timer.nsecsElapsed()) / 1e9;
}

/// The medians; of the ratios those of each round, too, from the least to the greatest.
void Transfers::print(
    const char* name, const char* direction, const Seconds& seconds, double login) const
{
    const double mega = double(m_bytes) / 1e6;
    const auto bare = [login](double whole) { return std::max(1e-3, whole - login); };
    std::printf("%-6s %-9s %8.1f", name, direction, mega / median(seconds.slipway));
    for (const Cipher cipher : ciphers) {
        const QList<double>& theirs = seconds.ssh[cipher];
        QList<double> ratios;
        for (qsizetype i = 0; i < theirs.size(); ++i)
            ratios << bare(theirs[i]) / seconds.slipway[i];
        const auto [least, most] = std::minmax_element(ratios.cbegin(), ratios.cend());
        std::printf(" %8.1f %5.2f (%.2f-%.2f)", mega / bare(median(theirs)),
            bare(median(theirs)) / median(seconds.slipway), *least, *most);
    }
    std::printf("\n");
}

void Transfers::measure(const char* name, const DelayProxy* proxy, int rounds)
{
    const int port = proxy ? proxy->port() : m_sshd.port();
    const auto shell = connected(m_sshd, {}, port);
    if (!shell)
        return;
    const QString copy = m_sshd.path(QStringLiteral("by-ssh"));
    QList<double> login;
    Seconds down, up;
    for (int i = 0; i < rounds; ++i) {
        login << ssh(QStringLiteral("exec true"), port, Own);
        down.slipway << timed(download, shell);
        for (const Cipher cipher : ciphers)
            down.ssh[cipher] << ssh(u"exec cat " + m_there, port, cipher, {}, copy);
        up.slipway << timed(upload, shell);
        for (const Cipher cipher : ciphers)
            up.ssh[cipher] << ssh(u"exec cat >" + copy, port, cipher, m_there);
    }
    const double loggedIn = median(login);
    print(name, "download", down, loggedIn);
    print(name, "upload", up, loggedIn);
}

/// A loopback of this process alone, with that rate. "" or what failed.
QString limitLoopback(const QString& rate)
{
    if (::unshare(CLONE_NEWNET) != 0)
        return QStringLiteral("--rate needs root: %1").arg(QLatin1String(std::strerror(errno)));
    const QStringList shaper{QStringLiteral("qdisc"), QStringLiteral("add"), QStringLiteral("dev"),
        QStringLiteral("lo"), QStringLiteral("root"), QStringLiteral("tbf"), QStringLiteral("rate"),
        rate, QStringLiteral("burst"), QStringLiteral("1mb"), QStringLiteral("latency"),
        QStringLiteral("20ms")};
    const QStringList up{
        QStringLiteral("link"), QStringLiteral("set"), QStringLiteral("lo"), QStringLiteral("up")};
    if (QProcess::execute(QStringLiteral("ip"), up) != 0
        || QProcess::execute(QStringLiteral("tc"), shaper) != 0)
        return QStringLiteral("The loopback could not be limited to %1.").arg(rate);
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Transfers of large files against ssh."));
    parser.addHelpOption();
    parser.addOption({QStringLiteral("size"), QStringLiteral("MiB of the file (256)."),
        QStringLiteral("n"), QStringLiteral("256")});
    parser.addOption({QStringLiteral("rounds"), QStringLiteral("Rounds of each measure (3)."),
        QStringLiteral("n"), QStringLiteral("3")});
    parser.addOption({QStringLiteral("rate"),
        QStringLiteral("Limit of the network, as tc names it: 1gbit; then only nearby."),
        QStringLiteral("rate")});
    parser.process(app);
    const QString rate = parser.value(QStringLiteral("rate"));
    if (const QString failed = rate.isEmpty() ? QString() : limitLoopback(rate);
        !failed.isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(failed));
        return 1;
    }
    qunsetenv("SSH_AUTH_SOCK");
    Transfers transfers;
    const qint64 size = std::max(1, parser.value(QStringLiteral("size")).toInt());
    if (const QString missing = transfers.prepare(size * 1024 * 1024); !missing.isEmpty()) {
        std::fprintf(stderr, "%s\n", qPrintable(missing));
        return 1;
    }
    const int rounds = std::max(1, parser.value(QStringLiteral("rounds")).toInt());
    std::printf("%-6s %-9s %8s %8s %-17s %8s %s\n", "MB/s", "", "slipway", "ssh", "ratio",
        "ssh AES", "ratio");
    transfers.measure(rate.isEmpty() ? "near" : qPrintable(rate), nullptr, rounds);
    if (!rate.isEmpty())
        return 0;
    const DelayProxy proxy(transfers.port(), 25ms);
    transfers.measure("50 ms", &proxy, rounds);
    return 0;
}
