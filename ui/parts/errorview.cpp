// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/parts/errorview.h"

#include "ui/parts/announce.h"
#include "ui/parts/rawtext.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

ErrorView::ErrorView(QWidget* parent)
    : QFrame(parent)
    , m_summary(TextLabel::paragraph({}, "strong"))
    , m_remedy(TextLabel::paragraph({}))
    , m_action(makeButton({}))
    , m_raw(new RawText)
{
    setCardKind(this, "error");
    setObjectName(u"errorView"_s);
    m_summary->setObjectName(u"errorSummary"_s);
    m_raw->setObjectName(u"errorRaw"_s);
    auto* top = new QHBoxLayout;
    top->addWidget(new SignMark(Sign::Cross, Tint::Error), 0, Qt::AlignTop);
    top->addWidget(m_summary, 1);
    auto* actions = new QHBoxLayout;
    actions->setSpacing(16);
    actions->addWidget(m_action);
    actions->addWidget(m_raw->toggle());
    actions->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(8);
    layout->addLayout(top);
    layout->addWidget(m_remedy);
    layout->addLayout(actions);
    layout->addWidget(m_raw);
    m_action->hide();
    connect(m_action, &QPushButton::clicked, this, &ErrorView::actionRequested);
}

void ErrorView::setError(const Error& error)
{
    m_summary->setText(error.summary);
    m_remedy->setText(error.remedy);
    m_remedy->setVisible(!error.remedy.isEmpty());
    m_raw->setText(error.detail);
    announce(this, tr("Error: %1").arg(error.summary));
}

void ErrorView::setAction(const QString& verb)
{
    m_action->setText(verb);
    m_action->setAccessibleName(verb);
    m_action->setVisible(!verb.isEmpty());
}

} // namespace slipway

#include "moc_errorview.cpp"
