// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/translation.h"

#include "plots/metrics/metricnamesdata.h"
#include "plots/metrics/scan.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace slipway {

namespace {

unsigned char byteOf(char c)
{
    return static_cast<unsigned char>(c);
}

bool isContinuation(char c)
{
    return byteOf(c) >= 0x80 && byteOf(c) < 0xc0;
}

/// The first byte of a letter of alphabets with spaces between their words: Latin with accents,
/// Greek, Cyrillic.
bool beginsAlphabetic(char c)
{
    return byteOf(c) >= 0xc3 && byteOf(c) < 0xe0;
}

/// The first byte of what may be a letter of Chinese, Japanese or Korean, or full-width.
bool beginsIdeographic(char c)
{
    return byteOf(c) >= 0xe3 && byteOf(c) < 0xf0;
}

struct Sign {
    std::string_view wide, plain;
};
constexpr Sign signs[] = {{"：", ": "}, {"，", ", "}, {"、", ", "}, {"。", ". "}, {"；", "; "},
    {"（", " ("}, {"）", ") "}, {"【", " ["}, {"】", "] "}, {"＝", " = "}, {"％", "% "},
    {"\u3000", " "}};

const Sign* signAt(std::string_view text)
{
    const Sign* const found = std::find_if(std::begin(signs), std::end(signs),
        [text](const Sign& sign) { return text.starts_with(sign.wide); });
    return found == std::end(signs) ? nullptr : found;
}

size_t sizeOfCharacter(std::string_view text)
{
    size_t size = 1;
    while (size < text.size() && isContinuation(text[size]))
        ++size;
    return size;
}

/// Letters up to the next space or sign, of an alphabet.
size_t sizeOfWord(std::string_view text)
{
    size_t size = 0;
    while (size < text.size() && (isLetter(text[size]) || beginsAlphabetic(text[size])))
        size += sizeOfCharacter(text.substr(size));
    return size;
}

} // namespace

const Translation& Translation::builtIn()
{
    static const Translation translation = [] {
        Translation read;
        const QJsonObject file =
            QJsonDocument::fromJson(QByteArray(translationsJson)).object(); // a test reads the file
        for (const QJsonValue& entry : file.value(QLatin1String("translations")).toArray()) {
            const std::string means = entry[QLatin1String("means")].toString().toStdString();
            for (const QJsonValue& word : entry[QLatin1String("words")].toArray()) {
                const std::string text = word.toString().toStdString();
                size_t& longest = read.m_longest[text.substr(0, sizeOfCharacter(text))];
                longest = std::max(longest, text.size());
                read.m_words.emplace(text, means);
            }
        }
        return read;
    }();
    return translation;
}

bool Translation::mayApply(std::string_view text)
{
    constexpr uint64_t highBits = 0x8080808080808080u;
    size_t i = 0;
    for (; i + sizeof(uint64_t) <= text.size(); i += sizeof(uint64_t)) {
        uint64_t bytes;
        std::memcpy(&bytes, text.data() + i, sizeof(bytes));
        if ((bytes & highBits) != 0)
            break;
    }
    return std::any_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(),
        [](char c) { return beginsAlphabetic(c) || beginsIdeographic(c); });
}

/// The longest word that the text begins with; null: none.
const std::string* Translation::wordAt(std::string_view text, size_t& size) const
{
    const auto longest = m_longest.find(text.substr(0, sizeOfCharacter(text)));
    size = longest == m_longest.end() ? 0 : std::min(longest->second, text.size());
    for (; size > 0; --size) {
        if (size < text.size() && isContinuation(text[size]))
            continue;
        if (const auto found = m_words.find(text.substr(0, size)); found != m_words.end())
            return &found->second;
    }
    return nullptr;
}

/// Writes words apart from each other.
class Translation::Writer {
public:
    explicit Writer(std::string& out)
        : m_out(out)
    {
        m_out.clear();
    }

    void add(std::string_view text) { m_out += text; }
    void addWord(std::string_view word)
    {
        if (!m_out.empty() && !isSpace(m_out.back()) && m_out.back() != '(' && m_out.back() != '[')
            m_out += ' ';
        m_out += word;
        m_endsWord = true;
        m_changed = true;
    }
    /// What follows is part of no word that was added.
    void separate(char next)
    {
        if (m_endsWord && (isWordCharacter(next) || next == '-' || next == '+'))
            m_out += ' ';
        m_endsWord = false;
    }
    void addSign(std::string_view plain)
    {
        m_out += plain;
        m_endsWord = false;
        m_changed = true;
    }
    bool hasChanged() const { return m_changed; }

private:
    std::string& m_out;
    bool m_endsWord = false;
    bool m_changed = false;
};

/// "第3轮", "第 3 轮": the number stands behind its word in English.
bool Translation::takeOrdinal(std::string_view& text, Writer& writer) const
{
    static constexpr std::string_view ordinal = "第";
    std::string_view rest = text;
    if (!skip(rest, ordinal))
        return false;
    skipSpaces(rest);
    const std::string_view from = rest;
    if (!takeWholeCount(rest))
        return false;
    const std::string_view number = from.substr(0, from.size() - rest.size());
    skipSpaces(rest);
    size_t size = 0;
    const std::string* const word = wordAt(rest, size);
    if (!word)
        return false;
    writer.addWord(*word);
    writer.addWord(number);
    text = rest.substr(size);
    return true;
}

/// A word of scripts that have no spaces between them, or a single character.
void Translation::takeIdeograph(std::string_view& text, Writer& writer) const
{
    size_t size = 0;
    if (const std::string* const word = wordAt(text, size))
        writer.addWord(*word);
    else
        writer.add(text.substr(0, size = sizeOfCharacter(text)));
    text.remove_prefix(size);
}

/// A word of an alphabet, or a byte of something else.
void Translation::takeAlphabetic(std::string_view& text, Writer& writer) const
{
    writer.separate(text[0]);
    const std::string_view word = text.substr(0, std::max<size_t>(sizeOfWord(text), 1));
    const bool isForeign = std::any_of(word.begin(), word.end(), beginsAlphabetic);
    const auto found = isForeign
        ? m_words.find(
            QString::fromUtf8(word.data(), qsizetype(word.size())).toLower().toStdString())
        : m_words.end();
    if (found != m_words.end())
        writer.addWord(found->second);
    else
        writer.add(word);
    text.remove_prefix(word.size());
}

bool Translation::apply(std::string_view text, std::string& out) const
{
    Writer writer(out);
    while (!text.empty()) {
        if (const Sign* const sign = signAt(text)) {
            writer.addSign(sign->plain);
            text.remove_prefix(sign->wide.size());
        } else if (beginsIdeographic(text[0])) {
            if (!takeOrdinal(text, writer))
                takeIdeograph(text, writer);
        } else {
            takeAlphabetic(text, writer);
        }
    }
    return writer.hasChanged();
}

} // namespace slipway
