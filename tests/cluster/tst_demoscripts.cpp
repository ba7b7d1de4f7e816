// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

using namespace slipway;
using namespace Qt::StringLiterals;

/// Functions of the demo cluster's scripts that need no cluster, run by bash: what they write for
/// which Slurm, and what kind of image they put into the registry.
class TestDemoScripts : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cgroups_areOffInTheSyntaxOfTheRelease_data();
    void cgroups_areOffInTheSyntaxOfTheRelease();
    void releases_haveTheirOwnTreesAndState_data();
    void releases_haveTheirOwnTreesAndState();
    void parts_areCopiedFromAnotherInstance_data();
    void parts_areCopiedFromAnotherInstance();
    void images_canBeReadWithoutAMediaType();
    void stateOfEarlierVersions_isReadAndDeleted();

private:
    QByteArray bash(const QByteArray& script);
    QJsonObject blob(const QString& digest);
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestDemoScripts::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
}

/// `lib` and `folder` are set; what the script prints.
QByteArray TestDemoScripts::bash(const QByteArray& script)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(u"bash"_s,
        {u"-c"_s, QString::fromUtf8("set -euo pipefail; lib=$1 folder=$2\n" + script), u"bash"_s,
            sourcePath(u"/resources/demo-cluster/lib"_s), m_folder->path()});
    if (!process.waitForFinished(60'000) || process.exitCode() != 0)
        return "exit code " + QByteArray::number(process.exitCode());
    return process.readAllStandardOutput();
}

void TestDemoScripts::cgroups_areOffInTheSyntaxOfTheRelease_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("lines");
    const auto row = [](const char* version, const char* lines) {
        QTest::newRow(version) << QByteArray(version) << QByteArray(lines);
    };
    row("20.11.7+really20.11.4-2+deb11u1", ""); // does not know the setting
    row("21.08.8.2-1", "CgroupPlugin=cgroup/v1\n");
    row("22.05.8-4+deb12u3", "CgroupPlugin=cgroup/v1\n");
    row("23.02.3-2", "CgroupPlugin=disabled\n");
    row("24.11.5-4", "CgroupPlugin=disabled\n");
    row("26.05.5-1", "CgroupPlugin=disabled\n");
}

void TestDemoScripts::cgroups_areOffInTheSyntaxOfTheRelease()
{
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, lines);
    QVERIFY(QDir().mkpath(m_folder->filePath(u"var/lib/dpkg"_s)));
    QFile status(m_folder->filePath(u"var/lib/dpkg/status"_s));
    QVERIFY(status.open(QIODevice::WriteOnly));
    status.write("Package: slurm-wlm\nStatus: install ok installed\nVersion: 19.05.1-1\n\n"
                 "Package: slurmctld\nStatus: install ok installed\nVersion: "
        + version + "\nDepends: libc6\n\nPackage: zlib1g\nVersion: 1:1.2.13\n");
    status.close();
    const auto written = [this](const QByteArray& given) {
        return bash("base_dir=$folder\n. \"$lib/configure-slurm.sh\"\nhas_memory_cgroups() { "
            + given + "; }\ncgroup_lines");
    };
    QCOMPARE(written("false"), lines);
    QCOMPARE(written("true"),
        "CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\nConstrainRAMSpace=yes\n");
}

void TestDemoScripts::releases_haveTheirOwnTreesAndState_data()
{
    QTest::addColumn<QByteArray>("kept");
    QTest::addColumn<QByteArray>("seen");
    QTest::newRow("no file") << QByteArray() << QByteArray("24.11||base|slurmctld|\n");
    QTest::newRow("default") << QByteArray("24.11\n") << QByteArray("24.11||base|slurmctld|\n");
    QTest::newRow("22.05") << QByteArray("22.05\n")
                           << QByteArray("22.05|slurm-22.05|releases/22.05|slurmctld-22.05|"
                                         ", Slurm 22.05\n");
    QTest::newRow("accounting") << QByteArray("22.05-accounting\n")
                                << QByteArray(
                                       "22.05-accounting|slurm-22.05-accounting|"
                                       "releases/22.05-accounting|slurmctld-22.05-accounting|"
                                       ", Slurm 22.05 with accounting\n");
    // A damaged file must not lead into a folder outside.
    QTest::newRow("foreign") << QByteArray("../../etc\n") << QByteArray("24.11||base|slurmctld|\n");
}

void TestDemoScripts::releases_haveTheirOwnTreesAndState()
{
    QFETCH(QByteArray, kept);
    QFETCH(QByteArray, seen);
    if (!kept.isEmpty()) {
        QFile file(m_folder->filePath(u"slurm.release"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kept);
    }
    QCOMPARE(
        bash("SLIPWAY_DEMO_DIR=$folder\n. \"$lib/paths.sh\"\n. \"$lib/releases.sh\"\nread_release\n"
             "echo \"$slurm_word|$(release_part \"$slurm_word\")|${base_dir#\"$state_dir/\"}|"
             "${slurmctld_dir#\"$state_dir/\"}|$(slurm_title)\""),
        seen);
}

void TestDemoScripts::parts_areCopiedFromAnotherInstance_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QByteArray>("seen");
    QTest::newRow("finished there") << QByteArray() << QByteArray("copied 600\n");
    QTest::newRow("of other inputs")
        << QByteArray("echo 0 >\"$other/stamps/base-system\"") << QByteArray("not there\n");
    QTest::newRow("unfinished") << QByteArray("rm \"$other/stamps/base-system\"")
                                << QByteArray("not there\n");
    QTest::newRow("incomplete") << QByteArray("rm \"$other/base/usr/sbin/sshd\"")
                                << QByteArray("not there\n");
    QTest::newRow("itself") << QByteArray("SLIPWAY_DEMO_FROM=$state_dir")
                            << QByteArray("not there\n");
    QTest::newRow("nowhere") << QByteArray("SLIPWAY_DEMO_FROM=") << QByteArray("not there\n");
    QTest::newRow("cannot be copied")
        << QByteArray("cp() { return 1; }") << QByteArray("to be built\n");
}

void TestDemoScripts::parts_areCopiedFromAnotherInstance()
{
    QFETCH(QByteArray, change);
    QFETCH(QByteArray, seen);
    const QByteArray prepared = R"(
SLIPWAY_DEMO_DIR=$folder/own other=$folder/other
. "$lib/paths.sh"
. "$lib/parts.sh"
. "$lib/releases.sh"
. "$lib/copy-part.sh"
make_state_dirs
mkdir -p "$other"/{stamps,base/usr/{sbin,slipway,bin},base/etc/munge}
touch "$other"/base/usr/{sbin/{slurmctld,slurmd,munged,sshd},slipway/apptainer,bin/docker-registry}
touch "$other/base/etc/shadow" && chmod 600 "$other/base/etc/shadow"
part_hash base-system >"$other/stamps/base-system"
SLIPWAY_DEMO_FROM=$other work=$work_dir/base-system
)";
    const QByteArray copied = R"(
other_has base-system || { echo not there; exit; }
copy_part base-system || { echo to be built; exit; }
part_present base-system && stat -c 'copied %a' "$plain_base_dir/etc/shadow"
# What is replaced and never written to is there once, whatever each instance writes to is not.
[ "$plain_base_dir/usr/sbin/sshd" -ef "$other/base/usr/sbin/sshd" ] || echo "/usr is a copy"
! [ "$plain_base_dir/etc/shadow" -ef "$other/base/etc/shadow" ] || echo "/etc is the other's"
)";
    QCOMPARE(bash(prepared + change + copied), seen);
}

QJsonObject TestDemoScripts::blob(const QString& digest)
{
    const QString hash = digest.section(u':', -1);
    QFile file(m_folder->filePath(u"blobs/"_s + hash));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

/// A client that names no media type is answered with a manifest of schema 1, which the registry
/// makes of Docker's schema 2 alone, and only where the configuration has a history.
void TestDemoScripts::images_canBeReadWithoutAMediaType()
{
    const QByteArray printed = bash(R"(
registry_dir=$folder/registry work=$folder/work mirror=none suite=none essential=$folder/essential.tar
mkdir -p "$work" "$folder/blobs"
: >"$essential"
declare -A image_name=([base]=demo/base:13) image_packages=([base]=) image_excludes=() )"
                                    R"(image_environment=()
settings=()
packages() { :; }
mmdebstrap() { tar -C "$lib" -cf - say.sh; }
registry_blob() { echo "$folder/blobs/$1"; }
. "$lib/make-image.sh"
make_image base >&2
cat "$registry_dir/docker/registry/v2/repositories/demo/base/_manifests/tags/13/current/link")");
    const QJsonObject manifest = blob(QString::fromUtf8(printed));
    QVERIFY2(!manifest.isEmpty(), printed);
    QCOMPARE(manifest.value(u"mediaType").toString(),
        u"application/vnd.docker.distribution.manifest.v2+json"_s);
    const QJsonObject config = manifest.value(u"config").toObject();
    QCOMPARE(
        config.value(u"mediaType").toString(), u"application/vnd.docker.container.image.v1+json"_s);
    const QJsonArray layers = manifest.value(u"layers").toArray();
    QCOMPARE(layers.size(), 1);
    QCOMPARE(layers.first().toObject().value(u"mediaType").toString(),
        u"application/vnd.docker.image.rootfs.diff.tar.gzip"_s);
    const QJsonObject image = blob(config.value(u"digest").toString());
    QCOMPARE(image.value(u"history").toArray().size(), 1); // one for each layer
    QCOMPARE(image.value(u"rootfs").toObject().value(u"diff_ids").toArray().size(), 1);
}

void TestDemoScripts::stateOfEarlierVersions_isReadAndDeleted()
{
    const QByteArray folder = "state=$folder/state; mkdir -p \"$state/stamps\"; touch "
                              "\"$state/dress.json\" \"$state/dress.json.new\"\n"
                              "printf \"dress_id=kestrel\\ndress_name='NREL Kestrel'\\n\" "
                              ">\"$state/dress.vars\"\n";
    QCOMPARE(bash(folder
                 + "state_dir=$state; . \"$lib/emulate.sh\"; read_emulation\n"
                   "echo \"$emulate_id$emulate_title\"\n"),
        "kestrel, emulating NREL Kestrel\n");
    const QByteArray deleted =
        bash("SLIPWAY_DEMO_DIR=$folder/state \"$lib/../demo-cluster\" reset\n"
             "[ ! -e \"$folder/state\" ] || ls -A \"$folder/state\"\n");
    QCOMPARE(deleted, "The cluster is down.\n");
}

SLIPWAY_TEST(TestDemoScripts, cluster_demoscripts)
#include "tst_demoscripts.moc"
