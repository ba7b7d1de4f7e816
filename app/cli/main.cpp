// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "remote/base/qtmessages.h"
#include "remote/base/tr.h"
#include "remote/broker/brokerprocess.h"
#include "remote/broker/sharingconnector.h"
#include "remote/ssh/sshconnector.h"

#include <QGuiApplication>
#include <QTimer>

#include <algorithm>
#include <exception>

using namespace slipway;

namespace {

QString programHelp()
{
    QString text = tr("Builds and launches GPU containers on Slurm clusters.\n"
                      "\n"
                      "Usage: slipway-cli COMMAND [ARGUMENT]…\n"
                      "\n");
    qsizetype width = 0;
    for (const Command& command : allCommands())
        width = std::max(width, command.name.size() + 2);
    for (const Command& command : allCommands())
        text += u"  " + command.name.leftJustified(width) + command.summary + u'\n';
    return text + u'\n'
        + tr("Run “slipway-cli COMMAND --help” for details. --json prints one JSON object per "
             "line.\n"
             "Exit codes: 0 done, 1 a job or a check failed, 2 usage error, 3 connection or login "
             "failed,\n"
             "4 refused by the cluster, 130 interrupted.\n");
}

QString usageText(const Command& command)
{
    return tr("Usage: slipway-cli %1")
        .arg(QStringList{command.name, command.usage}.join(u' ').trimmed());
}

QString commandHelp(const Command& command)
{
    QString text = usageText(command) + u"\n\n"
        + (command.about.isEmpty() ? command.summary : command.about) + u"\n\n";
    const QString json = QStringLiteral("--json");
    const QString noShare = QStringLiteral("--no-share");
    const auto words = [](const OptionSpec& option) -> QString {
        return QString(option.name + u' ' + option.valueName).trimmed();
    };
    qsizetype width = noShare.size();
    for (const OptionSpec& option : command.options)
        width = std::max(width, words(option).size());
    const auto line = [width](const QString& option, const QString& help) -> QString {
        return u"  " + option.leftJustified(width + 2) + help + u'\n';
    };
    for (const OptionSpec& option : command.options)
        text += line(words(option), option.help);
    return text + line(json, tr("print one JSON object per line"))
        + line(noShare, tr("use a connection of its own, not that of other programs"));
}

/// “broker SOCKET”, which programs start; not in the list of commands, because people do not.
int runBroker(const QStringList& words)
{
    if (words.size() != 1 || words.first().startsWith(u'-')) {
        Output().raw(tr("Usage: slipway-cli broker SOCKET\n\n"
                        "Holds one connection for all programs of a person. Programs start it when "
                        "they connect;\n"
                        "“slipway-cli connections” lists and ends what it holds.\n")
                         .toUtf8());
        return int(words.contains(QStringLiteral("--help")) ? ExitCode::Done : ExitCode::Usage);
    }
    SshConnector connector;
    return serveConnection(&connector, words.first());
}

/// Runs the command in the event loop and quits the loop with its exit code. An uncaught exception
/// quits it as well: otherwise the coroutine would hold it and the loop would never end.
QCoro::Task<void> runToEnd(const Command* command, Context* context)
{
    ExitCode code = ExitCode::Failed;
    try {
        code = co_await command->run(*context);
    } catch (const std::exception& why) {
        context->fail({ErrorKind::Unknown, tr("slipway-cli encountered an unexpected error."),
            tr("Jobs on clusters continue to run. Please report the error with this line: %1")
                .arg(QString::fromUtf8(why.what()))});
    }
    context->out.clearProgress();
    context->noteFileErrors();
    QCoreApplication::exit(int(code));
}

int runCommandLine(const QStringList& words)
{
    const QString name = words.value(0);
    if (name == u"broker")
        return runBroker(words.mid(1));
    // After “--” there are no options.
    const QStringList mine = words.mid(0, words.indexOf(QStringLiteral("--")));
    SshConnector direct;
    SharingConnector connector(
        &direct, {!sharingIsOff() && !mine.contains(QStringLiteral("--no-share")), {}, {}});
    Context context(&connector);
    context.out.json = mine.contains(QStringLiteral("--json"));
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
        return int(context.misused(tr("There is no command “%1”.").arg(name),
            near.isEmpty() ? tr("Available commands: %1.").arg(names.join(u", "))
                           : tr("Did you mean %1?").arg(near)));
    }
    if (name != command->name)
        context.out.note(renamedText(name, command->name));
    std::vector<OptionSpec> options = command->options;
    options.push_back({QStringLiteral("--json"), {}, {}, true});
    options.push_back({QStringLiteral("--no-share"), {}, {}, true});
    options.push_back({QStringLiteral("--help"), {}, {}, true});
    const Result<Arguments> arguments = parseArguments(words.mid(1), options, command->passesRest);
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
                ? tr("Missing argument.")
                : tr("Unexpected argument “%1”.").arg(arguments->positional.last()),
            usageText(*command)));
    context.arguments = *arguments;
    QTimer::singleShot(
        0, QCoreApplication::instance(), [command, &context] { runToEnd(command, &context); });
    return QCoreApplication::exec();
}

/// Drawing a picture requires fonts, which only QGuiApplication loads, but no display.
bool drawsPicture(int argc, char** argv)
{
    for (int i = 1; i < argc && QByteArray(argv[i]) != "--"; ++i) {
        const QByteArray word(argv[i]);
        if (word.startsWith("--plot") || word.startsWith("--html") || (i == 1 && word == "report"))
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
