// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/codefacts.h"

#include "remote/base/tr.h"

#include <algorithm>
#include <utility>

namespace slipway {

namespace {

const QStringList cSuffixes{QStringLiteral("c"), QStringLiteral("cc"), QStringLiteral("cpp"),
    QStringLiteral("cxx"), QStringLiteral("h"), QStringLiteral("hpp"), QStringLiteral("cu"),
    QStringLiteral("cuh")};
const QStringList fortranSuffixes{QStringLiteral("f"), QStringLiteral("F"), QStringLiteral("f90"),
    QStringLiteral("F90"), QStringLiteral("f95"), QStringLiteral("f03"), QStringLiteral("f08")};
const QStringList scriptSuffixes{
    QStringLiteral("sh"), QStringLiteral("sbatch"), QStringLiteral("slurm")};

/// Keeps the first of two, with the file that it is in.
void keep(Found* kept, Found found, const QString& file)
{
    if (kept->isKnown() || !found.isKnown())
        return;
    found.file = file;
    *kept = std::move(found);
}

/// The folder above; of the top: the top.
QString above(const QString& folder)
{
    return folder.left(std::max<qsizetype>(0, folder.lastIndexOf(u'/')));
}

/// Follows the imports of Python files within the folder. On the stack of readFacts() and
/// importedFiles().
class ImportWalk {
public:
    explicit ImportWalk(const ProjectFiles& files)
    {
        for (const ProjectFile& file : files.files) {
            if (file.suffix() != u"py")
                continue;
            m_files.insert(file.path, &file);
            for (QString folder = file.folder(); !folder.isEmpty(); folder = above(folder))
                m_folders << folder;
        }
    }

    /// Reads the files and those that they import.
    void read(QStringList open)
    {
        while (!open.isEmpty()) {
            const QString path = open.takeFirst();
            const ProjectFile* const file = m_files.value(path);
            if (!file || m_readings.contains(path))
                continue;
            order << path;
            PythonReading reading = readPython(file->text);
            for (const PythonImport& import : reading.imports)
                for (const QString& target : targets(*file, import)) {
                    if (!imported.contains(target))
                        open << target;
                    if (target != path)
                        imported << target;
                }
            m_readings.insert(path, std::move(reading));
        }
    }
    const PythonReading& reading(const QString& path) { return m_readings[path]; }
    QStringList all() const { return m_files.keys(); }

    /// Whether an import means a module of the folder.
    bool isOwn(const ProjectFile& file, const PythonImport& import) const
    {
        if (import.level > 0)
            return true;
        const QString first = import.module.section(u'.', 0, 0);
        const QStringList places = roots(file);
        return std::any_of(places.begin(), places.end(), [&](const QString& root) {
            return m_files.contains(root + first + QStringLiteral(".py"))
                || m_folders.contains(root + first);
        });
    }
    const ProjectFile& file(const QString& path) const { return *m_files.value(path); }

    QStringList order;
    QSet<QString> imported;

private:
    static QStringList roots(const ProjectFile& file)
    {
        QStringList places{QString(), QStringLiteral("src/")};
        if (!file.folder().isEmpty())
            places.prepend(file.folder() + u'/');
        return places;
    }
    QStringList targets(const ProjectFile& file, const PythonImport& import) const
    {
        QStringList places = roots(file);
        if (import.level > 0) {
            QString folder = file.folder();
            for (int i = 1; i < import.level; ++i)
                folder = above(folder);
            places = {folder.isEmpty() ? QString() : folder + u'/'};
        }
        QStringList found;
        for (const QString& root : places) {
            QString path = root;
            for (const QString& part : import.module.split(u'.', Qt::SkipEmptyParts)) {
                path += part;
                found << path + QStringLiteral(".py") << path + QStringLiteral("/__init__.py");
                path += u'/';
            }
            for (const QString& name : import.names)
                found << path + name + QStringLiteral(".py")
                      << path + name + QStringLiteral("/__init__.py");
        }
        found.removeIf([this](const QString& one) { return !m_files.contains(one); });
        return found;
    }

    QMap<QString, const ProjectFile*> m_files;
    QSet<QString> m_folders; ///< with Python files in them or below
    QMap<QString, PythonReading> m_readings;
};

void addModule(
    const QString& name, const PythonImport& import, const QString& file, CodeFacts* facts)
{
    if (name.isEmpty() || facts->modules.size() >= 5000)
        return;
    const auto it = facts->modules.constFind(name);
    if (it == facts->modules.cend() || (it->isOptional && !import.isOptional))
        facts->modules.insert(name, {plainText(name, 100), file, import.line, import.isOptional});
}

void readPythonFacts(const ProjectFiles& files, const QString& program, CodeFacts* facts)
{
    ImportWalk walk(files);
    const bool isPython = program.endsWith(u".py");
    walk.read(isPython ? QStringList{program} : program.isEmpty() ? walk.all() : QStringList{});
    for (const QString& path : walk.order) {
        const PythonReading& one = walk.reading(path);
        for (const PythonImport& import : one.imports) {
            if (walk.isOwn(walk.file(path), import))
                continue;
            addModule(import.module, import, path, facts);
            for (const QString& name : import.names)
                addModule(import.module + u'.' + name, import, path, facts);
        }
        PythonReading& all = facts->python;
        if (one.trainer.isKnown() && !all.trainer.isKnown())
            all.trainerValues = one.trainerValues;
        keep(&all.guard, one.guard, path);
        keep(&all.cuda, one.cuda, path);
        keep(&all.distributed, one.distributed, path);
        keep(&all.spawn, one.spawn, path);
        keep(&all.workers, one.workers, path);
        keep(&all.trainer, one.trainer, path);
        for (Found variable : one.variables) {
            variable.file = path;
            if (all.variables.size() < 20)
                all.variables.push_back(variable);
        }
    }
}

void readPackages(const ProjectFiles& files, CodeFacts* facts)
{
    QStringList lists;
    for (const ProjectFile& file : files.files)
        if (file.suffix() == u"txt" && file.path.contains(u"require"))
            lists << file.path;
    const QString usual = QStringLiteral("requirements.txt");
    const QString project = QStringLiteral("pyproject.toml");
    const ProjectFile* const toml = files.find(project);
    if (!lists.contains(usual) && toml) {
        facts->packages = readPyproject(*toml);
        facts->packagesFile = facts->packages.packages.empty() ? QString() : project;
    }
    // A sole list may be that of the documentation or the tests, so the project counts more.
    if (facts->packagesFile.isEmpty() && (lists.contains(usual) || lists.size() == 1)) {
        facts->packagesFile = lists.contains(usual) ? usual : lists[0];
        const PackageReading ofProject =
            std::exchange(facts->packages, readRequirements(files, facts->packagesFile));
        if (facts->packages.python.isEmpty()) {
            facts->packages.python = ofProject.python;
            facts->packages.pythonPlace = ofProject.pythonPlace;
        }
    }
    if (facts->packagesFile.isEmpty() && lists.size() > 1)
        facts->questions << tr("Several lists of packages: %1. Which one belongs to the program?")
                                .arg(plainText(lists.mid(0, 10).join(u", ")));
    for (const char* name : {"environment.yml", "environment.yaml"}) {
        const ProjectFile* const conda = files.find(QLatin1String(name));
        if (!conda)
            continue;
        const PackageReading some = readEnvironment(*conda);
        if (facts->packagesFile.isEmpty() && facts->packages.packages.empty()) {
            facts->packages = some;
            facts->questions << tr("%1 is for conda, and packages are installed with pip: which of "
                                   "them does the program need? Write those into requirements.txt.")
                                    .arg(QLatin1String(name));
        }
    }
    if (files.find(QStringLiteral("Pipfile")) && facts->packagesFile.isEmpty())
        facts->questions << tr(
            "Pipfile is not read. “pipenv requirements > requirements.txt” makes "
            "a list that can be installed.");
    for (const QString& name : std::as_const(facts->packages.unread))
        facts->questions << tr("%1 is named in %2, but is not in the folder.")
                                .arg(name, plainText(facts->packagesFile, 200));
}

void readSources(const ProjectFiles& files, CodeFacts* facts)
{
    for (const char* name : {"CMakeLists.txt", "GNUmakefile", "makefile", "Makefile"}) {
        const ProjectFile* const file = files.find(QLatin1String(name));
        if (!file || !facts->buildFile.isEmpty())
            continue;
        facts->buildFile = file->path;
        facts->build =
            file->path.endsWith(u".txt") ? readCMake(file->text) : readMakefile(file->text);
        BuildReading& build = facts->build;
        for (Found* one : {&build.program, &build.mpi, &build.cuda, &build.fortran, &build.ranks})
            one->file = file->path;
    }
    for (const ProjectFile* file : files.withSuffix(cSuffixes)) {
        keep(&facts->mpi, readMpiUse(file->text, false), file->path);
        if (file->suffix() == u"cu")
            keep(&facts->cuda, {file->name(), {}, 1}, file->path);
    }
    for (const ProjectFile* file : files.withSuffix(fortranSuffixes)) {
        keep(&facts->mpi, readMpiUse(file->text, true), file->path);
        keep(&facts->fortran, {file->name(), {}, 1}, file->path);
    }
    keep(&facts->mpi, facts->build.mpi, facts->buildFile);
    keep(&facts->cuda, facts->build.cuda, facts->buildFile);
    keep(&facts->fortran, facts->build.fortran, facts->buildFile);
}

/// The job scripts near the top that belong to the program, or all where none names it.
void readScripts(const ProjectFiles& files, const QString& program, CodeFacts* facts)
{
    const QString name = program.mid(program.lastIndexOf(u'/') + 1);
    std::vector<const ProjectFile*> all, own;
    for (const ProjectFile* file : files.withSuffix(scriptSuffixes)) {
        if (file->depth() > 1
            || (file->suffix() == u"sh" && !program.isEmpty() && file->path != program
                && !file->text.contains(name)))
            continue;
        all.push_back(file);
        if (!name.isEmpty() && (file->path == program || file->text.contains(name)))
            own.push_back(file);
    }
    QStringList asking;
    for (const ProjectFile* file : own.empty() ? all : own) {
        ScriptReading one = readScript(file->text);
        keep(&facts->script.torchrun, one.torchrun, file->path);
        keep(&facts->script.processes, one.processes, file->path);
        keep(&facts->script.ranks, one.ranks, file->path);
        if (one.requests.isEmpty())
            continue;
        asking << file->path;
        for (Found& request : one.requests)
            request.file = file->path;
        facts->script.requests = one.requests;
    }
    if (asking.size() < 2)
        return;
    facts->script.requests.clear();
    facts->questions << tr("Several job scripts: %1. Nothing was taken from their #SBATCH lines.")
                            .arg(plainText(asking.mid(0, 10).join(u", ")));
}

} // namespace

Found CodeFacts::module(const QString& name) const
{
    Found best;
    for (auto it = modules.lowerBound(name); it != modules.cend(); ++it) {
        if (!it.key().startsWith(name))
            break;
        if (it.key().size() > name.size() && it.key()[name.size()] != u'.')
            continue;
        if (!best.isKnown() || (best.isOptional && !it->isOptional))
            best = *it;
    }
    return best;
}

Found CodeFacts::need(const QStringList& names) const
{
    Found best;
    for (const QString& name : names) {
        const Found found = module(name);
        if (found.isKnown() && (!best.isKnown() || (best.isOptional && !found.isOptional)))
            best = found;
    }
    return best;
}

CodeFacts readFacts(const ProjectFiles& files, const QString& program)
{
    CodeFacts facts;
    readPythonFacts(files, program, &facts);
    readPackages(files, &facts);
    if (!program.endsWith(u".py"))
        readSources(files, &facts);
    readScripts(files, program, &facts);
    return facts;
}

QSet<QString> importedFiles(const ProjectFiles& files, const QStringList& programs)
{
    ImportWalk walk(files);
    walk.read(programs);
    return walk.imported;
}

} // namespace slipway
