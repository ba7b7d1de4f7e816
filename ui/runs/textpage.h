// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

namespace slipway {

class ScriptView;
class TextLabel;

/// TextPage shows text of a run to read and copy: the script that was submitted, the exact
/// commands.
class TextPage : public QWidget {
    Q_OBJECT

public:
    TextPage(const QString& sentence, const QString& name, QWidget* parent = nullptr);
    void setText(const QByteArray& text);
    void setSentence(const QString& sentence);

private:
    TextLabel* m_sentence;
    ScriptView* m_view;
};

} // namespace slipway
