// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/sitespage.h"

#include "remote/base/counted.h"
#include "ui/parts/cardgrid.h"
#include "ui/parts/confirm.h"
#include "ui/parts/foldlayout.h"
#include "ui/parts/text.h"
#include "ui/sites/addcluster.h"
#include "ui/sites/democard.h"
#include "ui/sites/sitecard.h"
#include "ui/sites/siteeditor.h"
#include "ui/sites/sitewords.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

SitesPage::SitesPage(QWidget* parent)
    : QWidget(parent)
    , m_demo(new DemoCard)
    , m_notice(new QWidget)
    , m_grid(new CardGrid(280))
{
    auto* page = new QWidget;
    page->setProperty("page", true);
    auto* words = new QVBoxLayout(page);
    words->setContentsMargins(28, 24, 28, 24);
    words->setSpacing(16);
    auto* add = makeButton(tr("Add your own cluster…"));
    add->setObjectName(u"addClusterButton"_s);
    constexpr int charactersForTitle = 28;
    auto* head = new FoldLayout(8, charactersForTitle);
    head->addWidget(TextLabel::paragraph(tr("Where do you want to run?"), "title"));
    head->addWidget(add);
    words->addLayout(head);
    words->addWidget(m_demo);
    words->addWidget(m_notice);
    words->addWidget(m_grid);
    words->addStretch();
    auto* notices = new QVBoxLayout(m_notice);
    notices->setContentsMargins(0, 0, 0, 0);
    m_notice->hide();
    m_scroll = new QScrollArea;
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll);
    connect(add, &QPushButton::clicked, this, &SitesPage::addRequested);
    connect(
        m_demo, &DemoCard::connectRequested, this, [this] { emit connectRequested(demoSiteId()); });
    connect(m_demo, &DemoCard::emulateRequested, this, [this](const QString& siteId) {
        // After that it is a different cluster, with a different login.
        m_engine->sessions()->disconnectSite(demoSiteId());
        m_demo->startAs(siteId);
    });
    connect(
        m_demo, &DemoCard::launchRequested, this, [this] { emit launchRequested(demoSiteId()); });
}

void SitesPage::setEngine(Engine* engine)
{
    m_engine = engine;
    m_demo->setCluster(engine->sessions()->demoCluster());
    m_demo->setJobCounter([this] { return jobsAt(demoSiteId()); });
    connect(engine->sessions()->demoCluster(), &DemoCluster::changed, this, &SitesPage::showAccent);
    connect(engine->sessions(), &Sessions::connectionChanged, this, &SitesPage::showConnection);
    connect(engine->catalogue(), &Catalogue::changed, this, &SitesPage::refill);
    refill();
}

QString SitesPage::demoSiteId() const
{
    if (m_engine) {
        for (const Site& site : m_engine->catalogue()->sites()) {
            if (!site.providedBy.isEmpty()) {
                return site.id;
            }
        }
    }
    return {};
}

void SitesPage::refill()
{
    m_cards.clear();
    m_preferred.clear();
    QList<QWidget*> cards;
    const QHash<QString, QDateTime> used = lastUse();
    const std::vector<Site>& sites = m_engine->catalogue()->sites();
    for (const QString& id : siteOrder(sites, used, m_engine->sessions()->connectedSites())) {
        const Site* const site = m_engine->catalogue()->site(id);
        if (!site || !site->providedBy.isEmpty()) {
            continue;
        }
        if (site->own || used.contains(id)) {
            m_preferred << id;
        }
        m_cards << makeCard(*site);
        cards << m_cards.back();
    }
    m_grid->setCards(cards);
    std::vector<EmulationChoice> choices;
    for (const Site& site : m_engine->catalogue()->sites()) {
        if (site.providedBy.isEmpty() && site.unsupported.isEmpty()) {
            choices.push_back({site.id, site.name});
        }
    }
    m_demo->setEmulationChoices(std::move(choices));
    for (const Site& site : m_engine->catalogue()->sites()) {
        showConnection(site.id);
    }
    showResourceErrors();
}

SiteCard* SitesPage::makeCard(const Site& site)
{
    auto* card = new SiteCard(site);
    connect(card, &SiteCard::connectRequested, this, &SitesPage::connectRequested);
    connect(card, &SiteCard::disconnectRequested, this, &SitesPage::disconnectRequested);
    connect(card, &SiteCard::launchRequested, this, &SitesPage::launchRequested);
    connect(card, &SiteCard::aboutRequested, this, &SitesPage::aboutRequested);
    connect(card, &SiteCard::cleanupRequested, this, &SitesPage::cleanupRequested);
    connect(card, &SiteCard::editRequested, this, &SitesPage::editSite);
    connect(card, &SiteCard::lookAgainRequested, this, &SitesPage::lookAgain);
    connect(card, &SiteCard::removeRequested, this, &SitesPage::confirmRemoval);
    return card;
}

/// When the last run of each site was launched.
QHash<QString, QDateTime> SitesPage::lastUse() const
{
    QHash<QString, QDateTime> used;
    for (const Run& run : m_engine->runs()->all()) { // newest first
        if (!used.contains(run.spec.siteId)) {
            used.insert(run.spec.siteId, run.created);
        }
    }
    return used;
}

/// The runs of this computer that have not ended there.
int SitesPage::jobsAt(const QString& siteId) const
{
    const std::vector<Run> runs = m_engine->runs()->all();
    return int(std::count_if(runs.begin(), runs.end(),
        [&](const Run& run) { return run.spec.siteId == siteId && !isTerminal(run.phase); }));
}

/// One button of the page is accented: where a launch is possible now, else where one was before,
/// else the demo cluster's.
void SitesPage::showAccent()
{
    using Phase = ConnectionState::Phase;
    SiteCard* chosen = nullptr;
    const bool demoUp = m_engine->sessions()->connection(demoSiteId()).phase == Phase::Connected;
    for (const bool connected : {true, false}) {
        for (SiteCard* card : std::as_const(m_cards)) {
            const bool fits =
                connected ? card->isConnected() : m_preferred.contains(card->siteId());
            if (!chosen && !demoUp && card->isLaunchable() && fits) {
                chosen = card;
            }
        }
    }
    for (SiteCard* card : std::as_const(m_cards)) {
        card->setAccent(card == chosen);
    }
    m_demo->setAccent(!chosen);
}

void SitesPage::editSite(const QString& siteId)
{
    if (const Site* const site = m_engine->catalogue()->site(siteId)) {
        auto* editor = new SiteEditor(m_engine, *site, window());
        connect(editor, &SiteEditor::saved, this, &SitesPage::showSite);
        editor->open();
    }
}

void SitesPage::lookAgain(const QString& siteId)
{
    if (const Site* const site = m_engine->catalogue()->site(siteId)) {
        auto* dialog = new AddCluster(m_engine, window());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &AddCluster::saved, this, &SitesPage::showSite);
        dialog->open();
        dialog->lookAgain(*site);
    }
}

void SitesPage::confirmRemoval(const QString& siteId)
{
    const Site* const site = m_engine->catalogue()->site(siteId);
    if (!site) {
        return;
    }
    const int jobs = jobsAt(siteId);
    QString what = tr("Its site file %1 is deleted. Nothing changes on the cluster, and its runs "
                      "stay in the list.")
                       .arg(site->file);
    if (jobs > 0) {
        what += u' '
            % counted(jobs, tr("1 run there has not ended: it can no longer be followed."),
                tr("%1 runs there have not ended: they can no longer be followed."));
    }
    auto* question = new Confirm(tr("Remove %1 from Slipway?").arg(site->name), what, tr("Remove"),
        ButtonKind::Danger, this);
    connect(question, &QDialog::accepted, this, [this, siteId] { removeSite(siteId); });
    question->open();
}

void SitesPage::removeSite(const QString& siteId)
{
    m_engine->sessions()->disconnectSite(siteId);
    const Result<void> removed = m_engine->catalogue()->removeSite(siteId);
    if (!removed.ok()) {
        addNotice(removed.error());
        m_notice->show();
    }
}

void SitesPage::showSite(const QString& siteId)
{
    for (SiteCard* card : std::as_const(m_cards)) {
        if (card->siteId() == siteId) {
            m_scroll->ensureWidgetVisible(card);
            card->focusAction();
        }
    }
}

void SitesPage::showConnection(const QString& siteId)
{
    if (siteId == demoSiteId()) {
        m_demo->setConnection(m_engine->sessions()->connection(siteId));
    }
    for (SiteCard* card : std::as_const(m_cards)) {
        if (card->siteId() == siteId) {
            card->setConnection(m_engine->sessions()->connection(siteId));
        }
    }
    showAccent();
}

void SitesPage::showResourceErrors()
{
    clearLayout(m_notice->layout());
    std::vector<Error> errors = m_engine->errors();
    if (m_engine->catalogue()->sites().empty()) {
        errors.insert(errors.begin(),
            Error{ErrorKind::NotFound,
                tr("The files of Slipway were not found, so there are no sites and no recipes."),
                tr("Reinstall Slipway, or set SLIPWAY_RESOURCES to the folder that contains "
                   "them.")});
    }
    for (const Error& error : errors) {
        addNotice(error);
    }
    m_notice->setVisible(!errors.empty());
}

void SitesPage::addNotice(const Error& error)
{
    auto* card = slipway::makeCard("warning");
    auto* row = new QHBoxLayout(card);
    row->setContentsMargins(14, 10, 14, 10);
    row->addWidget(new SignMark(Sign::Bang, Tint::Warning), 0, Qt::AlignTop);
    const QString text =
        error.remedy.isEmpty() ? error.summary : error.summary % u' ' % error.remedy;
    row->addWidget(TextLabel::paragraph(text), 1);
    m_notice->layout()->addWidget(card);
}

} // namespace slipway

#include "moc_sitespage.cpp"
