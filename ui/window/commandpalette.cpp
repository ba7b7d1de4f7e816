// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/commandpalette.h"

#include "ui/look/colours.h"
#include "ui/look/fonts.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int kindRole = Qt::UserRole;
constexpr int detailRole = Qt::UserRole + 1;
constexpr int entryRole = Qt::UserRole + 2;

QStringList wordsOf(const QString& text)
{
    static const QRegularExpression others(
        u"[^\\w]+"_s, QRegularExpression::UseUnicodePropertiesOption);
    return text.split(others, Qt::SkipEmptyParts);
}

int rank(const PaletteEntry& entry, const QStringList& words)
{
    const QString all = entry.title % u' ' % entry.detail % u' ' % entry.kind;
    for (const QString& word : words) {
        if (!all.contains(word, Qt::CaseInsensitive)) {
            return -1;
        }
    }
    if (words.isEmpty()) {
        return 0;
    }
    const QStringList own = wordsOf(entry.title);
    const auto isOwn = [&](const QString& word) { return own.contains(word, Qt::CaseInsensitive); };
    if (std::all_of(words.begin(), words.end(), isOwn)) {
        return entry.isCommand ? 0 : 1;
    }
    const QString& first = words.first();
    if (entry.title.startsWith(first, Qt::CaseInsensitive)) {
        return 2;
    }
    const bool begins = std::any_of(own.begin(), own.end(),
        [&](const QString& word) { return word.startsWith(first, Qt::CaseInsensitive); });
    return begins ? 3 : entry.title.contains(first, Qt::CaseInsensitive) ? 4 : 5;
}

class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {200, option.fontMetrics.height() + 16};
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        const Colours& colours = Colours::now();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state & QStyle::State_Selected) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(colours.soft(colours.accent));
            painter->drawRoundedRect(option.rect, 6, 6);
        }
        const QRect area = option.rect.adjusted(12, 0, -12, 0);
        painter->setFont(fontFor(TextRole::Caption));
        painter->setPen(colours.secondText);
        painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter, index.data(kindRole).toString());
        const QString title = index.data().toString();
        const QRect left = area.adjusted(0, 0, -80, 0);
        painter->setFont(fontFor(TextRole::Strong));
        painter->setPen(colours.text);
        painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter, title);
        const int used = QFontMetrics(painter->font()).horizontalAdvance(title) + 12;
        painter->setFont(option.font);
        painter->setPen(colours.secondText);
        const QRect rest = left.adjusted(used, 0, 0, 0);
        painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
            option.fontMetrics.elidedText(
                index.data(detailRole).toString(), Qt::ElideRight, rest.width()));
        painter->restore();
    }
};

} // namespace

std::vector<size_t> matchEntries(const std::vector<PaletteEntry>& entries, const QString& text)
{
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    std::vector<std::pair<int, size_t>> ranked;
    for (size_t i = 0; i < entries.size(); ++i) {
        const int place = rank(entries[i], words);
        if (place >= 0) {
            ranked.emplace_back(place, i);
        }
    }
    std::stable_sort(ranked.begin(), ranked.end(),
        [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<size_t> found;
    for (const auto& [place, i] : ranked) {
        found.push_back(i);
    }
    return found;
}

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent)
    : QDialog(parent)
    , m_entries(std::move(entries))
    , m_text(new QLineEdit)
    , m_list(new QListWidget)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Find anything"));
    setObjectName(u"palette"_s);
    resize(640, 420);
    m_text->setPlaceholderText(tr("Find a site, recipe, run or action"));
    m_text->setAccessibleName(tr("Find anything"));
    m_text->installEventFilter(this);
    m_list->setAccessibleName(tr("Results"));
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setFocusPolicy(
        Qt::NoFocus); // the arrow keys move through the list while the field has the focus
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(m_text);
    layout->addWidget(m_list, 1);
    connect(m_text, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_text, &QLineEdit::returnPressed, this, &CommandPalette::runCurrent);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    filter({});
    m_text->setFocus();
}

void CommandPalette::filter(const QString& text)
{
    m_list->clear();
    for (const size_t i : matchEntries(m_entries, text)) {
        auto* item = new QListWidgetItem(m_entries[i].title, m_list);
        item->setData(kindRole, m_entries[i].kind);
        item->setData(detailRole, m_entries[i].detail);
        item->setData(entryRole, quint64(i));
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item) {
        return;
    }
    const auto run = m_entries[item->data(entryRole).toULongLong()].run;
    accept();
    // Runs after this dialog is gone, because it may open a dialog of its own.
    QTimer::singleShot(0, parent(), run);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int by = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
        if (by != 0 && m_list->count() > 0) {
            const int count = m_list->count();
            m_list->setCurrentRow((m_list->currentRow() + by + count) % count);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace slipway

#include "moc_commandpalette.cpp"
