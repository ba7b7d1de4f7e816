// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/teachingbox.h"

#include "ui/parts/text.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

TeachingBox::TeachingBox(QWidget* parent)
    : QWidget(parent)
    , m_purpose(TextLabel::paragraph({}, "second"))
    , m_exercises(new QWidget)
    , m_lines(new QVBoxLayout(m_exercises))
    , m_more(new QToolButton)
    , m_rest(TextLabel::paragraph({}, "second"))
{
    m_purpose->setObjectName(u"purpose"_s);
    m_exercises->setObjectName(u"exercises"_s);
    m_lines->setContentsMargins(0, 4, 0, 4);
    m_lines->setSpacing(4);
    m_more->setObjectName(u"teachingMore"_s);
    m_more->setProperty("quiet", true);
    m_more->setCheckable(true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setArrowType(Qt::RightArrow);
    m_more->setAutoRaise(true);
    m_more->setMinimumWidth(1); // its text is wrapped instead
    m_rest->setObjectName(u"teachingRest"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_purpose);
    layout->addWidget(m_exercises);
    layout->addWidget(m_more);
    layout->addWidget(m_rest);
    connect(m_more, &QToolButton::toggled, this, &TeachingBox::unfold);
    unfold(false);
}

void TeachingBox::setPlan(const Plan& plan)
{
    const Recipe& recipe = plan.recipe;
    // The recipe file may have been read again: the same id with other text.
    const QString shown = QStringList{recipe.id, recipe.source, recipe.teaching.text()}.join(u'\n');
    if (shown != m_shown) {
        m_shown = shown;
        setRecipe(recipe);
    }
    for (Row& row : m_rows) {
        showState(row, plan);
    }
}

void TeachingBox::setRecipe(const Recipe& recipe)
{
    const Teaching& teaching = recipe.teaching;
    m_purpose->setText(teaching.purpose);
    for (const Row& row : m_rows) {
        row.button->setObjectName(
            {}); // it may be the button that was pressed, which is deleted later
    }
    m_rows.clear();
    clearLayout(m_lines);
    QStringList parts;
    if (!teaching.expect.isEmpty()) {
        parts << teaching.expect;
    }
    bool advice = false;
    for (const Exercise& next : teaching.next) {
        if (!next.isAdvice()) {
            addRow(next, recipe);
            continue;
        }
        advice = true;
        parts << u"• "_s + next.text;
    }
    m_exercises->setVisible(!m_rows.empty());
    if (!recipe.source.isEmpty()) {
        parts << tr("Source: %1").arg(recipe.source);
    }
    m_hasRest = !parts.isEmpty();
    m_rest->setText(parts.join(u'\n'));
    m_more->setAccessibleName(!advice ? tr("What to expect")
            : m_rows.empty()          ? tr("What to expect and what to try next")
                                      : tr("What to expect and more to try"));
    wrapMore();
    m_more->setVisible(m_hasRest);
    unfold(m_more->isChecked());
}

void TeachingBox::addRow(const Exercise& exercise, const Recipe& recipe)
{
    if (m_rows.empty()) {
        m_lines->addWidget(new TextLabel(tr("Try next"), "caption"));
    }
    const auto index = m_rows.size();
    Row row;
    row.exercise = exercise;
    row.elsewhere = !exercise.recipe.isEmpty() && exercise.recipe != recipe.id;
    row.button = makeButton({}, ButtonKind::Link);
    row.button->setObjectName(u"exercise-%1"_s.arg(index + 1));
    auto* line = new QHBoxLayout;
    line->setSpacing(12);
    auto* words = TextLabel::paragraph(exercise.text);
    line->addWidget(words, 1);
    line->addWidget(row.button, 0, Qt::AlignTop);
    m_lines->addLayout(line);
    connect(row.button, &QPushButton::clicked, this, [this, index] {
        const Row pressed = m_rows[index]; // a slot may show another recipe
        if (pressed.set) {
            emit exerciseUndone(pressed.exercise);
        } else {
            emit exerciseRequested(pressed.exercise);
        }
    });
    m_rows.push_back(row);
}

void TeachingBox::showState(Row& row, const Plan& plan)
{
    const QMap<QString, QString>& values = row.exercise.values;
    row.set = !row.elsewhere && !values.isEmpty()
        && std::all_of(values.keyBegin(), values.keyEnd(),
            [&](const QString& key) { return plan.values.value(key) == values.value(key); });
    const bool own = values.isEmpty() && !row.elsewhere;
    const QString verb = row.set ? tr("✓ Set. Undo")
        : row.elsewhere          ? tr("Open")
        : own                    ? tr("Go to the field")
                                 : tr("Try it");
    row.button->setText(verb);
    row.button->setAccessibleName(tr("%1: %2").arg(verb, row.exercise.text));
}

/// A tool button does not wrap its text, and with large text a column may be narrower.
void TeachingBox::wrapMore()
{
    const int room = width() - 3 * m_more->fontMetrics().height(); // its arrow and its rim
    QStringList lines{QString()};
    for (const QString& word : m_more->accessibleName().split(u' ')) {
        const QString longer = lines.last().isEmpty() ? word : lines.last() % u' ' % word;
        if (lines.last().isEmpty() || m_more->fontMetrics().horizontalAdvance(longer) <= room) {
            lines.last() = longer;
        } else {
            lines << word;
        }
    }
    m_more->setText(lines.join(u'\n'));
}

void TeachingBox::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    wrapMore();
}

void TeachingBox::unfold(bool open)
{
    m_more->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_rest->setVisible(open && m_hasRest);
}

} // namespace slipway

#include "moc_teachingbox.cpp"
