// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/agentfilter.h"
#include "tests/support/testmain.h"

#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <thread>

using namespace slipway;

/// What is said of an agent's work, with a fake agent: it answers each request with one
/// byte, and keeps what it was asked.
class TestAgentFilter : public QObject {
    Q_OBJECT

private slots:
    void securityKey_isToBeTouched_data();
    void securityKey_isToBeTouched();
};

namespace {

QByteArray sshString(const QByteArray& bytes)
{
    QByteArray length(4, Qt::Uninitialized);
    qToBigEndian(quint32(bytes.size()), length.data());
    return length + bytes;
}

/// One agent for one connection and one request.
class PlayedAgent {
public:
    explicit PlayedAgent(const QString& path)
        : m_listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray name = path.toLocal8Bit();
        std::copy(name.begin(), name.end(), address.sun_path);
        m_isListening =
            ::bind(m_listening.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0
            && ::listen(m_listening.get(), 1) == 0;
        m_thread = std::thread([this] { answer(); });
    }
    ~PlayedAgent()
    {
        ::shutdown(m_listening.get(), SHUT_RDWR);
        m_thread.join();
    }
    bool isListening() const { return m_isListening; }

private:
    void answer()
    {
        const Fd client(::accept(m_listening.get(), nullptr, nullptr));
        char bytes[4096];
        if (!client.valid() || ::read(client.get(), bytes, sizeof(bytes)) <= 0)
            return;
        const QByteArray refusal = sshString(QByteArray(1, 5)); // SSH_AGENT_FAILURE
        [[maybe_unused]] const auto n =
            ::write(client.get(), refusal.constData(), size_t(refusal.size()));
    }

    Fd m_listening;
    bool m_isListening = false;
    std::thread m_thread;
};

} // namespace

void TestAgentFilter::securityKey_isToBeTouched_data()
{
    QTest::addColumn<QByteArray>("request"); ///< its number
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<bool>("touch");
    const QByteArray sign(1, 13);
    const QByteArray list(1, 11);
    QTest::newRow("ed25519 on a key") << sign << QByteArray("sk-ssh-ed25519@openssh.com") << true;
    QTest::newRow("ecdsa on a key")
        << sign << QByteArray("sk-ecdsa-sha2-nistp256@openssh.com") << true;
    QTest::newRow("ed25519") << sign << QByteArray("ssh-ed25519") << false;
    QTest::newRow("a list") << list << QByteArray("sk-ssh-ed25519@openssh.com") << false;
    QTest::newRow("no type") << sign << QByteArray() << false;
}

void TestAgentFilter::securityKey_isToBeTouched()
{
    QFETCH(QByteArray, request);
    QFETCH(QByteArray, type);
    QFETCH(bool, touch);
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("agent"));
    const PlayedAgent agent(path);
    QVERIFY(agent.isListening());
    LinkGate gate;
    std::atomic<int> touches = 0;
    std::atomic<int> silences = 0;
    AgentFilter filter(
        gate, path, {}, false, {[&touches] { ++touches; }, [&silences] { ++silences; }});
    QVERIFY(filter.running());
    const Fd near(filter.takeFd());
    const QByteArray blob = type.isEmpty() ? QByteArray("x") : QByteArray(sshString(type) + "key");
    const QByteArray message =
        sshString(request + sshString(blob) + sshString("data") + QByteArray(4, 0));
    QCOMPARE(
        ::write(near.get(), message.constData(), size_t(message.size())), ssize_t(message.size()));
    char answer[5] = {};
    QCOMPARE(::recv(near.get(), answer, sizeof(answer), MSG_WAITALL), ssize_t(5));
    QCOMPARE(int(answer[4]), 5);
    QCOMPARE(int(touches), touch ? 1 : 0);
    QCOMPARE(int(silences), 0);
}

SLIPWAY_TEST(TestAgentFilter, ssh_agentfilter)
#include "tst_agentfilter.moc"
