// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "rig.h"
#include "tests/support/testmain.h"
#include "ui/images/buildeditor.h"
#include "ui/images/definitionedit.h"
#include "ui/images/imagespage.h"
#include "ui/launch/launchpage.h"
#include "ui/parts/scriptview.h"
#include "ui/window/pagestack.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace slipway;
using namespace Qt::StringLiterals;

/// The editor for definition files: where they come from, what is said of them, and what is saved.
class TestBuildEditor : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { requireFont(); }
    void init();
    void cleanup() { delete m_editor; }
    void template_isThereAtOnce();
    void problems_areShownAndPreventTheBuild();
    void build_savesTheDefinitionInItsOwnFolder();
    void openedDefinition_isSavedWhereItWas();
    void dockerfile_isShownBesideItsConversion();
    void otherFile_isNotReplaced();
    void folder_getsAProposal();
    void unreadableFile_isNamed();
    void page_opensTheEditorAndTheLaunchForm();

private:
    template <typename T> T* part(const char* name) const
    {
        return m_editor->findChild<T*>(QString::fromLatin1(name));
    }
    QString path(const QString& name) const { return m_folder->filePath(name); }
    void put(const QString& name, const QByteArray& bytes);
    QByteArray read(const QString& name) const;
    QString state() const { return part<QLabel>("buildState")->text(); }
    /// Presses Build; the launch that is wanted, if there is one.
    std::optional<LaunchSpec> build();

    std::unique_ptr<QTemporaryDir> m_folder;
    QPointer<BuildEditor> m_editor;
};

void TestBuildEditor::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_editor = new BuildEditor(path(u"kept"_s));
    m_editor->setSites({{u"nv-slurm"_s, u"NVIDIA"_s}, {u"demo"_s, u"Demo"_s}}, u"demo"_s);
    m_editor->show();
}

void TestBuildEditor::put(const QString& name, const QByteArray& bytes)
{
    QVERIFY(QDir().mkpath(QFileInfo(path(name)).path()));
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

QByteArray TestBuildEditor::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::optional<LaunchSpec> TestBuildEditor::build()
{
    QSignalSpy wanted(m_editor, &BuildEditor::buildRequested);
    part<QPushButton>("buildNow")->click();
    return wanted.isEmpty() ? std::nullopt
                            : std::optional(wanted.front().front().value<LaunchSpec>());
}

void TestBuildEditor::template_isThereAtOnce()
{
    auto* templates = part<QComboBox>("buildTemplate");
    QVERIFY(templates->count() >= 6);
    QVERIFY(part<DefinitionEdit>("buildText")->toPlainText().startsWith(u"Bootstrap: "_s));
    const int plain = templates->findText(u"N-body, plain build"_s);
    templates->setCurrentIndex(plain);
    emit templates->activated(plain);
    QCOMPARE(part<QLineEdit>("buildName")->text(), u"nbody"_s);
    QVERIFY2(part<QListWidget>("buildProblems")->isHidden(), qPrintable(state()));
    QVERIFY(part<QLabel>("buildKept")->text().contains(u"$HOME/slipway/definitions/nbody.def"_s));
    QVERIFY(part<QPushButton>("buildNow")->isEnabled());
    QCOMPARE(part<QComboBox>("buildSite")->currentData().toString(), u"demo"_s);
}

void TestBuildEditor::problems_areShownAndPreventTheBuild()
{
    auto* text = part<DefinitionEdit>("buildText");
    text->setPlainText(u"Bootstrap: docker\nFrom: debian:12\n\n%instal\n    true\n"_s);
    auto* problems = part<QListWidget>("buildProblems");
    QTRY_COMPARE(problems->count(), 1);
    QVERIFY(problems->item(0)->text().startsWith(u"Line 4: "_s));
    QVERIFY(!part<QPushButton>("buildNow")->isEnabled());
    QVERIFY(state().contains(u"would fail"_s));
    emit problems->itemActivated(problems->item(0));
    QCOMPARE(text->textCursor().selectedText(), u"%instal"_s);
    text->setPlainText(u"Bootstrap: docker\nFrom: debian:12\n"_s);
    QTRY_VERIFY(part<QPushButton>("buildNow")->isEnabled());
    part<QLineEdit>("buildName")->setText(u"my image/1"_s);
    QTRY_VERIFY(!part<QPushButton>("buildNow")->isEnabled());
    QVERIFY(state().contains(u"Enter a name"_s));
}

void TestBuildEditor::build_savesTheDefinitionInItsOwnFolder()
{
    const QString text = u"Bootstrap: docker\nFrom: debian:12\n"_s;
    part<DefinitionEdit>("buildText")->setPlainText(text);
    part<QLineEdit>("buildName")->setText(u"tools.sif"_s);
    const std::optional<LaunchSpec> spec = build();
    QVERIFY2(spec.has_value(), qPrintable(state()));
    QCOMPARE(spec->recipeId, u"own-image"_s);
    QCOMPARE(spec->siteId, u"demo"_s);
    QCOMPARE(spec->project, path(u"kept/tools"_s));
    QCOMPARE(spec->values.value(u"definition"_s), u"tools.def"_s);
    QCOMPARE(spec->values.value(u"name"_s), u"tools.sif"_s);
    QCOMPARE(read(u"kept/tools/tools.def"_s), text.toUtf8());
}

void TestBuildEditor::openedDefinition_isSavedWhereItWas()
{
    put(u"work/a.txt"_s, "a\n");
    put(u"work/mine.def"_s, "Bootstrap: docker\nFrom: debian:12\n%files\n    a.txt /a.txt\n");
    m_editor->openDefinition(path(u"work/mine.def"_s));
    QVERIFY2(part<QListWidget>("buildProblems")->isHidden(), qPrintable(state()));
    part<DefinitionEdit>("buildText")->appendPlainText(u"%post\n    true"_s);
    const std::optional<LaunchSpec> spec = build();
    QVERIFY2(spec.has_value(), qPrintable(state()));
    QCOMPARE(spec->project, path(u"work"_s));
    QVERIFY(read(u"work/mine.def"_s).contains("%post"));
}

void TestBuildEditor::dockerfile_isShownBesideItsConversion()
{
    put(u"app/Dockerfile"_s,
        "FROM debian:12\nRUN apt-get update\nHEALTHCHECK CMD true\nONBUILD RUN true\n");
    m_editor->openDockerfile(path(u"app/Dockerfile"_s));
    const auto* source = part<ScriptView>("buildSource");
    QVERIFY(source->isVisible());
    auto* remarks = part<QListWidget>("buildRemarks");
    QVERIFY(remarks->isVisible() && remarks->count() >= 1);
    const QList<QListWidgetItem*> found = remarks->findItems(u"ine 3, "_s, Qt::MatchContains);
    QVERIFY(!found.isEmpty());
    remarks->setCurrentItem(found.front());
    QVERIFY(source->textCursor().selectedText().startsWith(u"HEALTHCHECK"_s));
    QVERIFY(part<DefinitionEdit>("buildText")->toPlainText().contains(u"From: debian:12"_s));
    QCOMPARE(part<QLineEdit>("buildName")->text(), u"app"_s);
    const std::optional<LaunchSpec> spec = build();
    QVERIFY2(spec.has_value(), qPrintable(state()));
    QVERIFY(read(u"app/app.def"_s).contains("debian:12"));
}

void TestBuildEditor::otherFile_isNotReplaced()
{
    put(u"app/Dockerfile"_s, "FROM debian:12\n");
    put(u"app/app.def"_s, "written by hand\n");
    m_editor->openDockerfile(path(u"app/Dockerfile"_s));
    QVERIFY(!build());
    QVERIFY2(state().contains(u"exists and has other content"_s), qPrintable(state()));
    QCOMPARE(read(u"app/app.def"_s), QByteArray("written by hand\n"));
}

void TestBuildEditor::folder_getsAProposal()
{
    put(u"digits/train.py"_s, "import torch\nimport einops\nprint('loss: 0.5')\n");
    put(u"digits/requirements.txt"_s, "einops\n");
    m_editor->openFolder(path(u"digits"_s));
    auto* text = part<DefinitionEdit>("buildText");
    QTRY_VERIFY(text->toPlainText().contains(u"requirements.txt"_s));
    QCOMPARE(part<QLineEdit>("buildName")->text(), u"digits"_s);
    QVERIFY2(part<QPushButton>("buildNow")->isEnabled(), qPrintable(state()));
}

void TestBuildEditor::unreadableFile_isNamed()
{
    m_editor->openDefinition(path(u"nowhere.def"_s));
    QVERIFY2(state().contains(u"nowhere.def"_s), qPrintable(state()));
    put(u"app/Dockerfile"_s, "not a Dockerfile\n");
    m_editor->openDockerfile(path(u"app/Dockerfile"_s));
    QVERIFY(part<QLabel>("buildState")->isVisible() && !state().isEmpty());
}

void TestBuildEditor::page_opensTheEditorAndTheLaunchForm()
{
    Rig rig;
    rig.start();
    rig.window().showPage(MainWindow::ImagesIndex);
    rig.find<QPushButton>("imageBuild")->click();
    auto* editor = rig.find<BuildEditor>("buildEditor");
    QVERIFY(editor && editor->isVisible());
    auto* sites = editor->findChild<QComboBox*>(u"buildSite"_s);
    QVERIFY2(sites->findData(u"kestrel"_s) < 0, "kestrel builds no images");
    sites->setCurrentIndex(sites->findData(u"demo"_s));
    editor->findChild<DefinitionEdit*>(u"buildText"_s)
        ->setPlainText(u"Bootstrap: docker\nFrom: debian:12\n"_s);
    editor->findChild<QLineEdit*>(u"buildName"_s)->setText(u"tools"_s);
    editor->findChild<QPushButton*>(u"buildNow"_s)->click();
    LaunchPage* const launch = rig.window().launchPage();
    QTRY_COMPARE(launch->spec().recipeId, u"own-image"_s);
    QCOMPARE(launch->spec().project, rig.engine().definitionsFolder() + u"/tools"_s);
    QCOMPARE(launch->spec().values.value(u"definition"_s), u"tools.def"_s);
}

SLIPWAY_GUI_TEST(TestBuildEditor, gui_buildeditor)
#include "tst_buildeditor.moc"
