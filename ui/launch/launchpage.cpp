// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchpage.h"

#include "app/runs/continuing.h"
#include "app/runs/proposalvalues.h"
#include "app/sessions/folderlist.h"
#include "ui/launch/carriednotice.h"
#include "ui/launch/fieldeditor.h"
#include "ui/launch/gallery.h"
#include "ui/launch/keeprow.h"
#include "ui/launch/launchbar.h"
#include "ui/launch/launchdraft.h"
#include "ui/launch/launchform.h"
#include "ui/launch/launchpanes.h"
#include "ui/launch/ownfolder.h"
#include "ui/launch/previewpane.h"
#include "ui/launch/sitechoice.h"
#include "ui/launch/teachingbox.h"
#include "ui/parts/words.h"
#include "ui/secrets/secretsdialog.h"

#include <QComboBox>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

QCoro::Task<QStringList> noFolders()
{
    co_return QStringList();
}

QStringList labelsOf(const QStringList& keys, const Plan& plan)
{
    QStringList labels;
    for (const QString& key : keys) {
        const auto& fields = plan.fields;
        const auto field = std::find_if(
            fields.begin(), fields.end(), [&key](const Parameter& one) { return one.key == key; });
        labels << (field == fields.end() ? key : field->label);
    }
    return labels;
}

} // namespace

LaunchPage::LaunchPage(Engine* engine, QWidget* parent)
    : QWidget(parent)
    , m_engine(engine)
    , m_draft(new LaunchDraft(engine, this))
    , m_gallery(new Gallery)
    , m_preview(new PreviewPane)
{
    layOut();
    connect(m_draft, &LaunchDraft::planned, this, &LaunchPage::showPlan);
    connect(m_gallery, &Gallery::chosen, this, [this](const QString& recipeId) {
        if (m_draft->setRecipe(recipeId)) {
            showRecipe();
        }
    });
    // In a very narrow window the form takes the gallery's place.
    for (const auto chosen : {&QListView::clicked, &QListView::activated}) {
        connect(m_gallery, chosen, this, [this] { m_panes->showPart(LaunchPanes::Part::Form); });
    }
    connect(m_preview, &PreviewPane::editedChanged, this,
        [this] { m_draft->setEditedScript(m_preview->editedScript()); });
    connect(engine->sessions(), &Sessions::connectionChanged, this, [this] {
        fillSites();
        m_bar->showConnection();
    });
    connect(engine->catalogue(), &Catalogue::changed, this, [this] {
        fillSites();
        fillGallery();
        if (!m_engine->catalogue()->recipe(spec().recipeId)) {
            m_gallery->select({}); // it was deleted
        }
        m_draft->planSoon();
    });
    connectMiddle();
    fillSites();
    fillGallery();
    m_gallery->select({});
}

void LaunchPage::layOut()
{
    m_panes = new LaunchPanes(m_gallery, makeMiddle(), m_preview);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_panes);
    for (const auto key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* launch = new QShortcut(QKeySequence(Qt::CTRL | key), this);
        connect(launch, &QShortcut::activated, this, [this] {
            planNow(); // the last keystroke may be newer
            m_bar->launchOrConnect();
        });
    }
}

QWidget* LaunchPage::makeMiddle()
{
    m_scroll = new QScrollArea;
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(makeForm());
    m_bar = new LaunchBar(m_draft);
    auto* middle = new QWidget;
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_bar);
    return middle;
}

QWidget* LaunchPage::makeForm()
{
    m_title = TextLabel::paragraph({}, "title");
    m_about = new TeachingBox;
    m_site = makeSiteChoice();
    m_carried = new CarriedNotice;
    m_folder = new OwnFolder(m_engine, m_draft, this);
    m_form = new LaunchForm;
    m_form->completeFolders([this](QString folder) -> QCoro::Task<QStringList> {
        const auto cluster = m_engine->sessions()->cluster(spec().siteId);
        return cluster ? listFolders(cluster->shell(), folder) : noFolders();
    });
    auto* page = new QWidget;
    page->setProperty("page", true);
    auto* words = new QVBoxLayout(page);
    words->setContentsMargins(0, 0, 6, 0);
    words->setSpacing(4);
    words->addWidget(m_title);
    words->addWidget(m_about);
    auto* keep = new KeepRow(m_engine, m_draft);
    connect(keep, &KeepRow::failed, this, &LaunchPage::showError);
    words->addWidget(keep);
    words->addSpacing(8);
    auto* siteLabel = new TextLabel(tr("Site"), "second");
    siteLabel->setBuddy(m_site);
    words->addWidget(siteLabel);
    words->addWidget(m_site);
    words->addWidget(m_carried);
    words->addSpacing(4);
    words->addWidget(m_folder->card());
    words->addSpacing(4);
    words->addWidget(m_form, 1);
    return page;
}

void LaunchPage::connectMiddle()
{
    connect(m_site, &QComboBox::activated, this,
        [this](int) { selectSite(m_site->currentData().toString()); });
    connect(m_carried, &CarriedNotice::resetRequested, this, [this] {
        m_draft->dropCarried();
        m_bar->hideError();
        m_site->setFocus(); // the button goes
        planNow();
    });
    connect(m_folder, &OwnFolder::applied, this, [this] {
        m_bar->hideError();
        planNow();
    });
    connect(m_about, &TeachingBox::exerciseRequested, this, &LaunchPage::tryExercise);
    connect(m_about, &TeachingBox::exerciseUndone, this, [this](const Exercise& exercise) {
        m_draft->undoExercise(exercise);
        m_bar->hideError();
        planNow();
    });
    connect(m_form, &LaunchForm::edited, this, [this](const QString& key, const QString& value) {
        m_draft->enter(key, value);
        m_bar->hideError();
    });
    connect(m_form, &LaunchForm::fixRequested, this, &LaunchPage::fix);
    connect(m_form, &LaunchForm::secretsRequested, this,
        [this] { (new SecretsDialog(m_engine->secrets(), this))->open(); });
    connect(m_form, &LaunchForm::folded, this,
        [this] { m_bar->showPlan(m_form->unshown(plan().problems)); });
    connect(m_bar, &LaunchBar::fixRequested, this, &LaunchPage::fix);
    connect(m_bar, &LaunchBar::fieldRequested, this, &LaunchPage::goToField);
    connect(m_bar, &LaunchBar::launchRequested, this, &LaunchPage::launchRequested);
    connect(m_bar, &LaunchBar::sweepRequested, this, &LaunchPage::sweepRequested);
    connect(m_bar, &LaunchBar::connectRequested, this, &LaunchPage::connectRequested);
    connect(m_bar, &LaunchBar::runRequested, this, &LaunchPage::runRequested);
    connect(m_bar, &LaunchBar::inspectRequested, this, &LaunchPage::inspectRequested);
    connect(m_bar, &LaunchBar::imagesAnswered, this, [this](const QStringList& fields) {
        m_form->setAnswered(fields);
        m_form->setPlan(plan(), m_draft->clusterInfo());
    });
    connect(m_draft, &LaunchDraft::keptChanged, m_bar, &LaunchBar::showKept);
}

void LaunchPage::fillSites()
{
    const QString firstConnected = fillSiteChoice(m_site, m_engine);
    if (spec().siteId.isEmpty()) {
        m_draft->setSite(
            firstConnected.isEmpty() ? m_site->itemData(0).toString() : firstConnected);
    }
    m_site->setCurrentIndex(m_site->findData(spec().siteId));
}

void LaunchPage::fillGallery()
{
    m_gallery->setRecipes(m_engine->catalogue()->recipes(), m_draft->site());
}

const LaunchSpec& LaunchPage::spec() const
{
    return m_draft->spec();
}

const Plan& LaunchPage::plan() const
{
    return m_draft->plan();
}

void LaunchPage::selectSite(const QString& siteId)
{
    m_draft->setSite(siteId);
    m_folder->apply();
    m_site->setCurrentIndex(m_site->findData(siteId));
    fillGallery();
    m_preview->revert();
    planNow();
}

void LaunchPage::selectRecipe(const QString& recipeId)
{
    m_panes->showPart(LaunchPanes::Part::Form);
    m_gallery->select(recipeId);
}

void LaunchPage::openFolder(const QString& path)
{
    selectRecipe(ownRecipe());
    m_folder->open(path);
}

void LaunchPage::askForFolder()
{
    selectRecipe(ownRecipe());
    m_folder->ask();
}

/// The draft has another recipe.
void LaunchPage::showRecipe()
{
    m_folder->apply();
    m_bar->hideError();
    m_preview->revert();
    planNow();
    m_scroll->ensureVisible(0, 0);
}

void LaunchPage::load(const LaunchSpec& spec)
{
    m_panes->showPart(LaunchPanes::Part::Form);
    m_folder->forget();
    if (m_draft->load(spec)) {
        showRecipe();
    }
    m_gallery->select(spec.recipeId);
    selectSite(spec.siteId);
}

void LaunchPage::loadAgain(const QString& runId, const RelaunchOffer& offer)
{
    const auto run = m_engine->runs()->run(runId);
    if (!run) {
        return;
    }
    LaunchSpec spec = repeatingSpec(*run);
    if (offer.value) {
        spec.values.insert(offer.field, *offer.value);
    }
    load(spec);
    m_draft->setBaseRun(runId);
    m_panes->showPart(offer.value ? LaunchPanes::Part::Script : LaunchPanes::Part::Form);
    planNow();
    m_preview->showDifference(true);
    if (offer.value) {
        m_preview->focusDifference();
    } else {
        m_form->focusField(offer.field);
    }
}

void LaunchPage::fix(const QString& key, const QString& value)
{
    m_draft->setValue(key, value);
    m_form->forceNext(key);
    planNow();
}

void LaunchPage::tryExercise(const Exercise& exercise)
{
    if (!exercise.recipe.isEmpty()) {
        m_gallery->select(exercise.recipe);
    }
    m_draft->applyExercise(exercise);
    m_bar->hideError();
    planNow();
    if (!exercise.field.isEmpty()) {
        goToField(exercise.field);
    }
}

void LaunchPage::goToField(const QString& key)
{
    m_panes->showPart(LaunchPanes::Part::Form);
    m_form->focusField(key);
    // A field that was folded away has its position only after the layout.
    QTimer::singleShot(0, this, [this, key] {
        if (QWidget* const editor = m_form->editor(key)) {
            m_scroll->ensureWidgetVisible(editor);
        }
    });
}

void LaunchPage::planNow()
{
    m_draft->planNow();
}

void LaunchPage::showPlan()
{
    holdFocusInPlace();
    m_title->setText(plan().recipe.title);
    m_about->setPlan(plan());
    const Site* const from = m_engine->catalogue()->site(m_draft->carriedFrom());
    m_carried->setFields(
        labelsOf(m_draft->carried(), plan()), from ? from->name : m_draft->carriedFrom());
    m_form->setPlan(plan(), m_draft->clusterInfo());
    Plan unedited = plan();
    unedited.spec.editedScript.clear();
    m_preview->setScript(renderScript(unedited));
    m_preview->setDifference(m_draft->baseRun(), m_draft->differenceFromBase());
    m_bar->showPlan(m_form->unshown(plan().problems));
}

/// A message that appears above the field in which the person types must not move it.
void LaunchPage::holdFocusInPlace()
{
    QWidget* const content = m_scroll->widget();
    const QPointer<QWidget> focused(m_form->focusWidget());
    if (!focused || !m_form->isAncestorOf(focused) || !focused->hasFocus()) {
        return;
    }
    const int before = focused->mapTo(content, QPoint()).y();
    QTimer::singleShot(0, this, [this, content, focused, before] {
        if (focused && focused->hasFocus()) {
            QScrollBar* const bar = m_scroll->verticalScrollBar();
            bar->setValue(bar->value() + focused->mapTo(content, QPoint()).y() - before);
        }
    });
}

void LaunchPage::showError(const Error& error)
{
    m_bar->showError(error);
}

bool LaunchPage::hasError() const
{
    return m_bar->hasError();
}

void LaunchPage::setBusy(bool busy)
{
    m_bar->setBusy(busy);
}

void LaunchPage::focusForm()
{
    m_engine->sessions()->refreshShares(spec().siteId);
    m_panes->showPart(LaunchPanes::Part::Recipes);
    m_gallery->setFocus();
}

void LaunchPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_bar->setMostHeight(height() * 3 / 10);
}

} // namespace slipway

#include "moc_launchpage.cpp"
