// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/buildeditor.h"

#include "app/images/imagelaunch.h"
#include "app/project/definitionkeeper.h"
#include "app/project/definitionlint.h"
#include "app/project/proposeddefinition.h"
#include "remote/cluster/worker.h"
#include "ui/images/definitionedit.h"
#include "ui/launch/fieldinput.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/scriptview.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QSplitter>
#include <QVBoxLayout>

#include <chrono>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr auto lintPause = std::chrono::milliseconds(200);
constexpr int mostNameCharacters = 100;
constexpr int linesOfList = 4;
constexpr int shownTitle = 28; ///< characters of a template's title
constexpr int leastLines = 10; ///< of the definition file

QListWidget* makeLines(const QString& name, const char* objectName)
{
    auto* list = new QListWidget;
    list->setObjectName(QLatin1String(objectName));
    list->setAccessibleName(name);
    list->setWordWrap(true);
    list->hide();
    return list;
}

/// It is as high as its lines, and scrolls if they are many: the texts above get the rest.
void showLines(QListWidget* list)
{
    int height = 2 * list->frameWidth();
    for (int row = 0; row < std::min(list->count(), linesOfList); ++row) {
        height += list->sizeHintForRow(row);
    }
    list->setMaximumHeight(height);
    list->setVisible(list->count() > 0);
}

} // namespace

BuildEditor::BuildEditor(QString definitions, QWidget* parent)
    : QDialog(parent)
    , m_definitions(std::move(definitions))
    , m_start(new QComboBox)
    , m_purpose(TextLabel::paragraph({}, "second"))
    , m_dockerfile(new ScriptView)
    , m_text(new DefinitionEdit)
    , m_remarks(makeLines(tr("What is different in the definition file"), "buildRemarks"))
    , m_problems(makeLines(tr("Problems of the definition file"), "buildProblems"))
    , m_name(new QLineEdit)
    , m_site(new QComboBox)
    , m_state(TextLabel::paragraph({}, "strong"))
    , m_kept(TextLabel::paragraph({}, "caption"))
    , m_build(makeButton(tr("Build…"), ButtonKind::Primary))
{
    setObjectName(u"buildEditor"_s);
    setWindowTitle(tr("Build an image"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(QSize(110, 44) * fontMetrics().averageCharWidth() + QSize(120, 240));
    if (parent) {
        resize(size().boundedTo(parent->window()->size() - QSize(64, 64)));
    }
    layOut();
    m_soon.setSingleShot(true);
    m_soon.setInterval(lintPause);
    connect(&m_soon, &QTimer::timeout, this, &BuildEditor::check);
    connect(m_text, &QPlainTextEdit::textChanged, this, [this] { m_soon.start(); });
    connect(m_name, &QLineEdit::textChanged, this, [this] { m_soon.start(); });
    connect(m_start, &QComboBox::activated, this, &BuildEditor::beginTemplate);
    connect(m_remarks, &QListWidget::currentRowChanged, this, &BuildEditor::showRemark);
    connect(m_problems, &QListWidget::itemActivated, this, &BuildEditor::showProblem);
    connect(m_problems, &QListWidget::itemClicked, this, &BuildEditor::showProblem);
    connect(m_build, &QPushButton::clicked, this, &BuildEditor::build);
    const Result<std::vector<DefinitionTemplate>> templates = loadDefinitionTemplates();
    if (templates.ok()) {
        m_templates = *templates;
    }
    for (const DefinitionTemplate& one : m_templates) {
        m_start->addItem(one.title);
    }
    m_start->setEnabled(!m_templates.empty());
    beginTemplate(0);
    if (!templates.ok()) {
        fail(templates.error());
    }
}

QLayout* BuildEditor::makeStart()
{
    m_start->setObjectName(u"buildTemplate"_s);
    m_start->setAccessibleName(tr("Template"));
    m_start->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_start->setMinimumContentsLength(shownTitle);
    m_start->setPlaceholderText(tr("Template…"));
    preparePopup(m_start);
    auto* open = makeButton(tr("Open a definition file…"));
    auto* dockerfile = makeButton(tr("From a Dockerfile…"));
    auto* folder = makeButton(tr("From a folder…"));
    open->setObjectName(u"buildOpen"_s);
    dockerfile->setObjectName(u"buildDockerfile"_s);
    folder->setObjectName(u"buildFolder"_s);
    folder->setToolTip(tr("Reads a program's folder and proposes an image with its packages"));
    connect(open, &QPushButton::clicked, this,
        [this] { askFor(tr("A definition file"), false, &BuildEditor::openDefinition); });
    connect(dockerfile, &QPushButton::clicked, this,
        [this] { askFor(tr("A Dockerfile"), false, &BuildEditor::openDockerfile); });
    connect(folder, &QPushButton::clicked, this,
        [this] { askFor(tr("The folder of your program"), true, &BuildEditor::openChosenFolder); });
    auto* flow = new FlowLayout(8);
    for (QWidget* one : {static_cast<QWidget*>(m_start), static_cast<QWidget*>(open),
             static_cast<QWidget*>(dockerfile), static_cast<QWidget*>(folder)}) {
        flow->addWidget(one);
    }
    return flow;
}

QWidget* BuildEditor::makeTexts()
{
    m_text->setObjectName(u"buildText"_s);
    m_text->setAccessibleName(tr("Definition file"));
    m_text->setMinimumHeight(leastLines * m_text->fontMetrics().lineSpacing());
    m_dockerfile->setObjectName(u"buildSource"_s);
    m_dockerfile->setAccessibleName(tr("Dockerfile"));
    m_dockerfile->hide();
    auto* texts = new QSplitter(Qt::Horizontal);
    texts->setChildrenCollapsible(false);
    texts->addWidget(m_dockerfile);
    texts->addWidget(m_text);
    return texts;
}

QLayout* BuildEditor::makeTarget()
{
    m_name->setObjectName(u"buildName"_s);
    m_name->setAccessibleName(tr("Name of the image"));
    m_name->setMaxLength(mostNameCharacters);
    m_site->setObjectName(u"buildSite"_s);
    m_site->setAccessibleName(tr("Site"));
    m_site->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    preparePopup(m_site);
    auto* name = new TextLabel(tr("Name"), "second");
    name->setBuddy(m_name);
    auto* site = new TextLabel(tr("Site"), "second");
    site->setBuddy(m_site);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(name);
    row->addWidget(m_name, 1);
    row->addWidget(site);
    row->addWidget(m_site, 1);
    return row;
}

void BuildEditor::layOut()
{
    m_state->setObjectName(u"buildState"_s);
    m_kept->setObjectName(u"buildKept"_s);
    m_build->setObjectName(u"buildNow"_s);
    m_build->setToolTip(tr("Saves the definition file and opens the launch form"));
    auto* back = makeButton(tr("Go back"));
    connect(back, &QPushButton::clicked, this, &QDialog::reject);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(back);
    buttons->addWidget(m_build);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(10);
    layout->addWidget(TextLabel::paragraph(tr("Build an image"), "title"));
    layout->addLayout(makeStart());
    layout->addWidget(m_purpose);
    layout->addWidget(makeTexts(), 1);
    layout->addWidget(m_remarks);
    layout->addWidget(m_problems);
    layout->addLayout(makeTarget());
    layout->addWidget(m_state);
    layout->addWidget(m_kept);
    layout->addLayout(buttons);
}

void BuildEditor::setSites(
    const std::vector<std::pair<QString, QString>>& sites, const QString& chosen)
{
    m_site->clear();
    for (const auto& [id, name] : sites) {
        m_site->addItem(name, id);
    }
    m_site->setCurrentIndex(std::max(0, m_site->findData(chosen)));
    check();
}

void BuildEditor::askFor(
    const QString& title, bool folder, void (BuildEditor::*then)(const QString&))
{
    auto* dialog = new QFileDialog(this, title);
    dialog->setObjectName(u"buildFileDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
    dialog->setOption(QFileDialog::ShowDirsOnly, folder);
    connect(dialog, &QFileDialog::fileSelected, this, then);
    dialog->open();
}

void BuildEditor::begin(const QString& text, const QString& name, const QString& folder)
{
    ++m_number; // a folder that is being read is not wanted any more
    m_conversion = {};
    m_folder = folder;
    m_opened.clear();
    m_start->setCurrentIndex(-1); // what is shown may be of no template
    m_dockerfile->hide();
    m_remarks->hide();
    m_purpose->hide();
    QTextCursor all(m_text->document()); // so that Undo brings back what was typed
    all.select(QTextCursor::Document);
    all.insertText(text);
    m_text->moveCursor(QTextCursor::Start);
    m_name->setText(name);
    check();
}

void BuildEditor::beginTemplate(int index)
{
    if (index < 0 || index >= int(m_templates.size())) {
        return;
    }
    const DefinitionTemplate& one = m_templates[std::size_t(index)];
    begin(one.text, one.name(), {});
    m_start->setCurrentIndex(index);
    m_purpose->setText(tr("%1 From: %2.").arg(one.purpose, one.source));
    m_purpose->show();
}

void BuildEditor::openDefinition(const QString& path)
{
    const Result<QString> text = readDefinition(path);
    if (!text.ok()) {
        fail(text.error());
        return;
    }
    const QFileInfo file(path);
    begin(*text, definitionName(file.fileName()), file.absolutePath());
    m_opened = file.absoluteFilePath();
}

void BuildEditor::openDockerfile(const QString& path)
{
    const Result<QString> text = readDefinition(path);
    if (!text.ok()) {
        fail(text.error());
        return;
    }
    const QString folder = QFileInfo(path).absolutePath();
    ConversionRequest request;
    request.isFolder = folderLookup(path);
    const Result<Conversion> conversion = convertDockerfile(text->toUtf8(), request);
    if (!conversion.ok()) {
        fail(conversion.error());
        return;
    }
    begin(conversion->definition, definitionName(QFileInfo(folder).fileName()), folder);
    m_dockerfile->setScript(text->toUtf8());
    m_dockerfile->show();
    showConversion(*conversion);
}

void BuildEditor::showConversion(const Conversion& conversion)
{
    m_conversion = conversion;
    const QSignalBlocker quiet(m_remarks);
    m_remarks->clear();
    for (const ConversionRemark& remark : conversion.remarks) {
        const QString form = remark.severity == RemarkSeverity::Lost
            ? tr("Not converted, line %1, %2: %3")
            : tr("Line %1, %2: %3");
        m_remarks->addItem(form.arg(remark.line).arg(remark.instruction, remark.sentence));
    }
    showLines(m_remarks);
}

/// The lines on both sides.
void BuildEditor::showRemark(int row)
{
    if (row < 0 || row >= int(m_conversion.remarks.size())) {
        return;
    }
    const int line = m_conversion.remarks[std::size_t(row)].line;
    selectLines(m_dockerfile, line, line);
    for (const ConvertedLines& one : m_conversion.lines) {
        if (one.firstLine <= line && line <= one.lastLine) {
            selectLines(m_dockerfile, one.firstLine, one.lastLine);
            if (one.firstResult > 0) {
                m_text->showLines(one.firstResult, one.lastResult);
                return;
            }
        }
    }
}

QCoro::Task<void> BuildEditor::openFolder(QString path)
{
    const QPointer<BuildEditor> self(this);
    const int number = ++m_number;
    m_state->setText(tr("Reading %1").arg(path));
    m_state->show();
    const auto work = [path] { return readProject(path); };
    const Result<Proposal> found = co_await onWorker(work);
    if (!self || number != m_number) {
        co_return;
    }
    const Result<QString> text = found.ok() ? proposedDefinition(*found) : found.error();
    if (!text.ok()) {
        fail(text.error());
        co_return;
    }
    begin(*text, definitionName(found->title), found->folder);
}

void BuildEditor::showProblem(QListWidgetItem* item)
{
    const int line = item->data(Qt::UserRole).toInt();
    if (line > 0) {
        m_text->showLines(line, line);
    }
}

QString BuildEditor::folderFor(const QString& name) const
{
    return m_folder.isEmpty() ? m_definitions + u'/' + name : m_folder;
}

void BuildEditor::check()
{
    const QString name = definitionName(m_name->text());
    const QString shown = name.isEmpty() ? u"NAME"_s : name;
    const QString folder = folderFor(shown);
    const auto exists = [folder](const QString& path) {
        return QFileInfo::exists(folder + u'/' + path);
    };
    m_hasErrors = false;
    m_problems->clear();
    for (const DefinitionProblem& problem : lintDefinition(m_text->toPlainText(), exists)) {
        m_hasErrors = m_hasErrors || problem.isError;
        auto* item = new QListWidgetItem(problem.line > 0
                ? tr("Line %1: %2").arg(problem.line).arg(problem.text)
                : problem.text);
        item->setData(Qt::UserRole, problem.line);
        m_problems->addItem(item);
    }
    showLines(m_problems);
    m_state->setText(m_hasErrors ? tr("This build would fail.")
            : name.isEmpty() ? tr("Enter a name for the image: letters, digits and . _ + - only.")
            : m_site->count() == 0 ? tr("There is no site yet. Add a cluster on the Sites page.")
                                   : QString());
    m_state->setVisible(!m_state->text().isEmpty());
    m_kept->setText(tr("Saved here as %1, and sent with the files beside it. On the cluster the "
                       "definition file is kept as $HOME/slipway/definitions/%2.def, and the image "
                       "as %2.sif in the site's image folder.")
                        .arg(folder % u'/' % shown % u".def"_s, shown));
    m_build->setEnabled(m_state->text().isEmpty());
}

void BuildEditor::fail(const Error& error)
{
    m_soon.stop(); // it would replace the error by what is wrong with the text
    m_state->setText(QString(error.summary % u' ' % error.remedy).trimmed());
    m_state->show();
    announce(m_state, m_state->text());
}

void BuildEditor::build()
{
    check(); // what was typed last may not have been looked at
    if (!m_build->isEnabled()) {
        return;
    }
    const QString name = definitionName(m_name->text());
    const QString folder = folderFor(name);
    const bool own = m_folder.isEmpty() || m_opened == folder + u'/' + name + u".def"_s;
    const Result<QString> kept = keepDefinition(folder, name, m_text->toPlainText(), own);
    if (!kept.ok()) {
        fail(kept.error());
        return;
    }
    LaunchSpec spec =
        buildImageLaunch(m_site->currentData().toString(), folder, QFileInfo(*kept).fileName());
    spec.values.insert(u"name"_s, name + u".sif"_s);
    emit buildRequested(spec);
    accept();
}

} // namespace slipway

#include "moc_buildeditor.cpp"
