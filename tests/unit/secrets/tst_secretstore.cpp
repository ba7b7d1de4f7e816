// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/secrets/registrylogins.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/testmain.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;

/// Names in a file, values in the keychain, and logins at registries beside them.
class TestSecretStore : public QObject {
    Q_OBJECT

private slots:
    void init();
    void names_thatAreAllowed_data();
    void names_thatAreAllowed();
    void values_areInTheKeychainOnly();
    void values_ofOneLineOnly();
    void secondProgram_seesTheNames();
    void unknownName_doesNotOpenTheKeychain();
    void brokenFile_isNotReplaced();
    void refusal_changesNothing();
    void entryThatIsGone_canBeForgotten();
    void logins_areKeptByHost();
    void logins_refuseWhatIsNone();

private:
    QString file() const { return m_folder->filePath(QStringLiteral("config/secrets.json")); }
    Result<void> keep(const char* name, const QByteArray& value)
    {
        return awaited(m_store->keep(QLatin1String(name), value));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MemoryKeychain::Table> m_table;
    std::unique_ptr<SecretStore> m_store;
};

void TestSecretStore::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_table = std::make_shared<MemoryKeychain::Table>();
    m_store = std::make_unique<SecretStore>(m_folder->filePath(QStringLiteral("config")));
    m_store->setKeychain(std::make_unique<MemoryKeychain>(m_table));
}

void TestSecretStore::names_thatAreAllowed_data()
{
    QTest::addColumn<bool>("allowed");
    for (const char* name : {"HF_TOKEN", "WANDB_API_KEY", "_x", "a1", "PATHS", "HOMEPAGE"})
        QTest::newRow(name) << true;
    for (const char* name :
        {"", "1A", "A-B", "A B", "A=b", "A\nB", "É", "PATH", "HOME", "LD_PRELOAD",
            "LD_LIBRARY_PATH", "BASH_ENV", "ENV", "IFS", "SLURM_JOB_ID", "SLIPWAY_STEP",
            "slipway_folder", "SBATCH_ACCOUNT", "APPTAINER_BIND", "PYTHONPATH", "registry:nvcr.io"})
        QTest::newRow(name) << false;
    QTest::newRow(QByteArray(200, 'A')) << false;
}

void TestSecretStore::names_thatAreAllowed()
{
    QFETCH(bool, allowed);
    const QString name = QString::fromUtf8(QTest::currentDataTag());
    QCOMPARE(isSecretName(name), allowed);
    QCOMPARE(awaited(m_store->keep(name, "v")).ok(), allowed);
    QCOMPARE(m_table->values.size(), allowed ? 1 : 0);
}

void TestSecretStore::values_areInTheKeychainOnly()
{
    QSignalSpy changed(m_store.get(), &SecretStore::changed);
    QVERIFY(keep("WANDB_API_KEY", "w-distinctive").ok());
    QVERIFY(keep("HF_TOKEN", "hf-distinctive").ok());
    QCOMPARE(changed.size(), 2);
    QCOMPARE(m_store->names(),
        (QStringList{QStringLiteral("HF_TOKEN"), QStringLiteral("WANDB_API_KEY")}));
    const QByteArray names = contentOf(file());
    QVERIFY2(names.contains("HF_TOKEN") && !names.contains("distinctive"), names);
    QCOMPARE(QFile::permissions(file())
            & ~(QFile::ReadUser | QFile::WriteUser), // the same two as seen by this process
        QFile::ReadOwner | QFile::WriteOwner);
    const auto value = awaited(m_store->read(QStringLiteral("HF_TOKEN")));
    QVERIFY(value.ok());
    QCOMPARE(*value, QByteArray("hf-distinctive"));
    QVERIFY(awaited(m_store->forget(QStringLiteral("HF_TOKEN"))).ok());
    QCOMPARE(m_store->names(), QStringList{QStringLiteral("WANDB_API_KEY")});
    QCOMPARE(m_table->values.keys(), QStringList{QStringLiteral("WANDB_API_KEY")});
    const auto gone = awaited(m_store->read(QStringLiteral("HF_TOKEN")));
    QVERIFY(!gone.ok() && gone.error().kind == ErrorKind::NotFound);
    QVERIFY(gone.error().remedy.contains(u"slipway-cli secret set HF_TOKEN"));
    QVERIFY(!awaited(m_store->forget(QStringLiteral("HF_TOKEN"))).ok());
}

void TestSecretStore::values_ofOneLineOnly()
{
    for (const QByteArray& value : {QByteArray(), QByteArray("distinctive\nb"),
             QByteArray("distinctive\0b", 13), QByteArray(70'000, 'x')}) {
        const Result<void> kept = keep("HF_TOKEN", value);
        QVERIFY(!kept.ok());
        QVERIFY(!kept.error().text().contains(u"distinctive"));
        QVERIFY(!kept.error().text().contains(u"xxx"));
    }
    QVERIFY(m_store->names().isEmpty());
    QVERIFY(keep("HF_TOKEN", "it's \"$HOME\" `ls` \\").ok());
}

void TestSecretStore::secondProgram_seesTheNames()
{
    SecretStore other(m_folder->filePath(QStringLiteral("config")));
    other.setKeychain(std::make_unique<MemoryKeychain>(m_table));
    QVERIFY(keep("HF_TOKEN", "a").ok());
    QVERIFY(awaited(other.keep(QStringLiteral("NGC_API_KEY"), "b")).ok());
    QCOMPARE(
        m_store->names(), (QStringList{QStringLiteral("HF_TOKEN"), QStringLiteral("NGC_API_KEY")}));
    QCOMPARE(other.names(), m_store->names());
}

void TestSecretStore::unknownName_doesNotOpenTheKeychain()
{
    m_table->values.insert(QStringLiteral("HF_TOKEN"), "of another program");
    QCOMPARE(awaited(m_store->read(QStringLiteral("HF_TOKEN"))).error().kind, ErrorKind::NotFound);
    QCOMPARE(m_table->questions, 0);
}

void TestSecretStore::brokenFile_isNotReplaced()
{
    QVERIFY(keep("HF_TOKEN", "a").ok());
    QVERIFY(m_store->trouble().isEmpty());
    putFile(file(), "{\"names\": [\"HF_TO");
    QVERIFY(m_store->names().isEmpty());
    QVERIFY(m_store->trouble().contains(file()));
    const Result<void> kept = keep("NGC_API_KEY", "b");
    QVERIFY(!kept.ok() && kept.error().summary.contains(file()));
    QVERIFY(!awaited(m_store->forget(QStringLiteral("HF_TOKEN"))).ok());
    QCOMPARE(contentOf(file()), QByteArray("{\"names\": [\"HF_TO"));
    // The value is still found: the keychain is asked instead of the list.
    QCOMPARE(*awaited(m_store->read(QStringLiteral("HF_TOKEN"))), QByteArray("a"));
}

void TestSecretStore::refusal_changesNothing()
{
    m_table->refusal = Error{ErrorKind::Unsupported, QStringLiteral("No keychain")};
    QCOMPARE(keep("HF_TOKEN", "a").error().kind, ErrorKind::Unsupported);
    QVERIFY(m_store->names().isEmpty());
    QVERIFY(!QFile::exists(file()));
    m_table->refusal.reset();
    QVERIFY(keep("HF_TOKEN", "a").ok());
    m_table->refusal = Error{ErrorKind::Unsupported, QStringLiteral("No keychain")};
    QVERIFY(!awaited(m_store->forget(QStringLiteral("HF_TOKEN"))).ok());
    QCOMPARE(m_store->names(), QStringList{QStringLiteral("HF_TOKEN")});
}

void TestSecretStore::entryThatIsGone_canBeForgotten()
{
    QVERIFY(keep("HF_TOKEN", "a").ok());
    m_table->values.clear(); // by the desktop's password manager
    QVERIFY(awaited(m_store->forget(QStringLiteral("HF_TOKEN"))).ok());
    QVERIFY(m_store->names().isEmpty());
}

void TestSecretStore::logins_areKeptByHost()
{
    RegistryLogins logins(m_store.get());
    QVERIFY(awaited(logins.keep(QStringLiteral("index.docker.io"),
                        {QStringLiteral("ada"), QStringLiteral("p w")}))
                .ok());
    QVERIFY(awaited(logins.keep(QStringLiteral("login:5000"),
                        {QStringLiteral("$oauthtoken"), QStringLiteral("distinctive")}))
                .ok());
    QCOMPARE(logins.registries(),
        (QStringList{QStringLiteral("docker.io"), QStringLiteral("login:5000")}));
    QVERIFY(m_store->names().isEmpty());
    QVERIFY(!contentOf(file()).contains("distinctive"));
    for (const char* hub : {"docker.io", "index.docker.io", "registry-1.docker.io", "Docker.io"}) {
        const auto found = awaited(logins.find(QLatin1String(hub)));
        QVERIFY(found.ok() && found->has_value());
        QCOMPARE((*found)->user, QStringLiteral("ada"));
        QCOMPARE((*found)->secret, QStringLiteral("p w"));
    }
    const auto other = awaited(logins.find(QStringLiteral("nvcr.io")));
    QVERIFY(other.ok() && !other->has_value());
    QVERIFY(awaited(logins.forget(QStringLiteral("registry-1.docker.io"))).ok());
    QCOMPARE(logins.registries(), QStringList{QStringLiteral("login:5000")});
    m_table->refusal = Error{ErrorKind::Unsupported, QStringLiteral("No keychain")};
    QVERIFY(!awaited(logins.find(QStringLiteral("login:5000"))).ok());
}

void TestSecretStore::logins_refuseWhatIsNone()
{
    RegistryLogins logins(m_store.get());
    const RegistryLogin login{QStringLiteral("ada"), QStringLiteral("distinctive")};
    for (const char* host : {"a/b", "a b", "https://nvcr.io", "-x", "a\nb", "nvcr.io:port"})
        QVERIFY2(!awaited(logins.keep(QLatin1String(host), login)).ok(), host);
    for (const RegistryLogin& bad :
        {RegistryLogin{{}, QStringLiteral("distinctive")}, RegistryLogin{QStringLiteral("ada"), {}},
            RegistryLogin{QStringLiteral("a\nb"), QStringLiteral("distinctive")},
            RegistryLogin{QStringLiteral("ada"), QStringLiteral("distinctive\n")}}) {
        const auto kept = awaited(logins.keep(QStringLiteral("nvcr.io"), bad));
        QVERIFY(!kept.ok());
        QVERIFY(!kept.error().text().contains(u"distinctive"));
    }
    QVERIFY(m_table->values.isEmpty());
}

SLIPWAY_TEST(TestSecretStore, secrets_store)
#include "tst_secretstore.moc"
