// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/teachingbox.h"

#include "ui/parts/text.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

TeachingBox::TeachingBox(QWidget* parent)
    : QWidget(parent)
    , m_purpose(TextLabel::paragraph({}, "second"))
    , m_more(new QToolButton)
    , m_rest(TextLabel::paragraph({}, "second"))
{
    m_purpose->setObjectName(u"purpose"_s);
    m_more->setObjectName(u"teachingMore"_s);
    m_more->setCheckable(true);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setArrowType(Qt::RightArrow);
    m_more->setAutoRaise(true);
    m_more->setText(tr("What to expect, what to try next"));
    m_more->setAccessibleName(m_more->text());
    m_rest->setObjectName(u"teachingRest"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_purpose);
    layout->addWidget(m_more);
    layout->addWidget(m_rest);
    connect(m_more, &QToolButton::toggled, this, &TeachingBox::unfold);
    unfold(false);
}

void TeachingBox::setRecipe(const Recipe& recipe)
{
    m_purpose->setText(recipe.teaching.purpose);
    QStringList parts;
    if (!recipe.teaching.expect.isEmpty())
        parts << recipe.teaching.expect;
    for (const Exercise& next : recipe.teaching.next)
        parts << u"• "_s + next.text;
    if (!recipe.source.isEmpty())
        parts << tr("From: %1").arg(recipe.source);
    m_hasRest = !parts.isEmpty();
    m_rest->setText(parts.join(u'\n'));
    m_more->setVisible(m_hasRest);
    unfold(m_more->isChecked());
}

void TeachingBox::unfold(bool open)
{
    m_more->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_rest->setVisible(open && m_hasRest);
}

} // namespace slipway

#include "moc_teachingbox.cpp"
