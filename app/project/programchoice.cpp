// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/programchoice.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"

#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

using Language = ProgramChoice::Language;

bool isUsualName(const QString& path)
{
    return path == u"train.py" || path == u"main.py" || path == u"run.py";
}

bool isTest(const ProjectFile& file)
{
    static const QRegularExpression form(
        QStringLiteral("(^|/)(tests?|docs?|examples?)/|(^|/)(test_[^/]*|[^/]*_test|conftest|setup|"
                       "noxfile)\\.py$"));
    return form.match(file.path).hasMatch();
}

/// A file that could be meant, with the line of its main; 0: it has the name for it.
struct Candidate {
    QString path;
    int line = 0;
};

/// At the smallest depth that has any; without those that another one imports.
std::vector<Candidate> candidatesOf(const ProjectFiles& files)
{
    std::vector<Candidate> found;
    int depth = -1;
    for (const ProjectFile* file : files.withSuffix({QStringLiteral("py")})) {
        if (isTest(*file) || (depth >= 0 && file->depth() > depth))
            continue;
        const Found guard = readPython(file->text).guard;
        if (!guard.isKnown() && !isUsualName(file->path))
            continue;
        depth = file->depth();
        found.push_back({file->path, guard.line});
    }
    if (found.size() < 2)
        return found;
    QStringList paths;
    for (const Candidate& one : found)
        paths << one.path;
    const QSet<QString> imported = importedFiles(files, paths);
    std::vector<Candidate> mains;
    std::copy_if(found.begin(), found.end(), std::back_inserter(mains),
        [&imported](const Candidate& one) { return !imported.contains(one.path); });
    return mains.empty() ? found : mains;
}

/// A file after an interpreter: never one of its options.
QString typedFile(const QString& path)
{
    return typedWord(path.startsWith(u'-') ? QStringLiteral("./") + path : path);
}

ProgramChoice python(const QString& path, const QString& reason)
{
    return {
        Language::Python, path, QStringLiteral("python3 ") + typedFile(path), reason, {}, {}, {}};
}

QString listed(const QStringList& names)
{
    const QString some = names.mid(0, 10).join(u", ");
    return plainText(names.size() > 10 ? some + u", …" : some);
}

ProgramChoice chosenFile(const ProjectFiles& files, const QString& given)
{
    const ProjectFile* const file = files.find(given);
    const QString suffix = given.section(u'.', -1);
    const QString name = plainText(given, 200);
    ProgramChoice choice;
    if (suffix == u"ipynb")
        choice.questions << tr("%1 is a notebook, which does not run as a job. “jupyter nbconvert "
                               "--to script” makes a program of it.")
                                .arg(name);
    else if (!file)
        choice.questions << tr("%1 cannot be read as a program. How is it started?").arg(name);
    else if (suffix == u"py")
        return python(given, tr("the program that you chose"));
    else if (suffix == u"sh")
        choice = {Language::Shell, given, QStringLiteral("bash ") + typedFile(given),
            tr("the script that you chose"), {}, {}, {}};
    else if (suffix == u"sbatch" || suffix == u"slurm")
        choice.questions << tr("%1 is a job script, and Slipway writes its own: which program does "
                               "it start?")
                                .arg(name);
    return choice;
}

/// The compiler's line for one source file; empty: it is none.
QString compilerFor(const QString& source, bool isMpi)
{
    const QString suffix = source.section(u'.', -1);
    if (suffix == u"cu")
        return QStringLiteral("nvcc -O2");
    if (suffix == u"c")
        return isMpi ? QStringLiteral("mpicc -O2") : QStringLiteral("gcc -O2");
    if (suffix == u"cpp" || suffix == u"cc" || suffix == u"cxx")
        return isMpi ? QStringLiteral("mpicxx -O2") : QStringLiteral("g++ -O2");
    if (suffix.startsWith(u'f', Qt::CaseInsensitive) && suffix.size() <= 3)
        return isMpi ? QStringLiteral("mpifort -O2") : QStringLiteral("gfortran -O2");
    return {};
}

ProgramChoice compiledAlone(const QString& source, const CodeFacts& facts, const QString& reason)
{
    const QString compiler = compilerFor(source, facts.mpi.isKnown());
    ProgramChoice choice;
    if (compiler.isEmpty())
        return choice;
    const QString program = source.left(source.lastIndexOf(u'.'));
    choice.language = Language::Compiled;
    choice.path = program;
    choice.command = typedWord(QStringLiteral("./") + program);
    choice.reason = reason;
    choice.setup =
        QStringLiteral("%1 -o %2 %3").arg(compiler, typedFile(program), typedFile(source));
    choice.setupReason =
        tr("%1 is the source, and there is no Makefile").arg(plainText(source, 200));
    return choice;
}

} // namespace

QString typedWord(const QString& word)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
    return plain.match(word).hasMatch() ? word : QString::fromUtf8(shellQuoted(word));
}

ProgramChoice chooseScript(const ProjectFiles& files, const QString& given)
{
    if (!given.isEmpty())
        return chosenFile(files, given);
    const std::vector<Candidate> found = candidatesOf(files);
    ProgramChoice choice;
    if (found.size() == 1) {
        const Candidate& one = found[0];
        return python(one.path,
            one.line > 0
                ? tr("%1 is the one file with a main (line %2)").arg(one.path).arg(one.line)
                : tr("%1 is the one file with the name of a program").arg(one.path));
    }
    if (found.size() > 1) {
        QStringList names;
        for (const Candidate& one : found)
            names << one.path;
        choice.questions << tr("Several programs: %1. Which one is to run?").arg(listed(names));
        return choice;
    }
    std::vector<const ProjectFile*> all = files.withSuffix({QStringLiteral("py")});
    if (all.size() == 1 && !isTest(*all[0]))
        return python(all[0]->path, tr("%1 is the one Python file").arg(all[0]->path));
    return choice;
}

ProgramChoice chooseBuilt(const ProjectFiles& files, const CodeFacts& facts, const QString& given)
{
    const bool isCMake = facts.buildFile.endsWith(u".txt");
    const QStringList& programs = facts.build.programs;
    ProgramChoice choice;
    if (programs.isEmpty()) {
        if (!given.isEmpty())
            return compiledAlone(given, facts, tr("the program that you chose"));
        QStringList sources;
        for (const ProjectFile& file : files.files)
            if (file.depth() == 0 && !compilerFor(file.path, false).isEmpty())
                sources << file.path;
        if (sources.size() == 1)
            return compiledAlone(
                sources[0], facts, tr("%1 is the one source file").arg(sources[0]));
        return choice;
    }
    choice.language = Language::Compiled;
    choice.setup = isCMake ? QStringLiteral("cmake -B build && cmake --build build -j")
                           : QStringLiteral("make");
    choice.setupReason = tr("%1 builds %2").arg(facts.build.program.place(), listed(programs));
    const QString base = given.section(u'/', -1).section(u'.', 0, -2);
    const QString wanted = programs.contains(base) ? base : programs.value(programs.size() > 1);
    if (programs.size() > 1 && wanted != base) {
        choice.questions << tr("%1 builds several programs: %2. Which one is to run?")
                                .arg(facts.buildFile, listed(programs));
        return choice;
    }
    choice.path = isCMake ? QStringLiteral("build/") + wanted : wanted;
    choice.command = isCMake ? choice.path : QStringLiteral("./") + wanted;
    choice.reason = programs.size() == 1
        ? tr("the one program that %1 builds").arg(facts.build.program.place())
        : tr("%1 builds it, and it has the name of your file").arg(facts.buildFile);
    return choice;
}

} // namespace slipway
