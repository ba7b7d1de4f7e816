// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/carriednotice.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

CarriedNotice::CarriedNotice(QWidget* parent)
    : QWidget(parent)
    , m_text(TextLabel::paragraph({}, "caption"))
{
    setObjectName(u"carried"_s);
    m_text->setTint(Tint::Warning);
    auto* reset = makeButton(tr("Reset to this site's values"), ButtonKind::Link);
    reset->setObjectName(u"resetCarried"_s);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_text);
    layout->addWidget(reset, 0, Qt::AlignLeft);
    connect(reset, &QPushButton::clicked, this, &CarriedNotice::resetRequested);
    hide();
}

void CarriedNotice::setFields(const QStringList& labels, const QString& site)
{
    setVisible(!labels.isEmpty());
    if (!labels.isEmpty()) {
        m_text->setText(tr("Entered for %1 and kept: %2.").arg(site, labels.join(u", "_s)));
    }
}

} // namespace slipway

#include "moc_carriednotice.cpp"
