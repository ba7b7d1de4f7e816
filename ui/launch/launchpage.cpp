// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchpage.h"

#include "app/plan/difference.h"
#include "ui/launch/gallery.h"
#include "ui/launch/launchform.h"
#include "ui/launch/lintbox.h"
#include "ui/launch/previewpane.h"
#include "ui/launch/teachingbox.h"
#include "ui/parts/errorview.h"
#include "ui/parts/words.h"

#include <QComboBox>
#include <QScrollArea>
#include <QTabBar>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

constexpr auto debounce = std::chrono::milliseconds(40);
constexpr int galleryWidth = 212; ///< at 10 points
constexpr int wideFrom = 1120; ///< at 10 points: gallery, form and script side by side

} // namespace

LaunchPage::LaunchPage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_gallery(new Gallery)
    , m_tabs(new QTabBar)
    , m_preview(new PreviewPane)
{
    m_tabs->addTab(tr("Form"));
    m_tabs->addTab(tr("Script"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Form or script"));
    auto* right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(m_tabs);
    auto* both = new QHBoxLayout;
    both->setSpacing(16);
    m_middle = makeMiddle();
    both->addWidget(m_middle, 52);
    both->addWidget(m_preview, 48);
    right->addLayout(both, 1);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 24, 28, 24);
    layout->setSpacing(14);
    layout->addWidget(m_gallery);
    layout->addLayout(right, 1);

    m_replan.setSingleShot(true);
    m_replan.setInterval(debounce);
    connect(&m_replan, &QTimer::timeout, this, &LaunchPage::planNow);
    connect(m_tabs, &QTabBar::currentChanged, this, &LaunchPage::fold);
    connect(m_gallery, &Gallery::chosen, this, &LaunchPage::showRecipe);
    connect(m_preview, &PreviewPane::editedChanged, this, [this] {
        m_spec.editedScript = m_preview->editedScript();
        m_replan.start();
    });
    connect(engine->sessions(), &Sessions::connectionChanged, this,
        [this] { fillSites(), showActions(); });
    connect(engine->catalogue(), &Catalogue::changed, this, [this] {
        fillSites();
        m_gallery->setRecipes(
            m_engine->catalogue()->recipes(), m_engine->catalogue()->site(m_spec.siteId));
        m_replan.start();
    });
    connect(engine->sessions(), &Sessions::clusterInfoChanged, this, [this](const QString& siteId) {
        if (siteId == m_spec.siteId) {
            m_replan.start();
        }
    });
    fillSites();
    m_gallery->setRecipes(engine->catalogue()->recipes(), engine->catalogue()->site(m_spec.siteId));
    m_gallery->select({});
    fold();
}

QWidget* LaunchPage::makeMiddle()
{
    m_title = new TextLabel({}, "title");
    m_about = new TeachingBox;
    m_site = new QComboBox;
    m_site->setAccessibleName(tr("Site"));
    m_site->setObjectName(u"siteChoice"_s);
    m_form = new LaunchForm;
    auto* page = new QWidget;
    page->setProperty("page", true);
    auto* words = new QVBoxLayout(page);
    words->setContentsMargins(0, 0, 6, 0);
    words->setSpacing(4);
    words->addWidget(m_title);
    words->addWidget(m_about);
    words->addSpacing(8);
    auto* siteLabel = new TextLabel(tr("Site"), "second");
    siteLabel->setBuddy(m_site);
    words->addWidget(siteLabel);
    words->addWidget(m_site);
    words->addSpacing(8);
    words->addWidget(m_form, 1);
    m_scroll = new QScrollArea;
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(page);
    auto* middle = new QWidget;
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(makeActions());
    connect(m_site, &QComboBox::activated, this,
        [this](int) { selectSite(m_site->currentData().toString()); });
    connect(m_about, &TeachingBox::exerciseRequested, this, &LaunchPage::tryExercise);
    connect(m_about, &TeachingBox::exerciseUndone, this, &LaunchPage::undoExercise);
    connect(m_form, &LaunchForm::edited, this, &LaunchPage::change);
    connect(m_form, &LaunchForm::fixRequested, this, &LaunchPage::fix);
    return middle;
}

void LaunchPage::fillSites()
{
    const QSignalBlocker quiet(m_site);
    m_site->clear();
    QString firstConnected;
    for (const bool launchable : {true, false}) {
        for (const Site& site : m_engine->catalogue()->sites()) {
            if (site.launchable() != launchable) {
                continue;
            }
            const auto phase = m_engine->sessions()->connection(site.id).phase;
            const bool up = phase == ConnectionState::Phase::Connected;
            m_site->addItem(site.archived ? tr("%1 · archived").arg(site.name)
                    : !launchable         ? tr("%1 · not supported").arg(site.name)
                                          : site.name % u" · "_s % stateWord(phase).word,
                site.id);
            if (up && firstConnected.isEmpty()) {
                firstConnected = site.id;
            }
        }
    }
    if (m_spec.siteId.isEmpty()) {
        m_spec.siteId = firstConnected.isEmpty() ? m_site->itemData(0).toString() : firstConnected;
    }
    m_site->setCurrentIndex(m_site->findData(m_spec.siteId));
}

void LaunchPage::selectSite(const QString& siteId)
{
    m_spec.siteId = siteId;
    m_site->setCurrentIndex(m_site->findData(siteId));
    m_gallery->setRecipes(m_engine->catalogue()->recipes(), m_engine->catalogue()->site(siteId));
    m_preview->revert();
    planNow();
}

void LaunchPage::selectRecipe(const QString& recipeId)
{
    m_gallery->select(recipeId);
}

void LaunchPage::showRecipe(const QString& recipeId)
{
    if (recipeId == m_spec.recipeId) {
        return;
    }
    m_kept.insert(m_spec.recipeId, m_spec.values);
    m_spec.recipeId = recipeId;
    m_spec.values = m_kept.value(recipeId);
    m_beforeExercise.clear();
    m_error->hide();
    m_before.clear();
    m_preview->revert();
    planNow();
    m_scroll->ensureVisible(0, 0);
}

void LaunchPage::load(const LaunchSpec& spec)
{
    m_kept.insert(spec.recipeId, spec.values);
    m_gallery->select(spec.recipeId);
    m_before.clear();
    m_spec = spec;
    m_spec.editedScript.clear();
    selectSite(spec.siteId);
}

void LaunchPage::loadAgain(const QString& runId, const RelaunchOffer& offer)
{
    const auto run = m_engine->runs()->run(runId);
    if (!run) {
        return;
    }
    LaunchSpec spec = run->spec;
    if (offer.value) {
        spec.values.insert(offer.field, *offer.value);
    }
    load(spec);
    m_before = runId;
    m_tabs->setCurrentIndex(offer.value ? 1 : 0);
    planNow();
    m_preview->showDifference(true);
    if (offer.value) {
        m_preview->focusDifference();
    } else {
        m_form->focusField(offer.field);
    }
}

void LaunchPage::showDifference()
{
    const auto run = m_before.isEmpty() ? std::nullopt : m_engine->runs()->run(m_before);
    if (!run) {
        m_preview->setDifference({}, {});
        return;
    }
    Plan plan = m_plan;
    plan.spec.editedScript.clear();
    const QByteArray edited = m_preview->editedScript();
    m_preview->setDifference(m_before,
        scriptDifference(m_engine->runs()->submittedScript(m_before),
            edited.isEmpty() ? scriptOf(plan, run->tag) : edited));
}

void LaunchPage::change(const QString& key, const QString& value)
{
    m_spec.values.insert(key, value);
    m_beforeExercise.remove(key); // the person's own now
    m_error->hide();
    m_replan.start();
}

void LaunchPage::fix(const QString& key, const QString& value)
{
    m_spec.values.insert(key, value);
    m_form->forceNext(key);
    planNow();
}

void LaunchPage::planNow()
{
    m_replan.stop();
    m_plan = m_engine->runs()->plan(m_spec);
    showPlan();
}

void LaunchPage::showPlan()
{
    m_title->setText(m_plan.recipe.title);
    m_about->setPlan(m_plan);
    m_form->setPlan(m_plan, m_engine->sessions()->clusterInfo(m_spec.siteId));
    QMap<QString, QString> labels;
    for (const Parameter& field : m_plan.fields) {
        labels.insert(field.key, field.label);
    }
    m_lint->setProblems(m_plan.problems, labels);
    Plan unedited = m_plan;
    unedited.spec.editedScript.clear();
    m_preview->setScript(renderScript(unedited));
    showDifference();
    showActions();
}

void LaunchPage::focusForm()
{
    m_gallery->setFocus();
}

void LaunchPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fold();
}

void LaunchPage::fold()
{
    const double scale = std::max(1.0, fontMetrics().height() / 17.0);
    const bool wide = width() >= wideFrom * scale;
    m_gallery->setFixedWidth(int(galleryWidth * scale));
    m_tabs->setVisible(!wide);
    m_middle->setVisible(wide || m_tabs->currentIndex() == 0);
    m_preview->setVisible(wide || m_tabs->currentIndex() == 1);
}

} // namespace slipway

#include "moc_launchpage.cpp"
