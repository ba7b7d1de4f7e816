// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "ui/connect/connectdialog.h"
#include "ui/launch/launchpage.h"
#include "ui/runs/logcard.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/sites/aboutsite.h"

#include <QDir>
#include <QPushButton>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// Pictures of every page, light and dark, for a person to look at: <build>/screenshots.
class TestScreenshots : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void pages_data();
    void pages();
    void dialogs_data();
    void dialogs();

private:
    void save(QWidget& widget, const QString& name);
    QDir m_folder{QStringLiteral(SLIPWAY_BINARY_DIR "/screenshots")};
};

void TestScreenshots::initTestCase()
{
    requireFont();
    QVERIFY(m_folder.mkpath(u"."_s));
}

void TestScreenshots::save(QWidget& widget, const QString& name)
{
    QTest::qWait(150);
    const QPixmap picture = widget.grab();
    QVERIFY(picture.width() > 100);
    QVERIFY(picture.save(m_folder.filePath(name % u".png"_s)));
}

void TestScreenshots::pages_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("light-1440x900") << false << QSize(1440, 900) << 1.0;
    QTest::newRow("dark-1440x900") << true << QSize(1440, 900) << 1.0;
    QTest::newRow("light-1280x800") << false << QSize(1280, 800) << 1.0;
    QTest::newRow("dark-1280x800") << true << QSize(1280, 800) << 1.0;
    QTest::newRow("light-4k-200") << false << QSize(3840, 2160) << 2.0;
}

void TestScreenshots::pages()
{
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    QFETCH(double, scale);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    rig.theme().setTextScale(scale);
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
    rig.addRun(Rig::sampleRun(u"done"_s, RunPhase::Done), Rig::sampleLog());
    rig.addRun(
        Rig::sampleRun(u"fail"_s, RunPhase::Failed), "srun: error: gpu01: task 0: Out Of Memory\n");
    rig.addRun(Rig::sampleRun(u"live"_s, RunPhase::Running), Rig::sampleLog());
    rig.setDemoOutput(u"up"_s,
        R"({"event":"plan","stages":[{"stage":"base","title":"Base system"},{"stage":"apptainer","title":"Apptainer"},{"stage":"image","title":"PyTorch image"},{"stage":"start","title":"Start"}]}
{"event":"stage","stage":"base","title":"Base system","state":"done","seconds":18}
{"event":"stage","stage":"apptainer","title":"Apptainer","state":"done","seconds":5}
{"event":"stage","stage":"image","title":"PyTorch image","state":"running","percent":62})");
    rig.start(size);
    save(rig.window(), u"sites-"_s % look);
    const auto connecting = rig.workbench().connectSite(u"kestrel"_s, nullptr);
    QTRY_COMPARE(rig.workbench().connection(u"kestrel"_s).phase, ConnectionState::Phase::Connected);
    save(rig.window(), u"sites-connected-"_s % look);
    rig.window().showPage(MainWindow::LaunchIndex);
    rig.window().launchPage()->selectSite(u"kestrel"_s);
    save(rig.window(), u"launch-"_s % look);
    rig.window().showPage(MainWindow::RunsIndex);
    rig.window().runsPage()->showList();
    save(rig.window(), u"runs-"_s % look);
    for (const QString& run : {u"done"_s, u"live"_s, u"fail"_s}) {
        rig.window().openRun(run);
        QTRY_VERIFY(rig.window().runsPage()->page()->log()->view()->isComplete());
        QTest::qWait(150);
        save(rig.window(), u"run-"_s % run % u'-' % look);
    }
    QTest::mouseClick(rig.find<QPushButton>("explanationAgain"), Qt::LeftButton);
    save(rig.window(), u"launch-again-"_s % look);
    rig.window().openRun(u"done"_s);
    rig.window().runsPage()->page()->showTab(1);
    save(rig.window(), u"run-script-"_s % look);
    rig.theme().setTextScale(1.0);
}

void TestScreenshots::dialogs_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestScreenshots::dialogs()
{
    QFETCH(bool, dark);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    Rig rig;
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
    rig.start();
    const Site& site = *rig.workbench().site(u"kestrel"_s);
    ConnectDialog dialog(site, {});
    dialog.show();
    save(dialog, u"connect-login-"_s % look);
    dialog.showProgress(u"Waiting for the server…"_s);
    save(dialog, u"connect-progress-"_s % look);
    dialog.askHostKey({u"kestrel-gpu.hpc.nrel.gov"_s, 22, u"ssh-ed25519"_s,
        u"SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"_s});
    save(dialog, u"connect-hostkey-"_s % look);
    dialog.showBanner(u"NOTICE TO USERS\nThis system is for authorised use only."_s);
    dialog.ask({PromptRound::Kind::KeyboardInteractive, u"kestrel-gpu.hpc.nrel.gov"_s, u"ada"_s, {},
        {}, {}, {{u"Password:"_s, false}, {u"Token code:"_s, true}}, 2});
    save(dialog, u"connect-prompt-"_s % look);
    dialog.showHardStop({ErrorKind::HostKey,
        u"The host key of kestrel-gpu.hpc.nrel.gov is not the one that this computer knows."_s,
        u"When the staff confirm the new key, forget the old one and connect again: ssh-keygen -R kestrel-gpu.hpc.nrel.gov"_s,
        "it shows SHA256:9mPqT0oXw3Jc8Zb1LkYv7sRq2Df4Gh6Ij8Kl0Mn2Op4"});
    save(dialog, u"connect-changed-"_s % look);
    dialog.showError({ErrorKind::Network, u"kestrel-gpu.hpc.nrel.gov does not answer on port 22."_s,
        u"Is the VPN on? The site may also be in maintenance."_s,
        "connect: Connection timed out (110)"});
    save(dialog, u"connect-error-"_s % look);
    dialog.accept();
    AboutSite about(site);
    about.show();
    save(about, u"about-"_s % look);
}

QTEST_MAIN(TestScreenshots)
#include "tst_screenshots.moc"
