// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchbar.h"

#include "remote/base/counted.h"
#include "ui/images/imagewords.h"
#include "ui/launch/allocationdialog.h"
#include "ui/launch/imagelines.h"
#include "ui/launch/lintbox.h"
#include "ui/launch/sweepdialog.h"
#include "ui/parts/boundedscroll.h"
#include "ui/parts/confirm.h"
#include "ui/parts/errorview.h"
#include "ui/parts/flowlayout.h"
#include "ui/parts/words.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace slipway {

using namespace Qt::StringLiterals;
using Phase = ConnectionState::Phase;

namespace {

constexpr int mostObjections = 1000; ///< characters

QString keptNodes(const Run& run)
{
    return run.nodeList.isEmpty() ? LaunchBar::tr("nodes") : run.nodeList;
}

} // namespace

LaunchBar::LaunchBar(LaunchDraft* draft, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_error(new ErrorView)
    , m_lint(new LintBox)
    , m_images(new ImageLines(draft))
    , m_launch(makeButton(tr("Launch"), ButtonKind::Primary))
    , m_allocate(makeButton(tr("Run in an allocation…")))
    , m_sweep(makeButton(tr("Sweep…")))
    , m_sentence(TextLabel::paragraph({}, "second"))
    , m_kept(new QWidget)
    , m_keptText(TextLabel::paragraph({}))
    , m_openKept(makeButton(tr("Open it"), ButtonKind::Link))
{
    m_error->hide();
    m_kept->hide();
    m_kept->setObjectName(u"keptNodes"_s);
    m_openKept->setObjectName(u"openKept"_s);
    m_launch->setObjectName(u"launch"_s);
    m_allocate->setObjectName(u"allocate"_s);
    m_sweep->setObjectName(u"sweep"_s);
    m_sweep->setToolTip(tr("One run for each value of one or more fields, all in one chart"));
    m_allocate->setToolTip(tr("Run the steps in nodes that you keep until you release them"));
    m_sentence->setObjectName(u"launchSentence"_s);
    layOut();
    connect(m_lint, &LintBox::fixRequested, this, &LaunchBar::fixRequested);
    connect(m_lint, &LintBox::fieldRequested, this, &LaunchBar::fieldRequested);
    connect(m_images, &ImageLines::fixRequested, this, &LaunchBar::fixRequested);
    connect(m_images, &ImageLines::inspectRequested, this, &LaunchBar::inspectRequested);
    connect(m_images, &ImageLines::answered, this, &LaunchBar::imagesAnswered);
    connect(m_launch, &QPushButton::clicked, this, &LaunchBar::launchOrConnect);
    connect(m_allocate, &QPushButton::clicked, this, &LaunchBar::confirmAllocation);
    connect(m_sweep, &QPushButton::clicked, this, &LaunchBar::openSweep);
    connect(m_openKept, &QPushButton::clicked, this, [this] { emit runRequested(m_keptRun); });
}

void LaunchBar::layOut()
{
    auto* keptRow = new QHBoxLayout(m_kept);
    keptRow->setContentsMargins(0, 0, 0, 0);
    keptRow->setSpacing(8);
    keptRow->addWidget(new SignMark(Sign::Bang, Tint::Warning), 0, Qt::AlignTop);
    keptRow->addWidget(m_keptText, 1);
    keptRow->addWidget(m_openKept, 0, Qt::AlignTop);
    auto* notes = new QWidget;
    auto* list = new QVBoxLayout(notes);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(12);
    list->addWidget(m_error);
    list->addWidget(m_lint);
    list->addWidget(m_images);
    list->addWidget(m_kept);
    m_notes = new BoundedScroll(notes, tr("What to know before the launch"));
    auto* buttons = new QWidget;
    auto* flow = new FlowLayout(12, buttons); // with large text they wrap
    for (QPushButton* button : {m_launch, m_sweep, m_allocate}) {
        flow->addWidget(button);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_notes);
    layout->addWidget(buttons);
    layout->addWidget(m_sentence);
}

void LaunchBar::setMostHeight(int pixels)
{
    m_notes->setMostHeight(pixels);
}

void LaunchBar::launchOrConnect()
{
    if (!m_launch->isEnabled()) {
        return; // by its key
    }
    if (m_draft->connectionPhase() != Phase::Connected) {
        emit connectRequested(m_draft->spec().siteId);
        return;
    }
    m_draft->planNow();
    if (m_images->objections().isEmpty()) {
        launch();
    } else {
        confirmImages();
    }
}

void LaunchBar::launch()
{
    m_draft->setMode(LaunchMode::Batch);
    emit launchRequested(m_draft->spec());
}

/// What is known against the image may be wrong: a file of it may be on the cluster already.
void LaunchBar::confirmImages()
{
    const QString why = shownText(m_images->objections().join(u' '), mostObjections);
    auto* question = new Confirm(tr("Launch with this image?"),
        tr("%1 The job would wait in the queue and then probably fail.").arg(why),
        tr("Launch anyway"), ButtonKind::Danger, this);
    question->setObjectName(u"confirmImages"_s);
    connect(question, &QDialog::accepted, this, &LaunchBar::launch);
    question->open();
}

void LaunchBar::confirmAllocation()
{
    m_draft->planNow();
    auto* dialog =
        new AllocationDialog(m_draft->plan(), qsizetype(m_draft->keptRuns().size()), this);
    connect(dialog, &QDialog::accepted, this, [this] {
        LaunchSpec spec = m_draft->spec();
        spec.mode = LaunchMode::Interactive;
        emit launchRequested(spec);
    });
    dialog->open();
}

void LaunchBar::openSweep()
{
    m_draft->planNow();
    auto* dialog = new SweepDialog(m_draft, this);
    connect(dialog, &SweepDialog::sweepRequested, this, &LaunchBar::sweepRequested);
    dialog->open();
}

void LaunchBar::showPlan(const std::vector<Problem>& unshown)
{
    QMap<QString, QString> labels;
    for (const Parameter& field : m_draft->plan().fields) {
        labels.insert(field.key, field.label);
    }
    m_lint->setProblems(m_draft->plan().problems, unshown, labels);
    showConnection();
}

void LaunchBar::showKept()
{
    const std::vector<Run> kept = m_draft->keptRuns();
    m_kept->setVisible(!kept.empty());
    if (kept.empty()) {
        return;
    }
    const Run& run = kept.front();
    m_keptRun = run.id;
    m_keptText->setText(keptText(kept, m_draft->keptUntil(run)));
    m_openKept->setAccessibleName(tr("Open the run that keeps %1").arg(keptNodes(run)));
}

QString LaunchBar::keptText(const std::vector<Run>& kept, const std::optional<QDateTime>& until)
{
    const Run& run = kept.front();
    const QString what = tr("You keep %1 for “%2”").arg(keptNodes(run), runTitle(run));
    const QString use = tr("a shell can be opened there, and the time is charged.");
    QString text = until ? tr("%1, until %2 at the latest: %3")
                               .arg(what, clockText(*until, QDateTime::currentDateTime()), use)
                         : tr("%1: %2").arg(what, use);
    if (kept.size() > 1) {
        text += u' '
            % counted(qint64(kept.size()) - 1, tr("1 more allocation is kept."),
                tr("%1 more allocations are kept."));
    }
    return text;
}

void LaunchBar::showConnection()
{
    const Phase phase = m_draft->connectionPhase();
    const bool launchable = m_draft->plan().site.launchable();
    const bool up = phase == Phase::Connected;
    const bool errors = m_draft->plan().hasErrors();
    m_launch->setText(m_busy    ? tr("Launching…")
            : up || !launchable ? tr("Launch")
                                : tr("Connect to launch"));
    m_launch->setAccessibleName(m_launch->text());
    m_launch->setEnabled(!m_busy && launchable && phase != Phase::Connecting && (!up || !errors));
    const bool ready = !m_busy && up && !errors && m_draft->spec().editedScript.isEmpty();
    m_launch->setToolTip(up || !launchable
            ? tr("Submit this script as a batch job (Ctrl+Enter)")
            : tr("Log in to %1 first (Ctrl+Enter)").arg(m_draft->plan().site.name));
    m_allocate->setEnabled(ready);
    m_sweep->setEnabled(!m_busy && launchable && m_draft->spec().editedScript.isEmpty());
    m_sentence->setText(sentence());
    m_sentence->setVisible(!m_sentence->text().isEmpty());
    showKept();
}

QString LaunchBar::sentence() const
{
    const Site& site = m_draft->plan().site;
    if (m_busy) {
        return tr("Creating the run folder, uploading, submitting.");
    }
    if (site.archived) {
        return tr("%1 is archived: you can read its scripts, but not launch.").arg(site.name);
    }
    if (!site.launchable()) {
        return tr("%1 is not supported: you can read its scripts, but not launch.").arg(site.name);
    }
    if (m_draft->connectionPhase() != Phase::Connected) {
        return tr("Not connected to %1.").arg(site.name);
    }
    return m_draft->plan().hasErrors() ? tr("Fix the errors above first.") : freeGpus();
}

QString LaunchBar::freeGpus() const
{
    const std::optional<ClusterInfo> info = m_draft->clusterInfo();
    if (!info) {
        return {};
    }
    const Plan& plan = m_draft->plan();
    for (const PartitionInfo& partition : info->partitions) {
        if (partition.name == plan.job.partition && partition.gpusFree && plan.job.gpus > 0) {
            return tr("%1 in %2 (updated %3)")
                .arg(counted(*partition.gpusFree, tr("1 GPU free"), tr("%1 GPUs free")),
                    partition.name, agoText(info->asked, QDateTime::currentDateTimeUtc()));
        }
    }
    return {};
}

void LaunchBar::showError(const Error& error)
{
    m_error->setError(error);
    m_error->show();
}

void LaunchBar::hideError()
{
    m_error->hide();
}

bool LaunchBar::hasError() const
{
    return !m_error->isHidden();
}

void LaunchBar::setBusy(bool busy)
{
    m_busy = busy;
    if (busy) {
        hideError(); // it belongs to the launch before
    }
    showConnection();
}

} // namespace slipway

#include "moc_launchbar.cpp"
