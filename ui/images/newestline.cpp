// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/newestline.h"

#include "ui/images/imagelabels.h"
#include "ui/images/imagewords.h"
#include "ui/parts/announce.h"

#include <QHBoxLayout>
#include <QPointer>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostWords = 500;
constexpr int mostTag = 60;

} // namespace

bool wantsAnotherTag(const ImageReference& image, const Result<ImageInspection>& found)
{
    if (image.scheme != u"docker"_s || !image.digest.isEmpty()) {
        return false;
    }
    if (!found.ok()) {
        return found.error().kind == ErrorKind::NotFound;
    }
    const auto& verdicts = found->verdicts;
    const QString anyPartition;
    return !verdictThatRuns(verdicts, anyPartition)
        && std::any_of(verdicts.begin(), verdicts.end(),
            [](const PartitionVerdict& one) { return one.verdict == Verdict::Fail; });
}

NewestLine::NewestLine(Engine* engine, QWidget* parent)
    : QFrame(parent)
    , m_engine(engine)
    , m_text(wrappedLabel({}))
    , m_use(makeButton({}))
{
    setCardKind(this, "muted");
    setObjectName(u"newestLine"_s);
    m_text->setObjectName(u"newestText"_s);
    m_use->setObjectName(u"useNewest"_s);
    m_use->setAccessibleName(tr("Look at the newest tag that runs"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 10, 16, 10);
    layout->setSpacing(12);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_use, 0, Qt::AlignTop);
    hide();
    connect(m_use, &QPushButton::clicked, this, [this] { emit chosen(m_reference); });
}

void NewestLine::forget()
{
    ++m_number;
    m_reference.clear();
    hide();
    emit resized();
}

void NewestLine::lookFor(
    const QString& siteId, const ImageReference& image, const Result<ImageInspection>& found)
{
    forget();
    if (wantsAnotherTag(image, found)) {
        look(siteId, image);
    }
}

QCoro::Task<void> NewestLine::look(QString siteId, ImageReference image)
{
    const QPointer<NewestLine> self(this);
    const int number = m_number;
    m_use->hide();
    showText(tr("Looking for the newest tag that runs…"));
    const QString anyPartition;
    const auto newest =
        co_await newestThatRuns(m_engine->imageInspector(), siteId, image, anyPartition);
    if (!self || number != m_number) {
        co_return;
    }
    if (!newest.ok()) {
        forget(); // the error of the image itself is on the page
        co_return;
    }
    if (newest->image) {
        m_reference = newest->image->text();
        m_use->setText(tr("Look at %1").arg(shownText(newest->image->tag, mostTag)));
        m_use->setAccessibleName(m_use->text());
        m_use->show();
    }
    showText(newest->words());
}

void NewestLine::showText(const QString& text)
{
    m_text->setText(shownText(text, mostWords));
    show();
    announce(this, m_text->text());
    emit resized();
}

} // namespace slipway

#include "moc_newestline.cpp"
