// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/memorykeychain.h"
#include "tests/support/testmain.h"
#include "ui/secrets/secretsdialog.h"
#include "ui/window/commandpalette.h"

#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The dialog of the secrets: names are listed, added and removed, values are never shown.
class TestSecrets : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void init();
    void cleanup() { m_dialog.reset(); }
    void secret_isAddedAndRemoved();
    void value_isNeverShown();
    void refusal_isSaid();
    void wrongName_isSaid();
    void brokenList_isSaid();
    void controls_haveNames();
    void palette_opensIt();

private:
    template <typename T> T* part(const char* name)
    {
        return m_dialog->findChild<T*>(QString::fromLatin1(name));
    }
    void type(const char* name, const QString& value)
    {
        part<QLineEdit>("secretName")->setText(QString::fromLatin1(name));
        part<QLineEdit>("secretValue")->setText(value);
    }
    QString said() { return part<QLabel>("secretsSaid")->text(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MemoryKeychain::Table> m_table;
    std::unique_ptr<SecretStore> m_store;
    std::unique_ptr<SecretsDialog> m_dialog;
};

void TestSecrets::init()
{
    m_dialog.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_table = std::make_shared<MemoryKeychain::Table>();
    m_store = std::make_unique<SecretStore>(m_folder->path());
    m_store->setKeychain(std::make_unique<MemoryKeychain>(m_table));
    m_dialog = std::make_unique<SecretsDialog>(m_store.get());
    m_dialog->setAttribute(Qt::WA_DeleteOnClose, false);
    m_dialog->show();
}

void TestSecrets::secret_isAddedAndRemoved()
{
    auto* keep = part<QPushButton>("secretKeep");
    auto* remove = part<QPushButton>("secretRemove");
    auto* list = part<QListWidget>("secretNames");
    QVERIFY(!keep->isEnabled() && !remove->isEnabled());
    type("HF_TOKEN", u"hf-distinctive"_s);
    QVERIFY(keep->isEnabled());
    keep->click();
    QTRY_COMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), u"HF_TOKEN"_s);
    QCOMPARE(m_table->values.value(u"HF_TOKEN"_s), QByteArray("hf-distinctive"));
    QTRY_VERIFY(part<QLineEdit>("secretValue")->text().isEmpty());
    type("HF_TOKEN", u"second"_s);
    QCOMPARE(keep->text(), u"Replace"_s);
    keep->click();
    QTRY_COMPARE(m_table->values.value(u"HF_TOKEN"_s), QByteArray("second"));
    list->setCurrentRow(0);
    QTRY_VERIFY(remove->isEnabled());
    remove->click();
    QTRY_COMPARE(list->count(), 0);
    QVERIFY(m_table->values.isEmpty());
}

void TestSecrets::value_isNeverShown()
{
    type("HF_TOKEN", u"distinctive"_s);
    auto* value = part<QLineEdit>("secretValue");
    QCOMPARE(value->echoMode(), QLineEdit::Password);
    QVERIFY(!value->displayText().contains(u"distinctive"));
    part<QPushButton>("secretKeep")->click();
    QTRY_COMPARE(part<QListWidget>("secretNames")->count(), 1);
    for (const QLabel* label : m_dialog->findChildren<QLabel*>()) {
        QVERIFY(!label->text().contains(u"distinctive"));
    }
    for (const QWidget* widget : m_dialog->findChildren<QWidget*>()) {
        QVERIFY(!widget->accessibleName().contains(u"distinctive"));
    }
}

void TestSecrets::refusal_isSaid()
{
    m_table->refusal = Error{
        ErrorKind::Unsupported, u"No keychain can be used here."_s, u"Start a desktop session."_s};
    type("HF_TOKEN", u"distinctive"_s);
    part<QPushButton>("secretKeep")->click();
    QTRY_COMPARE(said(), u"No keychain can be used here. Start a desktop session."_s);
    QVERIFY(part<QLabel>("secretsSaid")->isVisible());
    QVERIFY(part<QPushButton>("secretKeep")->isEnabled()); // to try again
    QCOMPARE(part<QListWidget>("secretNames")->count(), 0);
}

void TestSecrets::wrongName_isSaid()
{
    type("LD_PRELOAD", u"x"_s);
    part<QPushButton>("secretKeep")->click();
    QTRY_VERIFY(said().contains(u"LD_PRELOAD"));
    QVERIFY(m_table->values.isEmpty());
}

void TestSecrets::brokenList_isSaid()
{
    QFile file(m_folder->filePath(u"secrets.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{") == 1);
    file.close();
    SecretsDialog dialog(m_store.get());
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    QVERIFY(dialog.findChild<QLabel*>(u"secretsSaid"_s)->text().contains(u"secrets.json"));
}

void TestSecrets::controls_haveNames()
{
    for (const char* name :
        {"secretNames", "secretName", "secretValue", "secretKeep", "secretRemove"}) {
        auto* control = part<QWidget>(name);
        QVERIFY2(control, name);
        QVERIFY2(control->focusPolicy() & Qt::TabFocus, name);
        QVERIFY2(!QAccessible::queryAccessibleInterface(control)->text(QAccessible::Name).isEmpty(),
            name);
    }
}

void TestSecrets::palette_opensIt()
{
    Rig rig;
    rig.start();
    rig.window().openPalette();
    auto* palette = rig.window().findChild<CommandPalette*>();
    QVERIFY(palette);
    auto* query = palette->findChild<QLineEdit*>();
    QTest::keyClicks(query, u"secrets"_s);
    QTest::keyClick(query, Qt::Key_Return);
    QTRY_VERIFY(rig.window().findChild<SecretsDialog*>());
    QVERIFY(rig.window().findChild<SecretsDialog*>()->isVisible());
}

SLIPWAY_GUI_TEST(TestSecrets, gui_secrets)
#include "tst_secrets.moc"
