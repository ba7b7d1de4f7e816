// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"

#include <QByteArray>
#include <QStringList>
#include <QUrl>

namespace slipway {

/// How much of a list of tags is read. Some repositories have ten thousands.
namespace taglimits {
constexpr qint64 mostBytes = 1024 * 1024; ///< of a page
constexpr qsizetype mostTags = 2000;
constexpr int mostPages = 20;
constexpr int pageSize = 1000; ///< that is asked for; a registry may send fewer
} // namespace taglimits

/// The tags of a repository, in the order in which the registry sent them. A value.
struct TagList {
    QStringList tags;
    bool complete = true; ///< false: there are more, which were not read
};

/// The tags of one page (OCI distribution specification 1.1), one more than mostTags at most. Names
/// that are no tags are left out.
Result<QStringList> parseTagPage(const QByteArray& json);

/// The path and query of the next page from a Link header; empty: there is none. A link to another
/// server or another path is none either, because a token goes with the question.
QString nextTagPage(const QByteArray& link, const QUrl& page);

} // namespace slipway
