// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "ui/parts/text.h"

namespace slipway {

/// CarriedNotice names the values that were entered for another site, with the way back to those of
/// this one. GUI thread; LaunchPage owns it.
class CarriedNotice : public QWidget {
    Q_OBJECT

public:
    explicit CarriedNotice(QWidget* parent = nullptr);
    /// The labels of the fields and the name of their site; hidden without fields.
    void setFields(const QStringList& labels, const QString& site);

signals:
    void resetRequested();

private:
    TextLabel* m_text;
};

} // namespace slipway
