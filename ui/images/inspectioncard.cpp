// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/inspectioncard.h"

#include "ui/images/imagelabels.h"
#include "ui/images/imagewords.h"
#include "ui/images/layerbar.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QToolTip>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

InspectionCard::InspectionCard(QWidget* parent)
    : QFrame(parent)
    , m_title(new ElidedText({}, "heading"))
    , m_digest(makeButton({}, ButtonKind::Link))
    , m_origin(namedLabel("imageOrigin", "second"))
    , m_download(namedLabel("imageDownload"))
    , m_self(namedLabel("imageSelf"))
    , m_where(namedLabel("imageWhere"))
    , m_bar(new LayerBar)
    , m_layers(namedLabel("imageLayers", "caption"))
    , m_use(makeButton(tr("Use in a launch")))
    , m_pull(makeButton(tr("Pull…")))
{
    setCardKind(this, "true");
    setObjectName(u"inspectionCard"_s);
    m_title->setObjectName(u"imageTitle"_s);
    m_digest->setObjectName(u"imageDigest"_s);
    m_digest->setProperty("code", true);
    m_digest->setAccessibleName(tr("Copy the digest"));
    m_use->setObjectName(u"imageUse"_s);
    m_use->setToolTip(tr("Open “Run a command” with this image"));
    m_pull->setObjectName(u"imagePull"_s);
    m_pull->setToolTip(tr("Pull it now, in a job on a compute node"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(m_title);
    layout->addWidget(m_digest, 0, Qt::AlignLeft);
    layout->addWidget(m_origin);
    layout->addLayout(makeRows());
    layout->addSpacing(4);
    layout->addWidget(m_bar);
    layout->addWidget(m_layers);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_use);
    buttons->addWidget(m_pull);
    buttons->addStretch();
    layout->addLayout(buttons);
    layout->addStretch();
    connect(m_digest, &QPushButton::clicked, this, &InspectionCard::copyDigest);
    connect(m_use, &QPushButton::clicked, this, &InspectionCard::useRequested);
    connect(m_pull, &QPushButton::clicked, this, &InspectionCard::pullRequested);
}

QLayout* InspectionCard::makeRows()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto add = [&](const QString& name, TextLabel* value) {
        auto* rule = new QFrame;
        rule->setProperty("rule", true);
        grid->addWidget(rule, row++, 0, 1, 2);
        grid->addWidget(new TextLabel(name, "second"), row, 0, Qt::AlignTop);
        grid->addWidget(value, row++, 1);
    };
    add(tr("To download"), m_download);
    add(tr("Says of itself"), m_self);
    add(tr("Where to"), m_where);
    return grid;
}

void InspectionCard::setInspection(const ImageInspection& inspection)
{
    const ImageDescription& image = inspection.image;
    m_copied = isDigest(image.digest) ? image.digest : QString();
    m_title->setText(imageTitle(image.reference));
    m_pull->setAccessibleName(tr("Pull %1").arg(imageTitle(image.reference)));
    m_digest->setText(foldedDigest(m_copied));
    m_digest->setVisible(!m_copied.isEmpty());
    m_digest->setAccessibleName(tr("Copy the digest %1").arg(m_copied));
    m_digest->setToolTip(plainToolTip(tr("%1. Press to copy.").arg(m_copied)));
    m_origin->setText(originLine(image));
    m_download->setText(downloadLine(image));
    m_self->setText(selfLines(inspection));
    m_where->setText(whereLine(inspection));
    m_where->setTint(isTooLarge(inspection) ? Tint::Warning : Tint::Plain);
    m_bar->setImage(image);
    m_layers->setText(layersLine(image));
}

void InspectionCard::copyDigest()
{
    QGuiApplication::clipboard()->setText(m_copied);
    QToolTip::showText(
        m_digest->mapToGlobal(m_digest->rect().bottomLeft()), tr("Copied"), m_digest);
}

} // namespace slipway

#include "moc_inspectioncard.cpp"
