// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include <random>

namespace slipway {

/// Mutations breaks good output in the ways that real output breaks: bytes flipped, dropped,
/// doubled, pieces cut off or moved, control characters put in. Deterministic: the same seed, the
/// same texts.
class Mutations {
public:
    explicit Mutations(unsigned seed)
        : m_random(seed)
    {
    }

    QByteArray of(QByteArray text)
    {
        for (int i = 0, count = 1 + pick(6); i < count; ++i)
            change(text);
        return text;
    }

private:
    int pick(qsizetype bound) { return bound <= 0 ? 0 : int(m_random() % unsigned(bound)); }

    void change(QByteArray& text)
    {
        static const QByteArray pieces[]{"\n", "\x1f", "\x1e", "[", "]", "(", ")", ",", ":", "-",
            "99999999999999999999", QByteArray(1, '\0'), "\xff\xfe", "N/A", "SLP", "%", "\r", ";"};
        const qsizetype at = pick(text.size() + 1);
        switch (pick(6)) {
        case 0:
            if (at < text.size())
                text[at] = char(m_random());
            break;
        case 1:
            text.remove(at, 1 + pick(16));
            break;
        case 2:
            text.insert(at, pieces[pick(std::size(pieces))]);
            break;
        case 3:
            text.truncate(at);
            break;
        case 4:
            text.insert(at, text.mid(pick(text.size()), pick(64)));
            break;
        default:
            text = text.mid(at).append(text.left(at));
        }
    }

    std::mt19937 m_random;
};

} // namespace slipway
