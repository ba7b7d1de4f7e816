// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QWidget>

namespace slipway {

class ScriptView;

/// TextPage shows text of a run to read and copy: the submitted script. Lives on the GUI thread,
/// owned by the tabs of the run page.
class TextPage : public QWidget {
    Q_OBJECT

public:
    TextPage(const QString& sentence, const QString& name, QWidget* parent = nullptr);
    void setText(const QByteArray& text);

private:
    ScriptView* m_view;
};

} // namespace slipway
