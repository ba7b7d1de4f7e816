// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/gallery.h"

#include "ui/look/colours.h"
#include "ui/look/fonts.h"

#include <QPainter>
#include <QStyledItemDelegate>

namespace slipway {

namespace {

constexpr int idRole = Qt::UserRole;
constexpr int summaryRole = Qt::UserRole + 1;
constexpr int captionPadding = 10;

bool isHeading(const QModelIndex& index)
{
    return index.data(idRole).toString().isEmpty();
}

/// Paints a heading or a recipe: plain text, with at most two lines of summary.
class GalleryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const int width = option.widget ? option.widget->width() - 12 : 200;
        const QFontMetrics caption(fontFor(TextRole::Caption));
        if (isHeading(index)) {
            return {width, caption.height() + (index.row() == 0 ? 8 : 20)};
        }
        const QFontMetrics title(fontFor(TextRole::Strong));
        const QRect area = caption.boundingRect(QRect(0, 0, width - 2 * captionPadding, 1000),
            Qt::TextWordWrap, index.data(summaryRole).toString());
        const int lines = std::min(2 * caption.lineSpacing(), area.height());
        return {width, title.height() + lines + 16};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override
    {
        const Colours& colours = Colours::now();
        const QRect area = option.rect;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (isHeading(index)) {
            painter->setFont(fontFor(TextRole::Caption));
            painter->setPen(colours.secondText);
            painter->drawText(area.adjusted(captionPadding, 0, 0, -4),
                Qt::AlignLeft | Qt::AlignBottom, index.data().toString().toUpper());
        } else {
            paintRecipe(painter, option, index, colours);
        }
        painter->restore();
    }

private:
    static void paintRecipe(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index, const Colours& colours)
    {
        const QRect area = option.rect.adjusted(0, 1, 0, -1);
        const bool selected = option.state & QStyle::State_Selected;
        if (selected || (option.state & QStyle::State_MouseOver)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(selected ? colours.soft(colours.accent) : colours.surface);
            painter->drawRoundedRect(area, 6, 6);
        }
        if ((option.state & QStyle::State_HasFocus) && selected) {
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(colours.accent, 1));
            painter->drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        }
        QRect text = area.adjusted(captionPadding, 7, -captionPadding, -6);
        painter->setFont(fontFor(TextRole::Strong));
        painter->setPen(selected ? colours.accent : colours.text);
        const QFontMetrics title(painter->font());
        painter->drawText(text, Qt::AlignLeft | Qt::AlignTop,
            title.elidedText(index.data().toString(), Qt::ElideRight, text.width()));
        text.setTop(text.top() + title.height());
        painter->setFont(fontFor(TextRole::Caption));
        painter->setPen(selected ? colours.text : colours.secondText);
        painter->drawText(text, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
            index.data(summaryRole).toString());
    }
};

} // namespace

Gallery::Gallery(QWidget* parent)
    : QListView(parent)
    , m_model(new QStandardItemModel(this))
{
    setModel(m_model);
    setItemDelegate(new GalleryDelegate(this));
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setMouseTracking(true);
    setAccessibleName(tr("Recipes"));
}

void Gallery::setRecipes(const std::vector<Recipe>& recipes, const Site* site)
{
    const QString chosen = current();
    const QSignalBlocker quiet(this);
    m_model->clear();
    QStringList groups;
    std::vector<const Recipe*> elsewhere;
    for (const Recipe& recipe : recipes) {
        if (site && !recipeBelongs(recipe, *site)) {
            elsewhere.push_back(&recipe);
        } else if (!groups.contains(recipe.group)) {
            groups << recipe.group;
        }
    }
    for (const QString& group : std::as_const(groups)) {
        std::vector<const Recipe*> members;
        for (const Recipe& recipe : recipes) {
            if (recipe.group == group && (!site || recipeBelongs(recipe, *site))) {
                members.push_back(&recipe);
            }
        }
        addGroup(group, members);
    }
    addGroup(tr("Written for other sites"), elsewhere);
    if (!chosen.isEmpty()) {
        select(chosen);
    }
}

void Gallery::addGroup(const QString& heading, const std::vector<const Recipe*>& recipes)
{
    if (recipes.empty()) {
        return;
    }
    auto* title = new QStandardItem(heading);
    title->setFlags(Qt::NoItemFlags);
    m_model->appendRow(title);
    for (const Recipe* recipe : recipes) {
        auto* item = new QStandardItem(recipe->title);
        item->setData(recipe->id, idRole);
        item->setData(recipe->summary, summaryRole);
        item->setData(recipe->summary, Qt::AccessibleDescriptionRole);
        m_model->appendRow(item);
    }
}

QString Gallery::current() const
{
    return currentIndex().data(idRole).toString();
}

void Gallery::select(const QString& recipeId)
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        if (!isHeading(index) && (recipeId.isEmpty() || index.data(idRole) == recipeId)) {
            setCurrentIndex(index);
            return;
        }
    }
}

void Gallery::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    if (current.isValid() && !isHeading(current)) {
        emit chosen(current.data(idRole).toString());
    }
}

void Gallery::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    scheduleDelayedItemsLayout();
}

} // namespace slipway

#include "moc_gallery.cpp"
