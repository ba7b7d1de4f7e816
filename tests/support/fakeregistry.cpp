// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/fakeregistry.h"

#include <QCryptographicHash>
#include <QHostAddress>
#include <QTcpSocket>

namespace slipway {

namespace {

constexpr char manifestType[] = "application/vnd.docker.distribution.manifest.v2+json";
constexpr char indexType[] = "application/vnd.oci.image.index.v1+json";
constexpr char configType[] = "application/vnd.docker.container.image.v1+json";

QByteArray digestOf(const QByteArray& bytes)
{
    return "sha256:" + QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

QByteArray descriptor(
    const QByteArray& type, const QByteArray& digest, qint64 size, const QByteArray& more = {})
{
    return R"({"mediaType":")" + type + R"(","digest":")" + digest + R"(","size":)"
        + QByteArray::number(size) + more + '}';
}

FakeAnswer failure(int status, const QByteArray& code)
{
    return {status, R"({"errors":[{"code":")" + code + R"(","message":"from the test"}]})"};
}

} // namespace

FakeRegistry::FakeRegistry()
{
    connect(&m_server, &QTcpServer::newConnection, this, &FakeRegistry::accept);
    m_server.listen(QHostAddress::LocalHost);
    m_realm = url("/token");
}

FakeRegistry::~FakeRegistry()
{
    for (auto* socket : m_server.findChildren<QTcpSocket*>())
        socket->disconnect(); // their last signals would find half a registry
}

QString FakeRegistry::name() const
{
    return QStringLiteral("127.0.0.1:%1").arg(m_server.serverPort());
}

QByteArray FakeRegistry::url(const QByteArray& path) const
{
    return "http://" + name().toLatin1() + path;
}

QByteArray FakeRegistry::addManifest(const QByteArray& repository, const QByteArray& tag,
    const QByteArray& json, const QByteArray& type)
{
    const QByteArray digest = digestOf(json);
    const FakeAnswer answer{200, json, type, {{"Docker-Content-Digest", digest}}};
    m_held["/v2/" + repository + "/manifests/" + digest] = answer;
    if (!tag.isEmpty())
        m_held["/v2/" + repository + "/manifests/" + tag] = answer;
    return digest;
}

QByteArray FakeRegistry::addBlob(const QByteArray& repository, const QByteArray& bytes)
{
    const QByteArray digest = digestOf(bytes);
    m_held["/v2/" + repository + "/blobs/" + digest] = {200, bytes, "application/octet-stream"};
    return digest;
}

QByteArray FakeRegistry::addImage(
    const QByteArray& repository, const QByteArray& tag, const QByteArray& architecture)
{
    const QByteArray config = R"({"architecture":")" + architecture
        + R"(","os":"linux","created":"2024-03-05T10:00:00.123456789Z","config":{"User":"me",)"
          R"("Env":["PATH=/usr/bin","CUDA_VERSION=12.4.1"],"Entrypoint":["/entry.sh"],)"
          R"("Cmd":["bash"],"WorkingDir":"/workspace","Labels":{"maintainer":"somebody"}},)"
          R"("history":[{"created_by":"/bin/sh -c #(nop) ADD file:1 in / "},)"
          R"({"created_by":"ENV A=b","empty_layer":true},{"created_by":"RUN make"}]})";
    const QByteArray digest = addBlob(repository, config);
    const QByteArray layer = "application/vnd.docker.image.rootfs.diff.tar.gzip";
    const QByteArray manifest = QByteArray(R"({"schemaVersion":2,"mediaType":")") + manifestType
        + R"(","config":)" + descriptor(configType, digest, config.size()) + R"(,"layers":[)"
        + descriptor(layer, digestOf("1"), 3'000'000'000) + ','
        + descriptor(layer, digestOf("2"), 500) + "]}";
    return addManifest(repository, tag, manifest, manifestType);
}

QByteArray FakeRegistry::addIndex(const QByteArray& repository, const QByteArray& tag,
    const std::vector<std::pair<QByteArray, QByteArray>>& images)
{
    QByteArray entries;
    for (const auto& [architecture, digest] : images)
        entries += descriptor(manifestType, digest, 900,
                       R"(,"platform":{"os":"linux","architecture":")" + architecture + "\"}")
            + ',';
    entries += descriptor(manifestType, digestOf("attestation"), 800,
        R"(,"platform":{"os":"unknown","architecture":"unknown"},)"
        R"("annotations":{"vnd.docker.reference.type":"attestation-manifest"})");
    const QByteArray index = QByteArray(R"({"schemaVersion":2,"mediaType":")") + indexType
        + R"(","manifests":[)" + entries + "]}";
    return addManifest(repository, tag, index, indexType);
}

void FakeRegistry::redirect(const QByteArray& path, const QByteArray& target)
{
    script(path, {307, {}, "text/plain", {{"Location", target}}});
}

void FakeRegistry::wantToken(std::optional<QByteArray> login)
{
    m_wantsToken = true;
    m_login = std::move(login);
}

void FakeRegistry::accept()
{
    while (auto* socket = m_server.nextPendingConnection()) {
        connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    }
}

void FakeRegistry::read(QTcpSocket* socket)
{
    const QByteArray head = socket->peek(256 * 1024);
    const auto end = head.indexOf("\r\n\r\n");
    if (!head.isEmpty() && (head[0] < 'A' || head[0] > 'Z')) {
        socket->write("HTTP/1.1 400 Bad Request\r\n\r\n"); // TLS, which is not spoken here
        return socket->disconnectFromHost();
    }
    if (end < 0)
        return;
    socket->skip(end + 4);
    const QList<QByteArray> lines = head.left(end).split('\n');
    const QList<QByteArray> words = lines.front().trimmed().split(' ');
    FakeRequest request;
    request.method = words.value(0);
    const QByteArray target = words.value(1);
    const auto question = target.indexOf('?');
    request.path = question < 0 ? target : target.left(question);
    request.query = question < 0 ? QByteArray() : target.mid(question + 1);
    for (const QByteArray& line : lines.mid(1)) {
        const auto colon = line.indexOf(':');
        request.headers.insert(line.left(colon).toLower(), line.mid(colon + 1).trimmed());
    }
    m_requests.push_back(request);
    send(socket, request, answerTo(request));
}

void FakeRegistry::send(QTcpSocket* socket, const FakeRequest& request, const FakeAnswer& answer)
{
    if (answer.end == FakeAnswer::End::Silent)
        return;
    QByteArray head = "HTTP/1.1 " + QByteArray::number(answer.status) + " Scripted\r\n"
        + "Content-Type: " + answer.type + "\r\nConnection: close\r\n";
    for (const auto& [name, value] : answer.headers)
        head += name + ": " + value + "\r\n";
    if (answer.end != FakeAnswer::End::Endless)
        head += "Content-Length: " + QByteArray::number(answer.body.size()) + "\r\n";
    socket->write(head + "\r\n");
    if (answer.end == FakeAnswer::End::Endless) {
        const QByteArray zeroes(256 * 1024, '0');
        const auto more = [socket, zeroes] {
            if (socket->bytesToWrite() < zeroes.size())
                socket->write(zeroes);
        };
        connect(socket, &QTcpSocket::bytesWritten, socket, more);
        return more();
    }
    const bool isCut = answer.end == FakeAnswer::End::Cut;
    if (request.method != "HEAD")
        socket->write(isCut ? answer.body.left(answer.body.size() / 2) : answer.body);
    socket->disconnectFromHost();
}

FakeAnswer FakeRegistry::answerTo(const FakeRequest& request) const
{
    if (const auto found = m_scripted.find(request.path); found != m_scripted.end())
        return *found;
    if (request.path == "/token")
        return tokenFor(request);
    if (const auto challenge = challengeFor(request))
        return *challenge;
    if (request.path == "/v2/")
        return {200, "{}"};
    if (const auto found = m_held.find(request.path); found != m_held.end())
        return *found;
    return failure(404, "MANIFEST_UNKNOWN");
}

FakeAnswer FakeRegistry::tokenFor(const FakeRequest& request) const
{
    const QByteArray given = request.headers.value("authorization");
    const bool isRight = m_login && given == "Basic " + m_login->toBase64();
    if ((m_login || !given.isEmpty()) && !isRight)
        return failure(401, "UNAUTHORIZED");
    return {200, R"({"token":")" + token() + R"(","expires_in":300})"};
}

std::optional<FakeAnswer> FakeRegistry::challengeFor(const FakeRequest& request) const
{
    const QByteArray given = request.headers.value("authorization");
    FakeAnswer challenge = failure(401, "UNAUTHORIZED");
    if (m_wantsToken && given != "Bearer " + token()) {
        challenge.headers = {{"WWW-Authenticate",
            "Bearer realm=\"" + m_realm
                + R"(",service="the \"fake\" registry",scope="repository:demo/app:pull")"}};
        return challenge;
    }
    if (m_basic && given != "Basic " + m_basic->toBase64()) {
        challenge.headers = {{"WWW-Authenticate", "Basic realm=\"Registry Realm\""}};
        return challenge;
    }
    return {};
}

} // namespace slipway

#include "moc_fakeregistry.cpp"
