// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagespage.h"

#include "ui/images/imagequestion.h"
#include "ui/images/imagesbusy.h"
#include "ui/images/imagesintro.h"
#include "ui/images/imagewords.h"
#include "ui/images/inspectioncard.h"
#include "ui/images/partitionscard.h"
#include "ui/images/storedimagescard.h"
#include "ui/images/storedimageskeeper.h"
#include "ui/parts/errorview.h"
#include "ui/parts/pagecontent.h"

#include <QEvent>
#include <QPointer>
#include <QScrollArea>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr int minLinesForTwo = 44; ///< page width, in line heights, for two cards side by side

} // namespace

ImagesPage::ImagesPage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_content(new PageContent)
    , m_question(new ImageQuestion)
    , m_intro(new ImagesIntro)
    , m_busy(new ImagesBusy)
    , m_error(new ErrorView)
    , m_cards(new QWidget)
    , m_beside(new QBoxLayout(QBoxLayout::LeftToRight, m_cards))
    , m_inspection(new InspectionCard)
    , m_partitions(new PartitionsCard)
    , m_stored(new StoredImagesCard)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(makeContent());
    connectParts();
    if (engine) {
        connectEngine();
    }
    fillSites();
    showOnly(m_intro);
    m_error->setObjectName(u"imagesError"_s);
}

QWidget* ImagesPage::makeContent()
{
    m_beside->setContentsMargins(0, 0, 0, 0);
    m_beside->setSpacing(16);
    m_beside->addWidget(m_inspection, 11);
    m_beside->addWidget(m_partitions, 9);
    auto* column = new QVBoxLayout(m_content);
    column->setContentsMargins(28, 24, 28, 24);
    column->setSpacing(16);
    column->addWidget(m_question);
    column->addWidget(m_intro);
    column->addWidget(m_busy);
    column->addWidget(m_error);
    column->addWidget(m_cards);
    column->addWidget(m_stored);
    column->addStretch(1); // all the height that is left: no card grows
    return m_content->inScrollArea();
}

void ImagesPage::connectParts()
{
    connect(m_question, &ImageQuestion::lookRequested, this, &ImagesPage::ask);
    connect(m_question, &ImageQuestion::siteChosen, this, &ImagesPage::selectSite);
    connect(m_intro, &ImagesIntro::chosen, this, &ImagesPage::lookAt);
    connect(m_busy, &ImagesBusy::cancelled, this, &ImagesPage::cancel);
    connect(m_error, &ErrorView::actionRequested, this, &ImagesPage::ask);
    connect(m_partitions, &PartitionsCard::folded, m_content, &PageContent::settle);
    connect(m_stored, &StoredImagesCard::resized, m_content, &PageContent::settle);
    connect(m_stored, &StoredImagesCard::useRequested, this, &ImagesPage::use);
    connect(m_stored, &StoredImagesCard::connectRequested, this,
        [this] { emit connectRequested(siteId()); });
    connect(m_inspection, &InspectionCard::useRequested, this, [this] {
        if (m_shown) {
            use(m_shown->image.reference.text());
        }
    });
}

void ImagesPage::connectEngine()
{
    m_keeper = new StoredImagesKeeper(m_engine, m_stored, this);
    connect(m_engine->catalogue(), &Catalogue::changed, this, &ImagesPage::fillSites);
    connect(m_engine->sessions(), &Sessions::connectionChanged, this, &ImagesPage::fillSites);
    // The cluster knows more than its site file: drivers, folders, free space.
    connect(m_engine->sessions(), &Sessions::connected, this, [this](const QString& siteId) {
        if (m_asking == m_number && siteId == this->siteId()) {
            m_again = true; // what is being asked began without the cluster
        } else if (m_shown && m_shown->siteId == siteId) {
            ++m_number;
            inspect(siteId, m_shown->image.reference);
        }
    });
}

void ImagesPage::fillSites()
{
    std::vector<std::pair<QString, QString>> sites;
    QString firstConnected;
    for (const Site& site : m_engine ? m_engine->catalogue()->sites() : std::vector<Site>()) {
        const auto phase = m_engine->sessions()->connection(site.id).phase;
        if (!site.launchable()) {
            continue;
        }
        sites.emplace_back(site.id, site.name % u" · "_s % stateWord(phase).word);
        if (firstConnected.isEmpty() && phase == ConnectionState::Phase::Connected) {
            firstConnected = site.id;
        }
    }
    const QString before = siteId();
    m_question->setSites(sites);
    if (!firstConnected.isEmpty() && !m_siteChosen && !m_asked) {
        m_question->setSite(firstConnected);
    }
    m_intro->setHasSite(!sites.empty());
    m_stored->setVisible(!sites.empty());
    if (m_keeper && siteId() != before) {
        m_keeper->setSite(siteId());
    }
}

QString ImagesPage::siteId() const
{
    return m_question->siteId();
}

void ImagesPage::selectSite(const QString& siteId)
{
    m_siteChosen = true;
    m_question->setSite(siteId);
    if (m_keeper) {
        m_keeper->setSite(this->siteId());
    }
    if (m_asked) {
        ask(); // the verdicts are of the other site
    }
}

void ImagesPage::lookAt(const QString& reference)
{
    m_question->setImage(reference);
    ask();
}

void ImagesPage::ask()
{
    const QString text = m_question->image().trimmed();
    if (text.isEmpty() || siteId().isEmpty()) {
        return;
    }
    ++m_number; // whatever is still to come is outdated
    m_asked = true;
    m_shown.reset();
    const Result<ImageReference> image = ImageReference::parse(text);
    if (!image.ok()) {
        showError(image.error());
        m_error->setAction({}); // asking again would not help
        return;
    }
    inspect(siteId(), *image);
}

QCoro::Task<void> ImagesPage::inspect(QString siteId, ImageReference image)
{
    const QPointer<ImagesPage> self(this);
    const int number = m_number;
    m_asking = number;
    m_again = false;
    showBusy(tr("Asking %1 about %2")
                 .arg(shownText(registryName(image), 80), shownText(imageTitle(image), 120)));
    const std::optional<RegistryLogin> anonymous;
    const auto task = m_engine->imageInspector()->inspect(siteId, image, anonymous);
    const Result<ImageInspection> found = co_await task;
    if (!self || number != m_number) {
        co_return;
    }
    m_asking = 0;
    if (found.ok()) {
        showInspection(*found);
    } else if (m_shown) {
        showOnly(m_cards); // a repeat that failed; the answer before it is still true
    } else {
        showError(lookError(found.error(), image, siteId));
    }
    if (m_again) {
        ++m_number;
        inspect(siteId, image);
    }
}

void ImagesPage::cancel()
{
    ++m_number;
    m_asked = false;
    m_shown.reset();
    showOnly(m_intro);
}

void ImagesPage::showInspection(const ImageInspection& inspection)
{
    m_shown = inspection;
    m_asked = true;
    m_inspection->setInspection(inspection);
    m_partitions->setInspection(inspection);
    showOnly(m_cards);
}

void ImagesPage::showError(const Error& error)
{
    m_error->setError(error);
    m_error->setAction(tr("Look again"));
    showOnly(m_error);
}

void ImagesPage::showBusy(const QString& stage)
{
    m_busy->setStage(stage);
    showOnly(m_busy);
}

void ImagesPage::showOnly(const QWidget* part)
{
    const QList<QWidget*> parts{m_intro, m_busy, m_error, m_cards};
    for (QWidget* one : parts) {
        one->setVisible(one == part);
    }
    m_content->settle();
}

void ImagesPage::use(const QString& image)
{
    LaunchSpec spec;
    spec.siteId = siteId();
    spec.recipeId = u"run-a-command"_s;
    spec.values.insert(u"image"_s, image);
    emit useRequested(spec);
}

void ImagesPage::place()
{
    const bool beside = width() > minLinesForTwo * fontMetrics().height();
    m_beside->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void ImagesPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_keeper) {
        m_keeper->refresh();
    }
}

void ImagesPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

void ImagesPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        place();
        m_content->settle();
    }
}

} // namespace slipway

#include "moc_imagespage.cpp"
