// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <nlohmann/json.hpp>

#include <QHash>
#include <QMap>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>
#include <vector>

namespace slipway {

/// JsonFile is a parsed file that knows the line of each field and collects its errors. A value
/// that lives as long as one parse.
class JsonFile {
public:
    /// An error names the file, the line and the column where JSON itself is broken.
    static Result<JsonFile> parse(const QByteArray& bytes, const QString& file);

    const nlohmann::json& root() const { return m_root; }
    /// One finding: "kestrel.json, line 12: partitions[0].nodes: expected …".
    void report(const QString& path, const QString& text);
    bool clean() const { return m_findings.isEmpty(); }
    /// All findings as one error; the first is its summary.
    Error error() const;

private:
    nlohmann::json m_root;
    QString m_file;
    QHash<QString, int> m_lines; ///< by path: "partitions[0].nodes"
    QStringList m_findings;
};

/// JsonFields reads one object of a JsonFile strictly: each get names a field and its type; a field
/// of the wrong type, a missing field and, at finish(), an unknown field are reported.
class JsonFields {
public:
    JsonFields(JsonFile* file, const nlohmann::json& object, QString path);

    bool has(const char* key) const;
    QString text(const char* key, bool required = false);
    QStringList texts(const char* key);
    int count(const char* key, int otherwise = 0); ///< a whole number, 0 or more
    std::optional<qint64> integer(const char* key);
    std::optional<double> number(const char* key);
    std::vector<double> numbers(const char* key);
    /// A list of lists of this many numbers: points.
    std::vector<std::vector<double>> numberRows(const char* key, std::size_t each);
    bool flag(const char* key, bool otherwise = false);
    std::optional<bool> optionalFlag(const char* key);
    QMap<QString, QString> textMap(const char* key);
    /// An object of objects of texts.
    QMap<QString, QMap<QString, QString>> textMaps(const char* key);
    QStringList keys() const;
    /// Calls `each` for every object of an array.
    void objects(const char* key, const std::function<void(JsonFields&)>& each);
    /// Calls `text` for every text of an array and `each` for every object.
    void textsOrObjects(const char* key, const std::function<void(const QString&)>& text,
        const std::function<void(JsonFields&)>& each);
    /// Calls `read` for the object there, if there is one.
    void object(const char* key, const std::function<void(JsonFields&)>& read);

    /// A word of a fixed list, as an enumerator.
    template <typename Enum>
    Enum word(
        const char* key, Enum otherwise, std::initializer_list<std::pair<const char*, Enum>> words)
    {
        const QString text = this->text(key);
        if (text.isEmpty())
            return otherwise;
        QStringList known;
        for (const auto& [name, value] : words) {
            if (text == QLatin1String(name))
                return value;
            known << QLatin1String(name);
        }
        reportWord(key, text, known);
        return otherwise;
    }

    /// A string that `parse` (WallTime::parse, MemorySize::parse) converts into a value.
    template <typename Value>
    Value parsed(const char* key, Value otherwise, Result<Value> (*parse)(const QString&))
    {
        const QString text = this->text(key);
        if (text.isEmpty())
            return otherwise;
        const Result<Value> value = parse(text);
        if (value.ok())
            return *value;
        report(key, value.error().summary + u' ' + value.error().remedy);
        return otherwise;
    }

    void report(const char* key, const QString& text);
    QString path(const char* key) const;
    /// Reports every unknown field.
    void finish();

private:
    const nlohmann::json* find(const char* key);
    void items(const char* key, const std::function<void(const QString&)>& text,
        const std::function<void(JsonFields&)>& each);
    void expected(const char* key, const char* what);
    void reportWord(const char* key, const QString& text, const QStringList& known);

    JsonFile* m_file;
    const nlohmann::json& m_object;
    QString m_path;
    QStringList m_known;
};

} // namespace slipway
