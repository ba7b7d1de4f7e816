// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace slipway::probe {

/// Json is a JSON value: used for rows, for messages of a child to its parent, and for a few files
/// of an image. A value; members keep the order in which they were set.
class Json {
public:
    using Array = std::vector<Json>;
    using Member = std::pair<std::string, Json>;
    using Object = std::vector<Member>;

    Json() = default;
    Json(bool value)
        : _value(value)
    {
    }
    Json(int value)
        : _value(std::int64_t(value))
    {
    }
    Json(unsigned value)
        : _value(std::int64_t(value))
    {
    }
    Json(long value)
        : _value(std::int64_t(value))
    {
    }
    Json(long long value)
        : _value(std::int64_t(value))
    {
    }
    Json(unsigned long value);
    Json(unsigned long long value);
    Json(double value)
        : _value(value)
    {
    }
    Json(const char* value)
        : _value(std::string(value))
    {
    }
    Json(std::string value)
        : _value(std::move(value))
    {
    }
    Json(std::string_view value)
        : _value(std::string(value))
    {
    }
    Json(Array value)
        : _value(std::move(value))
    {
    }
    Json(Object value)
        : _value(std::move(value))
    {
    }
    template <typename T> static Json list(const std::vector<T>& values)
    {
        Array array;
        for (const T& value : values)
            array.emplace_back(value);
        return array;
    }

    bool isNull() const { return std::holds_alternative<std::monostate>(_value); }
    bool isObject() const { return std::holds_alternative<Object>(_value); }
    bool isArray() const { return std::holds_alternative<Array>(_value); }
    bool isString() const { return std::holds_alternative<std::string>(_value); }
    bool isNumber() const
    {
        return std::holds_alternative<double>(_value)
            || std::holds_alternative<std::int64_t>(_value);
    }

    /// Makes an object of a null value. A null member is not stored: unknown values are left out.
    Json& set(std::string_view name, Json value);
    template <typename T> Json& set(std::string_view name, const std::optional<T>& value)
    {
        return value ? set(name, Json(*value)) : *this;
    }
    /// Makes an array of a null value.
    Json& append(Json value);

    bool has(std::string_view name) const { return find(name) != nullptr; }
    const Json& operator[](std::string_view name) const; ///< null where there is no such member
    const Array& items() const; ///< empty where it is no array
    const Object& members() const;
    std::string text(std::string_view otherwise = {}) const;
    double number(double otherwise = 0) const;
    std::int64_t integer(std::int64_t otherwise = 0) const;
    bool boolean(bool otherwise = false) const;
    std::optional<double> maybeNumber() const;
    std::vector<std::string> texts() const; ///< the strings of an array

    /// On one line, valid UTF-8 whatever the strings hold; a number that JSON cannot represent is
    /// null.
    std::string write() const;
    /// None if the text is not JSON, or is nested deeper than 64.
    static std::optional<Json> read(std::string_view text);

    bool operator==(const Json&) const = default;

private:
    const Json* find(std::string_view name) const;
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> _value;
};

} // namespace slipway::probe
