// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QDialog>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace slipway {

/// One entry of the palette: what it is called, and what it does.
struct PaletteEntry {
    QString kind; ///< "Site", "Recipe", "Run", "Action"
    QString title;
    QString detail;
    std::function<void()> run;
    bool isCommand = false; ///< does something at once, and has a name of its own
};

/// Positions in `entries` of those that match all words of `text`, best first: titles that have
/// them as whole words, commands before others; then titles that begin with the first word, have a
/// word that does, contain it; then the rest. Pure.
std::vector<size_t> matchEntries(const std::vector<PaletteEntry>& entries, const QString& text);

/// CommandPalette finds sites, recipes, runs and actions by their words. Enter runs the selected
/// entry, Esc closes the palette. GUI thread; it deletes itself when it is closed, and otherwise
/// goes with the window.
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
