// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/images/imagespage.h"

#include "app/images/imagelaunch.h"
#include "app/runs/runlogin.h"
#include "app/secrets/registrylogins.h"
#include "ui/images/buildeditor.h"
#include "ui/images/imagequestion.h"
#include "ui/images/imagesbusy.h"
#include "ui/images/imagesintro.h"
#include "ui/images/imagetools.h"
#include "ui/images/imagewords.h"
#include "ui/images/inspectioncard.h"
#include "ui/images/newestline.h"
#include "ui/images/partitionscard.h"
#include "ui/images/pullwords.h"
#include "ui/images/registrylogincard.h"
#include "ui/images/storedimagescard.h"
#include "ui/images/storedimageskeeper.h"
#include "ui/parts/confirm.h"
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

/// Keeps the login for a registry, as that of its cluster where only that knows it.
QCoro::Task<Result<void>> keepRegistryLogin(
    SecretStore* secrets, std::optional<Site> site, QString registry, RegistryLogin login)
{
    const auto name = registryLoginName(site ? &*site : nullptr, registry);
    if (!name.ok()) {
        co_return name.error();
    }
    RegistryLogins logins(secrets);
    const QString key = *name;
    const auto kept = co_await logins.keep(key, login);
    co_return kept;
}

} // namespace

ImagesPage::ImagesPage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_content(new PageContent)
    , m_question(new ImageQuestion)
    , m_tools(new ImageTools(
          engine, [this] { return siteId(); }, [this] { return m_question->image().trimmed(); }))
    , m_intro(new ImagesIntro)
    , m_busy(new ImagesBusy)
    , m_error(new ErrorView)
    , m_login(new RegistryLoginCard)
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
    column->addWidget(m_tools);
    column->addWidget(m_intro);
    column->addWidget(m_busy);
    column->addWidget(m_error);
    column->addWidget(m_login);
    if (m_engine) {
        m_newest = new NewestLine(m_engine);
        column->addWidget(m_newest);
    }
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
    connect(m_tools, &ImageTools::buildRequested, this, &ImagesPage::openBuildEditor);
    connect(m_tools, &ImageTools::launchRequested, this, &ImagesPage::useRequested);
    connect(m_busy, &ImagesBusy::cancelled, this, &ImagesPage::cancel);
    connect(m_error, &ErrorView::actionRequested, this, &ImagesPage::ask);
    connect(m_login, &RegistryLoginCard::loginEntered, this, &ImagesPage::askAs);
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
    connect(m_inspection, &InspectionCard::pullRequested, this, &ImagesPage::askPull);
}

void ImagesPage::connectEngine()
{
    m_keeper = new StoredImagesKeeper(m_engine, m_stored, this);
    connect(m_newest, &NewestLine::chosen, this, &ImagesPage::lookAt);
    connect(m_newest, &NewestLine::resized, m_content, &PageContent::settle);
    connect(m_engine->catalogue(), &Catalogue::changed, this, &ImagesPage::fillSites);
    connect(m_engine->sessions(), &Sessions::connectionChanged, this, &ImagesPage::fillSites);
    // The cluster knows more than its site file: drivers, folders, free space.
    connect(m_engine->sessions(), &Sessions::connected, this, [this](const QString& siteId) {
        if (m_asking.open == m_asking.number && siteId == this->siteId()) {
            m_asking.isWantedAgain = true; // what is being asked began without the cluster
        } else if (m_shown && m_shown->siteId == siteId) {
            ++m_asking.number;
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
    if (!firstConnected.isEmpty() && !m_asking.isSiteChosen && !m_asking.isAsked) {
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
    m_asking.isSiteChosen = true;
    m_question->setSite(siteId);
    if (m_keeper) {
        m_keeper->setSite(this->siteId());
    }
    if (m_asking.isAsked) {
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
    ++m_asking.number; // whatever is still to come is outdated
    m_asking.isAsked = true;
    m_shown.reset();
    if (m_newest) {
        m_newest->forget();
    }
    const Result<ImageReference> image = ImageReference::parse(text);
    if (!image.ok()) {
        showError(image.error());
        m_error->setAction({}); // asking again would not help
        return;
    }
    inspect(siteId(), *image);
}

void ImagesPage::askAs(const RegistryLogin& login, bool keep)
{
    // For the registry that wanted it, whatever the fields hold by now.
    const ImageReference image = m_login->image();
    const QString siteId = m_login->siteId();
    if (!m_engine) {
        return;
    }
    m_question->setImage(image.text());
    m_question->setSite(siteId);
    ++m_asking.number;
    m_asking.isAsked = true;
    m_shown.reset();
    inspect(siteId, image, login, keep);
}

QCoro::Task<void> ImagesPage::inspect(
    QString siteId, ImageReference image, std::optional<RegistryLogin> login, bool keep)
{
    const QPointer<ImagesPage> self(this);
    const int number = m_asking.number;
    m_newest->forget();
    m_asking.open = number;
    m_asking.isWantedAgain = false;
    showBusy(tr("Asking %1 about %2")
                 .arg(shownText(registryName(image), 80), shownText(imageTitle(image), 120)));
    SecretStore* const secrets = m_engine->secrets();
    const Site* const known = m_engine->catalogue()->site(siteId);
    const std::optional<Site> site = known ? std::optional(*known) : std::nullopt;
    const auto task = m_engine->imageInspector()->inspect(siteId, image, login);
    const Result<ImageInspection> found = co_await task;
    if (!self || number != m_asking.number) {
        co_return;
    }
    m_asking.open = 0;
    m_newest->lookFor(siteId, image, found);
    if (found.ok()) {
        showInspection(*found);
    } else if (m_shown) {
        showOnly(m_cards); // a repeat that failed; the answer before it is still true
    } else {
        showError(lookError(found.error(), image, siteId));
        m_login->setQuestion(siteId, image);
        m_login->setVisible(wantsLogin(found.error()));
        m_content->settle();
        if (login && m_login->isVisible()) {
            m_login->setFocus(); // it was hidden meanwhile
        }
    }
    const bool again = m_asking.isWantedAgain;
    if (found.ok() && login && keep) {
        const RegistryLogin accepted = *login;
        const auto kept = co_await keepRegistryLogin(secrets, site, image.registry, accepted);
        if (!self || number != m_asking.number) {
            co_return;
        }
        if (!kept.ok()) {
            m_login->setQuestion(siteId, image);
            m_login->showNotKept(kept.error());
            m_login->show();
            m_content->settle();
        }
    }
    if (again) {
        ++m_asking.number;
        inspect(siteId, image, login);
    }
}

void ImagesPage::cancel()
{
    ++m_asking.number;
    m_asking.isAsked = false;
    m_shown.reset();
    m_newest->forget();
    showOnly(m_intro);
}

void ImagesPage::showInspection(const ImageInspection& inspection)
{
    m_shown = inspection;
    m_asking.isAsked = true;
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
    m_login->hide();
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

void ImagesPage::askPull()
{
    if (!m_shown || !m_engine) {
        return;
    }
    const ImageInspection image = *m_shown;
    if (m_engine->sessions()->connection(image.siteId).phase != ConnectionState::Phase::Connected) {
        emit connectRequested(image.siteId);
        return;
    }
    const LaunchSpec spec = pullImageLaunch(image.siteId, image.image.reference);
    const Plan plan = m_engine->runs()->plan(spec);
    if (plan.hasErrors()) {
        emit useRequested(spec); // the form shows them, with the fields that fix them
        return;
    }
    auto* question = new Confirm(
        pullQuestion(image, plan), pullWarning(image), tr("Pull"), ButtonKind::Primary, this);
    question->setObjectName(u"pullQuestion"_s);
    question->setList(pullLines(image, plan), tr("What is pulled, and where"));
    connect(question, &QDialog::accepted, this, [this, spec] { emit launchRequested(spec); });
    question->open();
}

/// Only sites where own images can be built: the others would refuse the launch.
void ImagesPage::openBuildEditor()
{
    const Recipe* const recipe =
        m_engine ? m_engine->catalogue()->recipe(buildImageRecipe()) : nullptr;
    if (!recipe) {
        return;
    }
    std::vector<std::pair<QString, QString>> sites;
    for (const Site& site : m_engine->catalogue()->sites()) {
        if (site.launchable() && recipeBelongs(*recipe, site)) {
            sites.emplace_back(site.id, site.name);
        }
    }
    auto* editor = new BuildEditor(m_engine->definitionsFolder(), this);
    editor->setSites(sites, siteId());
    connect(editor, &BuildEditor::buildRequested, this, &ImagesPage::useRequested);
    editor->open();
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
