// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/launch/launchdraft.h"

#include <QWidget>

class QVBoxLayout;

namespace slipway {

/// ImageLines says above the launch button what registries said of the images of a draft, a line
/// each. It asks when the draft has been left alone for a moment, and never holds up a launch. It
/// is hidden where nobody asks registries. GUI thread; LaunchBar owns it.
class ImageLines : public QWidget {
    Q_OBJECT

public:
    explicit ImageLines(LaunchDraft* draft, QWidget* parent = nullptr);

    /// Why the launch should not be made with these images, a sentence each; empty: nothing is
    /// known against it.
    QStringList objections() const { return m_objections; }

signals:
    void fixRequested(const QString& field, const QString& value);
    void inspectRequested(const QString& siteId, const QString& reference);
    /// The fields whose images their registries have answered for.
    void answered(const QStringList& fields);

private:
    struct Line {
        QString field;
        QString label;
        QString siteId;
        ImageReference image;
        ImageAnswer::State answer;
        LaunchImageState state;
    };
    std::vector<Line> lines() const;
    void ask();
    void showKnown(); ///< what is known by now
    QWidget* makeRow(const Line& line);

    LaunchDraft* m_draft;
    QVBoxLayout* m_rows;
    QTimer m_settle; ///< nobody types any more
    QTimer m_renew; ///< answers become old
    QStringList m_shown;
    QStringList m_objections;
    QStringList m_answered;
};

} // namespace slipway
