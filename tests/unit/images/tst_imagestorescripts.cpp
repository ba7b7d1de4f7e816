// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/images/imagestorescan.h"
#include "remote/shell/localshell.h"
#include "tests/support/awaited.h"
#include "tests/support/files.h"
#include "tests/support/testmain.h"
#include "tests/unit/images/namesof.h"

#include <QCryptographicHash>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

using namespace slipway;

/// The scripts that list, delete and clear, with this computer's own shell as the far side.
class TestImageStoreScripts : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void folder_isScanned();
    void links_areNotFollowed();
    void images_areDeletedWithWhatIsBesideThem();
    void images_outsideAreNotDeleted_data();
    void images_outsideAreNotDeleted();
    void pulledImage_isLeft();
    void caches_areMeasuredAndCleared();
    void clearing_leavesWhatIsNotACache();
    void clearing_asksTheRuntimeFirst();

private:
    QString path(const QString& name) const { return m_folder->filePath(name); }
    QString images(const QString& name = {}) const
    {
        return path(
            QStringLiteral("scratch/slipway/images") + (name.isEmpty() ? name : u'/' + name));
    }
    Site site() const;
    Result<ImageList> scanned(const ImageScan& known = {}) const;
    QStringList removed(const std::vector<StoredImage>& images) const;
    Result<qint64> cleared(const std::vector<ImageCache>& caches) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<LocalShell> m_shell;
    QByteArray m_home;
};

namespace {

StoredImage imageAt(const QString& path)
{
    StoredImage image;
    image.path = path;
    return image;
}

} // namespace

void TestImageStoreScripts::init()
{
    m_home = qgetenv("HOME");
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(m_folder->isValid());
    QDir().mkpath(path(QStringLiteral("home")));
    qputenv("HOME", path(QStringLiteral("home")).toUtf8());
    for (const char* name :
        {"APPTAINER_CACHEDIR", "SINGULARITY_CACHEDIR", "ENROOT_CACHE_PATH", "XDG_CACHE_HOME"})
        qunsetenv(name);
    m_shell = std::make_unique<LocalShell>();
}

void TestImageStoreScripts::cleanup()
{
    m_shell.reset();
    qputenv("HOME", m_home);
}

Site TestImageStoreScripts::site() const
{
    Site site;
    site.id = QStringLiteral("here");
    site.scratch = path(QStringLiteral("scratch"));
    return site;
}

Result<ImageList> TestImageStoreScripts::scanned(const ImageScan& known) const
{
    const auto answer = awaited(m_shell->run(imageScanScript(site())));
    if (!answer.ok())
        return answer.error();
    return readImageList(answer->out, known);
}

QStringList TestImageStoreScripts::removed(const std::vector<StoredImage>& doomed) const
{
    const auto answer = awaited(m_shell->run(removeImagesScript(images(), doomed)));
    return readRemovedImages(answer.ok() ? answer->out : QByteArray(), doomed.size());
}

Result<qint64> TestImageStoreScripts::cleared(const std::vector<ImageCache>& caches) const
{
    const auto answer = awaited(m_shell->run(clearCachesScript(caches)));
    if (!answer.ok())
        return answer.error();
    return readClearedCaches(answer->out, caches);
}

void TestImageStoreScripts::folder_isScanned()
{
    const QByteArray bytes(3000, 'x');
    const QString image = images(QStringLiteral("docker.io/a b.sif"));
    putFile(image, bytes);
    struct stat status = {};
    QCOMPARE(::stat(image.toUtf8().constData(), &status), 0);
    const QByteArray digest = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
    putFile(image + u".slipway-digest",
        digest + ' '
            + QStringLiteral("3000-%1-%2.%3\n")
                  .arg(status.st_ino)
                  .arg(status.st_mtim.tv_sec)
                  .arg(status.st_mtim.tv_nsec, 9, 10, QLatin1Char('0'))
                  .toLatin1());
    putFile(images(QStringLiteral("docker.io/half.sif.part")), "half");
    putFile(images(QStringLiteral("mine.sqsh")), "squash");
    putFile(images(QStringLiteral("notes.txt")), "not an image");
    putFile(images(QStringLiteral("line\nbreak.sif")), "x");
    const auto list = scanned();
    QVERIFY2(list.ok(), list.ok() ? "" : list.error().text().toUtf8().constData());
    QCOMPARE(namesOf(*list),
        (QStringList{QStringLiteral("docker.io/a b.sif"), QStringLiteral("docker.io/half.sif.part"),
            QStringLiteral("mine.sqsh")}));
    QCOMPARE(list->leftOut, qint64(1));
    QCOMPARE(list->images[0].bytes, qint64(3000));
    QCOMPARE(list->images[0].digest, QString::fromLatin1("sha256:" + digest));
    QVERIFY(qAbs(list->images[0].modified.secsTo(QDateTime::currentDateTime())) < 3600);
    QVERIFY(list->freeBytes && *list->freeBytes > 0);
    QVERIFY(list->caches.empty());
}

void TestImageStoreScripts::links_areNotFollowed()
{
    putFile(path(QStringLiteral("outside/other.sif")), "x");
    putFile(images(QStringLiteral("own.sif")), "x");
    QVERIFY(QFile::link(path(QStringLiteral("outside")), images(QStringLiteral("folder"))));
    QVERIFY(
        QFile::link(path(QStringLiteral("outside/other.sif")), images(QStringLiteral("l.sif"))));
    const auto list = scanned();
    QVERIFY(list.ok());
    QCOMPARE(namesOf(*list), QStringList{QStringLiteral("own.sif")});
    const QStringList why = removed({imageAt(images(QStringLiteral("folder/other.sif"))),
        imageAt(images(QStringLiteral("l.sif")))});
    QCOMPARE(why, (QStringList{QStringLiteral("it is a link"), QStringLiteral("it is a link")}));
    QVERIFY(QFile::exists(path(QStringLiteral("outside/other.sif"))));
    // The folder of Slipway as a link: nothing is listed, and it is said.
    QVERIFY(QDir().rename(
        path(QStringLiteral("scratch/slipway")), path(QStringLiteral("scratch/moved"))));
    QVERIFY(QFile::link(
        path(QStringLiteral("scratch/moved")), path(QStringLiteral("scratch/slipway"))));
    const auto refused = scanned();
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Refused);
}

void TestImageStoreScripts::images_areDeletedWithWhatIsBesideThem()
{
    for (const char* name : {"a b.sif", "a b.sif.slipway-digest", "a b.sif.lock", "c.sif.part",
             "c.sif.lock", "d.sif", "d.sif.part", "d.sif.slipway-digest", "quote'.sif"})
        putFile(images(QString::fromLatin1(name)), "x");
    const QStringList why = removed(
        {imageAt(images(QStringLiteral("a b.sif"))), imageAt(images(QStringLiteral("c.sif.part"))),
            imageAt(images(QStringLiteral("d.sif.part"))),
            imageAt(images(QStringLiteral("quote'.sif"))),
            imageAt(images(QStringLiteral("gone.sif")))});
    QCOMPARE(why.mid(0, 4).join(QString()), QString());
    QCOMPARE(why[4], QStringLiteral("it is not a file of yours"));
    QCOMPARE(QDir(images()).entryList(QDir::Files, QDir::Name),
        (QStringList{QStringLiteral("d.sif"), QStringLiteral("d.sif.slipway-digest")}));
}

void TestImageStoreScripts::images_outsideAreNotDeleted_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("above") << QStringLiteral("scratch/slipway/images/../x.sif");
    QTest::newRow("beside") << QStringLiteral("scratch/slipway/x.sif");
    QTest::newRow("a name that begins alike") << QStringLiteral("scratch/slipway/images2/x.sif");
    QTest::newRow("no image") << QStringLiteral("scratch/slipway/images/x.txt");
    QTest::newRow("the folder") << QStringLiteral("scratch/slipway/images");
    QTest::newRow("a folder with the name of one")
        << QStringLiteral("scratch/slipway/images/d.sif");
}

void TestImageStoreScripts::images_outsideAreNotDeleted()
{
    QFETCH(QString, name);
    for (const char* one : {"scratch/slipway/x.sif", "scratch/slipway/images2/x.sif",
             "scratch/slipway/images/x.txt", "scratch/slipway/images/d.sif/file"})
        putFile(path(QString::fromLatin1(one)), "x");
    const QStringList why = removed({imageAt(path(name))});
    QVERIFY(why.size() == 1 && !why[0].isEmpty());
    for (const char* one : {"scratch/slipway/x.sif", "scratch/slipway/images2/x.sif",
             "scratch/slipway/images/x.txt", "scratch/slipway/images/d.sif/file"})
        QVERIFY2(QFile::exists(path(QString::fromLatin1(one))), one);
    QCOMPARE(readRemovedImages("gone 7\nleft\ngone x\n", 1),
        QStringList{QStringLiteral("there was no answer")});
}

/// The job that pulls an image holds its lock, whatever the scheduler says.
void TestImageStoreScripts::pulledImage_isLeft()
{
    putFile(images(QStringLiteral("x.sif.part")), "half");
    QProcess holder;
    holder.start(QStringLiteral("flock"),
        {images(QStringLiteral("x.sif.lock")), QStringLiteral("sh"), QStringLiteral("-c"),
            QStringLiteral("echo held; exec cat")});
    QVERIFY2(holder.waitForReadyRead(30'000), "flock cannot be started");
    const StoredImage half = imageAt(images(QStringLiteral("x.sif.part")));
    QCOMPARE(removed({half}), QStringList{QStringLiteral("another job is pulling it")});
    holder.closeWriteChannel();
    QVERIFY(holder.waitForFinished(30'000));
    QCOMPARE(removed({half}), QStringList{QString()});
    // Where there is no flock, a folder is the lock.
    putFile(images(QStringLiteral("y.sif.part")), "half");
    QVERIFY(QDir().mkpath(images(QStringLiteral("y.sif.lock.d"))));
    QCOMPARE(removed({imageAt(images(QStringLiteral("y.sif.part")))}),
        QStringList{QStringLiteral("another job is pulling it")});
}

void TestImageStoreScripts::caches_areMeasuredAndCleared()
{
    const QString ofSite = path(QStringLiteral("scratch/slipway/cache/cache"));
    putFile(ofSite + u"/blob/blobs/sha256/aa", QByteArray(300'000, 'x'));
    const QString enroot = path(QStringLiteral("home/.cache/enroot"));
    putFile(enroot + u'/' + QString(64, u'c'), QByteArray(200'000, 'x'));
    putFile(enroot + u"/mine", "kept");
    const auto list = scanned();
    QVERIFY2(list.ok(), list.ok() ? "" : list.error().text().toUtf8().constData());
    QCOMPARE(list->caches.size(), size_t(2));
    QCOMPARE(list->caches[0].path, QFileInfo(ofSite).canonicalFilePath());
    QCOMPARE(list->caches[1].runtime, QStringLiteral("enroot"));
    QVERIFY(list->caches[0].known && list->caches[0].bytes >= 290'000);
    const auto freed = cleared(list->caches);
    QVERIFY2(freed.ok(), freed.ok() ? "" : freed.error().text().toUtf8().constData());
    QVERIFY2(*freed >= 480'000, QByteArray::number(*freed).constData());
    QVERIFY(!QFile::exists(ofSite + u"/blob/blobs/sha256/aa"));
    QVERIFY(!QFile::exists(enroot + u'/' + QString(64, u'c')));
    QVERIFY(QFile::exists(enroot + u"/mine"));
}

/// The variable may lead to a folder that holds other things as well.
void TestImageStoreScripts::clearing_leavesWhatIsNotACache()
{
    const QString shared = path(QStringLiteral("shared/cache"));
    putFile(shared + u"/thesis.txt", "x");
    putFile(path(QStringLiteral("outside/blob/x")), "x");
    QDir().mkpath(path(QStringLiteral("linked")));
    QVERIFY(QFile::link(path(QStringLiteral("outside")), path(QStringLiteral("linked/cache"))));
    qputenv("APPTAINER_CACHEDIR", path(QStringLiteral("shared")).toUtf8());
    qputenv("SINGULARITY_CACHEDIR", path(QStringLiteral("linked")).toUtf8());
    const auto list = scanned();
    QVERIFY(list.ok());
    QCOMPARE(list->caches.size(), size_t(1)); // not the link
    const auto refused = cleared(list->caches);
    QVERIFY(!refused.ok() && refused.error().summary.contains(u"does not look like a cache"));
    const auto linked =
        cleared({{QStringLiteral("apptainer"), path(QStringLiteral("linked/cache")), 0, true},
            {QStringLiteral("apptainer"), path(QStringLiteral("outside")), 0, true}});
    QVERIFY(!linked.ok());
    QVERIFY(QFile::exists(shared + u"/thesis.txt"));
    QVERIFY(QFile::exists(path(QStringLiteral("outside/blob/x"))));
}

void TestImageStoreScripts::clearing_asksTheRuntimeFirst()
{
    const QString cache = path(QStringLiteral("home/.apptainer/cache"));
    putFile(cache + u"/blob/layer", "x");
    putFile(path(QStringLiteral("home/.profile")), "PATH=$HOME/bin:$PATH\n");
    const QString program = path(QStringLiteral("home/bin/apptainer"));
    putFile(program, "#!/bin/sh\necho \"$* $APPTAINER_CACHEDIR\" >\"$HOME/asked\"\n");
    QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    QVERIFY(cleared({{QStringLiteral("apptainer"), cache, 0, true}}).ok());
    QFile asked(path(QStringLiteral("home/asked")));
    QVERIFY(asked.open(QIODevice::ReadOnly));
    QCOMPARE(asked.readAll(),
        "cache clean --force " + path(QStringLiteral("home/.apptainer")).toUtf8() + '\n');
    QVERIFY(QFile::exists(cache + u"/blob/layer")); // what it leaves is left
}

SLIPWAY_TEST(TestImageStoreScripts, images_imagestorescripts)
#include "tst_imagestorescripts.moc"
