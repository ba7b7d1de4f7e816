// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/compare/curveshead.h"

#include "ui/compare/curvesmodel.h"
#include "ui/parts/announce.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"

#include <QHBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CurvesHead::CurvesHead(QWidget* parent)
    : QWidget(parent)
    , m_title(TextLabel::paragraph({}, "title"))
    , m_subtitle(new ElidedLabel({}, Tint::Second))
    , m_note(TextLabel::paragraph({}, "caption"))
    , m_save(makeButton(tr("Save…")))
{
    m_title->setObjectName(u"curvesTitle"_s);
    m_subtitle->setObjectName(u"curvesSubtitle"_s);
    m_note->setObjectName(u"curvesNote"_s);
    m_note->hide();
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addWidget(m_title);
    words->addWidget(m_subtitle);
    words->addWidget(m_note);
    auto* add = makeButton(tr("Add a run…"));
    add->setObjectName(u"curvesAdd"_s);
    m_save->setObjectName(u"curvesSave"_s);
    m_save->setAccessibleName(tr("Save the curves as PNG, SVG, PDF, HTML report or CSV"));
    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(8, buttons);
    flow->addWidget(add);
    flow->addWidget(m_save);
    constexpr int charactersForWords = 20;
    auto* layout = new FoldLayout(8, charactersForWords, this);
    layout->addPart(words);
    layout->addWidget(buttons);
    layout->setAlignment(buttons, Qt::AlignTop);
    connect(add, &QPushButton::clicked, this, &CurvesHead::addRequested);
    connect(m_save, &QPushButton::clicked, this, &CurvesHead::saveRequested);
}

void CurvesHead::refresh(const CurvesModel& model)
{
    m_title->setText(model.chart().title);
    m_subtitle->setText(curvesSubtitle(model.sources()));
    m_save->setEnabled(!model.store().empty());
}

void CurvesHead::setNote(const QString& text)
{
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
    announce(m_note, text);
}

} // namespace slipway

#include "moc_curveshead.cpp"
