// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/launch/launchpage.h"

#include "app/catalogue/fields.h"
#include "ui/launch/allocationdialog.h"
#include "ui/launch/fieldeditor.h"
#include "ui/launch/gallery.h"
#include "ui/launch/launchform.h"
#include "ui/launch/lintbox.h"
#include "ui/parts/errorview.h"
#include "ui/parts/words.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QVBoxLayout>

// What stands below the form: what lint says, the buttons, and the sentence beside them; and what
// the exercises above it do.

namespace slipway {

using namespace Qt::StringLiterals;

QWidget* LaunchPage::makeActions()
{
    m_lint = new LintBox;
    m_error = new ErrorView;
    m_error->hide();
    m_launch = makeButton(tr("Launch"), ButtonKind::Primary);
    m_launch->setObjectName(u"launch"_s);
    m_allocate = makeButton(tr("Run in an allocation…"));
    m_allocate->setObjectName(u"allocate"_s);
    m_sweep = makeButton({});
    m_sweep->setObjectName(u"sweep"_s);
    m_sentence = TextLabel::paragraph({}, "second");
    m_sentence->setObjectName(u"launchSentence"_s);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(12);
    buttons->addWidget(m_launch);
    buttons->addWidget(m_sweep);
    buttons->addWidget(m_allocate);
    buttons->addWidget(m_sentence, 1);
    auto* actions = new QWidget;
    auto* layout = new QVBoxLayout(actions);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_error);
    layout->addWidget(m_lint);
    layout->addLayout(buttons);
    connect(m_lint, &LintBox::fixRequested, this, &LaunchPage::fix);
    connect(m_lint, &LintBox::fieldRequested, m_form, &LaunchForm::focusField);
    connect(m_launch, &QPushButton::clicked, this, [this] {
        if (!connected()) {
            emit connectRequested(m_spec.siteId);
            return;
        }
        planNow();
        m_spec.mode = LaunchMode::Batch;
        emit launchRequested(m_spec);
    });
    connect(m_allocate, &QPushButton::clicked, this, &LaunchPage::askAllocation);
    connect(m_sweep, &QPushButton::clicked, this, [this] {
        planNow();
        const RecipeSweep& sweep = m_plan.recipe.sweep;
        emit sweepRequested(m_spec, sweep.parameter, listItems(sweep.values));
    });
    return actions;
}

void LaunchPage::tryExercise(const Exercise& exercise)
{
    if (!exercise.recipe.isEmpty()) {
        m_gallery->select(exercise.recipe);
    }
    for (auto it = exercise.values.begin(); it != exercise.values.end(); ++it) {
        if (!m_beforeExercise.contains(it.key())) { // else it is an exercise's already
            m_beforeExercise.insert(it.key(),
                m_spec.values.contains(it.key()) ? std::optional(m_spec.values.value(it.key()))
                                                 : std::nullopt);
        }
        m_spec.values.insert(it.key(), it.value());
    }
    m_error->hide();
    planNow();
    if (!exercise.field.isEmpty()) {
        goToField(exercise.field);
    }
}

void LaunchPage::undoExercise(const Exercise& exercise)
{
    for (const QString& key : exercise.values.keys()) {
        m_spec.values.remove(key);
        if (const std::optional<QString> before = m_beforeExercise.take(key)) {
            m_spec.values.insert(key, *before);
        }
    }
    m_error->hide();
    planNow();
}

void LaunchPage::goToField(const QString& key)
{
    m_tabs->setCurrentIndex(0);
    m_form->focusField(key);
    // A field that was folded away has its place only after the layout.
    QTimer::singleShot(0, this, [this, key] {
        if (QWidget* const editor = m_form->editor(key)) {
            m_scroll->ensureWidgetVisible(editor);
        }
    });
}

bool LaunchPage::connected() const
{
    return m_engine->sessions()->connection(m_spec.siteId).phase
        == ConnectionState::Phase::Connected;
}

QString LaunchPage::resourceSentence() const
{
    const std::optional<ClusterInfo> info = m_engine->sessions()->clusterInfo(m_spec.siteId);
    if (!info) {
        return {};
    }
    for (const PartitionInfo& partition : info->partitions) {
        if (partition.name == m_plan.job.partition && partition.gpusFree && m_plan.job.gpus > 0) {
            return tr("%1 in %2 (asked %3)")
                .arg(counted(*partition.gpusFree, tr("1 GPU free"), tr("%1 GPUs free")),
                    partition.name, agoText(info->asked, QDateTime::currentDateTimeUtc()));
        }
    }
    return {};
}

void LaunchPage::showActions()
{
    using Phase = ConnectionState::Phase;
    const Phase phase = m_engine->sessions()->connection(m_spec.siteId).phase;
    const bool launchable = m_plan.site.launchable();
    const bool up = phase == Phase::Connected;
    const bool errors = m_plan.hasErrors();
    m_launch->setText(m_busy    ? tr("Launching…")
            : up || !launchable ? tr("Launch")
                                : tr("Connect to launch"));
    m_launch->setAccessibleName(m_launch->text());
    m_launch->setEnabled(!m_busy && launchable && phase != Phase::Connecting && (!up || !errors));
    m_allocate->setEnabled(!m_busy && up && !errors && m_spec.editedScript.isEmpty());
    const RecipeSweep& sweep = m_plan.recipe.sweep;
    const bool sweeps = sweep.as == RecipeSweep::As::Jobs && !sweep.values.isEmpty();
    m_sweep->setVisible(sweeps);
    m_sweep->setEnabled(sweeps && !m_busy && up && !errors && m_spec.editedScript.isEmpty());
    m_sweep->setText(tr("Launch %1 %2")
                         .arg(QString(sweep.parameter).replace(u'_', u' '),
                             listItems(sweep.values).join(u", "_s)));
    m_sweep->setAccessibleName(m_sweep->text());
    m_sweep->setToolTip(tr("One job a value, and all of them in one chart."));
    m_sentence->setText(m_busy ? tr("Making the run folder, uploading, submitting.")
            : m_plan.site.archived
            ? tr("%1 is archived: read and render only.").arg(m_plan.site.name)
            : !launchable ? tr("%1 is not supported: read and render only.").arg(m_plan.site.name)
            : !up         ? tr("Not connected to %1.").arg(m_plan.site.name)
            : errors      ? tr("Mend the errors above first.")
                          : resourceSentence());
}

void LaunchPage::askAllocation()
{
    planNow();
    auto* dialog = new AllocationDialog(m_plan, this);
    connect(dialog, &QDialog::accepted, this, [this] {
        LaunchSpec spec = m_spec;
        spec.mode = LaunchMode::Interactive;
        emit launchRequested(spec);
    });
    dialog->open();
}

void LaunchPage::showError(const Error& error)
{
    m_error->setError(error);
    m_error->show();
}

bool LaunchPage::hasError() const
{
    return !m_error->isHidden();
}

void LaunchPage::setBusy(bool busy)
{
    m_busy = busy;
    if (busy) {
        m_error->hide(); // of the launch before
    }
    showActions();
}

} // namespace slipway
