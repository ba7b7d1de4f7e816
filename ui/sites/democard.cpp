// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/democard.h"

#include "remote/base/counted.h"
#include "ui/parts/announce.h"
#include "ui/parts/confirm.h"
#include "ui/parts/flowlayout.h"
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
    , m_top(new QBoxLayout(QBoxLayout::LeftToRight))
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
    setAccessibleName(tr("The demo cluster"));
    auto* buttonRow = new QWidget;
    auto* buttons = new FlowLayout(8, buttonRow);
    for (QPushButton* button : {m_main, m_second, m_emulate}) {
        buttons->addWidget(button);
    }
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    words->addWidget(TextLabel::paragraph(tr("Try it here: the demo cluster"), "heading"));
    words->addWidget(m_about);
    words->addWidget(m_state);
    m_top->setSpacing(16);
    m_top->addLayout(words, 1);
    m_top->addWidget(buttonRow);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(m_top);
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
        connect(action, &QAction::triggered, this, [this, siteId] { chooseEmulation(siteId); });
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

void DemoCard::showButtons()
{
    const DemoState state = m_cluster ? m_cluster->state() : DemoState::Unknown;
    const bool starting = state == DemoState::Starting;
    const bool running = state == DemoState::Running;
    const bool connected = running && isConnected(m_connection);
    const bool usable = m_cluster && state != DemoState::Stopping
        && m_connection.phase != ConnectionState::Phase::Connecting;
    // Qt would move the focus from a button that goes to the next one, which is Stop. It waits on
    // the card until there is something to do again.
    const QWidget* const focused = window()->focusWidget();
    const bool stops = m_second->text() != tr("Stop") && !starting;
    if ((focused == m_main && (starting || !usable)) || (focused == m_second && stops)) {
        setFocus();
    }
    m_main->setVisible(!starting);
    m_main->setEnabled(usable);
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
    if (usable && !starting && window()->focusWidget() == this) {
        m_main->setFocus();
    }
}

void DemoCard::setAccent(bool accent)
{
    setButtonKind(m_main, accent ? ButtonKind::Primary : ButtonKind::Ordinary);
}

void DemoCard::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    constexpr int charactersForOneRow = 80;
    const bool narrow = width() < charactersForOneRow * fontMetrics().averageCharWidth();
    m_top->setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

/// "2 jobs are running there.", or that there is none in the list.
QString DemoCard::lostJobs() const
{
    const int jobs = m_jobs ? m_jobs() : 0;
    return jobs == 0 ? tr("No job of this computer's run list is there.")
                     : counted(jobs, tr("1 job is running or waiting there, and ends with it."),
                         tr("%1 jobs are running or waiting there, and end with it."));
}

void DemoCard::confirmStop()
{
    auto* question = new Confirm(tr("Stop the demo cluster?"),
        lostJobs() % u' ' % tr("Its files stay, and it can be started again."), tr("Stop"),
        ButtonKind::Danger, this);
    connect(question, &QDialog::accepted, this, [this] { bringDown(); });
    question->open();
}

/// To emulate another site, the cluster is started anew: without jobs there is nothing to ask.
void DemoCard::chooseEmulation(const QString& siteId)
{
    if (!m_jobs || m_jobs() == 0) {
        emit emulateRequested(siteId);
        return;
    }
    auto* question = new Confirm(tr("Restart the demo cluster?"),
        tr("To emulate another site, it is started again. %1").arg(lostJobs()), tr("Restart"),
        ButtonKind::Danger, this);
    connect(question, &QDialog::accepted, this, [this, siteId] { emit emulateRequested(siteId); });
    question->open();
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
    showButtons();
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
    } else if (m_cluster && m_cluster->state() == DemoState::Running) {
        confirmStop();
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
