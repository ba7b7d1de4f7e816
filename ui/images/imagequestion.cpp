// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagequestion.h"

#include "ui/launch/fieldinput.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostTyped = 512; ///< characters
constexpr int charactersForImage = 48; ///< title and field, with the rest beside them
constexpr int charactersForSite = 22;

} // namespace

ImageQuestion::ImageQuestion(QWidget* parent)
    : QWidget(parent)
    , m_image(new QLineEdit)
    , m_site(new QComboBox)
    , m_look(makeButton(tr("Look before pulling"), ButtonKind::Primary))
{
    m_image->setObjectName(u"imageField"_s);
    m_image->setAccessibleName(tr("Image"));
    m_image->setPlaceholderText(tr("docker://nvcr.io/nvidia/pytorch:24.03-py3"));
    m_image->setMaxLength(mostTyped);
    m_image->setClearButtonEnabled(true);
    m_site->setObjectName(u"imageSite"_s);
    m_site->setAccessibleName(tr("Site"));
    m_site->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_site->setMinimumContentsLength(charactersForSite);
    preparePopup(m_site);
    m_look->setObjectName(u"imageLook"_s);
    m_look->setToolTip(tr("Ask the registry; nothing is pulled (Enter)"));
    auto* first = new QHBoxLayout;
    first->setSpacing(16);
    first->addWidget(new TextLabel(tr("Images"), "title"));
    first->addWidget(m_image, 1);
    auto* layout = new FoldLayout(12, charactersForImage, this);
    layout->addPart(first);
    layout->addWidget(m_site);
    layout->addWidget(m_look);
    connect(m_image, &QLineEdit::returnPressed, m_look, &QPushButton::click);
    connect(m_image, &QLineEdit::textChanged, this, &ImageQuestion::showReady);
    connect(m_look, &QPushButton::clicked, this, &ImageQuestion::lookRequested);
    connect(m_site, &QComboBox::activated, this, [this] { emit siteChosen(siteId()); });
    showReady();
}

void ImageQuestion::setSites(const std::vector<std::pair<QString, QString>>& sites)
{
    const QString chosen = siteId();
    const QSignalBlocker quiet(m_site);
    m_site->clear();
    for (const auto& [id, name] : sites) {
        m_site->addItem(name, id);
    }
    setSite(chosen);
    showReady();
}

void ImageQuestion::setSite(const QString& siteId)
{
    const int at = m_site->findData(siteId);
    m_site->setCurrentIndex(at < 0 && m_site->count() > 0 ? 0 : at);
    m_site->setToolTip(plainToolTip(m_site->currentText()));
}

QString ImageQuestion::siteId() const
{
    return m_site->currentData().toString();
}

void ImageQuestion::setImage(const QString& text)
{
    m_image->setText(text);
}

QString ImageQuestion::image() const
{
    return m_image->text();
}

void ImageQuestion::showReady()
{
    m_look->setEnabled(m_site->count() > 0 && !m_image->text().trimmed().isEmpty());
    m_site->setEnabled(m_site->count() > 0);
}

} // namespace slipway

#include "moc_imagequestion.cpp"
