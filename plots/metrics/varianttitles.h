// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "plots/metrics/metricnames.h"

#include <QString>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipway {

/// VariantTitles keeps which of several things that are compared the next results are of, as lines
/// of their own say: "Operation: Matrix Addition", "GPU version", "=== CPU ===", "Naive:". A title
/// above the sizes holds until the next one, or until nothing was measured for a while; one below a
/// size is of that size. Passive; bounded.
class VariantTitles {
public:
    enum class Taken {
        None, ///< the line is something else
        Variant,
        Title ///< above the sizes: they begin again
    };

    explicit VariantTitles(NameCache& cache)
        : m_cache(cache)
    {
    }

    /// `text`: a line without its prefix. `isWithin`: it stands below a size.
    Taken take(std::string_view text, bool isWithin, qint64 line);
    /// A heading with a size: titles below the one before end.
    void beginSize();
    /// The heading names what is compared itself.
    void endTitle() { m_title.clear(); }
    /// Something was measured, or a size named.
    void goOn(qint64 line);

    QString lane(qint64 line) const;

private:
    bool takeNamed(std::string_view text);
    bool isResult(std::string_view value) const;
    bool isShortTitle(std::string_view text) const;
    std::string titleOf(std::string_view text) const;
    Taken keep(const QString& title, bool isWithin, qint64 line);

    NameCache& m_cache;
    std::vector<std::pair<std::string, QString>> m_named; ///< by name, in the order of the log
    QString m_below; ///< the title below the size
    QString m_title; ///< the one above the sizes
    qint64 m_end = 0; ///< the line by which a result must come for it to count
};

} // namespace slipway
