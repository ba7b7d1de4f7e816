// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/engine/engine.h"
#include "app/images/imagedifference.h"

#include <QDialog>

class QLineEdit;
class QPushButton;
class QTableWidget;

namespace slipway {

class ErrorView;
class TextLabel;

/// CompareImagesDialog shows two images side by side: what differs, and what a pull of the second
/// adds to the first. It pulls nothing. GUI thread; deletes itself when it is closed.
class CompareImagesDialog : public QDialog {
    Q_OBJECT

public:
    CompareImagesDialog(
        Engine* engine, const QString& siteId, const QString& first, QWidget* parent = nullptr);
    void showDifference(const ComparedImage& first, const ComparedImage& second);

private:
    QCoro::Task<void> compare();

    Engine* m_engine;
    QString m_siteId;
    QLineEdit* m_first;
    QLineEdit* m_second;
    QPushButton* m_start;
    TextLabel* m_sentence;
    QTableWidget* m_table;
    ErrorView* m_error;
};

} // namespace slipway
