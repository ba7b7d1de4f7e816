// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/launchimage.h"

#include <QHash>

#include <functional>

namespace slipway {

/// ImageCheck remembers what registries said of images, so that a launch can be judged before it is
/// sent. Each image is asked for by one question at a time, and an answer is kept for ten minutes,
/// an error for one. It asks nothing until it is switched on, which the main programs do. Lives on
/// the GUI (or main) thread; the Engine owns it.
class ImageCheck : public QObject {
    Q_OBJECT

public:
    ImageCheck(ImageInspector* inspector, Sessions* sessions, QObject* parent = nullptr);

    void setEnabled(bool enabled) { m_enabled = enabled; }
    bool isEnabled() const { return m_enabled; }
    /// In place of the computer's clock; for tests.
    void setClock(std::function<QDateTime()> clock) { m_clock = std::move(clock); }

    /// What is known by now; an answer that is too old counts as none.
    ImageAnswer answer(const QString& siteId, const ImageReference& image) const;
    /// Asks unless it is known or asked already. changed() follows, at once if nobody needs to be
    /// asked.
    void ask(const QString& siteId, const ImageReference& image);
    /// The answer, or what is known when the time is up: Asking.
    QCoro::Task<ImageAnswer> asked(
        QString siteId, ImageReference image, std::chrono::milliseconds atMost);
    /// The digest of the image in its registry; empty: not known.
    QString digest(const QString& siteId, const ImageReference& image) const;

signals:
    /// answer() for an image at this site is different.
    void changed(const QString& siteId);

private:
    QCoro::Task<void> question(QString siteId, ImageReference image);
    void note(const QString& key, ImageAnswer answer);
    void forgetSite(const QString& siteId);
    bool isFresh(const ImageAnswer& answer) const;

    ImageInspector* m_inspector;
    QHash<QString, ImageAnswer> m_answers; ///< by site and reference
    QHash<QString, int> m_connections; ///< by site: what was asked before one is outdated
    std::function<QDateTime()> m_clock;
    bool m_enabled = false;
};

} // namespace slipway
