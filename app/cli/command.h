// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "app/cli/arguments.h"
#include "app/cli/output.h"
#include "app/engine/engine.h"

#include <QCoroTask>

#include <functional>
#include <memory>
#include <vector>

namespace slipway {

class Interrupts;

/// The exit code of the program. Interrupted is Ctrl-C: jobs on the cluster continue to run.
enum class ExitCode {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Connection = 3,
    Refused = 4,
    Interrupted = 130
};

/// Context is what a command works with: its arguments, the output and the engine. Created by
/// main on the main thread, lives as long as the command.
class Context {
public:
    explicit Context(Connector* connector);
    ~Context();

    Arguments arguments;
    Output out;

    Engine& engine(); ///< created at first use, which reports unreadable files on stderr
    /// Reports those that could not be read since then.
    void noteFileErrors();
    Interrupts& interrupts();
    Prompter* prompter(); ///< asks on the terminal

    /// The site or recipe with that id; none: the error was printed, with the available ids.
    const Site* site(const QString& id);
    const Recipe* recipe(const QString& id);
    /// RECIPE --site S [--set K=V]… [--interactive], --relaunch RUN in place of recipe and site, or
    /// a program or folder in place of the recipe, whose proposal is printed; none: the error was
    /// printed.
    std::optional<LaunchSpec> launchSpec();
    /// The run with that id; none: the error was printed.
    std::optional<Run> run(const QString& id);
    /// Connects to the site of a run or launch, with progress on stderr.
    QCoro::Task<Result<void>> connectTo(QString siteId);
    /// Waits until a run changes, or until the time is up.
    QCoro::Task<void> runChange(QString runId, std::chrono::milliseconds atMost);
    /// Waits until the cluster has confirmed the state of a run, at most one minute.
    QCoro::Task<void> untilSettled(QString runId);

    /// Prints an error and returns the exit code for its kind.
    ExitCode fail(const Error& error);
    /// The same for a usage error of this command.
    ExitCode misused(const QString& summary, const QString& remedy = {});

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// One command of the terminal program: its name, its help and its function. One file per command.
struct Command {
    QString name;
    QString usage; ///< "RECIPE --site S [--set K=V]…"
    QString summary; ///< one line for the list of commands
    QString about; ///< the paragraphs of its --help
    std::vector<OptionSpec> options;
    int least = 0, most = 0; ///< the number of positional arguments
    std::function<QCoro::Task<ExitCode>(Context&)> run;
    QString formerName = {}; ///< in the previous version: works, but is not listed
    bool passesRest = false; ///< the words after “--” are for the program that it runs
};

Command sitesCommand();
/// “sites discover HOST”.
QCoro::Task<ExitCode> discoverSite(Context& context);
/// “sites accounts SITE”.
QCoro::Task<ExitCode> listAccounts(Context& context);
Command recipesCommand();
Command renderCommand();
Command reportCommand();
Command lintCommand();
Command runCommand();
Command runsCommand();
Command labelCommand();
Command showCommand();
Command logCommand();
Command cancelCommand();
Command fetchCommand();
Command compareCommand();
Command metricsCommand();
Command workflowsCommand();
Command explainCommand();
Command nodeCommand();
Command cleanupCommand();
Command imageCommand();
Command secretCommand();
Command connectionsCommand();
Command demoCommand();
Command completionCommand();
const std::vector<Command>& allCommands();

/// The options of every command that takes a recipe, a site and values.
std::vector<OptionSpec> launchOptions();

ExitCode exitCodeOf(const Error& error);

} // namespace slipway
