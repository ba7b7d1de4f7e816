// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/catalogue.h"
#include "app/images/imagefolder.h"
#include "app/images/imageinspector.h"
#include "app/secrets/registrylogins.h"
#include "app/sessions/sessions.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/listprompter.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "tests/unit/cluster/fakeslurm.h"
#include "tests/unit/images/localsite.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace slipway;

namespace {

const QByteArray manifestType = "application/vnd.oci.image.manifest.v1+json";
const QByteArray indexType = "application/vnd.oci.image.index.v1+json";
const QString inspectedSite = QStringLiteral("here");

QString digestOf(const QByteArray& bytes)
{
    return QStringLiteral("sha256:")
        + QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
}

QByteArray bytesOf(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QJsonObject descriptor(const QByteArray& type, const QByteArray& bytes)
{
    return {{QStringLiteral("mediaType"), QString::fromLatin1(type)},
        {QStringLiteral("digest"), digestOf(bytes)}, {QStringLiteral("size"), bytes.size()}};
}

/// The documents of a registry by their paths below /v2/.
struct RegistryDocuments {
    QMap<QString, QByteArray> bodies;
    QMap<QString, QByteArray> types;

    void add(const QString& path, const QByteArray& body, const QByteArray& type)
    {
        bodies.insert(path, body);
        types.insert(path, type);
    }

    /// The manifest of an image of one layer, which is kept with its configuration.
    QByteArray addImage(
        const QString& repository, const QString& architecture, const QStringList& environment)
    {
        const QString layer = digestOf("layer of " + architecture.toLatin1());
        const QByteArray config = bytesOf({{QStringLiteral("architecture"), architecture},
            {QStringLiteral("os"), QStringLiteral("linux")},
            {QStringLiteral("created"), QStringLiteral("2026-01-02T03:04:05Z")},
            {QStringLiteral("config"),
                QJsonObject{{QStringLiteral("Env"), QJsonArray::fromStringList(environment)},
                    {QStringLiteral("User"), QStringLiteral("me")}}},
            {QStringLiteral("rootfs"),
                QJsonObject{{QStringLiteral("type"), QStringLiteral("layers")},
                    {QStringLiteral("diff_ids"), QJsonArray{layer}}}}});
        const QByteArray manifest = bytesOf({{QStringLiteral("schemaVersion"), 2},
            {QStringLiteral("mediaType"), QString::fromLatin1(manifestType)},
            {QStringLiteral("config"),
                descriptor("application/vnd.oci.image.config.v1+json", config)},
            {QStringLiteral("layers"),
                QJsonArray{
                    QJsonObject{{QStringLiteral("mediaType"),
                                    QStringLiteral("application/vnd.oci.image.layer.v1.tar")},
                        {QStringLiteral("digest"), layer}, {QStringLiteral("size"), 5000}}}}});
        add(repository + u"/blobs/" + digestOf(config), config, "application/octet-stream");
        add(repository + u"/manifests/" + digestOf(manifest), manifest, manifestType);
        return manifest;
    }

    void tag(const QString& repository, const QString& name, const QByteArray& manifest)
    {
        add(repository + u"/manifests/" + name, manifest, manifestType);
    }
};

/// A registry in memory, or one that cannot be reached.
class FakeTransport : public RegistryTransport {
public:
    QString place() const override { return QStringLiteral("this computer"); }
    QCoro::Task<Result<RegistryAnswer>> ask(RegistryRequest request) override
    {
        asked << request.url.toString();
        if (error) {
            const Error reason = *error;
            co_return reason;
        }
        const QByteArray authorization = std::accumulate(request.headers.begin(),
            request.headers.end(), QByteArray(), [](const QByteArray& found, const auto& one) {
                return one.first == "Authorization" ? QByteArray(one.second) : found;
            });
        if (!authorization.isEmpty())
            told << request.url.host();
        if (!login.isEmpty() && authorization != "Basic " + login.toBase64()) {
            RegistryAnswer challenge;
            challenge.status = 401;
            challenge.headers.insert("www-authenticate", "Basic realm=\"x\"");
            challenge.body = "{}";
            co_return challenge;
        }
        const QString path = request.url.path().section(QStringLiteral("/v2/"), 1);
        RegistryAnswer answer;
        answer.status = documents.bodies.contains(path) ? 200 : 404;
        answer.headers.insert("content-type", documents.types.value(path, "application/json"));
        answer.body = documents.bodies.value(
            path, R"({"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]})");
        co_return answer;
    }

    RegistryDocuments documents;
    std::optional<Error> error;
    QByteArray login; ///< "user:secret", without which nothing is shown; empty: all is
    QStringList asked;
    QStringList told; ///< the hosts that a login was sent to
};

/// A connector into this computer.
class LoopConnector : public Connector {
public:
    QCoro::Task<Result<std::shared_ptr<Shell>>> connectTo(ConnectTarget, Prompter*) override
    {
        std::shared_ptr<Shell> shell = std::make_shared<LocalShell>();
        co_return shell;
    }
};

ImageReference named(const char* text)
{
    return *ImageReference::parse(QString::fromLatin1(text));
}

} // namespace

/// The way of a question to a registry: from this computer, or from a cluster, which here is this
/// computer with programs that play its scheduler and its curl.
class TestInspector : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void publicImage_isAskedFromHere();
    void hubImage_isFoundInItsFolder();
    void clustersRegistry_needsTheConnection();
    void clustersRegistry_isAskedFromThere();
    void unreachableRegistry_isAskedFromThere();
    void unreachableRegistry_namesTheWay();
    void missingImage_isAskedForOnce();
    void eachPlatform_isJudgedByItsOwn();
    void otherReferences_areRefused_data();
    void otherReferences_areRefused();
    void login_isNotShown();
    void missingLogin_isExplained();
    void keptLogin_isUsedForItsRegistry();
    void tagsAndDescription_useItAsWell();
    void refusedKeychain_isSaid();
    void login_isTestedAndPullsNothing();
    void folder_isRead_data();
    void folder_isRead();
    void folder_ofUnsetVariable_isUnknown();
    void folder_tellsWhetherTheFileIsThere();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    /// The cluster's curl serves what `documents` holds.
    void serveThere(const RegistryDocuments& documents) const;
    QByteArray askedThere() const { return contentOf(path(QStringLiteral("asked"))); }
    void connectHere();
    Result<ImageInspection> inspect(const QString& site, const ImageReference& image)
    {
        return awaited(m_inspector->inspect(site, image));
    }

    QByteArray m_home;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeSlurm> m_slurm;
    LoopConnector m_connector;
    ListPrompter m_prompter;
    std::shared_ptr<FakeTransport> m_local;
    std::unique_ptr<Catalogue> m_catalogue;
    std::unique_ptr<Sessions> m_sessions;
    std::shared_ptr<MemoryKeychain::Table> m_table;
    std::unique_ptr<SecretStore> m_secrets;
    std::unique_ptr<ImageInspector> m_inspector;
};

void TestInspector::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    m_home = qgetenv("HOME"); // whose start-up files are none of the test's
    qputenv("HOME", m_folder->path().toUtf8());
    m_slurm = std::make_unique<FakeSlurm>();
    m_slurm->program("scontrol", "echo slurm 24.11.5\n");
    putLocalSite(path(QStringLiteral("config")), inspectedSite, path(QStringLiteral("scratch")),
        {{QStringLiteral("name"), QStringLiteral("Here")}});
    const QString resources = sourcePath(QStringLiteral("/resources"));
    m_catalogue = std::make_unique<Catalogue>(resources, path(QStringLiteral("config")));
    QVERIFY(m_catalogue->site(inspectedSite));
    m_sessions =
        std::make_unique<Sessions>(&m_connector, m_catalogue.get(), resources + u"/demo-cluster");
    m_table = std::make_shared<MemoryKeychain::Table>();
    m_secrets = std::make_unique<SecretStore>(path(QStringLiteral("secrets")));
    m_secrets->setKeychain(std::make_unique<MemoryKeychain>(m_table));
    m_inspector =
        std::make_unique<ImageInspector>(m_catalogue.get(), m_sessions.get(), m_secrets.get());
    m_local = std::make_shared<FakeTransport>();
    m_inspector->setLocalTransport(m_local);
    serveThere({});
}

void TestInspector::cleanup()
{
    m_inspector.reset();
    m_secrets.reset();
    m_sessions.reset();
    m_catalogue.reset();
    m_slurm.reset();
    qputenv("HOME", m_home);
}

void TestInspector::serveThere(const RegistryDocuments& documents) const
{
    for (auto it = documents.bodies.begin(); it != documents.bodies.end(); ++it) {
        const QString file = path(u"there/" + it.key());
        putFile(file, it.value());
        putFile(file + u".type", documents.types.value(it.key()));
    }
    m_slurm->program("curl",
        "url=$(sed -n 's/^url = \"\\(.*\\)\"$/\\1/p')\nhere='" + path({}).toUtf8()
            + "'\n"
              "echo \"$url\" >>\"$here/asked\"\n"
              "f=$here/there/${url#*/v2/}\n"
              "if [ -f \"$f\" ]; then\n"
              "  printf 'HTTP/1.1 200 OK\\r\\nContent-Type: %s\\r\\n\\r\\n' \"$(cat "
              "\"$f.type\")\"\n"
              "  cat \"$f\"\n"
              "else\n"
              "  printf 'HTTP/1.1 404 Not Found\\r\\nContent-Type: application/json\\r\\n\\r\\n'\n"
              "  printf '{\"errors\":[{\"code\":\"MANIFEST_UNKNOWN\"}]}'\n"
              "fi\n");
}

void TestInspector::connectHere()
{
    const auto connected = awaited(m_sessions->connectSite(inspectedSite, &m_prompter));
    QVERIFY2(connected.ok(), qPrintable(connected.ok() ? QString() : connected.error().text()));
}

/// What is said of an image, without a login anywhere.
void TestInspector::publicImage_isAskedFromHere()
{
    const QString repository = QStringLiteral("demo/torch");
    m_local->documents.tag(repository, QStringLiteral("1"),
        m_local->documents.addImage(repository, QStringLiteral("amd64"),
            {QStringLiteral("CUDA_VERSION=12.4.1"), QStringLiteral("PYTORCH_VERSION=2.6.0")}));
    const ImageReference image = named("registry.example.org/demo/torch:1");
    QVERIFY(!m_inspector->needsCluster(QStringLiteral("kestrel"), image));
    const auto found = inspect(QStringLiteral("kestrel"), image);
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8().constData());
    QCOMPARE(found->siteId, QStringLiteral("kestrel"));
    QCOMPARE(found->cuda.version, QStringLiteral("12.4.1"));
    QCOMPARE(found->frameworks, QStringList{QStringLiteral("PyTorch 2.6.0")});
    QCOMPARE(found->image.compressedBytes(), qint64(5000));
    QCOMPARE(found->askedFrom, QStringLiteral("this computer"));
    QVERIFY(found->folder.isEmpty() && !found->freeBytes);
    QCOMPARE(
        found->verdicts.size(), m_catalogue->site(QStringLiteral("kestrel"))->partitions.size());
    QCOMPARE(found->verdicts.front().partition, QStringLiteral("gpu-h100"));
    QCOMPARE(found->verdicts.front().verdict, Verdict::Ok);
    QVERIFY2(found->command.startsWith(u"# If it answers “unauthorized”")
            && found->command.contains(u"https://registry.example.org/v2/demo/torch/manifests/1")
            && found->command.contains(u"\ncurl "),
        qPrintable(found->command));
    QVERIFY(askedThere().isEmpty());
}

void TestInspector::hubImage_isFoundInItsFolder()
{
    const QString repository = QStringLiteral("library/python");
    m_local->documents.tag(repository, QStringLiteral("3.13"),
        m_local->documents.addImage(
            repository, QStringLiteral("amd64"), {QStringLiteral("PYTHON_VERSION=3.13.1")}));
    const auto found = inspect(QStringLiteral("kestrel"), named("python:3.13"));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8().constData());
    QCOMPARE(found->verdicts.front().verdict, Verdict::Unknown);
    QVERIFY2(found->command.contains(u"auth.docker.io/token")
            && found->command.contains(u"library/python/manifests/3.13"),
        qPrintable(found->command));
}

void TestInspector::clustersRegistry_needsTheConnection()
{
    const ImageReference image = named("login:5000/demo/python:3.13");
    QVERIFY(m_inspector->needsCluster(inspectedSite, image));
    QVERIFY(m_inspector->needsCluster(inspectedSite, named("store/demo/python:3.13")) == false);
    QVERIFY(m_inspector->needsCluster(inspectedSite, named("store:80/demo/python:3.13")));
    const auto found = inspect(inspectedSite, image);
    QVERIFY(!found.ok());
    QCOMPARE(found.error().kind, ErrorKind::Network);
    QVERIFY2(found.error().summary.contains(u"login:5000 can only be asked from Here"),
        qPrintable(found.error().summary));
    QVERIFY(m_local->asked.isEmpty());
}

void TestInspector::clustersRegistry_isAskedFromThere()
{
    RegistryDocuments documents;
    const QString repository = QStringLiteral("demo/python");
    documents.tag(repository, QStringLiteral("3.13"),
        documents.addImage(repository, QStringLiteral("amd64"), {QStringLiteral("A=b")}));
    serveThere(documents);
    connectHere();
    const auto found = inspect(inspectedSite, named("login:5000/demo/python:3.13"));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8().constData());
    QCOMPARE(found->askedFrom, QStringLiteral("the login node of Here"));
    QVERIFY(askedThere().contains("http://login:5000/v2/demo/python/manifests/3.13\n"));
    QVERIFY(m_local->asked.isEmpty());
    QCOMPARE(found->folder, path(QStringLiteral("scratch/slipway/images")));
    QVERIFY(found->freeBytes && *found->freeBytes > 0);
    QVERIFY(found->command.contains(u"http://login:5000/v2/"));
}

void TestInspector::unreachableRegistry_isAskedFromThere()
{
    RegistryDocuments documents;
    const QString repository = QStringLiteral("demo/torch");
    documents.tag(repository, QStringLiteral("1"),
        documents.addImage(repository, QStringLiteral("amd64"), {}));
    serveThere(documents);
    connectHere();
    m_local->error = Error{ErrorKind::Timeout, QStringLiteral("No answer.")};
    const auto found = inspect(inspectedSite, named("registry.example.org/demo/torch:1"));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8().constData());
    QVERIFY(!m_local->asked.isEmpty());
    QCOMPARE(found->askedFrom, QStringLiteral("the login node of Here"));
    QVERIFY(askedThere().startsWith("https://registry.example.org/v2/"));
}

void TestInspector::unreachableRegistry_namesTheWay()
{
    m_local->error = Error{ErrorKind::Network, QStringLiteral("No way.")};
    const auto found = inspect(inspectedSite, named("registry.example.org/demo/torch:1"));
    QVERIFY(!found.ok());
    QCOMPARE(found.error().kind, ErrorKind::Network);
    QVERIFY2(found.error().remedy.contains(u"Connect to Here"), qPrintable(found.error().remedy));
}

void TestInspector::missingImage_isAskedForOnce()
{
    connectHere();
    const auto found = inspect(inspectedSite, named("registry.example.org/demo/torch:9"));
    QVERIFY(!found.ok());
    QCOMPARE(found.error().kind, ErrorKind::NotFound);
    QVERIFY2(found.error().summary.contains(u"demo/torch:9"), qPrintable(found.error().summary));
    QCOMPARE(m_local->asked.size(), 1);
    QVERIFY(askedThere().isEmpty());
}

/// Two partitions with different processors, and an image whose CUDA differs between them.
void TestInspector::eachPlatform_isJudgedByItsOwn()
{
    const QString repository = QStringLiteral("demo/torch");
    RegistryDocuments& documents = m_local->documents;
    QJsonArray entries;
    for (const auto& [architecture, cuda] :
        {std::pair{"amd64", "11.8.0"}, std::pair{"ppc64le", "10.2"}}) {
        const QByteArray manifest = documents.addImage(repository,
            QString::fromLatin1(architecture), {u"CUDA_VERSION=" + QString::fromLatin1(cuda)});
        QJsonObject entry = descriptor(manifestType, manifest);
        entry.insert(QStringLiteral("platform"),
            QJsonObject{{QStringLiteral("os"), QStringLiteral("linux")},
                {QStringLiteral("architecture"), QString::fromLatin1(architecture)}});
        entries.append(entry);
    }
    const QByteArray index = bytesOf({{QStringLiteral("schemaVersion"), 2},
        {QStringLiteral("mediaType"), QString::fromLatin1(indexType)},
        {QStringLiteral("manifests"), entries}});
    for (const QString& name : {QStringLiteral("1"), digestOf(index)})
        documents.add(repository + u"/manifests/" + name, index, indexType);
    const auto found =
        inspect(QStringLiteral("zih-ml"), named("registry.example.org/demo/torch:1"));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8().constData());
    QCOMPARE(found->verdicts.size(), std::size_t(2));
    const PartitionVerdict& power = found->verdicts[0];
    const PartitionVerdict& intel = found->verdicts[1];
    QCOMPARE(power.partition, QStringLiteral("ml"));
    QVERIFY2(power.sentence.contains(u"CUDA 10.2"), qPrintable(power.sentence));
    QVERIFY2(intel.sentence.contains(u"CUDA 11.8"), qPrintable(intel.sentence));
    QCOMPARE(found->image.digest, digestOf(index));
    QCOMPARE(found->image.platform.architecture, QStringLiteral("ppc64le"));
    // The second time by its digest, because a tag may move in between.
    QCOMPARE(m_local->asked.filter(QStringLiteral("/manifests/1")).size(), 1);
}

void TestInspector::otherReferences_areRefused_data()
{
    QTest::addColumn<QString>("site");
    QTest::addColumn<QString>("image");
    QTest::addColumn<int>("kind");
    QTest::newRow("a file") << inspectedSite << QStringLiteral("/scratch/x.sif")
                            << int(ErrorKind::Usage);
    QTest::newRow("a library") << inspectedSite << QStringLiteral("library://a/b/c:1")
                               << int(ErrorKind::Usage);
    QTest::newRow("a SIF in a registry")
        << inspectedSite << QStringLiteral("oras://ghcr.io/a/b:1") << int(ErrorKind::Usage);
    QTest::newRow("no such site") << QStringLiteral("nowhere") << QStringLiteral("python:3.13")
                                  << int(ErrorKind::NotFound);
}

void TestInspector::otherReferences_areRefused()
{
    QFETCH(QString, site);
    QFETCH(QString, image);
    QFETCH(int, kind);
    const auto found = inspect(site, *ImageReference::parse(image));
    QVERIFY(!found.ok());
    QCOMPARE(int(found.error().kind), kind);
    QVERIFY(!found.error().remedy.isEmpty() && m_local->asked.isEmpty());
}

void TestInspector::login_isNotShown()
{
    const QString repository = QStringLiteral("demo/torch");
    m_local->documents.tag(repository, QStringLiteral("1"),
        m_local->documents.addImage(repository, QStringLiteral("amd64"), {}));
    RegistryLogin login;
    login.user = QStringLiteral("it's me");
    login.secret = QStringLiteral("hunter2");
    const auto found = awaited(m_inspector->inspect(
        QStringLiteral("kestrel"), named("registry.example.org/demo/torch:1"), login));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8().constData());
    QVERIFY2(found->command.contains(u"-u 'it'\\''s me'"), qPrintable(found->command));
    QVERIFY(!found->command.contains(login.secret));
}

void TestInspector::missingLogin_isExplained()
{
    m_local->login = "me:hunter2";
    const auto found =
        inspect(QStringLiteral("kestrel"), named("registry.example.org/demo/torch:1"));
    QVERIFY(!found.ok());
    QCOMPARE(found.error().kind, ErrorKind::Authentication);
    QVERIFY2(found.error().remedy.contains(u"“slipway-cli image login registry.example.org”"),
        qPrintable(found.error().remedy));
}

void TestInspector::keptLogin_isUsedForItsRegistry()
{
    const QString repository = QStringLiteral("demo/torch");
    m_local->documents.tag(repository, QStringLiteral("1"),
        m_local->documents.addImage(repository, QStringLiteral("amd64"), {}));
    m_local->login = "me:hunter2";
    RegistryLogins logins(m_secrets.get());
    QVERIFY(awaited(logins.keep(QStringLiteral("registry.example.org"),
                        {QStringLiteral("me"), QStringLiteral("hunter2")}))
                .ok());
    const auto found =
        inspect(QStringLiteral("kestrel"), named("registry.example.org/demo/torch:1"));
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().toUtf8().constData());
    QCOMPARE(QSet<QString>(m_local->told.begin(), m_local->told.end()),
        QSet<QString>{QStringLiteral("registry.example.org")});
    m_local->told.clear();
    QVERIFY(!inspect(QStringLiteral("kestrel"), named("other.example.org/demo/torch:1")).ok());
    QCOMPARE(m_local->told, QStringList());
}

void TestInspector::tagsAndDescription_useItAsWell()
{
    const QString repository = QStringLiteral("demo/torch");
    m_local->documents.tag(repository, QStringLiteral("1"),
        m_local->documents.addImage(repository, QStringLiteral("amd64"), {}));
    m_local->documents.add(
        repository + u"/tags/list", R"({"name":"demo/torch","tags":["1"]})", "application/json");
    m_local->login = "me:hunter2";
    const ImageReference image = named("registry.example.org/demo/torch:1");
    const QString site = QStringLiteral("kestrel");
    const ImagePlatform platform = ImagePlatform::ofNodes({});
    const auto refused = awaited(m_inspector->tags(site, image));
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().remedy.contains(u"image login registry.example.org"),
        qPrintable(refused.error().remedy));
    QVERIFY(!awaited(m_inspector->describe(image, platform)).ok());
    RegistryLogins logins(m_secrets.get());
    QVERIFY(awaited(logins.keep(QStringLiteral("registry.example.org"),
                        {QStringLiteral("me"), QStringLiteral("hunter2")}))
                .ok());
    const auto list = awaited(m_inspector->tags(site, image));
    QVERIFY2(list.ok(), list.ok() ? "" : qPrintable(list.error().text()));
    QCOMPARE(list->tags, QStringList{QStringLiteral("1")});
    const auto described = awaited(m_inspector->describe(image, platform));
    QVERIFY2(described.ok(), described.ok() ? "" : qPrintable(described.error().text()));
    QCOMPARE(described->compressedBytes(), qint64(5000));
}

void TestInspector::refusedKeychain_isSaid()
{
    RegistryLogins logins(m_secrets.get());
    QVERIFY(awaited(logins.keep(QStringLiteral("registry.example.org"),
                        {QStringLiteral("me"), QStringLiteral("hunter2")}))
                .ok());
    m_table->refusal = Error{ErrorKind::Refused, QStringLiteral("It is locked.")};
    m_local->login = "me:hunter2";
    const auto found =
        inspect(QStringLiteral("kestrel"), named("registry.example.org/demo/torch:1"));
    QVERIFY(!found.ok());
    QVERIFY2(
        found.error().summary.contains(u"could not be read"), qPrintable(found.error().text()));
}

void TestInspector::login_isTestedAndPullsNothing()
{
    m_local->login = "me:hunter2";
    m_local->documents.add({}, "{}", "application/json");
    const QString registry = QStringLiteral("registry.example.org");
    const auto check = [&](const char* site, const QString& asked, const char* secret) {
        return awaited(m_inspector->checkLogin(
            QString::fromLatin1(site), asked, {QStringLiteral("me"), QString::fromLatin1(secret)}));
    };
    const LoginInspection right = check("", registry, "hunter2");
    QCOMPARE(int(right.check.state), int(LoginCheck::State::Accepted));
    QCOMPARE(right.askedFrom, QStringLiteral("this computer"));
    QCOMPARE(int(check("kestrel", registry, "x").check.state), int(LoginCheck::State::Refused));
    for (const QString& url : m_local->asked)
        QVERIFY2(url.endsWith(u"/v2/"), qPrintable(url));
    m_local->asked.clear();
    // One that only a cluster knows is not asked from here.
    const LoginInspection inCluster = check("kestrel", QStringLiteral("login:5000"), "hunter2");
    QCOMPARE(int(inCluster.check.state), int(LoginCheck::State::Unknown));
    QVERIFY(inCluster.check.why && inCluster.check.why->summary.contains(u"login:5000"));
    QCOMPARE(int(check("", QStringLiteral("login:5000"), "hunter2").check.state),
        int(LoginCheck::State::Unknown));
    QCOMPARE(m_local->asked, QStringList());
}

void TestInspector::folder_isRead_data()
{
    QTest::addColumn<QByteArray>("output");
    QTest::addColumn<QString>("folder");
    QTest::addColumn<qint64>("free"); // -1: unknown
    const auto row = [](const char* name, const QByteArray& output, const char* folder,
                         qint64 free) {
        QTest::newRow(name) << output << QString::fromLatin1(folder) << free;
    };
    const QByteArray marked = "\nslipway-folder:/scratch/me\nslipway-space:";
    row("usual", "Welcome!" + marked + "/dev/sda1 1000 400 600 40% /scratch\n", "/scratch/me",
        600 * 1024);
    row("name with blanks", marked + "//host/my share 1000 400 600 40% /mnt/my 5% share\n",
        "/scratch/me", 600 * 1024);
    row("less than nothing", marked + "/dev/sda1 1000 1010 -10 101% /scratch\n", "/scratch/me", 0);
    row("no answer of df", marked + "\n", "/scratch/me", -1);
    row("numbers too large", marked + "x 1 1 999999999999999999 1% /\n", "/scratch/me", -1);
    row("nothing", "", "", -1);
    row("not a path", "slipway-folder:scratch\nslipway-space:x 1 1 1 1% /\n", "", -1);
}

void TestInspector::folder_isRead()
{
    QFETCH(QByteArray, output);
    QFETCH(QString, folder);
    QFETCH(qint64, free);
    const auto read = parseImageFolder(output);
    QCOMPARE(read ? read->path : QString(), folder);
    QCOMPARE(read ? read->freeBytes.value_or(-1) : -1, free);
}

void TestInspector::folder_ofUnsetVariable_isUnknown()
{
    LocalShell shell;
    const auto answer =
        awaited(shell.run(imageFolderScript(QStringLiteral("$NO_SUCH_VARIABLE_HERE/images"))));
    QVERIFY(answer.ok());
    QVERIFY(!parseImageFolder(answer->out));
    const auto relative = awaited(shell.run(imageFolderScript(QStringLiteral("no/such/images"))));
    QVERIFY(relative.ok());
    QVERIFY(!parseImageFolder(relative->out) && !relative->out.contains("slipway-space"));
}

void TestInspector::folder_tellsWhetherTheFileIsThere()
{
    const QTemporaryDir images;
    const auto keptSince = [&images](const QStringList& names) {
        QStringList words;
        for (const QString& name : names)
            words << u'"' + images.filePath(name) + u'"';
        LocalShell shell;
        const auto answer = awaited(shell.run(imageFolderScript(images.path(), words)));
        const auto folder = answer.ok() ? parseImageFolder(answer->out) : std::nullopt;
        return folder && folder->freeBytes ? folder->keptSince : QStringLiteral("no answer");
    };
    const QString first = QStringLiteral("a.sif"), second = QStringLiteral("a.sqsh");
    QCOMPARE(keptSince({}), QString());
    QCOMPARE(keptSince({first}), QString());
    putFile(images.filePath(first), "");
    QCOMPARE(keptSince({first}), QString()); // an empty file is not used
    putFile(images.filePath(first), "image");
    const QString day =
        QFileInfo(images.filePath(first)).lastModified().toString(QStringLiteral("yyyy-MM-dd"));
    QCOMPARE(keptSince({first}), day);
    QCOMPARE(keptSince({first, second}), QString()); // which of them a launch uses is not known
}

SLIPWAY_TEST(TestInspector, images_inspector)
#include "tst_inspector.moc"
