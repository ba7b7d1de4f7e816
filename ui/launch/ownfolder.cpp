// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/ownfolder.h"

#include "app/runs/codechanges.h"
#include "app/runs/proposalvalues.h"
#include "remote/base/counted.h"
#include "remote/base/quantities.h"
#include "remote/cluster/worker.h"
#include "ui/launch/folderfiles.h"
#include "ui/launch/launchdraft.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QString folderBytes(qint64 bytes)
{
    return ByteCount(bytes).text();
}

/// "Not sent: data.bin (2 GB) and 3 more."; empty: everything is sent.
QString omissionsText(const std::vector<SnapshotOmission>& omissions)
{
    if (omissions.empty()) {
        return {};
    }
    const SnapshotOmission& first = omissions.front();
    const QString name = OwnFolder::tr("%1 (%2: %3)")
                             .arg(first.path.left(120), folderBytes(first.bytes), first.reason);
    const qsizetype others = qsizetype(omissions.size()) - 1;
    return others > 0 ? OwnFolder::tr("Not sent: %1 and %2 more.").arg(name).arg(others)
                      : OwnFolder::tr("Not sent: %1.").arg(name);
}

QString changesText(const Result<CodeChanges>& found)
{
    if (!found.ok()) {
        return OwnFolder::tr("What has changed since the last run here is unknown. %1")
            .arg(found.error().summary);
    }
    const Snapshot& now = found->snapshot;
    QStringList sentences;
    if (!found->difference) {
        sentences << OwnFolder::tr("No run here has sent it yet: %1, %2.")
                         .arg(counted(qint64(now.entries.size()), OwnFolder::tr("1 file"),
                                  OwnFolder::tr("%1 files")),
                             folderBytes(now.bytes()));
    } else if (found->difference->isEmpty()) {
        sentences << OwnFolder::tr("Nothing has changed since its last run here.");
    } else {
        sentences << OwnFolder::tr("Since its last run here: %1 added, %2 changed, %3 removed; %4.")
                         .arg(found->difference->added.size())
                         .arg(found->difference->changed.size())
                         .arg(found->difference->removed.size())
                         .arg(folderBytes(found->difference->bytes));
    }
    sentences << omissionsText(now.omissions);
    sentences.removeAll(QString());
    return sentences.join(u' ');
}

} // namespace

OwnFolder::OwnFolder(Engine* engine, LaunchDraft* draft, QObject* parent)
    : QObject(parent)
    , m_engine(engine)
    , m_draft(draft)
    , m_card(new FolderCard)
{
    m_card->hide();
    connect(draft, &LaunchDraft::planned, this, &OwnFolder::showPlan);
    connect(m_card, &FolderCard::chooseRequested, this, &OwnFolder::ask);
    connect(m_card, &FolderCard::readAgainRequested, this, [this] { read(m_path, true); });
    connect(m_card, &FolderCard::filesRequested, this, &OwnFolder::showFiles);
    connect(m_card, &FolderCard::shown, this, [this] {
        if (!m_comparing) {
            compare();
        }
    });
}

bool OwnFolder::isOwn() const
{
    const Recipe* const recipe = m_engine->catalogue()->recipe(m_draft->spec().recipeId);
    return recipe && recipe->ownFolder;
}

void OwnFolder::open(const QString& path)
{
    m_path = QFileInfo(path).absoluteFilePath();
    read(m_path, true);
}

void OwnFolder::ask()
{
    auto* dialog = new QFileDialog(m_card->window(), tr("The folder of your program"));
    dialog->setObjectName(u"folderDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    if (!m_path.isEmpty()) {
        dialog->setDirectory(QFileInfo(m_path).path());
    }
    connect(dialog, &QFileDialog::fileSelected, this, &OwnFolder::open);
    dialog->open();
}

QCoro::Task<void> OwnFolder::read(QString path, bool applies)
{
    const QPointer<OwnFolder> self(this);
    const int number = ++m_number;
    m_readFor = m_draft->spec().recipeId;
    m_reading = true;
    show();
    const auto work = [path] { return readProject(path); };
    const Result<Proposal> found = co_await onWorker(work);
    if (!self || number != m_number) {
        co_return;
    }
    m_reading = false;
    m_error = found.ok() ? QString() : found.error().summary % u' ' % found.error().remedy;
    if (found.ok()) {
        m_proposal = *found;
        m_applies = applies;
        m_compared.clear();
        apply();
        emit applied();
    }
    show();
}

void OwnFolder::apply()
{
    const Recipe* const recipe = m_engine->catalogue()->recipe(m_draft->spec().recipeId);
    const Site* const site = m_draft->site();
    // A recipe that brings a folder has it until another one is chosen for that recipe.
    const bool bringsOne = recipe && !recipe->code.isEmpty() && recipe->id != m_readFor;
    if (m_proposal && m_applies && site && isOwn() && !bringsOne) {
        m_folder = m_proposal->folder;
        m_draft->setProject(m_folder,
            takesProposal(*recipe) ? proposedValues(*m_proposal, *recipe, *site, m_draft->spec())
                                   : QMap<QString, QString>());
    }
}

/// The draft may be that of an earlier run, with a folder that nobody has read now.
void OwnFolder::showPlan()
{
    if (isOwn() && m_draft->plan().spec.project != m_folder) {
        begin();
    }
    m_card->setVisible(isOwn());
    const QString about = m_draft->plan().spec.project % u'\n' % m_draft->spec().siteId;
    if (isOwn() && about != m_compared) {
        m_changes.clear();
        m_found.reset();
        m_compared = about;
        compare();
    }
    show();
}

void OwnFolder::forget()
{
    m_folder.clear();
    m_compared.clear();
    m_proposal.reset();
    m_applies = m_reading = false;
    m_error.clear();
    ++m_number; // what is being read is for another folder
}

void OwnFolder::begin()
{
    forget();
    m_folder = m_path = m_draft->plan().spec.project;
    // What a recipe brings has its values in the recipe: nothing is proposed.
    if (!m_folder.isEmpty() && !m_draft->spec().project.isEmpty()) {
        read(m_folder, false);
    }
}

FolderView::Row OwnFolder::rowOf(const ProposalLine& line) const
{
    const QMap<QString, QString>& values = m_draft->spec().values;
    const QString key = proposalField(line.key);
    if (!m_proposal->values.contains(line.key) || values.value(key) == line.value) {
        return {line.label, line.value, line.reason};
    }
    if (!values.contains(key)) {
        return {line.label, line.value, tr("not used: the site file has a value of its own")};
    }
    const QString value = values.value(key);
    return {line.label, value.isEmpty() ? tr("(empty)") : value,
        tr("as you have entered it; read was %1").arg(line.value)};
}

void OwnFolder::show()
{
    FolderView view;
    view.folder = m_reading ? m_path : m_folder;
    view.isReading = m_reading;
    view.error = m_error;
    const Recipe* const recipe = m_engine->catalogue()->recipe(m_draft->spec().recipeId);
    if (m_proposal && !m_reading && recipe && takesProposal(*recipe)) {
        for (const ProposalLine& line : m_proposal->lines) {
            view.rows << rowOf(line);
        }
        view.questions = m_proposal->questions;
    }
    if (!m_folder.isEmpty() && !m_reading) {
        view.changes = m_changes.isEmpty()
            ? tr("What has changed since the last run here is not known yet.")
            : m_changes;
        view.hasFiles = m_found.has_value();
    }
    m_card->setView(view);
}

QCoro::Task<void> OwnFolder::compare()
{
    const QPointer<OwnFolder> self(this);
    const int number = ++m_comparison;
    m_comparing = !m_draft->plan().spec.project.isEmpty();
    if (!m_comparing) {
        co_return;
    }
    const CodeQuestion question = codeQuestion(*m_engine->runs(), m_draft->plan().spec);
    const auto work = [question] { return readCodeChanges(question); };
    const Result<CodeChanges> found = co_await onWorker(work);
    if (!self || number != m_comparison) {
        co_return;
    }
    m_comparing = false;
    m_changes = changesText(found);
    m_found = found.ok() ? std::optional(*found) : std::nullopt;
    show();
}

void OwnFolder::showFiles()
{
    if (!m_found) {
        return;
    }
    const QPointer<OwnFolder> self(this);
    const auto choose = [self](const QStringList& largeFiles) {
        if (self && largeFiles != self->m_draft->spec().largeFiles) {
            self->m_draft->setLargeFiles(largeFiles);
            self->m_draft->planSoon();
            self->compare();
        }
    };
    auto* dialog =
        new FolderFilesDialog(*m_found, m_draft->spec().largeFiles, choose, m_card->window());
    dialog->open();
}

} // namespace slipway

#include "moc_ownfolder.cpp"
