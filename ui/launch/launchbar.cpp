// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchbar.h"

#include "app/catalogue/fields.h"
#include "remote/base/counted.h"
#include "ui/launch/allocationdialog.h"
#include "ui/launch/lintbox.h"
#include "ui/parts/errorview.h"
#include "ui/parts/words.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace slipway {

using namespace Qt::StringLiterals;
using Phase = ConnectionState::Phase;

LaunchBar::LaunchBar(LaunchDraft* draft, QWidget* parent)
    : QWidget(parent)
    , m_draft(draft)
    , m_error(new ErrorView)
    , m_lint(new LintBox)
    , m_launch(makeButton(tr("Launch"), ButtonKind::Primary))
    , m_allocate(makeButton(tr("Run in an allocation…")))
    , m_sweep(makeButton({}))
    , m_sentence(TextLabel::paragraph({}, "second"))
{
    m_error->hide();
    m_launch->setObjectName(u"launch"_s);
    m_allocate->setObjectName(u"allocate"_s);
    m_sweep->setObjectName(u"sweep"_s);
    m_sweep->setToolTip(tr("One job per value, all of them in one chart."));
    m_sentence->setObjectName(u"launchSentence"_s);
    layOut();
    connect(m_lint, &LintBox::fixRequested, this, &LaunchBar::fixRequested);
    connect(m_lint, &LintBox::fieldRequested, this, &LaunchBar::fieldRequested);
    connect(m_launch, &QPushButton::clicked, this, &LaunchBar::launchOrConnect);
    connect(m_allocate, &QPushButton::clicked, this, &LaunchBar::confirmAllocation);
    connect(m_sweep, &QPushButton::clicked, this, &LaunchBar::launchSweep);
}

void LaunchBar::layOut()
{
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(12);
    buttons->addWidget(m_launch);
    buttons->addWidget(m_sweep);
    buttons->addWidget(m_allocate);
    buttons->addWidget(m_sentence, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_error);
    layout->addWidget(m_lint);
    layout->addLayout(buttons);
}

void LaunchBar::launchOrConnect()
{
    if (m_draft->connectionPhase() != Phase::Connected) {
        emit connectRequested(m_draft->spec().siteId);
        return;
    }
    m_draft->planNow();
    m_draft->setMode(LaunchMode::Batch);
    emit launchRequested(m_draft->spec());
}

void LaunchBar::confirmAllocation()
{
    m_draft->planNow();
    auto* dialog = new AllocationDialog(m_draft->plan(), this);
    connect(dialog, &QDialog::accepted, this, [this] {
        LaunchSpec spec = m_draft->spec();
        spec.mode = LaunchMode::Interactive;
        emit launchRequested(spec);
    });
    dialog->open();
}

void LaunchBar::launchSweep()
{
    m_draft->planNow();
    const RecipeSweep& sweep = m_draft->plan().recipe.sweep;
    emit sweepRequested(m_draft->spec(), sweep.parameter, listItems(sweep.values));
}

void LaunchBar::showPlan()
{
    QMap<QString, QString> labels;
    for (const Parameter& field : m_draft->plan().fields) {
        labels.insert(field.key, field.label);
    }
    m_lint->setProblems(m_draft->plan().problems, labels);
    showConnection();
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
    m_allocate->setEnabled(ready);
    showSweep(ready);
    m_sentence->setText(sentence());
}

void LaunchBar::showSweep(bool ready)
{
    const RecipeSweep& sweep = m_draft->plan().recipe.sweep;
    const bool sweeps = sweep.as == RecipeSweep::As::Jobs && !sweep.values.isEmpty();
    m_sweep->setVisible(sweeps);
    m_sweep->setEnabled(sweeps && ready);
    m_sweep->setText(tr("Launch %1 %2")
                         .arg(QString(sweep.parameter).replace(u'_', u' '),
                             listItems(sweep.values).join(u", "_s)));
    m_sweep->setAccessibleName(m_sweep->text());
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
