// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/projectfiles.h"

#include "remote/base/tr.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QStringDecoder>

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 largestText = 1024 * 1024;
constexpr qint64 mostTextBytes = 8 * 1024 * 1024; // of all files together
constexpr std::size_t mostTexts = 2000; // that are read
constexpr int mostProjectNames = 50'000; // names of any kind: data sets lie beside programs
constexpr int mostListed = 20; // notebooks and unread files that are named
constexpr int deepestFolder = 12;

bool isSkippedFolder(const QString& name)
{
    static const QSet<QString> skipped{QStringLiteral(".git"), QStringLiteral(".hg"),
        QStringLiteral(".svn"), QStringLiteral("node_modules"), QStringLiteral("__pycache__"),
        QStringLiteral("venv"), QStringLiteral(".venv"), QStringLiteral(".tox"),
        QStringLiteral(".ipynb_checkpoints"), QStringLiteral("site-packages")};
    return skipped.contains(name) || name.endsWith(u".egg-info");
}

/// A name that a command line and a sentence can hold as it is.
bool isPlainName(const QString& name)
{
    return std::all_of(name.begin(), name.end(), [](QChar c) {
        return c.isPrint() && c != QChar::ReplacementCharacter
            && c.category() != QChar::Other_Format;
    });
}

bool isOfInterest(const QString& path)
{
    const QString name = path.mid(path.lastIndexOf(u'/') + 1);
    static const QSet<QString> suffixes{QStringLiteral("py"), QStringLiteral("c"),
        QStringLiteral("cc"), QStringLiteral("cpp"), QStringLiteral("cxx"), QStringLiteral("h"),
        QStringLiteral("hpp"), QStringLiteral("cu"), QStringLiteral("cuh"), QStringLiteral("f"),
        QStringLiteral("F"), QStringLiteral("f90"), QStringLiteral("F90"), QStringLiteral("f95"),
        QStringLiteral("f03"), QStringLiteral("f08"), QStringLiteral("sh"),
        QStringLiteral("sbatch"), QStringLiteral("slurm"), QStringLiteral("def"),
        QStringLiteral("txt"), QStringLiteral("mk"), QStringLiteral("cmake")};
    static const QSet<QString> names{QStringLiteral("Makefile"), QStringLiteral("makefile"),
        QStringLiteral("GNUmakefile"), QStringLiteral("CMakeLists.txt"),
        QStringLiteral("pyproject.toml"), QStringLiteral("environment.yml"),
        QStringLiteral("environment.yaml"), QStringLiteral("Pipfile"), QStringLiteral("Dockerfile"),
        QStringLiteral("Containerfile"), QStringLiteral("Singularity"),
        QStringLiteral("Apptainer")};
    if (names.contains(name))
        return true;
    const QString suffix = name.contains(u'.') ? name.mid(name.lastIndexOf(u'.') + 1) : QString();
    if (suffix == u"txt") // data sets have many of these; a list may include others (-r)
        return path.count(u'/') <= 1;
    return suffixes.contains(suffix);
}

/// Walks the folder breadth first, so that what lies nearest to the top is read first. One walk;
/// on the stack of readProjectFiles().
class ProjectWalk {
public:
    explicit ProjectWalk(const QString& folder)
        : m_root(QFileInfo(folder).canonicalFilePath())
    {
        m_result.folder = m_root;
    }

    ProjectFiles run()
    {
        QStringList level{QString()};
        for (int depth = 0; depth <= deepestFolder && !level.isEmpty(); ++depth) {
            QStringList next;
            for (const QString& folder : level)
                next += list(folder);
            next.sort();
            level = next;
        }
        m_result.isCut |= !level.isEmpty();
        return std::move(m_result);
    }

private:
    /// Reads the files of a folder; returns the folders in it.
    QStringList list(const QString& folder)
    {
        QStringList folders, files;
        QDirIterator entries(
            m_root + u'/' + folder, QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
        while (entries.hasNext()) {
            if (++m_seen > mostProjectNames) {
                m_result.isCut = true;
                break;
            }
            entries.next();
            const QFileInfo info = entries.fileInfo();
            const QString name = info.fileName();
            if (!isPlainName(name))
                continue;
            const QString path = folder + name;
            if (info.isDir() && !info.isSymLink() && !isSkippedFolder(name))
                folders << path + u'/';
            else if (info.isFile())
                files << path;
        }
        files.sort();
        for (const QString& path : files)
            take(path);
        return folders;
    }

    void take(const QString& path)
    {
        const QString name = path.mid(path.lastIndexOf(u'/') + 1);
        if (name.endsWith(u".ipynb") && m_result.notebooks.size() < mostListed)
            m_result.notebooks << path;
        if (!isOfInterest(path))
            return;
        if (m_result.files.size() >= mostTexts || m_bytes >= mostTextBytes) {
            m_result.isCut = true;
            return;
        }
        const QString real = QFileInfo(m_root + u'/' + path).canonicalFilePath();
        if (!real.startsWith(m_root + u'/') && m_root != u"/")
            return; // a link that leads out
        QFile file(real);
        const bool readable = QFileInfo(real).isFile() && file.open(QIODevice::ReadOnly);
        const QByteArray bytes = readable ? file.read(largestText + 1) : QByteArray();
        m_bytes += bytes.size();
        const QString text = bytes.size() > largestText ? QString() : projectText(bytes);
        if (text.isEmpty() && (!readable || !bytes.isEmpty())) {
            if (m_result.unread.size() < mostListed)
                m_result.unread << path;
            return;
        }
        m_result.files.push_back({path, text});
    }

    QString m_root;
    ProjectFiles m_result;
    qint64 m_bytes = 0;
    int m_seen = 0;
};

} // namespace

QString ProjectFile::folder() const
{
    return path.left(std::max<qsizetype>(0, path.lastIndexOf(u'/')));
}

QString ProjectFile::suffix() const
{
    const QString own = name();
    return own.lastIndexOf(u'.') > 0 ? own.mid(own.lastIndexOf(u'.') + 1) : QString();
}

const ProjectFile* ProjectFiles::find(const QString& path) const
{
    const auto it = std::find_if(
        files.begin(), files.end(), [&path](const ProjectFile& one) { return one.path == path; });
    return it == files.end() ? nullptr : &*it;
}

std::vector<const ProjectFile*> ProjectFiles::withSuffix(const QStringList& suffixes) const
{
    std::vector<const ProjectFile*> some;
    for (const ProjectFile& one : files)
        if (suffixes.contains(one.suffix()))
            some.push_back(&one);
    return some;
}

QString Found::place() const
{
    return tr("%1, line %2").arg(plainText(file, 200)).arg(line);
}

QString projectText(QByteArray bytes)
{
    if (bytes.startsWith("\xEF\xBB\xBF"))
        bytes.remove(0, 3);
    if (bytes.contains('\0'))
        return {};
    QStringDecoder decoder(QStringDecoder::Utf8);
    QString text = decoder.decode(bytes);
    if (decoder.hasError())
        text = QString::fromLatin1(bytes);
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    text.replace(u'\r', u'\n');
    return text;
}

QString plainText(const QString& text, qsizetype longest)
{
    QString plain;
    for (const QChar c : text.left(4 * longest)) {
        if (c.isSpace() || c.category() == QChar::Other_Control)
            plain += u' ';
        else if (c.category() != QChar::Other_Format && !c.isNonCharacter())
            plain += c;
    }
    plain = plain.simplified();
    if (plain.size() > longest)
        plain = plain.left(longest - 1) + u'…';
    return plain;
}

Result<ProjectFiles> readProjectFiles(const QString& folder)
{
    const QFileInfo info(folder);
    if (!info.isDir() || !info.isReadable())
        return Error{ErrorKind::Invalid,
            tr("%1 is not a folder that can be read.").arg(plainText(folder)),
            tr("Choose a program, or a folder of your own.")};
    return ProjectWalk(folder).run();
}

} // namespace slipway
