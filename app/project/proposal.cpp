// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/proposal.h"

#include "app/catalogue/resourceloader.h"
#include "app/project/codefacts.h"
#include "app/project/owncodetable.h"
#include "app/project/programchoice.h"
#include "app/project/projectfiles.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace slipway {

namespace {

using Language = ProgramChoice::Language;

/// Puts a proposal together from what was read. On the stack of readProject().
class ProposalMaker {
public:
    ProposalMaker(ProjectFiles files, OwnCodeTable table, QString given, QStringList arguments)
        : m_files(std::move(files))
        , m_table(std::move(table))
        , m_given(std::move(given))
        , m_arguments(std::move(arguments))
    {
    }

    Proposal run()
    {
        m_proposal.folder = m_files.folder;
        m_proposal.title = plainText(QFileInfo(m_files.folder).fileName(), 100);
        m_program = chooseScript(m_files, m_given);
        m_facts = readFacts(m_files, m_program.path.isEmpty() ? m_given : m_program.path);
        if (m_program.language == Language::None && m_program.questions.isEmpty())
            m_program = chooseBuilt(m_files, m_facts, m_given);
        m_proposal.program = m_program.path;
        m_proposal.questions = m_program.questions;
        command();
        if (!m_program.setup.isEmpty())
            put("setup", tr("Preparation"), m_program.setup, m_program.setupReason);
        image();
        packages();
        gpus();
        requested();
        tasks();
        secrets();
        noProgram();
        m_proposal.questions += m_facts.questions;
        return std::move(m_proposal);
    }

private:
    void put(const char* key, const QString& label, const QString& value, const QString& reason)
    {
        m_proposal.values.insert(QLatin1String(key), value);
        m_proposal.lines.push_back({QLatin1String(key), label, value, plainText(reason)});
    }
    Found request(const char* key) const
    {
        return m_facts.script.requests.value(QLatin1String(key));
    }
    bool hasLightning() const
    {
        return m_facts.need({QStringLiteral("lightning"), QStringLiteral("pytorch_lightning")})
            .isKnown();
    }
    /// A program for torchrun: not where something else starts its processes.
    bool isForTorchrun() const
    {
        return m_program.language == Language::Python && m_facts.python.distributed.isKnown()
            && !m_facts.python.spawn.isKnown() && !hasLightning();
    }

    void command()
    {
        if (m_program.command.isEmpty())
            return;
        QString command = m_program.command, reason = m_program.reason;
        if (isForTorchrun()) {
            command = QStringLiteral("torchrun --standalone "
                                     "--nproc_per_node=${SLURM_GPUS_ON_NODE:-1} ")
                + m_program.command.section(u' ', 1);
            const Found& found = m_facts.python.distributed;
            reason = tr("%1; %2 uses %3, so torchrun starts one process for each GPU")
                         .arg(reason, found.place(), found.what);
        }
        for (const QString& argument : m_arguments)
            command += u' ' + typedWord(argument);
        put("command", tr("Run"), command, reason);
    }
    void image()
    {
        ImageChoice choice = chooseImage(m_files, m_facts, m_program, m_table);
        if (!choice.value.isEmpty())
            put("image", tr("Image"), choice.value, choice.reason);
        m_proposal.questions += choice.questions;
        m_kept = choice.kept;
    }
    void packages()
    {
        const QString file = m_facts.packagesFile;
        if (file.isEmpty() || m_program.language == Language::Compiled)
            return;
        const int count = int(m_facts.packages.packages.size());
        QString reason = count == 1 ? tr("%1 names 1 package").arg(file)
                                    : tr("%1 names %2 packages").arg(file).arg(count);
        if (!m_kept.isEmpty())
            reason += tr("; not replaced: %1, which the image has").arg(m_kept.join(u", "));
        put("packages", tr("Packages"), plainText(file), reason);
    }

    /// What asks for a GPU, as a sentence; empty: nothing.
    QString gpuReason() const
    {
        if (m_program.language == Language::Compiled || m_program.language == Language::None)
            if (m_facts.cuda.isKnown())
                return m_facts.cuda.what.endsWith(u".cu")
                    ? tr("%1 is CUDA").arg(m_facts.cuda.file)
                    : tr("%1: %2").arg(m_facts.cuda.place(), m_facts.cuda.what);
        if (m_program.language == Language::Compiled)
            return {};
        for (const CodeImage& image : m_table.images)
            if (const Found found = m_facts.need(image.modules);
                image.takesGpu && found.isKnown() && !found.isOptional)
                return tr("%1 imports %2, which uses a GPU if there is one")
                    .arg(found.place(), found.what);
        if (const Found found = m_facts.need(m_table.gpuModules);
            found.isKnown() && !found.isOptional)
            return tr("%1 imports %2").arg(found.place(), found.what);
        if (const Found& cuda = m_facts.python.cuda; cuda.isKnown())
            return tr("%1 names %2").arg(cuda.place(), cuda.what);
        const Found& trainer = m_facts.python.trainer;
        if (trainer.isKnown() && (hasLightning() || usesTransformers()))
            return tr("%1: Trainer uses a GPU if there is one").arg(trainer.place());
        return {};
    }
    bool usesTransformers() const
    {
        return m_facts.module(QStringLiteral("transformers")).isKnown();
    }
    /// A number among the arguments of Lightning's Trainer; 0: none.
    int trainerNumber(const char* key) const
    {
        const QString text = m_facts.python.trainerValues.value(QLatin1String(key));
        const int number = text.toInt();
        return hasLightning() && number > 0 && number <= 10'000 ? number : 0;
    }
    void gpus()
    {
        const QString label = tr("GPUs");
        const Found asked = request("gpus");
        const Found& processes = m_facts.script.processes;
        const Found& trainer = m_facts.python.trainer;
        const QString accelerator =
            m_facts.python.trainerValues.value(QStringLiteral("accelerator"));
        if (asked.isKnown())
            return put("gpus", label, asked.what, tr("%1 asks for them").arg(asked.place()));
        if (const Found all = request("all-gpus"); all.isKnown())
            return share("gpus", label, all, tr("%1 asks for them").arg(all.place()));
        if (hasLightning() && accelerator == u"cpu")
            return put("gpus", label, QStringLiteral("0"),
                tr("%1: Trainer(accelerator=\"cpu\")").arg(trainer.place()));
        if (const int devices = trainerNumber("devices"); devices > 0)
            return put("gpus", label, QString::number(devices),
                tr("%1: Trainer(devices=%2)").arg(trainer.place()).arg(devices));
        const QString reason = gpuReason();
        if (isForTorchrun() && processes.isKnown() && !reason.isEmpty())
            return put("gpus", label, processes.what,
                tr("%1 starts so many processes").arg(processes.place()));
        if (!reason.isEmpty())
            return put("gpus", label, QStringLiteral("1"), reason);
        if (m_program.language == Language::Python)
            put("gpus", label, QStringLiteral("0"),
                tr("nothing that %1 imports or says asks for one").arg(m_program.path));
        else if (m_program.language == Language::Compiled)
            put("gpus", label, QStringLiteral("0"), tr("there is no CUDA in the folder"));
    }

    /// The nodes that are asked for.
    int nodes() const
    {
        const Found nodes = request("nodes");
        return nodes.isKnown() ? nodes.what.toInt() : std::max(1, trainerNumber("num_nodes"));
    }
    /// What each node has of a total, where that is the same for all.
    void share(const char* key, const QString& label, const Found& total, const QString& reason)
    {
        const int all = total.what.toInt(), nodes = this->nodes();
        if (nodes == 1)
            return put(key, label, total.what, reason);
        if (all % nodes == 0)
            return put(key, label, QString::number(all / nodes),
                tr("%1: %2 on %3 nodes").arg(reason).arg(all).arg(nodes));
        m_proposal.questions << tr("%1: %2 in all cannot be divided evenly among %3 nodes (%4). "
                                   "How many should each node have?")
                                    .arg(label)
                                    .arg(all)
                                    .arg(nodes)
                                    .arg(total.place());
    }

    void requested()
    {
        const Found cpus = request("cpus"), workers = m_facts.python.workers;
        if (cpus.isKnown())
            put("cpus", tr("CPUs"), cpus.what, tr("%1 asks for them").arg(cpus.place()));
        else if (workers.what.toInt() > 0 && workers.what.toInt() <= 1024)
            put("cpus", tr("CPUs"), workers.what,
                tr("%1: num_workers=%2").arg(workers.place(), workers.what));
        if (const Found memory = request("memory"); memory.isKnown())
            put("memory", tr("Memory"), memory.what, tr("%1 asks for it").arg(memory.place()));
        if (const Found time = request("time"); time.isKnown())
            put("time", tr("Time limit"), time.what, tr("%1 asks for it").arg(time.place()));
        if (const Found nodes = request("nodes"); nodes.isKnown())
            put("nodes", tr("Nodes"), nodes.what, tr("%1 asks for them").arg(nodes.place()));
        else if (const int number = trainerNumber("num_nodes"); number > 0)
            put("nodes", tr("Nodes"), QString::number(number),
                tr("%1: Trainer(num_nodes=%2)").arg(m_facts.python.trainer.place()).arg(number));
    }
    void tasks()
    {
        if (isForTorchrun())
            return oneNodeOnly();
        const Found asked = request("tasks"), all = request("ranks");
        const Found ranks =
            m_facts.build.ranks.isKnown() ? m_facts.build.ranks : m_facts.script.ranks;
        const Found mpi4py = m_facts.module(QStringLiteral("mpi4py"));
        const bool isPython = m_program.language == Language::Python;
        const Found mpi = isPython ? mpi4py : m_facts.mpi;
        if (asked.isKnown())
            return put("tasks", tr("Tasks on a node"), asked.what,
                tr("%1 asks for them").arg(asked.place()));
        if (all.isKnown())
            return share(
                "tasks", tr("Tasks on a node"), all, tr("%1 asks for them").arg(all.place()));
        if (const int devices = trainerNumber("devices"); devices > 0)
            return put("tasks", tr("Tasks on a node"), QString::number(devices),
                tr("%1: Lightning wants one task for each of its devices")
                    .arg(m_facts.python.trainer.place()));
        if (!mpi.isKnown() || m_program.language == Language::None)
            return;
        if (ranks.isKnown())
            return share("tasks", tr("MPI ranks on a node"), ranks,
                tr("%1 uses MPI, and %2 starts %3 ranks")
                    .arg(mpi.place(), ranks.place(), ranks.what));
        put("tasks", tr("MPI ranks on a node"), QStringLiteral("2"),
            tr("%1 uses MPI (%2); how many ranks is not said, and at least 2 are needed to "
               "exchange anything")
                .arg(mpi.place(), mpi.what));
    }
    void oneNodeOnly()
    {
        const QString nodes = m_proposal.values.value(QStringLiteral("nodes"));
        if (!nodes.isEmpty() && nodes != u"1")
            m_proposal.questions << tr(
                "%1 nodes are asked for, and the command starts torchrun on "
                "one. Should it be one node, or which command starts them all?")
                                        .arg(nodes);
    }

    void secret(const QString& variable, const QString& reason)
    {
        if (m_proposal.secrets.contains(variable))
            return;
        m_proposal.secrets << variable;
        m_proposal.lines.push_back({QString(), tr("Secrets"), variable, plainText(reason)});
    }
    void secrets()
    {
        for (const CodeSecret& one : m_table.secrets)
            if (const Found found = m_facts.need(one.modules); found.isKnown())
                secret(one.variable,
                    tr("%1 imports %2, which may want it %3")
                        .arg(found.place(), found.what, one.why));
        for (const Found& found : m_facts.python.variables)
            secret(found.what, tr("%1 reads it").arg(found.place()));
    }
    void noProgram()
    {
        QStringList& questions = m_proposal.questions;
        const bool isSilent = m_program.language == Language::None && m_program.questions.isEmpty();
        if (isSilent && !m_files.notebooks.isEmpty())
            questions.prepend(tr("There is a notebook only (%1), which does not run as a job. "
                                 "“jupyter nbconvert --to script” makes a program of it.")
                                  .arg(plainText(m_files.notebooks[0], 200)));
        else if (isSilent)
            questions.prepend(
                tr("No program was found in %1. Which command starts it?").arg(m_proposal.title));
        if (m_proposal.folder == QDir(QDir::homePath()).canonicalPath())
            questions << tr(
                "This is your home folder, and all of it would be sent. Put the program "
                "into a folder of its own.");
        if (!m_files.unread.isEmpty())
            questions << tr("Not read, because it is binary, too large or protected: %1.")
                             .arg(plainText(m_files.unread.mid(0, 5).join(u", ")));
        if (m_files.isCut)
            questions << tr("The folder is large, and not all of it was read. Is something missing "
                            "above?");
    }

    ProjectFiles m_files;
    OwnCodeTable m_table;
    QString m_given;
    QStringList m_arguments;
    ProgramChoice m_program;
    CodeFacts m_facts;
    Proposal m_proposal;
    QStringList m_kept;
};

/// A line break in a command would be read as its end.
bool hasControlCharacters(const QStringList& texts)
{
    return std::any_of(texts.begin(), texts.end(), [](const QString& text) {
        return std::any_of(
            text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; });
    });
}

} // namespace

Result<Proposal> readProject(
    const QString& path, const QStringList& arguments, const QString& resources)
{
    const QFileInfo info(path);
    if (!info.exists())
        return Error{ErrorKind::NotFound, tr("There is no file or folder %1.").arg(plainText(path)),
            tr("Look at the spelling, or choose it with the file manager.")};
    if (!info.isDir() && !info.isFile())
        return Error{ErrorKind::Invalid,
            tr("%1 is neither a file nor a folder.").arg(plainText(path)),
            tr("Choose a program, or a folder of your own.")};
    if (hasControlCharacters(arguments))
        return Error{ErrorKind::Invalid,
            tr("An argument of the program has a line break or another control character."),
            tr("Put it into a file of the folder, and have the program read that.")};
    const QString folder = info.isDir() ? info.absoluteFilePath() : info.absolutePath();
    Result<ProjectFiles> files = readProjectFiles(folder);
    if (!files.ok())
        return files.error();
    const auto table = loadOwnCodeTable(resources.isEmpty() ? resourceFolder() : resources);
    const QString given = info.isDir() ? QString() : info.fileName();
    Proposal proposal =
        ProposalMaker(*std::move(files), table.ok() ? *table : OwnCodeTable(), given, arguments)
            .run();
    if (!table.ok())
        proposal.questions << tr(
            "No image is proposed, because the list of images is not readable: %1")
                                  .arg(plainText(table.error().summary));
    return proposal;
}

} // namespace slipway
