// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/jsonfields.h"

#include "remote/base/tr.h"

#include <algorithm>
#include <exception>
#include <iterator>

namespace slipway {

namespace {

constexpr qsizetype longestFile = 1024 * 1024; // a site or recipe is a few KiB
constexpr std::size_t deepestLevel = 32; // a site or recipe has about six
constexpr qsizetype mostNoted =
    8 * 1024 * 1024; // characters of all paths; ours have a few thousand

/// Counts the lines that the parser has read, so that the line of a field is known.
struct CountingBytes {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at = nullptr;
    int* line = nullptr;

    reference operator*() const { return *at; }
    CountingBytes& operator++()
    {
        if (*at == '\n')
            ++*line;
        ++at;
        return *this;
    }
    CountingBytes operator++(int)
    {
        CountingBytes before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountingBytes& other) const { return at == other.at; }
    bool operator!=(const CountingBytes& other) const { return at != other.at; }
};

/// Walks the text once and notes the line of every field, the fields that are given twice, and
/// where and why the text could not be read to its end.
class LineNotes {
public:
    LineNotes(QHash<QString, int>* lines, QStringList* twice, const int* line)
        : m_lines(lines)
        , m_twice(twice)
        , m_line(line)
    {
    }

    bool null() { return value(); }
    bool boolean(bool) { return value(); }
    bool number_integer(nlohmann::json::number_integer_t) { return value(); }
    bool number_unsigned(nlohmann::json::number_unsigned_t) { return value(); }
    bool number_float(nlohmann::json::number_float_t, const nlohmann::json::string_t&)
    {
        return value();
    }
    bool string(nlohmann::json::string_t&) { return value(); }
    bool binary(nlohmann::json::binary_t&) { return value(); }
    bool start_object(std::size_t) { return open(false); }
    bool start_array(std::size_t) { return open(true); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(nlohmann::json::string_t& key)
    {
        m_levels.back().name = QString::fromStdString(key);
        const QString at = path();
        if (m_lines->contains(at))
            m_twice->append(at);
        return note(at);
    }
    bool parse_error(
        std::size_t byte, const std::string& token, const nlohmann::json::exception& why)
    {
        m_failure = {byte, QByteArray::fromStdString(token), QByteArray(why.what()), valuePath(),
            dynamic_cast<const nlohmann::json::parse_error*>(&why) == nullptr};
        return false;
    }

    struct Failure {
        std::size_t byte = 0; ///< counted from 1
        QByteArray token;
        QByteArray why;
        QString path; ///< of the field that was being read
        bool value = false; ///< it is JSON, with a value that nothing can hold
    };
    const Failure& failure() const { return m_failure; }
    const QString& refusal() const { return m_refusal; } ///< why it stopped at a text that is JSON
    QString path() const
    {
        QString path;
        for (const Level& level : m_levels) {
            if (level.isArray)
                path += QStringLiteral("[%1]").arg(level.index);
            else
                path += (path.isEmpty() ? QString() : QStringLiteral(".")) + level.name;
        }
        return path;
    }

private:
    struct Level {
        bool isArray;
        int index;
        QString name;
    };

    /// The path of the value that comes next; an item of a list has no index yet.
    QString valuePath()
    {
        if (m_levels.empty() || !m_levels.back().isArray)
            return path();
        ++m_levels.back().index;
        const QString result = path();
        --m_levels.back().index;
        return result;
    }
    bool note(const QString& path)
    {
        m_noted += path.size();
        if (m_noted > mostNoted)
            m_refusal = tr("the file has too many fields, or their names are too long.");
        else
            m_lines->insert(path, *m_line);
        return m_refusal.isEmpty();
    }
    bool value()
    {
        if (m_levels.empty() || !m_levels.back().isArray)
            return true;
        ++m_levels.back().index;
        return note(path());
    }
    bool open(bool isArray)
    {
        if (!value())
            return false;
        if (m_levels.size() >= deepestLevel) {
            m_refusal = tr("nested more than %1 levels deep.").arg(deepestLevel);
            return false;
        }
        m_levels.push_back({isArray, -1, {}});
        return true;
    }
    bool close()
    {
        m_levels.pop_back();
        return true;
    }

    QHash<QString, int>* m_lines;
    QStringList* m_twice;
    const int* m_line;
    std::vector<Level> m_levels;
    Failure m_failure;
    qsizetype m_noted = 0;
    QString m_refusal;
};

Error brokenJson(const QByteArray& bytes, const QString& file, const LineNotes::Failure& failure)
{
    const QByteArray before = bytes.left(std::max<qsizetype>(0, qsizetype(failure.byte) - 1));
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = before.size() - before.lastIndexOf('\n');
    if (failure.value) {
        const QString token = QString::fromUtf8(failure.token.left(40));
        return {ErrorKind::Invalid,
            tr("%1, line %2: %3: the number %4 is too large.")
                .arg(file, QString::number(line), failure.path, token),
            tr("Write a number that is smaller than 1e308."), failure.why};
    }
    return {ErrorKind::Invalid,
        tr("%1, line %2, column %3: this is not valid JSON.").arg(file).arg(line).arg(column),
        tr("Look for a missing comma, quote or bracket just before that position."), failure.why};
}

/// The first walk: it notes the lines and finds everything at which the parser would throw.
Result<QStringList> walk(const QByteArray& bytes, const QString& file, QHash<QString, int>* lines)
{
    int line = 1;
    QStringList twice;
    LineNotes notes(lines, &twice, &line);
    const bool whole = nlohmann::json::sax_parse(CountingBytes{bytes.constData(), &line},
        CountingBytes{bytes.constData() + bytes.size(), &line}, &notes);
    if (!notes.refusal().isEmpty()) {
        return Error{ErrorKind::Invalid,
            tr("%1, line %2: %3: %4")
                .arg(file, QString::number(line), notes.path().left(200), notes.refusal())};
    }
    if (!whole)
        return brokenJson(bytes, file, notes.failure());
    return twice;
}

} // namespace

Result<JsonFile> JsonFile::parse(const QByteArray& bytes, const QString& file)
{
    if (bytes.size() > longestFile)
        return Error{ErrorKind::Invalid, tr("%1 is larger than 1 MiB.").arg(file)};
    JsonFile result;
    result.m_file = file;
    QStringList twice;
    try {
        const Result<QStringList> walked = walk(bytes, file, &result.m_lines);
        if (!walked.ok())
            return walked.error();
        twice = *walked;
        result.m_root = nlohmann::json::parse(bytes.begin(), bytes.end());
    } catch (const std::exception& why) {
        // The walk has read the whole file, so this is not expected. A user's file must still not
        // end the program.
        return Error{ErrorKind::Invalid, tr("%1 could not be read as JSON.").arg(file), {},
            QByteArray(why.what())};
    }
    for (const QString& path : twice)
        result.report(path, tr("given twice; one of them has no effect."));
    if (!result.m_root.is_object())
        return Error{ErrorKind::Invalid, tr("%1, line 1: expected an object, {…}.").arg(file)};
    return result;
}

void JsonFile::report(const QString& path, const QString& text)
{
    // A missing field has no line of its own: its object's is the nearest.
    QString known = path;
    while (!known.isEmpty() && !m_lines.contains(known))
        known.truncate(
            std::max<qsizetype>(0, std::max(known.lastIndexOf(u'.'), known.lastIndexOf(u'['))));
    m_findings << tr("%1, line %2: %3: %4")
                      .arg(m_file, QString::number(m_lines.value(known, 1)), path, text);
}

Error JsonFile::error() const
{
    return {ErrorKind::Invalid, m_findings.value(0), {}, m_findings.mid(1).join(u'\n').toUtf8()};
}

} // namespace slipway
