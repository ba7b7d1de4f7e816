// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagesbusy.h"

#include "ui/parts/announce.h"

#include <QProgressBar>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

ImagesBusy::ImagesBusy(QWidget* parent)
    : QFrame(parent)
    , m_stage(new TextLabel)
    , m_progress(new QProgressBar)
{
    setCardKind(this, "true");
    setObjectName(u"imagesBusy"_s);
    m_stage->setObjectName(u"imagesStage"_s);
    m_stage->setWordWrap(true);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(320);
    auto* cancel = makeButton(tr("Cancel"));
    cancel->setObjectName(u"imagesCancel"_s);
    cancel->setAccessibleName(tr("Stop waiting for the registry"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(12);
    layout->addWidget(m_stage);
    layout->addWidget(m_progress);
    layout->addWidget(cancel, 0, Qt::AlignLeft);
    connect(cancel, &QPushButton::clicked, this, &ImagesBusy::cancelled);
}

void ImagesBusy::setStage(const QString& stage)
{
    m_stage->setText(stage);
    m_progress->setAccessibleName({});
    announce(m_progress, stage);
}

} // namespace slipway

#include "moc_imagesbusy.cpp"
