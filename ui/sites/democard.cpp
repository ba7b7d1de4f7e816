// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/democard.h"

#include "ui/parts/announce.h"
#include "ui/parts/timeline.h"
#include "ui/sites/sitewords.h"

#include <QActionGroup>
#include <QMenu>
#include <QVBoxLayout>

namespace slipway {

using namespace Qt::StringLiterals;

namespace {

StageState stageState(const QString& word)
{
    return word == u"running"_s ? StageState::Running
        : word == u"done"_s     ? StageState::Done
        : word == u"skipped"_s  ? StageState::Skipped
        : word == u"failed"_s   ? StageState::Failed
                                : StageState::Pending;
}

bool isConnected(const ConnectionState& state)
{
    return state.phase == ConnectionState::Phase::Connected
        || state.phase == ConnectionState::Phase::Stalled;
}

} // namespace

DemoCard::DemoCard(QWidget* parent)
    : QFrame(parent)
    , m_about(TextLabel::paragraph({}, "second"))
    , m_state(TextLabel::paragraph({}, "caption"))
    , m_stages(new Timeline)
    , m_error(new ErrorView)
    , m_main(makeButton(tr("Start"), ButtonKind::Primary))
    , m_second(makeButton(tr("Stop")))
    , m_emulate(makeButton(tr("Emulate a site…")))
    , m_menu(new QMenu(this))
{
    setCardKind(this, "accent");
    setObjectName(u"demoCard"_s);
    m_main->setObjectName(u"demoMain"_s);
    m_second->setObjectName(u"demoSecond"_s);
    m_emulate->setObjectName(u"demoEmulate"_s);
    m_emulate->setAccessibleName(tr("Let the demo cluster emulate a site"));
    m_emulate->setToolTip(tr("Start it with the partitions, GPU requests, modules and login of a "
                             "site, to rehearse a launch there."));
    m_emulate->setMenu(m_menu);
    m_menu->setAccessibleName(tr("Sites that the demo cluster can emulate"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_main);
    buttons->addWidget(m_second);
    buttons->addWidget(m_emulate);
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addWidget(new TextLabel(tr("Try it here: the demo cluster"), "heading"));
    words->addWidget(m_about);
    words->addWidget(m_state);
    auto* top = new QHBoxLayout;
    top->setSpacing(24);
    top->addLayout(words, 1);
    top->addLayout(buttons);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(top);
    layout->addWidget(m_stages);
    layout->addWidget(m_error);
    m_stages->hide();
    m_error->hide();
    connect(m_main, &QPushButton::clicked, this, &DemoCard::mainPressed);
    connect(m_second, &QPushButton::clicked, this, &DemoCard::secondPressed);
    connect(m_error, &ErrorView::actionRequested, this, &DemoCard::start);
    refresh();
}

void DemoCard::setCluster(DemoCluster* cluster)
{
    m_cluster = cluster;
    connect(cluster, &DemoCluster::changed, this, &DemoCard::refresh);
    refresh();
}

void DemoCard::setConnection(const ConnectionState& state)
{
    m_connection = state;
    refresh();
}

void DemoCard::setEmulationChoices(std::vector<EmulationChoice> choices)
{
    m_choices = std::move(choices);
    refresh();
}

QString DemoCard::siteName(const QString& siteId) const
{
    for (const EmulationChoice& choice : m_choices) {
        if (choice.siteId == siteId) {
            return choice.name;
        }
    }
    return siteId; // a site file of the person
}

/// The emulated site is checked in the menu.
void DemoCard::fillMenu()
{
    m_menu->clear();
    auto* group = new QActionGroup(m_menu);
    const QString now = m_cluster ? m_cluster->emulates() : QString();
    const auto add = [&](const QString& siteId, const QString& name) {
        QAction* action = m_menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(siteId == now);
        group->addAction(action);
        connect(
            action, &QAction::triggered, this, [this, siteId] { emit emulateRequested(siteId); });
    };
    add({}, tr("No site"));
    m_menu->addSeparator();
    for (const EmulationChoice& choice : m_choices) {
        add(choice.siteId, choice.name);
    }
}

QString DemoCard::runningText(bool connected) const
{
    const QString as = m_cluster->emulates();
    if (as.isEmpty()) {
        return connected ? tr("Running, connected.") : tr("Running.");
    }
    return connected ? tr("Running, connected, emulating %1.").arg(siteName(as))
                     : tr("Running, emulating %1.").arg(siteName(as));
}

QString DemoCard::sentence() const
{
    QString text =
        tr("A small but real Slurm cluster on this computer: a login node, two compute nodes, "
           "an image registry, Apptainer. No account is needed.");
    const std::optional<bool> gpu = hasNvidiaGpu();
    if (gpu) {
        text += u' '
            % (*gpu ? tr("This computer has an NVIDIA GPU.")
                    : tr("This computer has no NVIDIA GPU, so the jobs run on the CPU, and their "
                         "output says so."));
    }
    return text;
}

void DemoCard::refresh()
{
    const DemoState state = m_cluster ? m_cluster->state() : DemoState::Unknown;
    const bool starting = state == DemoState::Starting;
    const bool running = state == DemoState::Running;
    const bool connected = running && isConnected(m_connection);
    if (m_about->text().isEmpty()) {
        m_about->setText(sentence());
    }
    m_main->setVisible(!starting);
    m_main->setEnabled(m_cluster && state != DemoState::Stopping
        && m_connection.phase != ConnectionState::Phase::Connecting);
    const QString verb = connected    ? tr("Launch here")
        : running                     ? tr("Connect")
        : state == DemoState::Partial ? tr("Continue")
        : state == DemoState::Broken  ? tr("Restart")
                                      : tr("Start");
    m_main->setText(verb);
    m_main->setAccessibleName(tr("%1: demo cluster").arg(verb));
    m_second->setVisible(starting || running || state == DemoState::Broken);
    m_second->setText(starting ? tr("Cancel") : tr("Stop"));
    m_second->setAccessibleName(
        starting ? tr("Cancel the start of the demo cluster") : tr("Stop the demo cluster"));
    m_emulate->setVisible(m_cluster && !starting && !m_choices.empty());
    m_emulate->setEnabled(state != DemoState::Stopping);
    if (starting || running) {
        m_error->hide();
    }
    if (running) {
        m_as = m_cluster->emulates();
    }
    fillMenu();
    showStages();
    const QString detail = m_cluster ? m_cluster->detail() : QString();
    QString text = running ? runningText(connected)
        : starting ? tr("Starting. The first start takes a few minutes, later ones a few seconds.")
        : state == DemoState::Stopping ? tr("Stopping…")
        : state == DemoState::Absent
        ? tr("The first start takes a few minutes, later ones a few seconds.")
        : state == DemoState::Partial
        ? tr("The last start was not finished. Continue from where it stopped.")
        : QString();
    if (text.isEmpty() || state == DemoState::Broken) {
        text = detail;
    }
    m_state->setText(text);
    m_state->setVisible(!text.isEmpty());
}

void DemoCard::showStages()
{
    std::vector<TimelinePart> parts;
    const bool show =
        m_cluster && (m_cluster->state() == DemoState::Starting || m_error->isVisibleTo(this));
    if (show) {
        for (const DemoStage& stage : m_cluster->stages()) {
            TimelinePart part{stage.title, {}, stageState(stage.state), {}};
            if (part.state == StageState::Running && stage.percent) {
                part.note = tr("%1 %").arg(*stage.percent);
                part.share = *stage.percent / 100.0;
            }
            parts.push_back(std::move(part));
        }
    }
    m_stages->setVisible(!parts.empty());
    m_stages->setParts(std::move(parts));
}

void DemoCard::mainPressed()
{
    const bool running = m_cluster && m_cluster->state() == DemoState::Running;
    if (running && isConnected(m_connection)) {
        emit launchRequested();
    } else if (running) {
        emit connectRequested();
    } else {
        start();
    }
}

void DemoCard::secondPressed()
{
    if (m_cluster && m_cluster->state() == DemoState::Starting) {
        m_cluster->cancel();
    } else if (m_cluster) {
        bringDown();
    }
}

void DemoCard::startAs(const QString& siteId)
{
    m_as = siteId;
    start();
}

void DemoCard::start()
{
    if (m_cluster) {
        bringUp();
    }
}

void DemoCard::showError(const Error& error)
{
    m_error->setError(error);
    m_error->setAction(tr("Try again"));
    m_error->show();
    showStages();
}

QCoro::Task<void> DemoCard::bringUp()
{
    const QPointer<DemoCard> self(this);
    const Result<void> result = co_await m_cluster->up(m_as);
    if (!self) {
        co_return;
    }
    if (result.ok()) {
        announce(m_state, tr("The demo cluster is running"));
        emit started();
    } else {
        if (result.error().kind != ErrorKind::Cancelled) {
            showError(result.error());
        }
        emit startFailed(result.error());
    }
}

QCoro::Task<void> DemoCard::bringDown()
{
    const QPointer<DemoCard> self(this);
    const Result<void> result = co_await m_cluster->down();
    if (self && !result.ok()) {
        showError(result.error());
    }
}

} // namespace slipway

#include "moc_democard.cpp"
