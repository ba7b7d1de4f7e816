// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/look/stylesheet.h"

#include "ui/look/fonts.h"

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

const char* const sheet = R"(
QToolTip { background: @surface; color: @text; border: 1px solid @line; padding: 4px; }
QMainWindow, QDialog { background: @page; }
QFrame[card="true"] { background: @surface; border: 1px solid @line; border-radius: 8px; }
QFrame[card="accent"] { background: @surface; border: 1px solid @accent; border-radius: 8px; }
QFrame[card="muted"] { background: @page; border: 1px solid @line; border-radius: 8px; }
QFrame[card="warning"] { background: @warningSoft; border: 1px solid @warning; border-radius: 8px; }
QFrame[card="error"] { background: @errorSoft; border: 1px solid @error; border-radius: 8px; }
QFrame[rule="true"] { background: @line; border: none; max-height: 1px; min-height: 1px; }

QLabel { background: transparent; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="second"] { color: @second; }
QLabel[role="caption"] { color: @second; font-size: @captionPt; }
QLabel[role="heading"] { font-weight: 600; font-size: @headingPt; }
QLabel[role="title"] { font-weight: 600; font-size: @titlePt; }
QLabel[role="figure"] { font-weight: 700; font-size: @figurePt; color: @inkAccent; }
QLabel[role="code"] { font-family: @code; }
QLabel[role="fingerprint"] { font-family: @code; font-size: @titlePt; }
QLabel[tint="done"] { color: @inkDone; }
QLabel[tint="running"] { color: @inkRunning; }
QLabel[tint="warning"] { color: @inkWarning; }
QLabel[tint="error"] { color: @inkError; }

QPushButton { background: @surface; color: @text; border: 1px solid @line; border-radius: 6px;
    padding: 7px 14px; font-weight: 500; }
QPushButton:hover { border-color: @second; }
QPushButton:pressed { background: @page; }
QPushButton:focus { border: 2px solid @accent; padding: 6px 13px; }
QPushButton:disabled { color: @second; background: @page; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; }
QPushButton[primary="true"]:hover { background: @accentHover; }
QPushButton[primary="true"]:focus { border: 2px solid @text; }
QPushButton[primary="true"]:disabled { background: @page; color: @second; border-color: @line; }
QPushButton[danger="true"] { background: @error; color: @onAccent; border-color: @error; }
QPushButton[danger="true"]:focus { border: 2px solid @text; }
QPushButton[danger="true"]:disabled { background: @page; color: @second; border-color: @line; }
QPushButton[quiet="true"] { padding: 2px 7px; font-size: @captionPt; color: @second; font-weight: 400;
    border-radius: 4px; }
QPushButton[quiet="true"]:focus { padding: 1px 6px; }
QPushButton[quiet="true"]:checked { color: @accent; border-color: @accent; background: @accentSoft; }
QPushButton[link="true"] { background: transparent; border: 1px solid transparent; color: @text;
    padding: 1px 2px; text-decoration: underline; text-align: left; font-weight: 400; }
QPushButton[link="true"][code="true"] { font-family: @code; font-size: @codePt; }
QPushButton[link="true"]:disabled { color: @second; text-decoration: none; background: transparent; }
QPushButton[link="true"]:hover { color: @accent; }
QPushButton[link="true"]:focus { border: 1px solid @accent; padding: 1px 2px; }
QPushButton[chip="true"] { padding: 6px 12px; }
QPushButton[chip="true"]:focus { padding: 5px 11px; }
QPushButton[chip="true"]:checked { color: @accent; border-color: @accent; }
QToolButton[quiet="true"] { background: transparent; color: @second; border: 1px solid transparent;
    border-radius: 4px; padding: 3px 6px; }
QToolButton[quiet="true"]:hover, QToolButton[quiet="true"]:checked { background: transparent; color: @text; }
QToolButton[quiet="true"]:focus { border-color: @accent; }
QTabBar QToolButton { background: @surface; border: 1px solid @line; border-radius: 4px; }
QPushButton, QToolButton, QCheckBox, QComboBox, QTabBar { outline: 0; }
QPushButton::menu-indicator { image: none; width: 0; }

QLineEdit, QComboBox, QFrame[field="true"] { background: @surface; color: @text;
    border: 1px solid @line; border-radius: 6px; padding: 6px 9px; }
QLineEdit { selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:focus, QComboBox:focus, QFrame[field="true"][active="true"] {
    border: 2px solid @accent; padding: 5px 8px; }
QLineEdit[problem="error"], QComboBox[problem="error"], QFrame[field="true"][problem="error"] {
    border-color: @error; }
QLineEdit[problem="warning"], QComboBox[problem="warning"],
QFrame[field="true"][problem="warning"] { border-color: @warning; }
QFrame[field="true"] { padding: 0; }
QFrame[field="true"][active="true"] { padding: 0; }
QFrame[field="true"] QLineEdit, QFrame[field="true"] QLineEdit:focus { border: none; padding: 5px 8px;
    background: transparent; }
QFrame[field="true"] QToolButton { border: none; background: transparent; color: @second;
    padding: 2px 6px; }
QFrame[field="true"] QToolButton:hover { color: @text; }
QLineEdit:disabled, QComboBox:disabled { background: @page; color: @second; }
QLineEdit[code="true"] { font-family: @code; }
QComboBox { combobox-popup: 0; }
QComboBox::drop-down { border: none; width: 26px; }
QComboBox::down-arrow { image: url(:/slipway/chevron-@set.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @surface; color: @text; border: 1px solid @line;
    selection-background-color: @accentSoft; selection-color: @text; outline: 0; padding: 0; }
QCheckBox { spacing: 8px; border: 1px solid transparent; border-radius: 4px; padding: 2px; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid @second; border-radius: 4px;
    background: @surface; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent;
    image: url(:/slipway/check-@set.svg); }
QCheckBox:focus { color: @accent; border-color: @accent; }
QSlider { min-height: 20px; border: 1px solid transparent; border-radius: 4px; }
QSlider:focus { border-color: @accent; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @line; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: @accent; }
QSlider::handle:horizontal { width: 12px; margin: -5px 0; border: 1px solid @second;
    border-radius: 7px; background: @surface; }
QToolButton#teachingMore { background: transparent; color: @text; border: 1px solid transparent;
    border-radius: 4px; padding: 2px 4px; }
QToolButton#teachingMore:hover { color: @accent; }
QToolButton#teachingMore:focus { border-color: @accent; }
QTreeView#cleanupTree::item { padding: 4px 8px; border: 1px solid transparent; border-left: none;
    border-right: none; }
QTreeView#cleanupTree::item:selected { background: @accentSoft; color: @text; }
QTreeView#cleanupTree:focus::item:selected { border-color: @accent; }
QTreeView::indicator, QTableView::indicator { width: 16px; height: 16px;
    border: 1px solid @second; border-radius: 4px; background: @surface; }
QTreeView::indicator:checked, QTableView::indicator:checked { background: @accent;
    border-color: @accent; image: url(:/slipway/check-@set.svg); }
QTreeView::indicator:indeterminate { background: @accentSoft; border-color: @accent; }

QPlainTextEdit { background: @surface; color: @text; border: 1px solid @line; border-radius: 8px;
    padding: 6px; selection-background-color: @accent; selection-color: @onAccent; }
QPlainTextEdit:focus { border: 1px solid @accent; }
QPlainTextEdit[code="true"] { font-family: @code; font-size: @codePt; background: @paper; }
QPlainTextEdit[bare="true"] { border: 1px solid transparent; border-radius: 0; padding: 0;
    background: transparent; }
QPlainTextEdit[bare="true"]:focus { border: 1px solid @accent; }

QListView, QTreeView, QTableView { background: transparent; border: none; outline: 0; }
QHeaderView::section { background: @surface; color: @second; border: none;
    border-bottom: 1px solid @line; padding: 6px 8px; font-size: @captionPt; }
QTableView { background: @surface; color: @text; gridline-color: @line; }
QTableView::item { padding: 4px 8px; }
QTableView#curvesTable::item { padding: 0; }
QScrollArea, QScrollArea > QWidget > QWidget[page="true"] { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @handle; border-radius: 3px; margin: 2px; min-height: 28px;
    min-width: 28px; }
QScrollBar::handle:hover { background: @second; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: @line; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: @second; border: none;
    border-bottom: 2px solid transparent; padding: 6px 4px; margin-right: 16px; font-weight: 500; }
QTabBar::tab:selected { color: @accent; border-bottom-color: @accent; }
QTabBar::tab:hover { color: @text; }
QTabBar:focus { border: none; }
QTabBar::tab:selected:focus { color: @text; }

QMenu { background: @surface; color: @text; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 24px; border-radius: 4px; }
QMenu::item:selected { background: @accentSoft; color: @text; }
QMenu::item:disabled { color: @second; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QProgressBar { background: @line; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
)";

} // namespace

QString styleSheet(const Colours& colours, double textScale)
{
    const auto points = [textScale](TextRole role) -> QString {
        return QString::number(pointsOf(role) * textScale) % u"pt"_s;
    };
    // Longer names first: "@accentSoft" must not be read as "@accent".
    const std::pair<QString, QString> words[] = {
        {u"@accentSoft"_s, colours.soft(colours.accent).name()},
        {u"@accentHover"_s, between(colours.accent, colours.text, 0.85).name()},
        {u"@warningSoft"_s, colours.soft(colours.warning).name()},
        {u"@errorSoft"_s, colours.soft(colours.error).name()},
        {u"@inkAccent"_s, colours.ink(colours.accent).name()},
        {u"@inkDone"_s, colours.ink(colours.done).name()},
        {u"@inkRunning"_s, colours.ink(colours.running).name()},
        {u"@inkWarning"_s, colours.ink(colours.warning).name()},
        {u"@inkError"_s, colours.ink(colours.error).name()},
        {u"@onAccent"_s, colours.onAccent.name()},
        {u"@captionPt"_s, points(TextRole::Caption)},
        {u"@headingPt"_s, points(TextRole::Heading)},
        {u"@titlePt"_s, points(TextRole::Title)},
        {u"@figurePt"_s, points(TextRole::Figure)},
        {u"@codePt"_s, points(TextRole::Code)},
        {u"@code"_s, u"\""_s % codeFamilies().join(u"\", \""_s) % u"\""_s},
        {u"@surface"_s, colours.surface.name()},
        {u"@paper"_s, between(colours.surface, colours.page, 0.4).name()},
        {u"@handle"_s, between(colours.secondText, colours.line, 0.35).name()},
        {u"@page"_s, colours.page.name()},
        {u"@line"_s, colours.line.name()},
        {u"@text"_s, colours.text.name()},
        {u"@second"_s, colours.secondText.name()},
        {u"@accent"_s, colours.accent.name()},
        {u"@done"_s, colours.done.name()},
        {u"@running"_s, colours.running.name()},
        {u"@warning"_s, colours.warning.name()},
        {u"@error"_s, colours.error.name()},
        {u"@set"_s, colours.dark ? u"dark"_s : u"light"_s},
    };
    QString text = QString::fromLatin1(sheet);
    for (const auto& [word, value] : words) {
        text.replace(word, value);
    }
    return text;
}

} // namespace slipway
