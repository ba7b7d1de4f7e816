// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/sitespage.h"

#include "ui/parts/cardgrid.h"
#include "ui/parts/text.h"
#include "ui/sites/democard.h"
#include "ui/sites/sitecard.h"

#include <QScrollArea>
#include <QVBoxLayout>

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
    auto* head = new QHBoxLayout;
    head->addWidget(new TextLabel(tr("Where do you want to run?"), "title"), 1);
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
    QList<QWidget*> cards;
    // Sites without launches come last: they can be read about, not used.
    for (const bool launchable : {true, false}) {
        for (const Site& site : m_engine->catalogue()->sites()) {
            if (!site.providedBy.isEmpty() || site.launchable() != launchable) {
                continue;
            }
            auto* card = new SiteCard(site);
            connect(card, &SiteCard::connectRequested, this, &SitesPage::connectRequested);
            connect(card, &SiteCard::disconnectRequested, this, &SitesPage::disconnectRequested);
            connect(card, &SiteCard::launchRequested, this, &SitesPage::launchRequested);
            connect(card, &SiteCard::aboutRequested, this, &SitesPage::aboutRequested);
            connect(card, &SiteCard::cleanupRequested, this, &SitesPage::cleanupRequested);
            m_cards << card;
            cards << card;
        }
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
        auto* card = makeCard("warning");
        auto* row = new QHBoxLayout(card);
        row->setContentsMargins(14, 10, 14, 10);
        row->addWidget(new SignMark(Sign::Bang, Tint::Warning), 0, Qt::AlignTop);
        const QString text =
            error.remedy.isEmpty() ? error.summary : error.summary % u' ' % error.remedy;
        row->addWidget(TextLabel::paragraph(text), 1);
        m_notice->layout()->addWidget(card);
    }
    m_notice->setVisible(!errors.empty());
}

} // namespace slipway

#include "moc_sitespage.cpp"
