// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/charts/metricchart.h"
#include "ui/compare/comparefigure.h"
#include "ui/compare/comparepage.h"
#include "ui/compare/comparesheet.h"
#include "ui/compare/presenter.h"
#include "ui/compare/runpicker.h"
#include "ui/parts/words.h"
#include "ui/runs/charttable.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QScreen>
#include <QTimer>
#include <QWindow>

namespace slipway {

using namespace Qt::StringLiterals;

// What the buttons of ComparePage do, and how runs come in.

namespace {

constexpr int readAgain = 500; ///< ms
constexpr int leastLooks = 4;
constexpr int newestLooked = 4; ///< runs that are asked for numbers when the page opens empty

/// "ghcr.io/…/pytorch@sha256:7c1f…" as "sha256:7c1f…"; any other image by its last part.
QString shortImage(const QString& image)
{
    const qsizetype digest = image.indexOf(u"sha256:"_s);
    if (digest >= 0) {
        return image.mid(digest, 7 + 12) % u"…"_s;
    }
    return image.section(u'/', -1);
}

std::vector<ReferenceSeries> referencesOf(const Recipe* recipe)
{
    std::vector<ReferenceSeries> list;
    for (const ChartSpec& chart : recipe ? recipe->charts : std::vector<ChartSpec>()) {
        for (ReferenceSeries reference : chart.references) {
            reference.series = reference.series.isEmpty() ? chart.series : reference.series;
            list.push_back(std::move(reference));
        }
    }
    return list;
}

} // namespace

std::optional<ComparedRun> ComparePage::comparedRun(const QString& runId) const
{
    const auto run = m_engine ? m_engine->runs()->run(runId) : std::nullopt;
    if (!run) {
        return {};
    }
    ComparedRun compared;
    compared.id = runId;
    compared.title = runTitle(*run);
    // As they were at the launch: site files and recipes change.
    const LaunchFacts facts = m_engine->runs()->launchFacts(runId);
    compared.site = facts.siteName.value_or(run->spec.siteId);
    compared.image = facts.image ? shortImage(*facts.image) : tr("unknown");
    compared.when = run->started.isValid() ? run->started : run->created;
    compared.live = !isTerminal(run->phase);
    compared.file = m_engine->runs()->race(runId);
    compared.references = referencesOf(m_engine->catalogue()->recipe(run->spec.recipeId));
    return compared;
}

void ComparePage::setRuns(const QStringList& runIds)
{
    m_model->clear();
    say({});
    addRuns(runIds);
}

void ComparePage::addRuns(const QStringList& runIds)
{
    for (const QString& id : runIds) {
        if (const auto run = comparedRun(id)) {
            m_model->putRun(*run);
            m_unread << id;
        }
    }
    say({});
    m_looks = 0;
    dropEmpty();
}

void ComparePage::dropEmpty()
{
    const bool early = ++m_looks < leastLooks;
    QStringList without, unread;
    for (const QString& id : std::exchange(m_unread, {})) {
        const auto run = m_model->holds(id) ? comparedRun(id) : std::nullopt;
        if (!run || run->live || !run->file.points.empty() || !run->file.absent.empty()) {
            continue; // a run that goes on may still measure something
        }
        const auto kept = m_engine->runs()->run(id);
        const RunFeed* feed = m_engine->runs()->feed(id);
        if (kept && feed && (early || feed->bytes() < kept->logBytes)) {
            unread << id; // its log is read slice by slice
        } else {
            without << run->title % u", "_s % run->id;
            m_model->removeRun(id);
        }
    }
    if (!without.isEmpty()) {
        say(tr("Not added, because nothing in it can be compared: %1.").arg(without.join(u"; "_s)));
    }
    m_unread = unread;
    if (!unread.isEmpty()) {
        QTimer::singleShot(readAgain, this, &ComparePage::dropEmpty);
    }
}

void ComparePage::showNewest()
{
    if (!m_engine || !m_model->runs().empty()) {
        return;
    }
    m_candidates.clear();
    for (const Run& run : m_engine->runs()->all()) {
        const Recipe* recipe = m_engine->catalogue()->recipe(run.spec.recipeId);
        if (recipe && recipe->lanes.size() > 1 && m_candidates.size() < newestLooked) {
            m_candidates << run.id;
        }
    }
    QTimer::singleShot(0, this, &ComparePage::lookAtCandidate);
}

void ComparePage::lookAtCandidate()
{
    if (m_candidates.isEmpty() || !m_model->runs().empty()) {
        return;
    }
    const auto run = comparedRun(m_candidates.takeFirst());
    if (run && (run->live || !run->file.points.empty())) {
        m_model->putRun(*run);
    } else {
        QTimer::singleShot(0, this, &ComparePage::lookAtCandidate); // one a turn: each opens a log
    }
}

void ComparePage::renewRun(const QString& runId)
{
    if (!m_model->holds(runId)) {
        return;
    }
    if (m_stale.isEmpty()) {
        // A job prints in bursts: one look after each of them is enough.
        QTimer::singleShot(100, this, [this] {
            for (const QString& id : std::exchange(m_stale, {})) {
                if (const auto run = m_model->holds(id) ? comparedRun(id) : std::nullopt) {
                    m_model->putRun(*run);
                }
            }
        });
    }
    m_stale.insert(runId);
}

void ComparePage::holdFeeds()
{
    QHash<QString, std::shared_ptr<RunFeed>> held;
    for (const ComparedRun& run : m_model->runs()) {
        if (m_engine) {
            held.insert(run.id, m_engine->runs()->holdFeed(run.id));
        }
    }
    m_feeds = held;
}

void ComparePage::pickRuns()
{
    if (m_engine) {
        auto* picker = new RunPicker(m_engine, this);
        connect(picker, &RunPicker::chosen, this, &ComparePage::addRuns);
        picker->open();
    }
}

PresenterView* ComparePage::present(QScreen* screen)
{
    if (!m_presenter) {
        m_presenter = new PresenterView(m_model, window());
    }
    m_presenter->showOn(screen ? screen : this->screen());
    return m_presenter;
}

void ComparePage::askPresent()
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    if (screens.size() < 2) {
        present();
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (QScreen* screen : screens) {
        const QSize size = screen->size() * screen->devicePixelRatio();
        const QString name =
            tr("On %1, %2 × %3").arg(screen->name()).arg(size.width()).arg(size.height());
        QAction* action =
            menu->addAction(screen == this->screen() ? tr("%1 (this one)").arg(name) : name);
        connect(action, &QAction::triggered, this,
            [this, one = QPointer<QScreen>(screen)] { present(one); });
    }
    menu->popup(m_present->mapToGlobal(QPoint(0, m_present->height() + 4)));
}

void ComparePage::save()
{
    auto* dialog = new QFileDialog(this, tr("Save the comparison"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(
        {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF page (*.pdf)"),
            tr("CSV table of every repeat (*.csv)"), tr("Markdown text (*.md)")});
    dialog->setDefaultSuffix(u"png"_s);
    dialog->selectFile(u"comparison.png"_s);
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        const qsizetype dot = filter.lastIndexOf(u'.') + 1;
        dialog->setDefaultSuffix(filter.mid(dot, filter.size() - dot - 1));
    });
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const Result<void> saved = saveComparison(path, *m_model);
        say(saved.ok() ? tr("Saved as %1.").arg(path) : saved.error().text());
    });
    dialog->open();
}

void ComparePage::copy()
{
    auto* mime = new QMimeData;
    mime->setImageData(compareImage(*m_model));
    mime->setText(QString::fromUtf8(compareMarkdown(*m_model)));
    QGuiApplication::clipboard()->setMimeData(mime);
    say(tr("Copied as a picture and as text."));
}

void ComparePage::showNumbers()
{
    auto* dialog = new ChartTableDialog(m_chart->spec().title, m_chart->dataTable(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace slipway
