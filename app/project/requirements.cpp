// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/project/requirements.h"

#include <QDir>
#include <QRegularExpression>
#include <QVersionNumber>

#include <algorithm>

namespace slipway {

namespace {

constexpr std::size_t mostPackages = 2000;
constexpr int mostIncluded = 20; // files
constexpr qsizetype longestRequirement = 4000; // characters

QString normalised(QString name)
{
    static const QRegularExpression between(QStringLiteral("[-_.]+"));
    return name.toLower().replace(between, QStringLiteral("-"));
}

/// Only for other systems than the cluster's.
bool isForElsewhere(const QString& marker)
{
    static const QRegularExpression other(
        QStringLiteral("(sys_platform|platform_system|os_name)\\s*==\\s*['\"](win32|darwin|Windows|"
                       "Darwin|nt)['\"]"));
    return other.match(marker).hasMatch() && !marker.contains(u" or ");
}

/// "torch[extra]>=2.0,<3 ; marker" or "name @ address".
void addPackage(const QString& text, const QString& file, int line, PackageReading* reading)
{
    static const QRegularExpression form(
        QStringLiteral(R"(^([A-Za-z0-9][A-Za-z0-9._-]{0,99})\s*(?:\[[^\]]*\])?)"
                       R"(\s*(@|[(]?[=<>!~^][^;#]*)?\s*(?:;(.*))?$)"));
    static const QRegularExpression blanks(QStringLiteral("[\\s()]+"));
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch() || reading->packages.size() >= mostPackages
        || isForElsewhere(match.captured(3)))
        return;
    QString versions = match.captured(2).remove(blanks);
    if (versions.startsWith(u'@'))
        versions.clear();
    reading->packages.push_back({normalised(match.captured(1)), plainText(versions, 100),
        {plainText(text, 100), file, line}});
}

/// One line of a requirements file that is no option.
void addLine(QString text, const QString& file, int line, PackageReading* reading)
{
    static const QRegularExpression egg(QStringLiteral("[#&]egg=([A-Za-z0-9._-]+)"));
    static const QRegularExpression options(QStringLiteral(R"(\s--?[a-z].*$)"));
    static const QRegularExpression address(
        QStringLiteral(R"(^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*@\s)"));
    if (const auto match = egg.match(text); match.hasMatch())
        return addPackage(match.captured(1), file, line, reading);
    if (const auto match = address.match(text); match.hasMatch())
        return addPackage(match.captured(1), file, line, reading);
    addPackage(text.remove(options), file, line, reading);
}

/// What an `-r` line names; empty: it is another line.
QString includedFile(const QString& text)
{
    static const QRegularExpression form(
        QStringLiteral(R"(^(?:-r\s*|--requirement(?:\s+|=))([^\s-]\S*)$)"));
    return form.match(text).captured(1);
}

/// One requirements file; the files that it includes are appended to `open`.
void readLines(const ProjectFile& file, QStringList* open, PackageReading* reading)
{
    static const QRegularExpression comment(QStringLiteral(R"((^|\s)#(?!egg=).*$)"));
    int number = 0, first = 0;
    QString joined;
    for (const QString& line : file.text.split(u'\n')) {
        ++number;
        if (joined.isEmpty())
            first = number;
        joined += line.left(longestRequirement);
        if (joined.endsWith(u'\\') && joined.size() < longestRequirement) {
            joined.chop(1);
            continue;
        }
        QString text = std::exchange(joined, {}).remove(comment).trimmed();
        if (const QString other = includedFile(text); !other.isEmpty())
            *open << QDir::cleanPath(file.folder() + u'/' + other);
        else if (text.startsWith(u"-e ") || text.startsWith(u"--editable "))
            addLine(text.mid(text.indexOf(u' ') + 1).trimmed(), file.path, first, reading);
        else if (!text.isEmpty() && !text.startsWith(u'-'))
            addLine(text, file.path, first, reading);
    }
}

/// The texts in quotes of one line of TOML, up to a comment or the end of the list.
QStringList quotedTexts(const QString& line, bool* ends)
{
    QStringList texts;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (c == u'#')
            break;
        if (c == u']') {
            *ends = true;
            break;
        }
        if (c != u'"' && c != u'\'')
            continue;
        const qsizetype close = line.indexOf(c, i + 1);
        if (close < 0)
            break;
        texts << line.mid(i + 1, close - i - 1);
        i = close;
    }
    return texts;
}

/// A line of [tool.poetry.dependencies]: name = "^1.2", name = {version = "^1.2"}.
void addPoetry(
    const QString& key, const QString& value, const Found& place, PackageReading* reading)
{
    static const QRegularExpression version(
        QStringLiteral(R"(^(?:\{.*\bversion\s*=\s*)?["']([^"']*)["'])"));
    QString versions = version.match(value).captured(1);
    if (!versions.isEmpty() && versions[0].isDigit())
        versions.prepend(QStringLiteral("=="));
    if (versions == u"*")
        versions.clear();
    if (key == u"python") {
        reading->python = plainText(versions, 100);
        reading->pythonPlace = place;
    } else {
        addPackage(key + versions, place.file, place.line, reading);
    }
}

/// What is after the one "=" of conda: "1.26", "1.26.*", "1.26=py310_0".
QString pipVersion(const QString& conda)
{
    static const QRegularExpression plain(QStringLiteral(R"(^(\d[A-Za-z0-9.]*?)\.?\*?$)"));
    const QString version = conda.section(u'=', 0, 0);
    const auto match = plain.match(version);
    const bool hasBuild = conda.contains(u'=') && !version.endsWith(u'*');
    return match.hasMatch() && !hasBuild ? match.captured(1) + u".*" : version;
}

/// conda's "channel::numpy=1.26" as pip would write it: any 1.26, but 1.26 itself with a build.
QString fromConda(QString text)
{
    static const QRegularExpression one(QStringLiteral(R"(^([A-Za-z0-9._-]+)\s*=([^=].*)$)"));
    text = text.mid(text.contains(u"::") ? text.indexOf(u"::") + 2 : 0);
    if (const auto match = one.match(text); match.hasMatch())
        text = match.captured(1) + u"==" + pipVersion(match.captured(2).trimmed());
    static const QRegularExpression conda(QStringLiteral("^pytorch(-gpu)?(?=$|[\\s=<>!~])"));
    return text.replace(conda, QStringLiteral("torch"));
}

QVersionNumber numberOf(QString version)
{
    version = version.section(u'+', 0, 0);
    return QVersionNumber::fromString(version).normalized();
}

/// Whether `version` agrees with the first `parts` numbers of `other`.
bool beginsAlike(const QVersionNumber& version, const QVersionNumber& other, int parts)
{
    for (int i = 0; i < parts; ++i)
        if (version.segmentAt(i) != other.segmentAt(i))
            return false;
    return true;
}

/// How many numbers a version has up to the first that is not 0: 1 of "2.1", 2 of "0.15".
int leadingParts(const QString& text)
{
    const QVersionNumber number = QVersionNumber::fromString(text);
    int leading = 0;
    while (leading + 1 < int(number.segmentCount()) && number.segmentAt(leading) == 0)
        ++leading;
    return leading + 1;
}

bool partFits(const QVersionNumber& version, const QString& part)
{
    static const QRegularExpression form(
        QStringLiteral(R"(^(===?|~=|!=|<=|>=|<|>|\^|~)\s*(\d.*)$)"));
    const auto match = form.match(part.trimmed());
    if (!match.hasMatch())
        return true;
    const QString sign = match.captured(1), text = match.captured(2);
    const QVersionNumber other = numberOf(text);
    const int parts = int(QVersionNumber::fromString(text).segmentCount());
    const bool isAny = text.endsWith(u".*");
    const bool same = isAny ? beginsAlike(version, other, parts) : version == other;
    if (sign == u"==" || sign == u"===")
        return same;
    if (sign == u"!=")
        return !same;
    if (sign == u"~=")
        return version >= other && beginsAlike(version, other, std::max(1, parts - 1));
    if (sign == u"~") // poetry: ~1.2 and ~1.2.3 are below 1.3
        return version >= other && beginsAlike(version, other, std::min(parts, 2));
    if (sign == u"^") // poetry: the first number that is not 0 stays
        return version >= other && beginsAlike(version, other, leadingParts(text));
    if (sign == u"<=")
        return version <= other;
    if (sign == u">=")
        return version >= other;
    return sign == u"<" ? version < other : version > other;
}

} // namespace

PackageReading readRequirements(const ProjectFiles& files, const QString& path)
{
    PackageReading reading;
    QStringList open{path}, seen;
    while (!open.isEmpty() && seen.size() < mostIncluded) {
        QString next = open.takeFirst();
        while (next.startsWith(u'/')) // of a file at the top: "/other.txt"
            next.remove(0, 1);
        if (seen.contains(next))
            continue;
        seen << next;
        if (const ProjectFile* const file = files.find(next))
            readLines(*file, &open, &reading);
        else
            reading.unread << plainText(next, 200);
    }
    return reading;
}

PackageReading readPyproject(const ProjectFile& file)
{
    static const QRegularExpression pair(QStringLiteral(R"(^([A-Za-z0-9_.-]+)\s*=\s*(.*)$)"));
    PackageReading reading;
    QString section;
    bool inList = false;
    int number = 0;
    for (const QString& whole : file.text.split(u'\n')) {
        ++number;
        QString line = whole.left(longestRequirement).trimmed();
        const auto match = pair.match(line);
        const QString key = match.captured(1), value = match.captured(2);
        if (!inList && line.startsWith(u'['))
            section = line.section(u']', 0, 0).mid(1).trimmed();
        else if (!inList && section == u"tool.poetry.dependencies" && match.hasMatch())
            addPoetry(key, value, {plainText(line, 100), file.path, number}, &reading);
        else if (!inList && section == u"project" && key == u"requires-python") {
            bool ends = false;
            reading.python = plainText(quotedTexts(value, &ends).value(0), 100);
            reading.pythonPlace = {reading.python, file.path, number};
        } else if (!inList && section == u"project" && key == u"dependencies"
            && value.startsWith(u'[')) {
            inList = true;
            line = value.mid(1);
        }
        if (!inList)
            continue;
        bool ends = false;
        for (const QString& text : quotedTexts(line, &ends))
            addPackage(text, file.path, number, &reading);
        inList = !ends;
    }
    return reading;
}

PackageReading readEnvironment(const ProjectFile& file)
{
    static const QRegularExpression key(QStringLiteral(R"(^([A-Za-z_]+)\s*:)"));
    static const QRegularExpression item(
        QStringLiteral(R"(^\s*-\s+["']?([^"'#]+?)["']?\s*(#.*)?$)"));
    PackageReading reading;
    bool inList = false;
    int number = 0;
    for (const QString& whole : file.text.split(u'\n')) {
        ++number;
        const QString line = whole.left(longestRequirement);
        if (const auto match = key.match(line); match.hasMatch())
            inList = match.captured(1) == u"dependencies";
        const auto match = item.match(line);
        if (!inList || !match.hasMatch() || match.captured(1).endsWith(u':'))
            continue;
        const QString text = fromConda(match.captured(1).trimmed());
        static const QRegularExpression python(QStringLiteral("^python(?=$|[\\s=<>!~])"));
        if (python.match(text).hasMatch()) {
            reading.python = plainText(text.mid(6).trimmed(), 100);
            reading.pythonPlace = {reading.python, file.path, number};
        } else {
            addLine(text, file.path, number, &reading);
        }
    }
    return reading;
}

bool versionFits(const QString& version, const QString& wanted)
{
    const QVersionNumber number = numberOf(version);
    const QStringList parts = wanted.split(u',', Qt::SkipEmptyParts);
    return number.isNull()
        || std::all_of(parts.begin(), parts.end(),
            [&number](const QString& part) { return partFits(number, part); });
}

} // namespace slipway
