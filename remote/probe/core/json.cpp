// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace slipway::probe {

namespace {

/// The length of the UTF-8 character at the front; 0: none begins here.
size_t characterLength(std::string_view text)
{
    const auto byte = [&](size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const auto follows = [&](size_t i) { return (byte(i) & 0xc0) == 0x80; };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool shortest = first != 0xe0 || byte(1) >= 0xa0;
        const bool surrogate = first == 0xed && byte(1) >= 0xa0;
        return follows(1) && follows(2) && shortest && !surrogate ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool inRange =
            (first != 0xf0 || byte(1) >= 0x90) && (first != 0xf4 || byte(1) < 0x90);
        return follows(1) && follows(2) && follows(3) && inRange ? 4 : 0;
    }
    return 0;
}

void writeString(std::string& out, std::string_view text)
{
    out += '"';
    while (!text.empty()) {
        const size_t length = characterLength(text);
        const auto c = static_cast<unsigned char>(text[0]);
        if (length == 0)
            out += "\xef\xbf\xbd";
        else if (c == '"' || c == '\\')
            (out += '\\') += char(c);
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (c < 0x20 || c == 0x7f) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
            out += code;
        } else
            out += text.substr(0, length);
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    out += '"';
}

void writeNumber(std::string& out, double value)
{
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    if (value == std::trunc(value) && std::fabs(value) < 1e15) {
        out += std::to_string(static_cast<long long>(value));
        return;
    }
    char text[40];
    for (const int digits : {6, 9, 15, 17}) {
        std::snprintf(text, sizeof text, "%.*g", digits, value);
        if (std::strtod(text, nullptr) == value)
            break;
    }
    out += text;
}

void writeValue(std::string& out, const auto& variant)
{
    std::visit(
        [&](const auto& value) {
            using T = std::decay_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::monostate>)
                out += "null";
            else if constexpr (std::is_same_v<T, bool>)
                out += value ? "true" : "false";
            else if constexpr (std::is_same_v<T, std::int64_t>)
                out += std::to_string(value);
            else if constexpr (std::is_same_v<T, double>)
                writeNumber(out, value);
            else if constexpr (std::is_same_v<T, std::string>)
                writeString(out, value);
            else if constexpr (std::is_same_v<T, Json::Array>) {
                out += '[';
                for (size_t i = 0; i < value.size(); ++i)
                    (i ? out += ',' : out) += value[i].write();
                out += ']';
            } else {
                out += '{';
                for (size_t i = 0; i < value.size(); ++i) {
                    if (i)
                        out += ',';
                    writeString(out, value[i].first);
                    (out += ':') += value[i].second.write();
                }
                out += '}';
            }
        },
        variant);
}

} // namespace

Json::Json(unsigned long value)
    : Json(static_cast<unsigned long long>(value))
{
}

Json::Json(unsigned long long value)
{
    if (value <= static_cast<unsigned long long>(std::numeric_limits<std::int64_t>::max()))
        _value = static_cast<std::int64_t>(value);
    else
        _value = static_cast<double>(value);
}

Json& Json::set(std::string_view name, Json value)
{
    if (isNull())
        _value = Object();
    auto* object = std::get_if<Object>(&_value);
    if (!object || value.isNull())
        return *this;
    const auto it = std::ranges::find(*object, name, &Member::first);
    if (it != object->end())
        it->second = std::move(value);
    else
        object->emplace_back(std::string(name), std::move(value));
    return *this;
}

Json& Json::append(Json value)
{
    if (isNull())
        _value = Array();
    if (auto* array = std::get_if<Array>(&_value))
        array->push_back(std::move(value));
    return *this;
}

const Json* Json::find(std::string_view name) const
{
    const auto* object = std::get_if<Object>(&_value);
    if (!object)
        return nullptr;
    const auto it = std::ranges::find(*object, name, &Member::first);
    return it == object->end() ? nullptr : &it->second;
}

const Json& Json::operator[](std::string_view name) const
{
    static const Json none;
    const Json* member = find(name);
    return member ? *member : none;
}

const Json::Array& Json::items() const
{
    static const Array none;
    const auto* array = std::get_if<Array>(&_value);
    return array ? *array : none;
}

const Json::Object& Json::members() const
{
    static const Object none;
    const auto* object = std::get_if<Object>(&_value);
    return object ? *object : none;
}

std::string Json::text(std::string_view otherwise) const
{
    const auto* value = std::get_if<std::string>(&_value);
    return value ? *value : std::string(otherwise);
}

std::optional<double> Json::maybeNumber() const
{
    if (const auto* value = std::get_if<double>(&_value))
        return *value;
    if (const auto* value = std::get_if<std::int64_t>(&_value))
        return static_cast<double>(*value);
    return {};
}

double Json::number(double otherwise) const
{
    return maybeNumber().value_or(otherwise);
}

std::int64_t Json::integer(std::int64_t otherwise) const
{
    if (const auto* value = std::get_if<std::int64_t>(&_value))
        return *value;
    const auto* value = std::get_if<double>(&_value);
    return value && std::fabs(*value) < 9e18 ? static_cast<std::int64_t>(*value) : otherwise;
}

bool Json::boolean(bool otherwise) const
{
    const auto* value = std::get_if<bool>(&_value);
    return value ? *value : otherwise;
}

std::vector<std::string> Json::texts() const
{
    std::vector<std::string> texts;
    for (const Json& item : items()) {
        if (item.isString())
            texts.push_back(item.text());
    }
    return texts;
}

std::string Json::write() const
{
    std::string out;
    writeValue(out, _value);
    return out;
}

} // namespace slipway::probe
