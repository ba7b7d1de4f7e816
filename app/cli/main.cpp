// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "remote/base/qtmessages.h"
#include "remote/ssh/sshconnector.h"

#include <QGuiApplication>
#include <QTimer>

#include <algorithm>
#include <exception>

using namespace slipway;

namespace {

QString programHelp()
{
    QString text = QStringLiteral("Builds and launches GPU containers on Slurm clusters.\n\nUsage: "
                                  "slipway-cli COMMAND …\n\n");
    qsizetype width = 0;
    for (const Command& command : allCommands())
        width = std::max(width, command.name.size() + 2);
    for (const Command& command : allCommands())
        text += u"  " + command.name.leftJustified(width) + command.summary + u'\n';
    return text
        + u"\n“slipway-cli COMMAND --help” says more. --json prints one object a line.\n"
          u"Exit codes: 0 done, 1 a job or a check failed, 2 wrong usage, 3 no connection or "
          u"login,\n"
          u"4 the cluster refused, 130 interrupted.\n";
}

QString commandHelp(const Command& command)
{
    QString text = u"Usage: slipway-cli " + command.name
        + (command.usage.isEmpty() ? QString() : u' ' + command.usage) + u"\n\n"
        + (command.about.isEmpty() ? command.summary : command.about) + u"\n\n";
    for (const OptionSpec& option : command.options)
        text += u"  " + QString(option.name + u' ' + option.valueName).leftJustified(18)
            + option.help + u'\n';
    return text + u"  " + QStringLiteral("--json").leftJustified(18) + u"one JSON object a line\n";
}

/// Starts the command once the event loop turns, and ends the loop with its exit code. An exception
/// that nothing else caught ends the program too: a coroutine would keep it, and the loop would
/// turn for ever.
QCoro::Task<void> runToEnd(const Command* command, Context* context)
{
    ExitCode code = ExitCode::Failed;
    try {
        code = co_await command->run(*context);
    } catch (const std::exception& why) {
        context->fail({ErrorKind::Unknown,
            QStringLiteral("slipway-cli met an error that it does not know how to handle."),
            QStringLiteral("Jobs on clusters run on. Please report it together with this line: %1")
                .arg(QString::fromUtf8(why.what()))});
    }
    context->out.clearProgress();
    QCoreApplication::exit(int(code));
}

int runCommandLine(const QStringList& words)
{
    SshConnector connector;
    Context context(&connector);
    context.out.json = words.contains(QStringLiteral("--json"));
    const QString name = words.value(0);
    if (name.isEmpty() || name == u"--help" || name == u"-h" || name == u"help") {
        context.out.raw(programHelp().toUtf8());
        return int(name.isEmpty() ? ExitCode::Usage : ExitCode::Done);
    }
    if (name == u"--version") {
        context.out.line(QStringLiteral("slipway-cli " SLIPWAY_VERSION));
        return int(ExitCode::Done);
    }
    QStringList names;
    const Command* command = nullptr;
    for (const Command& one : allCommands()) {
        names << one.name;
        if (one.name == name || (!one.formerName.isEmpty() && one.formerName == name))
            command = &one;
    }
    if (!command) {
        const QString near = nearest(name, names);
        return int(context.misused(QStringLiteral("There is no command “%1”.").arg(name),
            near.isEmpty() ? QStringLiteral("There are: %1.").arg(names.join(u", "))
                           : QStringLiteral("Did you mean %1?").arg(near)));
    }
    if (name != command->name)
        context.out.note(renamedText(name, command->name));
    std::vector<OptionSpec> options = command->options;
    options.push_back({QStringLiteral("--json"), {}, {}, true});
    options.push_back({QStringLiteral("--help"), {}, {}, true});
    const Result<Arguments> arguments = parseArguments(words.mid(1), options);
    if (!arguments.ok())
        return int(context.misused(arguments.error().summary, arguments.error().remedy));
    for (const QString& sentence : arguments->renamed)
        context.out.note(sentence);
    if (arguments->has("--help")) {
        context.out.raw(commandHelp(*command).toUtf8());
        return int(ExitCode::Done);
    }
    const qsizetype count = arguments->positional.size();
    if (count < command->least || count > command->most)
        return int(context.misused(count < command->least
                ? QStringLiteral("Something is missing.")
                : QStringLiteral("“%1” is too much.").arg(arguments->positional.last()),
            QStringLiteral("Usage: slipway-cli %1 %2").arg(command->name, command->usage)));
    context.arguments = *arguments;
    QTimer::singleShot(
        0, QCoreApplication::instance(), [command, &context] { runToEnd(command, &context); });
    return QCoreApplication::exec();
}

/// Only a picture needs fonts, and no picture needs a screen.
bool drawsPicture(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        if (QByteArray(argv[i]).startsWith("--plot"))
            return true;
    }
    return false;
}

} // namespace

int main(int argc, char** argv)
{
    silenceQtMessages();
    std::unique_ptr<QCoreApplication> app;
    if (drawsPicture(argc, argv)) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        app = std::make_unique<QGuiApplication>(argc, argv);
    } else {
        app = std::make_unique<QCoreApplication>(argc, argv);
    }
    QCoreApplication::setApplicationName(QStringLiteral("slipway-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SLIPWAY_VERSION));
    return runCommandLine(QCoreApplication::arguments().mid(1));
}
