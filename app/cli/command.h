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

/// How the program ends. Interrupted is Ctrl-C: what runs on the cluster runs on.
enum class ExitCode {
    Done = 0,
    Failed = 1,
    Usage = 2,
    Connection = 3,
    Refused = 4,
    Interrupted = 130
};

/// What a command works with. Made by main, lives as long as the command.
class Context {
public:
    explicit Context(Connector* connector);
    ~Context();

    Arguments arguments;
    Output out;

    Engine& engine(); ///< made at first use; files that could not be read are said then, on stderr
    Interrupts& interrupts();
    Prompter* prompter(); ///< asks on the terminal

    /// The site or recipe of that id; none: the error was printed, with the ids there are.
    const Site* site(const QString& id);
    const Recipe* recipe(const QString& id);
    /// RECIPE --site S [--set K=V]… [--interactive], or --relaunch RUN in place of recipe and site;
    /// none: the error was printed.
    std::optional<LaunchSpec> launchSpec();
    /// A run by its id; none: the error was printed.
    std::optional<Run> run(const QString& id);
    /// Connects to the site of a run or launch, saying so on stderr.
    QCoro::Task<Result<void>> connectTo(QString siteId);
    /// Waits for a change of a run, at most so long.
    QCoro::Task<void> runChange(QString runId, std::chrono::milliseconds atMost);
    /// Until what is known of a run is the cluster's last word, or it has ended; at most a minute.
    QCoro::Task<void> untilSettled(QString runId);

    /// Prints an error and gives the exit code that belongs to its kind.
    ExitCode fail(const Error& error);
    /// The same for a usage error of this command.
    ExitCode misused(const QString& summary, const QString& remedy = {});

private:
    struct Private;
    std::unique_ptr<Private> d;
};

/// One command of the terminal program: its name, its help and what it does. Each is a file.
struct Command {
    QString name;
    QString usage; ///< "RECIPE --site S [--set K=V]…"
    QString summary; ///< one line for the list
    QString about; ///< paragraphs for its own --help
    std::vector<OptionSpec> options;
    int least = 0, most = 0; ///< how many words besides the options
    std::function<QCoro::Task<ExitCode>(Context&)> run;
    QString formerName = {}; ///< what it was called in the version before: works, but is not listed
};

Command sitesCommand();
/// “sites discover HOST”.
QCoro::Task<ExitCode> discoverSite(Context& context);
Command recipesCommand();
Command renderCommand();
Command lintCommand();
Command runCommand();
Command runsCommand();
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
Command demoCommand();
const std::vector<Command>& allCommands();

/// The options of every command that takes a recipe, a site and values.
std::vector<OptionSpec> launchOptions();

ExitCode exitCodeOf(const Error& error);

} // namespace slipway
