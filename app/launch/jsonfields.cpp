// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/jsonfields.h"

#include <cmath>
#include <iterator>
#include <limits>

namespace slipway {

namespace {

constexpr qsizetype longestFile = 1024 * 1024; // a site or recipe is a few KiB

/// Counts the lines that the parser has read, so that a field can be told where it stands.
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

/// Walks the text once and notes the line of every field, and the fields that are given twice.
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
    bool number_float(nlohmann::json::number_float_t, const nlohmann::json::string_t&) { return value(); }
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
        m_lines->insert(at, *m_line);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) { return false; }

private:
    struct Level {
        bool isArray;
        int index;
        QString name;
    };

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
    bool value()
    {
        if (!m_levels.empty() && m_levels.back().isArray) {
            ++m_levels.back().index;
            m_lines->insert(path(), *m_line);
        }
        return true;
    }
    bool open(bool isArray)
    {
        value();
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
};

Error brokenJson(const QByteArray& bytes, const QString& file, const nlohmann::json::parse_error& why)
{
    const QByteArray before = bytes.left(std::max<qsizetype>(0, qsizetype(why.byte) - 1)); // counted from 1
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = before.size() - before.lastIndexOf('\n');
    return {ErrorKind::Invalid,
        QStringLiteral("%1, line %2, column %3: this is not JSON.").arg(file).arg(line).arg(column),
        QStringLiteral("Look for a missing comma, quote or bracket just before that place."),
        QByteArray(why.what())};
}

} // namespace

Result<JsonFile> JsonFile::parse(const QByteArray& bytes, const QString& file)
{
    if (bytes.size() > longestFile)
        return Error{ErrorKind::Invalid, QStringLiteral("%1 is larger than 1 MiB.").arg(file)};
    JsonFile result;
    result.m_file = file;
    try {
        result.m_root = nlohmann::json::parse(bytes.begin(), bytes.end());
    } catch (const nlohmann::json::parse_error& why) {
        return brokenJson(bytes, file, why);
    }
    int line = 1;
    QStringList twice;
    LineNotes notes(&result.m_lines, &twice, &line);
    nlohmann::json::sax_parse(CountingBytes{bytes.constData(), &line},
        CountingBytes{bytes.constData() + bytes.size(), &line}, &notes);
    for (const QString& path : twice)
        result.complain(path, QStringLiteral("given twice; one of them has no effect."));
    if (!result.m_root.is_object())
        return Error{ErrorKind::Invalid, QStringLiteral("%1, line 1: expected an object, {…}.").arg(file)};
    return result;
}

void JsonFile::complain(const QString& path, const QString& text)
{
    // A missing field has no line of its own: its object's is the nearest.
    QString known = path;
    while (!known.isEmpty() && !m_lines.contains(known))
        known.truncate(std::max<qsizetype>(0, std::max(known.lastIndexOf(u'.'), known.lastIndexOf(u'['))));
    m_complaints << QStringLiteral("%1, line %2: %3: %4")
                        .arg(m_file, QString::number(m_lines.value(known, 1)), path, text);
}

Error JsonFile::error() const
{
    return {ErrorKind::Invalid, m_complaints.value(0), {}, m_complaints.mid(1).join(u'\n').toUtf8()};
}

JsonFields::JsonFields(JsonFile* file, const nlohmann::json& object, QString path)
    : m_file(file)
    , m_object(object)
    , m_path(std::move(path))
{
}

QString JsonFields::path(const char* key) const
{
    return (m_path.isEmpty() ? QString() : m_path + u'.') + QLatin1String(key);
}

const nlohmann::json* JsonFields::find(const char* key)
{
    m_known << QLatin1String(key);
    const auto it = m_object.find(key);
    return it == m_object.end() ? nullptr : &*it;
}

bool JsonFields::has(const char* key) const
{
    return m_object.contains(key);
}

void JsonFields::complain(const char* key, const QString& text)
{
    m_file->complain(path(key), text);
}

void JsonFields::expected(const char* key, const char* what)
{
    complain(key, QStringLiteral("expected %1.").arg(QLatin1String(what)));
}

void JsonFields::complainOfWord(const char* key, const QString& text, const QStringList& known)
{
    complain(key, QStringLiteral("“%1” is not known; expected one of: %2.").arg(text, known.join(u", ")));
}

QString JsonFields::text(const char* key, bool required)
{
    const nlohmann::json* value = find(key);
    if (value && value->is_string()) {
        const QString text = QString::fromStdString(value->get<std::string>());
        if (required && text.isEmpty())
            expected(key, "a text that is not empty");
        return text;
    }
    if (value)
        expected(key, "a text in quotes");
    else if (required)
        complain(key, QStringLiteral("missing; expected a text."));
    return {};
}

QStringList JsonFields::texts(const char* key)
{
    const nlohmann::json* value = find(key);
    QStringList texts;
    if (!value)
        return texts;
    if (!value->is_array()) {
        expected(key, "a list of texts, […]");
        return texts;
    }
    for (const nlohmann::json& item : *value) {
        if (item.is_string())
            texts << QString::fromStdString(item.get<std::string>());
        else
            expected(key, "a list of texts, and only texts");
    }
    return texts;
}

std::optional<qint64> JsonFields::integer(const char* key)
{
    const nlohmann::json* value = find(key);
    if (!value)
        return {};
    if (value->is_number_integer() && !(value->is_number_unsigned()
            && value->get<quint64>() > quint64(std::numeric_limits<qint64>::max())))
        return value->get<qint64>();
    expected(key, "a whole number");
    return {};
}

int JsonFields::count(const char* key, int otherwise)
{
    const std::optional<qint64> value = integer(key);
    if (!value)
        return otherwise;
    if (*value >= 0 && *value <= std::numeric_limits<int>::max())
        return int(*value);
    expected(key, "a whole number from 0 to 2147483647");
    return otherwise;
}

std::optional<double> JsonFields::number(const char* key)
{
    const nlohmann::json* value = find(key);
    if (!value)
        return {};
    if (value->is_number() && std::isfinite(value->get<double>()))
        return value->get<double>();
    expected(key, "a number");
    return {};
}

std::optional<bool> JsonFields::optionalFlag(const char* key)
{
    const nlohmann::json* value = find(key);
    if (!value)
        return {};
    if (value->is_boolean())
        return value->get<bool>();
    expected(key, "true or false");
    return {};
}

bool JsonFields::flag(const char* key, bool otherwise)
{
    return optionalFlag(key).value_or(otherwise);
}

QMap<QString, QString> JsonFields::textMap(const char* key)
{
    QMap<QString, QString> map;
    object(key, [&map](JsonFields& fields) {
        for (const QString& name : fields.keys())
            map.insert(name, fields.text(name.toUtf8().constData()));
    });
    return map;
}

QMap<QString, QMap<QString, QString>> JsonFields::textMaps(const char* key)
{
    QMap<QString, QMap<QString, QString>> maps;
    object(key, [&maps](JsonFields& fields) {
        for (const QString& name : fields.keys())
            maps.insert(name, fields.textMap(name.toUtf8().constData()));
    });
    return maps;
}

QStringList JsonFields::keys() const
{
    QStringList keys;
    for (const auto& item : m_object.items())
        keys << QString::fromStdString(item.key());
    return keys;
}

void JsonFields::objects(const char* key, const std::function<void(JsonFields&)>& each)
{
    const nlohmann::json* value = find(key);
    if (!value)
        return;
    if (!value->is_array())
        return expected(key, "a list of objects, [{…}]");
    int index = 0;
    for (const nlohmann::json& item : *value) {
        const QString at = QStringLiteral("%1[%2]").arg(path(key)).arg(index++);
        if (!item.is_object()) {
            m_file->complain(at, QStringLiteral("expected an object, {…}."));
            continue;
        }
        JsonFields fields(m_file, item, at);
        each(fields);
        fields.finish();
    }
}

void JsonFields::object(const char* key, const std::function<void(JsonFields&)>& read)
{
    const nlohmann::json* value = find(key);
    if (!value)
        return;
    if (!value->is_object())
        return expected(key, "an object, {…}");
    JsonFields fields(m_file, *value, path(key));
    read(fields);
    fields.finish();
}

void JsonFields::finish()
{
    for (const auto& item : m_object.items()) {
        const QString key = QString::fromStdString(item.key());
        if (m_known.contains(key) || key == u"$schema")
            continue;
        QStringList known = m_known;
        known.removeDuplicates();
        complain(item.key().c_str(),
            QStringLiteral("this field is not known here. Known are: %1.").arg(known.join(u", ")));
    }
}

} // namespace slipway
