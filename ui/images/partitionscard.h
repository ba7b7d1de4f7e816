// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/images/imageinspector.h"
#include "ui/parts/text.h"

#include <QBoxLayout>

namespace slipway {

class ScriptView;

/// PartitionsCard answers “Will it run here?”: a row for each partition with its hardware, a
/// verdict as sign and word, and the sentence behind it; and, folded, how that is known. GUI
/// thread; ImagesPage owns it.
class PartitionsCard : public QFrame {
    Q_OBJECT

public:
    explicit PartitionsCard(QWidget* parent = nullptr);
    void setInspection(const ImageInspection& inspection);

signals:
    void folded();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fillReasons();
    void addRow(const PartitionVerdict& verdict, int pillWidth);
    void fold(bool open);
    void place();

    TextLabel* m_summary;
    QVBoxLayout* m_rows;
    QList<QBoxLayout*> m_lines; ///< of the rows: side by side, or below each other
    QPushButton* m_fold;
    QWidget* m_reasons;
    TextLabel* m_rules;
    TextLabel* m_asked;
    ScriptView* m_command;
};

} // namespace slipway
