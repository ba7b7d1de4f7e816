// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/programchoice.h"

#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

using Language = ProgramChoice::Language;

/// The files at the top that say what an image is built from.
std::vector<const ProjectFile*> containerFiles(const ProjectFiles& files)
{
    std::vector<const ProjectFile*> found;
    for (const ProjectFile& file : files.files) {
        const QString name = file.name();
        const bool isOne = name == u"Dockerfile" || name == u"Containerfile"
            || name == u"Singularity" || name == u"Apptainer" || file.suffix() == u"def";
        if (file.depth() == 0 && isOne)
            found.push_back(&file);
    }
    return found;
}

/// True when the file decides.
bool chooseFromFile(const ProjectFiles& files, ImageChoice* choice)
{
    const auto found = containerFiles(files);
    if (found.empty())
        return false;
    if (found.size() > 1) {
        QStringList names;
        for (const ProjectFile* file : found)
            names << file->path;
        choice->questions << tr("Several files for an image: %1. Which one is it built from?")
                                 .arg(plainText(names.mid(0, 10).join(u", ")));
        return false;
    }
    const ProjectFile& file = *found[0];
    const bool isDocker = file.name() == u"Dockerfile" || file.name() == u"Containerfile";
    BaseImage base = isDocker ? readDockerfileBase(file.text) : readDefinitionBase(file.text);
    base.place.file = file.path;
    if (base.reference.isEmpty()) {
        choice->questions
            << tr("%1 names no image that can be pulled. Build one from it first.").arg(file.path);
        return false;
    }
    choice->value = base.reference;
    choice->reason = tr("what %1 starts from").arg(base.place.place());
    if (base.addsMore)
        choice->questions << tr(
            "%1 adds to its image, and none of that is in %2. Should the image be "
            "built from it first?")
                                 .arg(file.path, base.reference);
    return true;
}

/// Where a framework is imported, or named in the list of packages.
Found needOf(const CodeFacts& facts, const CodeImage& image)
{
    const Found imported = facts.need(image.modules);
    if (imported.isKnown())
        return imported;
    for (const Requirement& one : facts.packages.packages)
        if (image.modules.contains(QString(one.name).replace(u'-', u'_')))
            return {one.name, one.place.file, one.place.line};
    return {};
}

QString needText(const CodeFacts& facts, const CodeImage& image)
{
    const Found need = needOf(facts, image);
    if (!facts.need(image.modules).isKnown())
        return tr("%1 names %2").arg(need.place(), need.what);
    return need.isOptional ? tr("%1 imports %2 if it is there").arg(need.place(), need.what)
                           : tr("%1 imports %2").arg(need.place(), need.what);
}

/// The images that the modules ask for; those of a `try` only where there is no other.
std::vector<const CodeImage*> askedImages(const CodeFacts& facts, const OwnCodeTable& table)
{
    std::vector<const CodeImage*> sure, imported, all;
    for (const CodeImage& image : table.images) {
        if (!needOf(facts, image).isKnown())
            continue;
        all.push_back(&image);
        const Found need = facts.need(image.modules);
        if (need.isKnown())
            imported.push_back(&image);
        if (need.isKnown() && !need.isOptional)
            sure.push_back(&image);
    }
    return !sure.empty() ? sure : !imported.empty() ? imported : all;
}

/// Versions that are wanted and that the image does not have: nothing changes without a word.
void compareVersions(const CodeFacts& facts, const CodeImage& image, ImageChoice* choice)
{
    for (const Requirement& one : facts.packages.packages) {
        if (!image.brings.contains(one.name))
            continue;
        if (!choice->kept.contains(one.name))
            choice->kept << one.name;
        const QString there = image.brings.value(one.name);
        if (!there.isEmpty() && !versionFits(there, one.versions))
            choice->questions << tr("%1 wants %2 %3, and the image has %4. Is that near enough, or "
                                    "should it be another image?")
                                     .arg(one.place.place(), one.name, one.versions, there);
    }
    const QString wanted = facts.packages.python;
    if (!wanted.isEmpty() && !image.python.isEmpty() && !versionFits(image.python, wanted))
        choice->questions << tr("%1 wants Python %2, and the image has %3.")
                                 .arg(facts.packages.pythonPlace.place(), wanted, image.python);
}

/// What is imported, and neither in the image for all that is known nor in a list of packages.
void nameMissing(
    const CodeFacts& facts, const CodeImage& image, const OwnCodeTable& table, ImageChoice* choice)
{
    if (!facts.packages.packages.empty() || !facts.packagesFile.isEmpty())
        return;
    QStringList missing;
    for (auto it = facts.modules.cbegin(); it != facts.modules.cend(); ++it) {
        const QString module = it.key().section(u'.', 0, 0);
        const QString package =
            table.packageOf.value(module, QString(module).replace(u'_', u'-')).toLower();
        if (!it->isOptional && !table.standardModules.contains(module)
            && !image.brings.contains(package) && !missing.contains(package))
            missing << package;
    }
    if (!missing.isEmpty())
        choice->questions << tr("The program imports %1, and there is no list of packages. If the "
                                "image does not have them, write them into requirements.txt.")
                                 .arg(plainText(missing.mid(0, 10).join(u", ")));
}

void takeImage(const CodeImage& image, const QString& reason, const CodeFacts& facts,
    const OwnCodeTable& table, ImageChoice* choice)
{
    choice->value = image.image;
    choice->reason = tr("%1; the image has %2").arg(reason, image.name);
    compareVersions(facts, image, choice);
    nameMissing(facts, image, table, choice);
}

void choosePython(const CodeFacts& facts, const OwnCodeTable& table, ImageChoice* choice)
{
    const Found mpi = facts.module(QStringLiteral("mpi4py"));
    const auto asked = askedImages(facts, table);
    if (mpi.isKnown() && !mpi.isOptional) {
        choice->questions << tr(
            "%1 imports mpi4py, and no public image is known that has MPI: which "
            "image has the MPI that the program needs?")
                                 .arg(mpi.place());
    } else if (asked.size() > 1) {
        QStringList texts;
        for (const CodeImage* image : asked)
            texts << tr("%1 (%2)").arg(image->image, needText(facts, *image));
        choice->questions << tr("Which image? %1.").arg(texts.join(u"; "));
    } else if (asked.size() == 1) {
        takeImage(*asked[0], needText(facts, *asked[0]), facts, table, choice);
    } else if (const CodeImage* const plain = table.forLanguage(QStringLiteral("python"))) {
        takeImage(*plain, tr("it is Python, and imports no framework that has an image of its own"),
            facts, table, choice);
    }
}

void chooseCompiled(const CodeFacts& facts, const ProgramChoice& program, const OwnCodeTable& table,
    ImageChoice* choice)
{
    if (facts.mpi.isKnown()) {
        choice->questions << tr("%1 uses MPI (%2), and no public image is known that has MPI and a "
                                "compiler: which image has the MPI of your cluster?")
                                 .arg(facts.mpi.place(), facts.mpi.what);
        return;
    }
    const bool isCuda = facts.cuda.isKnown();
    const CodeImage* const image =
        table.forLanguage(isCuda ? QStringLiteral("cuda") : QStringLiteral("c"));
    if (!image)
        return;
    choice->value = image->image;
    const QString why = isCuda    ? tr("%1 needs nvcc").arg(facts.cuda.place())
        : facts.fortran.isKnown() ? tr("%1 is Fortran").arg(facts.fortran.file)
                                  : tr("it is built from C or C++");
    choice->reason = tr("%1; the image has %2").arg(why, image->name);
    for (const QString& tool : image->lacks)
        if (program.setup.startsWith(tool) || (tool == u"gfortran" && facts.fortran.isKnown()))
            choice->questions << tr(
                "The build needs %1, which %2 does not have. Which image has both?")
                                     .arg(tool, image->image);
}

} // namespace

ImageChoice chooseImage(const ProjectFiles& files, const CodeFacts& facts,
    const ProgramChoice& program, const OwnCodeTable& table)
{
    ImageChoice choice;
    if (chooseFromFile(files, &choice))
        return choice;
    const bool hasPython = !facts.modules.isEmpty() || !facts.packages.packages.empty();
    if (program.language == Language::Compiled)
        chooseCompiled(facts, program, table, &choice);
    else if (program.language == Language::Python || hasPython)
        choosePython(facts, table, &choice);
    return choice;
}

} // namespace slipway
