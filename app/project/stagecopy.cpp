// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/stageconverter.h"
#include "remote/base/tr.h"

#include <QDir>
#include <QRegularExpression>
#include <QSet>
#include <QUrl>

#include <algorithm>
#include <optional>

namespace slipway {

namespace {

constexpr qsizetype mostSources = 500;

/// Apptainer expands the sources of %files with the shell of the machine that builds, unquoted:
/// only names and wildcards may reach it.
bool isSafeSource(const QString& path)
{
    static const QString never = QStringLiteral("$`;&|()<>\\'\"{}%!#~");
    return !path.isEmpty() && path == path.trimmed()
        && std::all_of(path.begin(), path.end(), [](QChar c) {
               return (c == u' ' || !c.isSpace()) && c.category() != QChar::Other_Control
                   && !never.contains(c);
           });
}

bool isSafeTarget(const QString& path)
{
    return !path.contains(u'"') && !path.contains(u"{{")
        && std::all_of(path.begin(), path.end(), [](QChar c) {
               return (c == u' ' || !c.isSpace()) && c.category() != QChar::Other_Control;
           });
}

QString inFiles(const QString& path)
{
    static const QRegularExpression plain(QStringLiteral("\\A[^\\s'#]+\\z"));
    return plain.match(path).hasMatch() ? path : u'"' + path + u'"';
}

bool hasWildcard(const QString& path)
{
    static const QRegularExpression form(QStringLiteral("[*?\\[]"));
    return path.contains(form);
}

QString withSlash(const QString& path)
{
    return path.endsWith(u'/') ? path : path + u'/';
}

QString lastPartOf(const QString& path)
{
    const QString clean = QDir::cleanPath(path);
    return clean.section(u'/', -1);
}

/// Whether the name looks like that of a file: train.py, Makefile.
bool looksLikeFile(const QString& name)
{
    static const QSet<QString> names{QStringLiteral("Makefile"), QStringLiteral("LICENSE"),
        QStringLiteral("README"), QStringLiteral("Dockerfile"), QStringLiteral("Snakefile")};
    return name.indexOf(u'.') > 0 || names.contains(name);
}

/// Folders that every base image has: what is copied onto them is a folder too.
bool isKnownFolder(const QString& path)
{
    static const QSet<QString> folders{QStringLiteral("/"), QStringLiteral("/bin"),
        QStringLiteral("/etc"), QStringLiteral("/home"), QStringLiteral("/lib"),
        QStringLiteral("/lib64"), QStringLiteral("/mnt"), QStringLiteral("/opt"),
        QStringLiteral("/root"), QStringLiteral("/sbin"), QStringLiteral("/srv"),
        QStringLiteral("/tmp"), QStringLiteral("/usr"), QStringLiteral("/usr/bin"),
        QStringLiteral("/usr/include"), QStringLiteral("/usr/lib"), QStringLiteral("/usr/local"),
        QStringLiteral("/usr/local/bin"), QStringLiteral("/usr/local/include"),
        QStringLiteral("/usr/local/lib"), QStringLiteral("/usr/share"), QStringLiteral("/var")};
    return folders.contains(path);
}

/// A line of %files. A value.
struct Placement {
    QString source, target;
    bool isFolder = false; ///< the source
    bool leavesDotFiles = false;
    bool isGuess = false; ///< the source was taken for a file
};

/// Docker copies a file under its name and of a folder the content; Apptainer copies both as cp
/// does. `asked`: whether the source is a folder, where that is known.
Placement placementOf(
    const QString& source, const QString& target, bool fromStage, std::optional<bool> asked)
{
    const QString clean = QDir::cleanPath(source), name = lastPartOf(clean);
    const bool isKnown = asked.has_value() || hasWildcard(clean);
    const bool sameName = name == lastPartOf(target) && name != u"." && !name.isEmpty();
    Placement place{clean, target};
    // Without a slash the target of a file is its new name, which a folder cannot have.
    place.isFolder = source.endsWith(u'/') || clean == u"." || asked.value_or(false)
        || (!isKnown && isKnownFolder(target) && !looksLikeFile(name));
    const bool mayBeFolder = !asked && (!target.endsWith(u'/') || !looksLikeFile(name));
    if (sameName && (place.isFolder || mayBeFolder)) {
        // cp puts both a file and a folder there under its name
        place.target = withSlash(QDir::cleanPath(target + QStringLiteral("/..")));
    } else if (place.isFolder) {
        place.leavesDotFiles = fromStage;
        if (fromStage)
            place.source = withSlash(clean) + u'*';
        else if (clean != u".")
            place.source = clean + QStringLiteral("/.");
        place.target = withSlash(target);
    } else {
        place.isGuess = target.endsWith(u'/') && !isKnown && !looksLikeFile(name);
    }
    if (!fromStage && place.source.startsWith(u'-'))
        place.source.prepend(QStringLiteral("./")); // a name, not an option of cp
    return place;
}

bool isWebAddress(const QString& source)
{
    return source.startsWith(u"http://") || source.startsWith(u"https://");
}

bool isGit(const QString& source)
{
    static const QRegularExpression form(QStringLiteral("\\A(git@|git://|ssh://)|\\.git(#|\\z)"));
    return source.contains(form);
}

bool isArchive(const QString& source)
{
    static const QRegularExpression form(
        QStringLiteral("\\.(tar|tgz|tbz2?|txz|tar\\.(gz|bz2|xz|zst))\\z"));
    return source.contains(form);
}

} // namespace

void StageConverter::copyOptions(const DockerInstruction& one)
{
    for (const QString& flag : one.flags) {
        const QString name = flag.section(u'=', 0, 0);
        if (name == u"--chown")
            note(one, tr("The owner is left out: in Apptainer the caller owns the processes."));
        else if (name == u"--parents" || name == u"--exclude")
            lost(one, tr("%1 has no counterpart: check what is copied.").arg(name));
        else if (name != u"--from" && name != u"--chmod" && name != u"--link"
            && name != u"--checksum")
            note(one, tr("%1 has no counterpart in Apptainer.").arg(name.left(80)));
    }
}

void StageConverter::copy(const DockerInstruction& one)
{
    copyOptions(one);
    QStringList words = one.words().value_or(dockerWords(one.text(), m_scope.escape));
    if (words.size() < 2) {
        lost(one, tr("It names no target."));
        return;
    }
    if (words.size() > mostSources) {
        lost(one, tr("It copies more than %1 files: copy their folder.").arg(mostSources));
        return;
    }
    const DockerValue value = expand(one, words.takeLast());
    QString target = value.text();
    const bool isRelative = !target.startsWith(u'/');
    if (!value.isLiteral() || (isRelative && m_workdir && !m_workdir->isLiteral())) {
        lost(one, tr("The target depends on the base image; write its path instead."));
        return;
    }
    target = absolute(target);
    if (!isSafeTarget(target)) {
        lost(one, tr("A definition file cannot name this target."));
        return;
    }
    if (words.size() > 1 || hasWildcard(words.front()))
        target = withSlash(target);
    for (const QString& word : words) {
        const auto heredoc = std::find_if(one.heredocs.begin(), one.heredocs.end(),
            [&word](const DockerHeredoc& some) { return some.mark == word; });
        if (heredoc != one.heredocs.end())
            copyHeredoc(one, *heredoc, target);
        else
            copySource(one, word, target);
    }
}

void StageConverter::copySource(
    const DockerInstruction& one, const QString& word, const QString& target)
{
    const DockerValue value = expand(one, word);
    QString source = value.text();
    if (one.name == u"ADD" && isGit(source)) {
        lost(one, tr("ADD of a Git repository: write a RUN git clone."));
        return;
    }
    if (one.name == u"ADD" && isWebAddress(source)) {
        addUrl(one, source, target);
        return;
    }
    const bool fromStage = !one.flag(QStringLiteral("from")).isEmpty();
    const bool isFolder = source.endsWith(u'/') || source.endsWith(u"/.") || source == u".";
    source = QDir::cleanPath(fromStage ? u'/' + source : source);
    while (source.startsWith(fromStage ? u"//" : u"/"))
        source.remove(0, 1);
    if (source.isEmpty())
        source = QStringLiteral(".");
    if (source == u".." || source.startsWith(u"../")) {
        lost(one, tr("“%1” lies outside the build context.").arg(source.left(200)));
        return;
    }
    if (!value.isLiteral() || !isSafeSource(source)) {
        lost(one,
            tr("“%1” is left out: Apptainer would give it to a shell on the machine that builds.")
                .arg(source.left(200)));
        return;
    }
    if (one.name == u"ADD" && isArchive(source))
        addArchive(one, source, target);
    else
        copyInOrder(one, isFolder ? withSlash(source) : source, target);
}

void StageConverter::copyLine(
    const DockerInstruction& one, const QString& source, const QString& target)
{
    const QString from = one.flag(QStringLiteral("from"));
    const int stage = from.isEmpty() ? -1 : m_context->stageNamed(from, m_current);
    if (!from.isEmpty() && stage < 0) {
        bool isNumber = false;
        from.toInt(&isNumber);
        lost(one,
            isNumber
                ? tr("There is no stage %1 above this one.").arg(from.left(20))
                : tr("“%1” is an image, not a stage: begin a stage with it (FROM %1 AS name) and "
                     "copy from that.")
                      .arg(from.left(200)));
        return;
    }
    const bool fromStage = stage >= 0;
    const QString clean = QDir::cleanPath(source);
    const auto asked = !fromStage && m_context->request->isFolder && !hasWildcard(clean)
        ? m_context->request->isFolder(clean)
        : std::nullopt;
    const Placement place = placementOf(source, target, fromStage, asked);
    if (place.leavesDotFiles)
        note(one, tr("Files of %1 whose names begin with a dot are left out.").arg(clean));
    if (place.isGuess)
        note(one,
            tr("“%1” is taken for a file. If it is a folder, write “%1/”, so that its content is "
               "copied.")
                .arg(clean));
    const DefinitionLine line{inFiles(place.source) + u' ' + inFiles(place.target), m_index};
    if (!fromStage && !std::exchange(m_context->saidWhereSourcesAre, true))
        note(one,
            tr("Start the build in the folder of the Dockerfile, from which its files are copied. "
               "Apptainer does not read .dockerignore."));
    if (!fromStage) {
        m_result.files.push_back(line);
    } else {
        const QString origin = m_context->stages[size_t(stage)].definitionName;
        auto it = std::find_if(m_result.filesFrom.begin(), m_result.filesFrom.end(),
            [&origin](const auto& some) { return some.first == origin; });
        if (it == m_result.filesFrom.end())
            it = m_result.filesFrom.insert(it, {origin, {}});
        it->second.push_back(line);
    }
    const bool isWhole = place.isFolder || hasWildcard(clean) || !target.endsWith(u'/');
    setMode(one, isWhole ? target : target + lastPartOf(clean));
}

void StageConverter::setMode(const DockerInstruction& one, const QString& target)
{
    static const QRegularExpression form(QStringLiteral("\\A[0-7ugoa][0-7ugoarwxXst+=,-]*\\z"));
    const QString mode = one.flag(QStringLiteral("chmod"));
    if (mode.isEmpty())
        return;
    if (form.match(mode).hasMatch())
        post(QStringLiteral("chmod -R %1 %2").arg(mode, sectionWord(target)));
    else
        lost(one, tr("“%1” is not a mode.").arg(mode.left(80)));
}

void StageConverter::copyHeredoc(
    const DockerInstruction& one, const DockerHeredoc& heredoc, const QString& target)
{
    QString content = heredoc.content();
    DockerValue value;
    if (heredoc.expands && content.contains(u'$') && m_scope.escape == u'\\') {
        // Quotes mean nothing in it, and a backslash only before a dollar sign.
        static const QRegularExpression kept(QStringLiteral(R"((\\(?!\$)|["']))"));
        value = expand(one, content.replace(kept, QStringLiteral("\\\\1")));
    } else {
        value.add(content);
    }
    const QString file = target.endsWith(u'/') ? target + heredoc.name : target;
    post(QStringLiteral("mkdir -p %1")
             .arg(sectionWord(QDir::cleanPath(file + QStringLiteral("/..")))));
    post(QStringLiteral("printf %s %1 > %2").arg(value.shellWord(), sectionWord(file)));
    setMode(one, file);
}

void StageConverter::addUrl(const DockerInstruction& one, const QString& url, const QString& target)
{
    QString file = target;
    if (target.endsWith(u'/'))
        file += QUrl(url).path().section(u'/', -1);
    if (file.endsWith(u'/')) {
        lost(one, tr("The address has no file name; write the target with one."));
        return;
    }
    DockerValue address;
    address.add(url);
    const QString word = address.shellWord(), place = sectionWord(file);
    post(QStringLiteral("mkdir -p %1")
             .arg(sectionWord(QDir::cleanPath(file + QStringLiteral("/..")))));
    post(QStringLiteral("if command -v curl > /dev/null; then"));
    post(QStringLiteral("    curl -fsSL -o %1 %2").arg(place, word));
    post(QStringLiteral("else"));
    post(QStringLiteral("    wget -q -O %1 %2").arg(place, word));
    post(QStringLiteral("fi"));
    static const QRegularExpression sum(QStringLiteral("\\Asha256:([0-9a-f]{64})\\z"));
    const auto match = sum.match(one.flag(QStringLiteral("checksum")));
    if (match.hasMatch())
        post(QStringLiteral("echo %1\\ \\ %2 | sha256sum -c -").arg(match.captured(1), place));
    setMode(one, file);
    note(one, tr("%post downloads it: the image needs curl or wget by then."));
}

void StageConverter::addArchive(
    const DockerInstruction& one, const QString& source, const QString& target)
{
    if (hasWildcard(source)) {
        lost(one, tr("Apptainer does not unpack archives: name each of them."));
        return;
    }
    const QString place = QStringLiteral("/slipway-add/%1/").arg(m_index);
    copyLine(one, source, place);
    const QString folder = sectionWord(QDir::cleanPath(target));
    post(QStringLiteral("mkdir -p %1").arg(folder));
    post(QStringLiteral("tar -xf %1 -C %2").arg(sectionWord(place + lastPartOf(source)), folder));
    post(QStringLiteral("rm -r /slipway-add/%1").arg(m_index));
    note(one, tr("%post unpacks it: the image needs tar, and the program of its compression."));
}

void StageConverter::copyInOrder(
    const DockerInstruction& one, const QString& source, const QString& target)
{
    copyLine(one, source, target);
    static const QRegularExpression writes(
        QStringLiteral(R"(>|\b(rm|mv|cp|ln|install|tar|unzip|curl|wget|clone|sed)\b)"));
    const QString path = QDir::cleanPath(target);
    for (const DockerInstruction* run : m_runs) {
        if (path == u"/" || !run->text().contains(path) || !run->text().contains(writes))
            continue;
        lost(one,
            tr("Apptainer copies files before %post: the RUN in line %1, which names %2, now works "
               "on the copy, where Docker copies afterwards.")
                .arg(run->firstLine)
                .arg(path));
        return;
    }
    if (!m_runs.empty())
        note(one,
            tr("Apptainer copies files before %post: a RUN above it that writes the same files "
               "now wins."));
}

} // namespace slipway
