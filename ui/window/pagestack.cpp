// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/window/pagestack.h"

#include "ui/compare/comparepage.h"
#include "ui/images/imagespage.h"
#include "ui/launch/launchpage.h"
#include "ui/runs/runlist.h"
#include "ui/runs/runpage.h"
#include "ui/runs/runspage.h"
#include "ui/sites/democard.h"
#include "ui/sites/sitespage.h"

#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

const QString raceRecipe = u"gpu-cpu-race"_s;

void fillPlace(QWidget* place, QWidget* page)
{
    auto* layout = new QVBoxLayout(place);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(page);
}

/// The control of a page that had the focus last, else its first one; null: it has none.
QWidget* controlToFocus(QWidget* page)
{
    const auto takesFocus = [page](QWidget* widget) {
        return page->isAncestorOf(widget) && (widget->focusPolicy() & Qt::TabFocus)
            && widget->isEnabled() && widget->isVisibleTo(page);
    };
    if (QWidget* last = page->focusWidget(); last && takesFocus(last)) {
        return last;
    }
    for (QWidget* one = page->nextInFocusChain(); one != page; one = one->nextInFocusChain()) {
        if (takesFocus(one)) {
            return one;
        }
    }
    return nullptr;
}

} // namespace

PageStack::PageStack(QWidget* parent)
    : QStackedWidget(parent)
    , m_sites(new SitesPage)
{
    addWidget(m_sites);
    for (int place = LaunchIndex; place < PageCount; ++place) {
        addWidget(new QWidget);
    }
}

void PageStack::setEngine(Engine* engine)
{
    m_engine = engine;
    m_sites->setEngine(engine);
    connect(m_sites, &SitesPage::connectRequested, this, &PageStack::connectRequested);
}

LaunchPage* PageStack::launch()
{
    if (!m_launch && m_engine) {
        m_launch = new LaunchPage(m_engine);
        fillPlace(widget(LaunchIndex), m_launch);
        connect(m_launch, &LaunchPage::connectRequested, this, &PageStack::connectRequested);
        connect(m_launch, &LaunchPage::launchRequested, this, &PageStack::launchRequested);
        connect(m_launch, &LaunchPage::sweepRequested, this, &PageStack::sweepRequested);
        connect(m_launch, &LaunchPage::runRequested, this, &PageStack::openRun);
        connect(m_launch, &LaunchPage::inspectRequested, this, &PageStack::inspectImage);
    }
    return m_launch;
}

RunsPage* PageStack::runs()
{
    if (!m_runs && m_engine) {
        m_runs = new RunsPage(m_engine);
        fillPlace(widget(RunsIndex), m_runs);
        connect(m_runs->list(), &RunList::launchRequested, this, [this] { showPage(LaunchIndex); });
        connect(m_runs->list(), &RunList::demoRequested, this, &PageStack::startDemo);
        connect(m_runs->list(), &RunList::compareRequested, this, &PageStack::compareRuns);
        connect(m_runs, &RunsPage::pageMade, this, &PageStack::connectRunPage);
    }
    return m_runs;
}

void PageStack::connectRunPage(RunPage* page)
{
    connect(page, &RunPage::connectRequested, this, &PageStack::connectRequested);
    connect(page, &RunPage::relaunchRequested, this, [this](const LaunchSpec& spec) {
        launch()->load(spec);
        showPage(LaunchIndex);
    });
    connect(page, &RunPage::changeRequested, this,
        [this](const QString& runId, const RelaunchOffer& offer) {
            showPage(LaunchIndex);
            launch()->loadAgain(runId, offer);
        });
    connect(page, &RunPage::compareRequested, this,
        [this](const QString& runId) { compareRuns({runId}); });
}

ComparePage* PageStack::compare()
{
    if (!m_compare && m_engine) {
        m_compare = new ComparePage(m_engine);
        fillPlace(widget(CompareIndex), m_compare);
        connect(m_compare, &ComparePage::launchRequested, this, [this] { showRecipe(raceRecipe); });
    }
    return m_compare;
}

ImagesPage* PageStack::images()
{
    if (!m_images && m_engine) {
        m_images = new ImagesPage(m_engine);
        fillPlace(widget(ImagesIndex), m_images);
        connect(m_images, &ImagesPage::connectRequested, this, &PageStack::connectRequested);
        connect(m_images, &ImagesPage::launchRequested, this, &PageStack::launchRequested);
        connect(m_images, &ImagesPage::useRequested, this, [this](const LaunchSpec& spec) {
            launch()->load(spec);
            showPage(LaunchIndex);
        });
    }
    return m_images;
}

void PageStack::inspectImage(const QString& siteId, const QString& reference)
{
    images()->selectSite(siteId);
    images()->lookAt(reference);
    showPage(ImagesIndex);
    focusPage();
}

void PageStack::makeCurrent(Page page)
{
    setCurrentIndex(page);
    emit pageShown(page);
}

void PageStack::showPage(Page page)
{
    if (page == LaunchIndex) {
        launch();
    } else if (page == RunsIndex && runs()) {
        if (currentIndex() == RunsIndex) {
            m_runs->showList(); // chosen again: back from the run to the list
        }
    } else if (page == CompareIndex && compare()) {
        m_compare->showNewest();
    } else if (page == ImagesIndex) {
        images();
    }
    makeCurrent(page);
}

void PageStack::openRun(const QString& runId)
{
    runs()->openRun(runId);
    makeCurrent(RunsIndex);
    focusPage();
}

void PageStack::compareRuns(const QStringList& runIds)
{
    compare()->setRuns(runIds);
    showPage(CompareIndex);
    focusPage();
}

void PageStack::showRecipe(const QString& recipeId)
{
    launch()->selectRecipe(recipeId);
    showPage(LaunchIndex);
    focusPage();
}

void PageStack::focusPage()
{
    if (currentIndex() == LaunchIndex && m_launch) {
        m_launch->focusForm();
    } else if (RunPage* run = shownRun()) {
        run->focusTabs();
    } else if (currentIndex() == RunsIndex && m_runs) {
        m_runs->list()->focusList();
    } else if (QWidget* control = controlToFocus(currentWidget())) {
        control->setFocus(Qt::OtherFocusReason);
    }
}

void PageStack::focusLaunchForm()
{
    showPage(LaunchIndex);
    if (m_launch) {
        m_launch->focusForm();
    }
}

void PageStack::showLaunchError(const Error& error)
{
    launch()->showError(error);
    showPage(LaunchIndex);
}

void PageStack::startDemo()
{
    showPage(SitesIndex);
    m_sites->demoCard()->start();
}

bool PageStack::hasRun(const QString& runId) const
{
    return m_engine && m_engine->runs()->run(runId);
}

RunPage* PageStack::shownRun() const
{
    const bool shown = m_runs && currentIndex() == RunsIndex && m_runs->showsRun();
    return shown ? m_runs->page() : nullptr;
}

void PageStack::leaveRun()
{
    if (shownRun()) {
        m_runs->showList();
    }
}

bool PageStack::canPresent() const
{
    return m_compare && m_compare->canPresent();
}

void PageStack::presentComparison()
{
    m_compare->present();
}

} // namespace slipway

#include "moc_pagestack.cpp"
