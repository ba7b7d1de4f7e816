// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagetools.h"

#include "ui/images/compareimagesdialog.h"
#include "ui/images/localbuilddialog.h"
#include "ui/images/registryloginsdialog.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/text.h"

namespace slipway {

using namespace Qt::StringLiterals;

ImageTools::ImageTools(
    Engine* engine, std::function<QString()> site, std::function<QString()> image, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_site(std::move(site))
    , m_image(std::move(image))
{
    auto* build = makeButton(tr("Build an image…"));
    build->setObjectName(u"imageBuild"_s);
    build->setToolTip(tr("From a definition file or a Dockerfile, on a node of a cluster"));
    auto* here = makeButton(tr("Build on this computer…"));
    here->setObjectName(u"imagesBuildHere"_s);
    here->setToolTip(tr("From a Dockerfile, by docker, podman or buildah; then it is uploaded"));
    auto* compare = makeButton(tr("Compare two images…"));
    compare->setObjectName(u"imagesCompare"_s);
    compare->setToolTip(tr("What differs, and what a pull of the second one adds"));
    auto* logins = makeButton(tr("Registry logins…"));
    logins->setObjectName(u"registryLoginsOpen"_s);
    logins->setToolTip(tr("The logins that are kept in the keychain"));
    auto* flow = new FlowLayout(8, this);
    for (QPushButton* button : {build, here, compare, logins}) {
        button->setEnabled(engine);
        flow->addWidget(button);
    }
    connect(build, &QPushButton::clicked, this, &ImageTools::buildRequested);
    connect(here, &QPushButton::clicked, this, &ImageTools::buildHere);
    connect(compare, &QPushButton::clicked, this, &ImageTools::compare);
    connect(logins, &QPushButton::clicked, this, &ImageTools::showLogins);
}

void ImageTools::buildHere()
{
    auto* dialog = new LocalBuildDialog(m_engine, m_site(), this);
    connect(dialog, &LocalBuildDialog::uploaded, this, &ImageTools::launchRequested);
    dialog->open();
}

void ImageTools::compare()
{
    auto* dialog = new CompareImagesDialog(m_engine, m_site(), m_image(), this);
    dialog->open();
}

void ImageTools::showLogins()
{
    auto* dialog = new RegistryLoginsDialog(m_engine->secrets(), this);
    dialog->open();
}

} // namespace slipway

#include "moc_imagetools.cpp"
