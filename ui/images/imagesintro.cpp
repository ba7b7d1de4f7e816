// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagesintro.h"

#include "ui/images/imagelabels.h"
#include "ui/parts/flowlayout.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

struct Example {
    QString name;
    QString reference;
};

QList<Example> examples()
{
    return {{ImagesIntro::tr("PyTorch by NVIDIA"), u"docker://nvcr.io/nvidia/pytorch:24.03-py3"_s},
        {ImagesIntro::tr("TensorFlow"), u"docker://tensorflow/tensorflow:2.17.0-gpu"_s},
        {ImagesIntro::tr("Python, no GPU"), u"docker://python:3.13-slim"_s}};
}

} // namespace

ImagesIntro::ImagesIntro(QWidget* parent)
    : QFrame(parent)
    , m_noSite(wrappedLabel(tr("There is no site yet. Add a cluster on the Sites page."), "strong"))
    , m_examples(new QWidget)
{
    setCardKind(this, "true");
    setObjectName(u"imagesIntro"_s);
    m_noSite->setObjectName(u"imagesNoSite"_s);
    auto* flow = new FlowLayout(8, m_examples);
    for (const Example& one : examples()) {
        auto* button = makeButton(one.name);
        button->setToolTip(plainToolTip(one.reference));
        button->setAccessibleDescription(one.reference);
        button->setObjectName(u"imageExample"_s);
        flow->addWidget(button);
        connect(button, &QPushButton::clicked, this,
            [this, reference = one.reference] { emit chosen(reference); });
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(8);
    layout->addWidget(wrappedLabel(tr("Look at an image before you pull it"), "heading"));
    layout->addWidget(wrappedLabel(
        tr("An image is often several gigabytes. Its registry says beforehand how large it is and "
           "what is inside, and the site's driver and GPUs say whether it will run there. Nothing "
           "is pulled."),
        "second"));
    layout->addWidget(m_noSite);
    layout->addSpacing(4);
    layout->addWidget(wrappedLabel(tr("Enter a name above, or try one of these:")));
    layout->addWidget(m_examples);
    setHasSite(true);
}

void ImagesIntro::setHasSite(bool has)
{
    m_noSite->setVisible(!has);
    m_examples->setEnabled(has);
}

} // namespace slipway

#include "moc_imagesintro.cpp"
