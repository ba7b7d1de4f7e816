// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/probe/core/json.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace slipway::probe {

namespace {

constexpr int deepest = 64;

/// Reader goes through a JSON text once, from front to back; it lives for one call of Json::read.
class Reader {
public:
    explicit Reader(std::string_view text)
        : _rest(text)
    {
    }

    std::optional<Json> whole()
    {
        std::optional<Json> value = anyValue(0);
        skipSpace();
        return _rest.empty() ? value : std::nullopt;
    }

private:
    void skipSpace()
    {
        const size_t at = _rest.find_first_not_of(" \t\r\n");
        _rest.remove_prefix(at == _rest.npos ? _rest.size() : at);
    }
    bool take(std::string_view word)
    {
        if (!_rest.starts_with(word))
            return false;
        _rest.remove_prefix(word.size());
        return true;
    }
    bool takeSign(char sign)
    {
        skipSpace();
        return take({&sign, 1});
    }

    std::optional<Json> anyValue(int depth)
    {
        skipSpace();
        if (depth > deepest || _rest.empty())
            return {};
        switch (_rest[0]) {
        case '{':
            return object(depth);
        case '[':
            return array(depth);
        case '"': {
            std::optional<std::string> value = string();
            return value ? std::optional<Json>(std::move(*value)) : std::nullopt;
        }
        case 't':
            return take("true") ? std::optional<Json>(true) : std::nullopt;
        case 'f':
            return take("false") ? std::optional<Json>(false) : std::nullopt;
        case 'n':
            return take("null") ? std::optional<Json>(std::in_place) : std::nullopt;
        default:
            return number();
        }
    }

    std::optional<Json> object(int depth)
    {
        take("{");
        Json::Object members;
        if (takeSign('}'))
            return Json(members);
        do {
            skipSpace();
            std::optional<std::string> name = string();
            if (!name || !takeSign(':'))
                return {};
            std::optional<Json> value = anyValue(depth + 1);
            if (!value)
                return {};
            members.emplace_back(std::move(*name), std::move(*value));
        } while (takeSign(','));
        return takeSign('}') ? std::optional<Json>(std::move(members)) : std::nullopt;
    }

    std::optional<Json> array(int depth)
    {
        take("[");
        Json::Array items;
        if (takeSign(']'))
            return Json(items);
        do {
            std::optional<Json> value = anyValue(depth + 1);
            if (!value)
                return {};
            items.push_back(std::move(*value));
        } while (takeSign(','));
        return takeSign(']') ? std::optional<Json>(std::move(items)) : std::nullopt;
    }

    std::optional<Json> number()
    {
        const size_t length = std::min(_rest.find_first_not_of("+-0123456789.eE"), _rest.size());
        const std::string text(_rest.substr(0, length));
        const size_t digit = text.find_first_not_of('-');
        if (digit == text.npos || digit > 1 || text[digit] < '0' || text[digit] > '9')
            return {};
        _rest.remove_prefix(length);
        std::int64_t integer = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
        if (error == std::errc() && end == text.data() + text.size())
            return Json(static_cast<long long>(integer));
        char* last = nullptr;
        const double value = std::strtod(text.c_str(), &last);
        return *last == '\0' && std::isfinite(value) ? std::optional<Json>(value) : std::nullopt;
    }

    std::optional<unsigned> codeUnit()
    {
        unsigned value = 0;
        if (_rest.size() < 4)
            return {};
        const auto [end, error] = std::from_chars(_rest.data(), _rest.data() + 4, value, 16);
        if (error != std::errc() || end != _rest.data() + 4)
            return {};
        _rest.remove_prefix(4);
        return value;
    }

    static void appendCharacter(std::string& text, unsigned code)
    {
        const auto put = [&](unsigned byte) { text += static_cast<char>(byte); };
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xc0 | code >> 6);
            put(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            put(0xe0 | code >> 12);
            put(0x80 | (code >> 6 & 0x3f));
            put(0x80 | (code & 0x3f));
        } else {
            put(0xf0 | code >> 18);
            put(0x80 | (code >> 12 & 0x3f));
            put(0x80 | (code >> 6 & 0x3f));
            put(0x80 | (code & 0x3f));
        }
    }

    bool escape(std::string& text)
    {
        if (_rest.empty())
            return false;
        const char sign = _rest[0];
        _rest.remove_prefix(1);
        static constexpr std::string_view signs = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        if (const size_t at = signs.find(sign); at != signs.npos) {
            text += meanings[at];
            return true;
        }
        std::optional<unsigned> code = sign == 'u' ? codeUnit() : std::nullopt;
        if (!code)
            return false;
        if (*code >= 0xd800 && *code < 0xdc00 && take("\\u")) {
            const std::optional<unsigned> low = codeUnit();
            if (!low || *low < 0xdc00 || *low > 0xdfff)
                return false;
            *code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
        }
        appendCharacter(text, *code >= 0xd800 && *code < 0xe000 ? 0xfffd : *code);
        return true;
    }

    std::optional<std::string> string()
    {
        if (!take("\""))
            return {};
        std::string text;
        while (!_rest.empty()) {
            const size_t plain = std::min(_rest.find_first_of("\"\\"), _rest.size());
            text += _rest.substr(0, plain);
            _rest.remove_prefix(plain);
            if (take("\""))
                return text;
            if (take("\\") && !escape(text))
                return {};
        }
        return {};
    }

    std::string_view _rest;
};

} // namespace

std::optional<Json> Json::read(std::string_view text)
{
    return Reader(text).whole();
}

} // namespace slipway::probe
