// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/pythonreading.h"
#include "app/project/requirements.h"
#include "app/project/sourcereading.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>

using namespace slipway;

namespace {

/// What a sentence or a field takes over is on one line, and short.
void expectPlain(const QString& text)
{
    const bool hasControl = std::any_of(
        text.begin(), text.end(), [](QChar c) { return c.category() == QChar::Other_Control; });
    if (text.size() > 500 || hasControl)
        std::abort();
}

void readPackageLists(const QString& text)
{
    ProjectFiles files;
    files.files.push_back({QStringLiteral("requirements.txt"), text});
    const ProjectFile& file = files.files.front();
    for (const PackageReading& reading :
        {readRequirements(files, file.path), readPyproject(file), readEnvironment(file)}) {
        expectPlain(reading.python);
        for (const Requirement& one : reading.packages) {
            expectPlain(one.name);
            expectPlain(one.versions);
            versionFits(QStringLiteral("2.4.1"), one.versions);
        }
        for (const QString& one : reading.unread)
            expectPlain(one);
    }
}

void readBuilds(const QString& text)
{
    for (const BuildReading& reading : {readMakefile(text), readCMake(text)}) {
        for (const QString& program : reading.programs)
            expectPlain(program);
        for (const Found& found : {reading.program, reading.mpi, reading.cuda, reading.ranks})
            expectPlain(found.what);
    }
    const ScriptReading script = readScript(text);
    for (const Found& found : script.requests)
        expectPlain(found.what);
    expectPlain(script.torchrun.what);
    for (const BaseImage& base : {readDockerfileBase(text), readDefinitionBase(text)}) {
        expectPlain(base.reference);
        expectPlain(base.place.what);
    }
    expectPlain(readMpiUse(text, false).what);
    expectPlain(readMpiUse(text, true).what);
}

} // namespace

SLIPWAY_FUZZ_TARGET(project)
{
    const QString text =
        projectText(QByteArray(reinterpret_cast<const char*>(data), qsizetype(size)));
    const PythonReading python = readPython(text);
    for (const Found& found : {python.cuda, python.distributed, python.workers, python.trainer})
        expectPlain(found.what);
    for (const Found& found : python.variables)
        expectPlain(found.what);
    readPackageLists(text);
    readBuilds(text);
    return 0;
}
