// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDialog>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace slipway {

/// Something that the palette finds and does.
struct PaletteEntry {
    QString kind; ///< "Site", "Recipe", "Run", "Action"
    QString title;
    QString detail;
    std::function<void()> run;
};

/// The entries that match all words of `text`, best first: a title that begins with it, then one
/// that holds it, then the rest. Pure; the numbers are positions in `entries`.
std::vector<size_t> matchEntries(const std::vector<PaletteEntry>& entries, const QString& text);

/// CommandPalette finds anything: sites, recipes, runs, actions. Enter does it, Esc leaves.
class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void runCurrent();

    std::vector<PaletteEntry> m_entries;
    QLineEdit* m_text;
    QListWidget* m_list;
};

} // namespace slipway
