// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/explain/hintsource.h"

#include <QFile>

namespace slipway {

HintSource::HintSource(QString builtInFolder, QString ownFolder)
    : m_builtInFolder(std::move(builtInFolder))
    , m_ownFolder(std::move(ownFolder))
{
    if (!m_ownFolder.isEmpty() && QFile::exists(m_ownFolder + QStringLiteral("/hints.json")))
        book();
}

const std::shared_ptr<const HintBook>& HintSource::book()
{
    if (!m_book)
        m_book = loadHints(m_builtInFolder, m_ownFolder, &m_errors);
    return m_book;
}

} // namespace slipway
