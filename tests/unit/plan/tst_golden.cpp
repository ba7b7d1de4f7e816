// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/plan/filledspec.h"
#include "tests/support/files.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"

#include "tests/support/testsites.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace slipway;

/// The script of every recipe at every site where it belongs, by every runtime that both know, is
/// held byte by byte in tests/data/golden/<recipe>/<site>-<runtime>.sh and pleases bash and
/// shellcheck. SLIPWAY_UPDATE_GOLDEN=1 writes them again; read the difference before you commit it.
class TestGolden : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everyRecipeHasAPlace();
    void scripts_areTheGoldenOnes_data();
    void scripts_areTheGoldenOnes();
    void goldenFiles_allBelongToSomething();
    void scripts_pleaseBashAndShellcheck();
    void files_pleaseShellcheck();

private:
    Resources m_resources;
    QTemporaryDir m_scripts; ///< every script under the name of its golden file
    QStringList m_names;
};

namespace {

const QString goldenFolder = slipway::sourcePath(QStringLiteral("/tests/data/golden"));

/// A recipe at a site by a runtime: what is rendered.
struct Combination {
    const Recipe* recipe;
    const Site* site;
    RuntimeKind runtime;

    QString name() const { return recipe->id + u'/' + site->id + u'-' + runtimeName(runtime); }
};

std::vector<Combination> combinations(const Resources& resources)
{
    std::vector<Combination> all;
    for (const Recipe& recipe : resources.recipes) {
        for (const Site& site : resources.sites) {
            // A retired site is rendered too: its scripts are what people look up.
            if (!site.unsupported.isEmpty() || !recipeBelongs(recipe, site))
                continue;
            for (RuntimeKind runtime : offeredRuntimes(recipe, site))
                all.push_back({&recipe, &site, runtime});
        }
    }
    return all;
}

Plan planOf(const Combination& one)
{
    QMap<QString, QString> values;
    if (offeredRuntimes(*one.recipe, *one.site).size() > 1)
        values.insert(QStringLiteral("runtime"), runtimeName(one.runtime));
    const LaunchSpec spec = filledSpec(*one.recipe, *one.site, values);
    Site site = *one.site;
    site.archived = false; // a retired site refuses every launch; here it is as it was
    return makePlan(spec, *one.recipe, site, {});
}

/// What a program prints about these files; empty: it is content.
QByteArray problemsIn(
    const QString& program, const QStringList& arguments, const QString& folder, int timeout)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    if (!process.waitForStarted() || !process.waitForFinished(timeout))
        return program.toUtf8() + ": " + process.errorString().toUtf8();
    const QByteArray text = process.readAll();
    return process.exitCode() == 0
        ? QByteArray()
        : (text.isEmpty() ? QByteArray("it failed without a word") : text);
}

} // namespace

void TestGolden::initTestCase()
{
    m_resources = builtInResources();
    QVERIFY(m_resources.errors.empty());
    for (const Combination& one : combinations(m_resources)) {
        m_names << one.name();
        putFile(m_scripts.filePath(one.name() + u".sh"), renderScript(planOf(one)));
    }
}

void TestGolden::everyRecipeHasAPlace()
{
    QStringList sites;
    for (const Site& site : m_resources.sites)
        sites << site.id;
    for (const Recipe& recipe : m_resources.recipes) {
        const QStringList places = m_names.filter(QRegularExpression(u'^' + recipe.id + u'/'));
        QVERIFY2(!places.isEmpty(),
            qPrintable(recipe.id + u": no site that it belongs to has a runtime for it"));
        for (const QString& site : recipe.sites + recipe.siteValues.keys())
            QVERIFY2(sites.contains(site), qPrintable(recipe.id + u": there is no site " + site));
        for (const QString& site : recipe.siteValues.keys())
            QVERIFY2(recipe.sites.isEmpty() || recipe.sites.contains(site),
                qPrintable(recipe.id + u": values for " + site + u", where it does not belong"));
        for (const QString& site : recipe.sites)
            QVERIFY2(!places.filter(u'/' + site + u'-').isEmpty(),
                qPrintable(recipe.id + u": no runtime of " + site + u" can do it"));
    }
}

void TestGolden::scripts_areTheGoldenOnes_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Combination> all = combinations(m_resources);
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::newRow(qPrintable(all[i].name())) << int(i);
}

void TestGolden::scripts_areTheGoldenOnes()
{
    QFETCH(int, index);
    const Combination one = combinations(m_resources)[std::size_t(index)];
    const Plan plan = planOf(one);
    QVERIFY2(!plan.hasErrors(), problemsText(plan));
    const QByteArray script = renderScript(plan);
    const QString path = goldenFolder + u'/' + one.name() + u".sh";
    if (qEnvironmentVariableIsSet("SLIPWAY_UPDATE_GOLDEN"))
        putFile(path, script);
    QFile golden(path);
    QVERIFY2(golden.open(QIODevice::ReadOnly), qPrintable(u"there is no golden file " + path));
    // Line by line, so that a failure shows the line.
    const QList<QByteArray> found = script.split('\n'), expected = golden.readAll().split('\n');
    for (qsizetype i = 0; i < std::max(found.size(), expected.size()); ++i)
        QCOMPARE(QString::fromUtf8(found.value(i)), QString::fromUtf8(expected.value(i)));
    QCOMPARE(found.size(), expected.size());
}

void TestGolden::goldenFiles_allBelongToSomething()
{
    for (const Recipe& recipe : m_resources.recipes) {
        QDirIterator files(goldenFolder + u'/' + recipe.id, {QStringLiteral("*.sh")}, QDir::Files);
        while (files.hasNext()) {
            const QString path = files.next();
            const bool known =
                m_names.contains(recipe.id + u'/' + files.fileInfo().completeBaseName());
            if (!known && qEnvironmentVariableIsSet("SLIPWAY_UPDATE_GOLDEN")) {
                QFile::remove(path);
                continue;
            }
            QVERIFY2(known, qPrintable(path + u" is the script of nothing any more"));
        }
    }
}

void TestGolden::scripts_pleaseBashAndShellcheck()
{
    QVERIFY2(!QStandardPaths::findExecutable(QStringLiteral("shellcheck")).isEmpty(),
        "shellcheck is not installed; this test needs it");
    for (const QString& name : m_names) {
        const QByteArray text = problemsIn(QStringLiteral("bash"),
            {QStringLiteral("-n"), name + u".sh"}, m_scripts.path(), 60'000);
        QVERIFY2(text.isEmpty(), qPrintable(name + u": " + QString::fromUtf8(text)));
    }
    // All in one go: starting it is what takes its time. slipway.sh, which they read, is checked
    // elsewhere.
    QStringList arguments{QStringLiteral("-e"), QStringLiteral("SC1091")};
    for (const QString& name : m_names)
        arguments << name + u".sh";
    const QByteArray text =
        problemsIn(QStringLiteral("shellcheck"), arguments, m_scripts.path(), 280'000);
    QVERIFY2(text.isEmpty(), text);
}

void TestGolden::files_pleaseShellcheck()
{
    QStringList arguments{QStringLiteral("-x")};
    for (const Recipe& recipe : m_resources.recipes) {
        for (const QString& file : recipe.files) {
            if (file.endsWith(u".sh"))
                arguments << recipe.folder + u'/' + file;
        }
    }
    QVERIFY(arguments.size() > 1);
    arguments << QStringLiteral("--source-path=") + slipway::sourcePath();
    for (const char* script : {"/app/demo", "/app/pictures", "/tests/run"})
        arguments << slipway::sourcePath(QLatin1String(script));
    const QByteArray text =
        problemsIn(QStringLiteral("shellcheck"), arguments, goldenFolder, 120'000);
    QVERIFY2(text.isEmpty(), text);
}

SLIPWAY_TEST(TestGolden, plan_golden)
#include "tst_golden.moc"
