// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/paths.h"
#include "tests/support/testmain.h"
#include "ui/connect/connectdialog.h"
#include "ui/parts/confirm.h"
#include "ui/parts/timeline.h"
#include "ui/sites/addcluster.h"
#include "ui/sites/sitecard.h"
#include "ui/sites/siteeditor.h"
#include "ui/sites/sitespage.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

using ShellResult = Result<std::shared_ptr<Shell>>;

/// A cluster of the person's own, from its host to a card on the sites page, by the keyboard.
class TestAddCluster : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void cluster_isFoundAndKept();
    void prompts_comeInALogin();
    void wrongFields_areReported();
    void failure_leadsBackToTheHost();
    void cancel_endsIt();
    void id_thatIsTaken_isReported();
    void ownSite_isEditedQueriedAgainAndRemoved();
    void everyControl_hasAName();
    void pictures_data();
    void pictures();

private:
    static AddCluster* open(Rig& rig);
    static QLineEdit* edit(AddCluster* dialog, const char* name)
    {
        return dialog->findChild<QLineEdit*>(QString::fromLatin1(name));
    }
    static QPushButton* button(AddCluster* dialog, const char* name)
    {
        return dialog->findChild<QPushButton*>(QString::fromLatin1(name));
    }
    static QString words(QWidget* widget)
    {
        QStringList texts;
        for (QLabel* label : widget->findChildren<QLabel*>()) {
            if (label->isVisibleTo(widget)) {
                texts << label->text();
            }
        }
        return texts.join(u'\n');
    }
};

AddCluster* TestAddCluster::open(Rig& rig)
{
    rig.start();
    rig.find<QPushButton>("addClusterButton")->click();
    return rig.window().findChild<AddCluster*>();
}

void TestAddCluster::cluster_isFoundAndKept()
{
    Rig rig;
    ConnectTarget asked;
    rig.connector().login = [&](ConnectTarget target, Prompter*) -> QCoro::Task<ShellResult> {
        asked = target;
        std::shared_ptr<Shell> shell = StubConnector::slurmShell();
        co_return shell;
    };
    QPointer<AddCluster> dialog = open(rig);
    QVERIFY(dialog);
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(edit(dialog, "clusterHost")));
    QCOMPARE(button(dialog, "findOut")->text(), u"Connect and look"_s);
    QTest::keyClicks(edit(dialog, "clusterHost"), u"login.whale.org"_s);
    QTest::keyClick(edit(dialog, "clusterHost"), Qt::Key_Tab);
    QTest::keyClicks(QApplication::focusWidget(), u"ada"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QTest::keyClicks(QApplication::focusWidget(), u"2222"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QTRY_VERIFY(button(dialog, "saveSite")->isVisible());
    QCOMPARE(asked.host, u"login.whale.org"_s);
    QCOMPARE(asked.user, u"ada"_s);
    QCOMPARE(asked.port, 2222);
    const QString text = words(dialog);
    for (const QString& part : {u"apptainer version 1.4.5"_s, u"$SCRATCH"_s, u"--gres=gpu:N"_s,
             u"gpu: 2 nodes"_s, u"What we found"_s, u"What is unknown"_s,
             u"the CUDA version that it supports are unknown until a job has run there."_s}) {
        QVERIFY2(text.contains(part), qPrintable(part % u" is not in\n"_s % text));
    }
    QVERIFY(
        !dialog->findChild<ConnectDialog*>() || !dialog->findChild<ConnectDialog*>()->isVisible());
    QCOMPARE(edit(dialog, "siteId")->text(), u"slipway-demo"_s);
    edit(dialog, "siteId")->setText(u"whale"_s);
    edit(dialog, "siteName")->setText(u"The Whale"_s);
    QTest::keyClick(edit(dialog, "siteName"), Qt::Key_Return);
    QTRY_VERIFY(!dialog);
    QFile file(rig.paths().config % u"/sites/whale.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray json = file.readAll();
    QVERIFY2(!json.contains("ada"), json);
    const Site* site = rig.engine().catalogue()->site(u"whale"_s);
    QVERIFY(site);
    QCOMPARE(site->logins.front().port, 2222);
    auto* card = rig.window().findChild<SiteCard*>(u"site-whale"_s);
    QVERIFY(card);
    QTRY_VERIFY(card->isAncestorOf(rig.window().focusWidget())); // its button is next
}

void TestAddCluster::prompts_comeInALogin()
{
    Rig rig;
    rig.connector().login = [&](ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        PromptRound round{PromptRound::Kind::KeyboardInteractive, u"h"_s, u"ada"_s, {}, {}, {},
            {{u"Token code: "_s, false}}, 1};
        const auto answers = co_await prompter->answer(round);
        if (!answers) {
            co_return Error{ErrorKind::Cancelled, u"given up"_s};
        }
        std::shared_ptr<Shell> shell = StubConnector::slurmShell();
        co_return shell;
    };
    AddCluster* dialog = open(rig);
    dialog->start(u"h"_s, {}, 0);
    QPointer<ConnectDialog> login = dialog->findChild<ConnectDialog*>();
    QVERIFY(login);
    QTRY_VERIFY(login->findChild<QLineEdit*>(u"answer0"_s));
    QTest::keyClicks(login->findChild<QLineEdit*>(u"answer0"_s), u"123456"_s);
    QTest::keyClick(login->findChild<QLineEdit*>(u"answer0"_s), Qt::Key_Return);
    QTRY_VERIFY(button(dialog, "saveSite")->isVisible());
    QTRY_VERIFY(!login);
}

void TestAddCluster::wrongFields_areReported()
{
    Rig rig;
    AddCluster* dialog = open(rig);
    auto* complaint = dialog->findChild<QLabel*>(u"hostProblem"_s);
    button(dialog, "findOut")->click();
    QVERIFY(complaint->isVisible());
    QVERIFY(complaint->text().contains(u"login node"_s));
    edit(dialog, "clusterHost")->setText(u"h"_s);
    edit(dialog, "clusterPort")->setText(u"99999"_s);
    button(dialog, "findOut")->click();
    QVERIFY(complaint->text().contains(u"1 to 65535"_s));
    QCOMPARE(rig.connector().calls, 0);
}

void TestAddCluster::failure_leadsBackToTheHost()
{
    Rig rig;
    rig.connector().login = [&](ConnectTarget, Prompter*) -> QCoro::Task<ShellResult> {
        co_return Error{
            ErrorKind::Network, u"No answer from h."_s, u"Is the VPN on?"_s, "errno 110"};
    };
    AddCluster* dialog = open(rig);
    dialog->start(u"h"_s, {}, 0);
    QTRY_VERIFY(words(dialog).contains(u"No answer from h."_s));
    QCOMPARE(
        dialog->findChild<Timeline*>(u"findStages"_s)->parts().front().state, StageState::Failed);
    const auto buttons = dialog->findChildren<QPushButton*>();
    const auto again = std::find_if(buttons.begin(), buttons.end(),
        [](QPushButton* one) { return one->isVisible() && one->text() == u"Try again"_s; });
    QVERIFY(again != buttons.end());
    (*again)->click();
    QVERIFY(edit(dialog, "clusterHost")->isVisible());
}

void TestAddCluster::cancel_endsIt()
{
    Rig rig;
    bool gaveUp = false;
    rig.connector().login = [&](ConnectTarget, Prompter* prompter) -> QCoro::Task<ShellResult> {
        PromptRound round{PromptRound::Kind::Password, u"h"_s, u"ada"_s, {}, {}, {},
            {{u"Password:"_s, false}}, 1};
        const auto answers = co_await prompter->answer(round);
        gaveUp = !answers;
        co_return Error{ErrorKind::Cancelled, u"given up"_s};
    };
    QPointer<AddCluster> dialog = open(rig);
    dialog->start(u"h"_s, {}, 0);
    auto* login = dialog->findChild<ConnectDialog*>();
    QTRY_VERIFY(login->findChild<QLineEdit*>(u"answer0"_s));
    QTest::keyClick(login, Qt::Key_Escape);
    QTRY_VERIFY(gaveUp);
    QTRY_VERIFY(edit(dialog, "clusterHost")->isVisible());
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(!dialog);
}

void TestAddCluster::id_thatIsTaken_isReported()
{
    Rig rig;
    QDir().mkpath(rig.paths().config % u"/sites"_s);
    QFile file(rig.paths().config % u"/sites/mine.json"_s);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QByteArray mine = R"({"id": "mine", "name": "Mine", "logins": [{"host": "m"}]})";
    file.write(mine);
    file.close();
    AddCluster* dialog = open(rig);
    dialog->start(u"h"_s, {}, 0);
    QTRY_VERIFY(button(dialog, "saveSite")->isVisible());
    edit(dialog, "siteId")->setText(u"Not An Id"_s);
    QVERIFY(!button(dialog, "saveSite")->isEnabled());
    edit(dialog, "siteId")->setText(u"mine"_s);
    QVERIFY2(words(dialog).contains(u"It will replace Mine"_s), qPrintable(words(dialog)));
    button(dialog, "saveSite")->click();
    auto* complaint = dialog->findChild<QLabel*>(u"saveProblem"_s);
    QVERIFY(complaint->isVisible() && complaint->text().contains(u"is there already"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), mine);
}

void TestAddCluster::ownSite_isEditedQueriedAgainAndRemoved()
{
    Rig rig;
    QDir().mkpath(rig.paths().config % u"/sites"_s);
    const QString path = rig.paths().config % u"/sites/mine.json"_s;
    const auto content = [&path] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"id":"mine","name":"Mine","logins":[{"host":"m"}],"driver":"550.1"})");
    file.close();
    rig.start();
    const auto press = [&rig](const char* name) {
        for (SiteCard* card : rig.window().findChildren<SiteCard*>(u"site-mine"_s)) {
            if (card->isVisible()) {
                card->findChild<QPushButton*>(QString::fromLatin1(name))->click();
                return true;
            }
        }
        return false;
    };
    QVERIFY(press("siteEdit"));
    QPointer<SiteEditor> editor = rig.window().findChild<SiteEditor*>();
    QVERIFY(editor);
    auto* text = editor->findChild<QPlainTextEdit*>(u"siteText"_s);
    const QString before = text->toPlainText();
    text->setPlainText(u"{\n  oops"_s);
    editor->findChild<QPushButton*>(u"saveSiteText"_s)->click();
    auto* problem = editor->findChild<QLabel*>(u"siteTextProblem"_s);
    QVERIFY(problem->isVisible());
    QVERIFY2(problem->text().contains(u"mine.json"_s), qPrintable(problem->text()));
    text->setPlainText(QString(before).replace(u"Mine"_s, u"My own"_s));
    editor->findChild<QPushButton*>(u"saveSiteText"_s)->click();
    QTRY_VERIFY(!editor);
    QCOMPARE(rig.engine().catalogue()->site(u"mine"_s)->name, u"My own"_s);

    QVERIFY(press("siteLookAgain"));
    QPointer<AddCluster> dialog = rig.window().findChild<AddCluster*>();
    QVERIFY(dialog);
    QTRY_VERIFY(button(dialog, "saveSite")->isVisible());
    QCOMPARE(edit(dialog, "siteId")->text(), u"mine"_s);
    button(dialog, "saveSite")->click();
    QTRY_VERIFY(!dialog);
    QVERIFY2(content().contains("partitions"), content());
    QVERIFY2(content().contains("550.1"), content()); // what only the person knew
    QCOMPARE(rig.engine().catalogue()->site(u"mine"_s)->name, u"My own"_s);

    QVERIFY(press("siteRemove"));
    QPointer<Confirm> question = rig.window().findChild<Confirm*>();
    QVERIFY(question);
    QVERIFY(rig.engine().catalogue()->site(u"mine"_s)); // not yet
    question->findChild<QPushButton*>(u"confirm"_s)->click();
    QTRY_VERIFY(!question);
    QVERIFY(!rig.engine().catalogue()->site(u"mine"_s));
    QVERIFY(!QFile::exists(path));
}

void TestAddCluster::everyControl_hasAName()
{
    Rig rig;
    AddCluster* dialog = open(rig);
    dialog->start(u"h"_s, {}, 0);
    QTRY_VERIFY(button(dialog, "saveSite")->isVisible());
    for (QWidget* widget : dialog->findChildren<QWidget*>()) {
        if (widget->focusPolicy() & Qt::TabFocus
            && (qobject_cast<QLineEdit*>(widget) || qobject_cast<QPushButton*>(widget))) {
            auto* push = qobject_cast<QPushButton*>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (push && !push->text().isEmpty()),
                qPrintable(widget->objectName()));
        }
    }
}

void TestAddCluster::pictures_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestAddCluster::pictures()
{
    QFETCH(bool, dark);
    const QString look = QString::fromLatin1(QTest::currentDataTag());
    QDir folder(slipway::buildPath(QStringLiteral("/screenshots")));
    QVERIFY(folder.mkpath(u"."_s));
    const auto save = [&](QWidget* widget, const QString& name) {
        QTest::qWait(150);
        QVERIFY(widget->grab().save(folder.filePath(name % u'-' % look % u".png"_s)));
    };
    Rig rig;
    rig.theme().setChoice(dark ? Theme::Choice::Dark : Theme::Choice::Light);
    AddCluster* dialog = open(rig);
    save(dialog, u"addcluster-host"_s);
    rig.connector().login = [&](ConnectTarget, Prompter*) -> QCoro::Task<ShellResult> {
        co_return Error{ErrorKind::Network, u"No answer from login.whale.org."_s,
            u"Is the VPN on?"_s, "errno 110"};
    };
    dialog->start(u"login.whale.org"_s, {}, 0);
    QTRY_VERIFY(words(dialog).contains(u"No answer"_s));
    save(dialog, u"addcluster-error"_s);
    rig.connector().login = {};
    dialog->start(u"login.whale.org"_s, {}, 0);
    QTRY_VERIFY(button(dialog, "saveSite")->isVisible());
    save(dialog, u"addcluster-found"_s);
}

SLIPWAY_GUI_TEST(TestAddCluster, gui_addcluster)
#include "tst_addcluster.moc"
