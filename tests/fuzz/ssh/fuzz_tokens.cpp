// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/ssh/configtokens.h"
#include "remote/ssh/hops.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>

using namespace slipway;

namespace {

/// Texts that expand to themselves again show whether something is expanded twice.
const QString repeated = QStringLiteral("%h${HOME}%%");

/// The sentence has no broken character, and none that the text does not have.
void judgeSentence(const QString& sentence, const QString& text)
{
    const auto isForeign = [&text](QChar c) {
        return c.category() == QChar::Other_Control && !text.contains(c);
    };
    if (!sentence.isValidUtf16() || std::any_of(sentence.begin(), sentence.end(), isForeign))
        std::abort();
}

void expandTokens(const QString& text)
{
    static const ConfigTokens tokens{{u'h', repeated}, {u'p', QString()}};
    const auto expanded = withTokens(text, tokens, QStringLiteral("IdentityFile"));
    if (!expanded.ok())
        judgeSentence(expanded.error().summary, text);
    else if (expanded->size() > text.size() + text.count(u'%') * repeated.size())
        std::abort();
    QString quoted = text;
    quoted.replace(u'%', QStringLiteral("%%"));
    if (*withTokens(quoted, tokens, {}) != text)
        std::abort();
}

void expandVariables(const QString& text)
{
    int asked = 0;
    const auto environment = [&asked](const QString& name) -> std::optional<QString> {
        ++asked;
        return name.isEmpty() ? std::nullopt : std::optional(repeated);
    };
    const auto expanded = withVariables(text, QStringLiteral("IdentityFile"), environment);
    if (asked > text.count(u'$'))
        std::abort();
    if (!expanded.ok())
        judgeSentence(expanded.error().summary, text);
    else if (expanded->size() > text.size() + asked * repeated.size())
        std::abort();
}

/// A configuration, as `ssh -G` prints it.
void expandConfig(const QByteArray& input)
{
    ResolvedTarget target = parseSshConfig(input, QStringLiteral("/home/me"));
    const auto count = target.identities.size() + target.certificates.size();
    const auto done = expandTarget(target, QStringLiteral("/home/me"));
    if (done.ok() && target.identities.size() + target.certificates.size() != count)
        std::abort();
}

void readHop(const QString& text)
{
    const auto hop = hopFromText(text);
    if (!hop.ok())
        return;
    const bool hasSpace =
        std::any_of(hop->host.begin(), hop->host.end(), [](QChar c) { return c.isSpace(); });
    if (hop->host.isEmpty() || hop->host.startsWith(u'-') || hasSpace || hop->port < 0
        || hop->port > 65535)
        std::abort();
    // Written in full, it is the same place.
    QString full = hop->host.contains(u']') ? hop->host : QString(u'[' + hop->host + u']');
    if (!hop->user.isEmpty())
        full.prepend(hop->user + u'@');
    if (hop->port > 0)
        full += u':' + QString::number(hop->port);
    const auto again = hopFromText(QStringLiteral("ssh://%1/").arg(full));
    if (!again.ok() || again->host != hop->host || again->user != hop->user
        || again->port != hop->port)
        std::abort();
}

} // namespace

SLIPWAY_FUZZ_TARGET(tokens)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    const QString text = QString::fromUtf8(input);
    for (const QString& line : text.split(u'\n')) {
        expandTokens(line);
        expandVariables(line);
        readHop(line);
    }
    expandTokens(text);
    expandConfig(input);
    return 0;
}
