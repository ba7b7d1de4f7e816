// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/catalogue/jsonfields.h"

#include "remote/base/tr.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipway {

namespace {

bool allNumbers(const nlohmann::json& list)
{
    return std::all_of(list.begin(), list.end(), [](const nlohmann::json& one) {
        return one.is_number() && std::isfinite(one.get<double>());
    });
}

} // namespace

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

void JsonFields::report(const char* key, const QString& text)
{
    m_file->report(path(key), text);
}

void JsonFields::expected(const char* key, const char* what)
{
    report(key, tr("expected %1.").arg(tr(what)));
}

void JsonFields::reportWord(const char* key, const QString& text, const QStringList& known)
{
    report(key, tr("“%1” is not known; expected one of: %2.").arg(text, known.join(u", ")));
}

QString JsonFields::text(const char* key, bool required)
{
    const nlohmann::json* value = find(key);
    if (value && value->is_string()) {
        const QString text = QString::fromStdString(value->get<std::string>());
        if (required && text.isEmpty())
            expected(key, "a string that is not empty");
        return text;
    }
    if (value)
        expected(key, "a string in quotes");
    else if (required)
        report(key, tr("missing; expected a string."));
    return {};
}

QStringList JsonFields::texts(const char* key)
{
    const nlohmann::json* value = find(key);
    QStringList texts;
    if (!value)
        return texts;
    if (!value->is_array()) {
        expected(key, "a list of strings, […]");
        return texts;
    }
    for (const nlohmann::json& item : *value) {
        if (item.is_string())
            texts << QString::fromStdString(item.get<std::string>());
        else
            expected(key, "a list of strings, and only strings");
    }
    return texts;
}

std::optional<qint64> JsonFields::integer(const char* key)
{
    const nlohmann::json* value = find(key);
    if (!value)
        return {};
    if (value->is_number_integer()
        && !(value->is_number_unsigned()
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

std::vector<double> JsonFields::numbers(const char* key)
{
    const nlohmann::json* value = find(key);
    std::vector<double> numbers;
    const bool right = !value || (value->is_array() && allNumbers(*value));
    if (!right)
        expected(key, "a list of numbers, [1, 2.5]");
    else if (value)
        numbers = value->get<std::vector<double>>();
    return numbers;
}

std::vector<std::vector<double>> JsonFields::numberRows(const char* key, std::size_t each)
{
    const nlohmann::json* value = find(key);
    std::vector<std::vector<double>> rows;
    if (!value)
        return rows;
    const auto right = [each](const nlohmann::json& row) {
        return row.is_array() && row.size() == each && allNumbers(row);
    };
    if (!value->is_array() || !std::all_of(value->begin(), value->end(), right)) {
        expected(key, "a list of lists of numbers, [[1, 2.5]]");
        return rows;
    }
    for (const nlohmann::json& row : *value)
        rows.push_back(row.get<std::vector<double>>());
    return rows;
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
    items(key, nullptr, each);
}

void JsonFields::textsOrObjects(const char* key, const std::function<void(const QString&)>& text,
    const std::function<void(JsonFields&)>& each)
{
    items(key, text, each);
}

void JsonFields::items(const char* key, const std::function<void(const QString&)>& text,
    const std::function<void(JsonFields&)>& each)
{
    const nlohmann::json* value = find(key);
    if (!value)
        return;
    if (!value->is_array())
        return expected(
            key, text ? "a list of strings and objects, […]" : "a list of objects, [{…}]");
    int index = 0;
    for (const nlohmann::json& item : *value) {
        const QString at = QStringLiteral("%1[%2]").arg(path(key)).arg(index++);
        if (text && item.is_string()) {
            text(QString::fromStdString(item.get<std::string>()));
            continue;
        }
        if (!item.is_object()) {
            m_file->report(at,
                text ? tr("expected a string, or an object, {…}.")
                     : tr("expected an object, {…}."));
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
        report(item.key().c_str(), tr("unknown field. Known fields: %1.").arg(known.join(u", ")));
    }
}

} // namespace slipway
