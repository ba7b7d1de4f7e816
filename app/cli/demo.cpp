// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/cli/interrupts.h"
#include "remote/base/tr.h"

#include <QObject>

namespace slipway {

namespace {

QString stateName(DemoState state)
{
    switch (state) {
    case DemoState::Absent:
        return QStringLiteral("absent");
    case DemoState::Partial:
        return QStringLiteral("partial");
    case DemoState::Stopped:
        return QStringLiteral("stopped");
    case DemoState::Starting:
        return QStringLiteral("starting");
    case DemoState::Running:
        return QStringLiteral("running");
    case DemoState::Broken:
        return QStringLiteral("broken");
    case DemoState::Stopping:
        return QStringLiteral("stopping");
    case DemoState::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

QString stateSentence(DemoState state)
{
    switch (state) {
    case DemoState::Absent:
        return tr("The demo cluster is absent.");
    case DemoState::Partial:
        return tr("The demo cluster is partial.");
    case DemoState::Stopped:
        return tr("The demo cluster is stopped.");
    case DemoState::Starting:
        return tr("The demo cluster is starting.");
    case DemoState::Running:
        return tr("The demo cluster is running.");
    case DemoState::Broken:
        return tr("The demo cluster is broken.");
    case DemoState::Stopping:
        return tr("The demo cluster is stopping.");
    case DemoState::Unknown:
        break;
    }
    return tr("The demo cluster is unknown.");
}

/// Prints each stage when it begins and when it ends, and its progress in between on a terminal.
class StagePrinter {
public:
    explicit StagePrinter(Context& context)
        : m_context(context)
    {
    }

    void print(const std::vector<DemoStage>& stages)
    {
        for (const DemoStage& stage : stages) {
            QString& before = m_states[stage.id];
            const bool changed = before != stage.state;
            before = stage.state;
            if (stage.state == u"pending")
                continue;
            if (changed && m_context.out.json)
                m_context.out.object({{QStringLiteral("stage"), stage.id},
                    {QStringLiteral("title"), stage.title}, {QStringLiteral("state"), stage.state},
                    {QStringLiteral("detail"), stage.detail}});
            else if (stage.state == u"running" && !m_context.out.json)
                m_context.out.progress(stage.title
                    + (stage.percent ? QStringLiteral(", %1 %").arg(*stage.percent)
                                     : QStringLiteral("…")));
            else if (changed && !m_context.out.json)
                m_context.out.note(u"  " + stage.state.leftJustified(8) + stage.title
                    + (stage.detail.isEmpty() ? QString() : QStringLiteral(": ") + stage.detail));
        }
    }

private:
    Context& m_context;
    QMap<QString, QString> m_states;
};

void printState(Context& context)
{
    const DemoCluster* demo = context.engine().sessions()->demoCluster();
    if (context.out.json)
        return context.out.object({{QStringLiteral("state"), stateName(demo->state())},
            {QStringLiteral("detail"), demo->detail()},
            {QStringLiteral("connection"), demo->connectionFile()},
            {QStringLiteral("emulates"), demo->emulates()},
            {QStringLiteral("slurm"), demo->slurm()},
            // Its name in the previous version.
            {QStringLiteral("dressed_as"), demo->emulates()}});
    context.out.line(stateSentence(demo->state())
        + (demo->detail().isEmpty() ? QString() : u' ' + terminalText(demo->detail())));
}

QCoro::Task<ExitCode> manageDemo(Context& context)
{
    const QString verb = context.arguments.positional.first();
    DemoCluster* demo = context.engine().sessions()->demoCluster();
    StagePrinter printer(context);
    QObject receiver;
    QObject::connect(
        demo, &DemoCluster::changed, &receiver, [&] { printer.print(demo->stages()); });
    QObject::connect(
        &context.interrupts(), &Interrupts::interrupted, &receiver, [demo] { demo->cancel(); });
    Result<void> done;
    const QString as = context.arguments.value("--as");
    if (!as.isEmpty() && verb != u"up")
        co_return context.misused(tr("--as is an option of “demo up”."), {});
    const QString slurm = context.arguments.value("--slurm");
    if (!slurm.isEmpty() && verb != u"up")
        co_return context.misused(tr("--slurm is an option of “demo up”."), {});
    const bool accounting = context.arguments.has("--accounting");
    if (accounting && (verb != u"up" || !as.isEmpty() || !slurm.isEmpty()))
        co_return context.misused(
            tr("--accounting is an option of “demo up”, without --as and --slurm."), {});
    if (verb == u"up")
        done = co_await demo->up(as, slurm, accounting);
    else if (verb == u"down")
        done = co_await demo->down();
    else if (verb == u"reset")
        done = co_await demo->reset();
    else if (verb != u"status")
        co_return context.misused(
            tr("There is no “demo %1”.").arg(verb), tr("Use up, down, status or reset."));
    if (!done.ok()) {
        const ExitCode code = context.fail(done.error());
        co_return Interrupts::pending() ? ExitCode::Interrupted
            : code == ExitCode::Usage   ? ExitCode::Failed
                                        : code;
    }
    const Result<DemoState> state = co_await demo->refresh();
    if (!state.ok())
        co_return context.fail(state.error());
    printState(context);
    if (verb == u"up" && !context.out.json)
        context.out.note(tr("Try it: slipway-cli run matmul-scaling --site demo"));
    co_return ExitCode::Done;
}

} // namespace

Command demoCommand()
{
    return {QStringLiteral("demo"),
        QStringLiteral("up [--as SITE] [--slurm RELEASE] [--accounting]|down|status|reset"),
        tr("start and stop the demo cluster on this computer"),
        tr("Manages a small Slurm cluster on this computer, with real containers.\n"
           "\n"
           "  up      start it; the first start builds it, which takes several minutes\n"
           "  down    stop it; what was built is kept\n"
           "  status  print its state\n"
           "  reset   stop it and delete its jobs and files\n"
           "\n"
           "With --as SITE, it emulates the partitions, GPU requests, accounts, modules and login "
           "of that site, so that\n"
           "you can test a launch first. SITE is an id from “slipway-cli sites” or the path of a "
           "site file. “up” without\n"
           "--as starts it without emulation.\n"
           "\n"
           "With --slurm RELEASE, it runs another release of Slurm: 20.11, 22.05, 24.11 (the "
           "default), 26.05 or newest.\n"
           "The first start of a release downloads its packages. Jobs of one release are not seen "
           "by another.\n"
           "\n"
           "With --accounting, it has slurmdbd and a database: accounts with a limit on GPU hours, "
           "fair-share, and a record of\n"
           "every job."),
        {{QStringLiteral("--as"), QStringLiteral("SITE"), tr("up: emulate that site")},
            {QStringLiteral("--slurm"), QStringLiteral("RELEASE"),
                tr("up: run that release of Slurm")},
            {QStringLiteral("--accounting"), {}, tr("up: with accounts, fair-share and sacct")}},
        1, 1, manageDemo};
}

} // namespace slipway
