// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"
#include "app/plan/plan.h"
#include "app/runs/runjson.h"
#include "remote/base/tr.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace slipway {

namespace {

/// The command line up to the cursor, as a shell splits it. A value.
struct TypedLine {
    QStringList before; ///< complete words, without the program
    QString current; ///< the beginning of the word at the cursor; may be empty
    bool isSplit = false; ///< the shell wants only what follows the last “=”
};

/// Bash gives “--site=de” as three words, the other shells as one.
TypedLine typedLine(const QStringList& words)
{
    const auto isSign = [](const QString& word) { return word == u"=" || word == u":"; };
    TypedLine line;
    for (qsizetype i = 0; i < words.size(); ++i) {
        line.isSplit =
            !line.before.isEmpty() && (isSign(words.at(i)) || isSign(words.value(i - 1)));
        if (line.isSplit)
            line.before.last() += words.at(i);
        else
            line.before << words.at(i);
    }
    if (!line.before.isEmpty())
        line.current = line.before.takeLast();
    return line;
}

/// What the complete words of a line say. A value.
struct ReadLine {
    const OptionSpec* open = nullptr; ///< the option whose value comes next
    QStringList positional;
    QMap<QString, QString> given; ///< options by name, with the last value
};

const OptionSpec* optionNamed(const std::vector<OptionSpec>& options, const QString& name)
{
    const auto it = std::find_if(
        options.begin(), options.end(), [&](const OptionSpec& one) { return one.name == name; });
    return it == options.end() ? nullptr : &*it;
}

ReadLine readWords(const std::vector<OptionSpec>& options, const QStringList& words)
{
    ReadLine line;
    for (const QString& word : words) {
        if (line.open) {
            line.given[line.open->name] = word;
            line.open = nullptr;
            continue;
        }
        const bool attached = word.contains(u'=');
        const OptionSpec* option = optionNamed(options, word.section(u'=', 0, 0));
        if (option)
            line.given[option->name] = attached ? word.section(u'=', 1) : QString();
        else if (!word.startsWith(u'-'))
            line.positional << word;
        if (option && !option->valueName.isEmpty() && !attached)
            line.open = option;
    }
    return line;
}

/// The alternatives of a usage without its options: “[show ID | discover HOST [--port P]]” gives
/// {show, ID} and {discover, HOST}. Words in lower case are typed as they are.
std::vector<QStringList> usageWords(const Command& command)
{
    static const QRegularExpression brackets(QStringLiteral("[\\[\\]()…]"));
    static const QRegularExpression name(QStringLiteral("\\A([a-z]+|[A-Z]+)\\z"));
    std::vector<QStringList> alternatives;
    for (const QString& part : command.usage.split(u'|')) {
        QStringList words;
        const OptionSpec* open = nullptr;
        for (const QString& word :
            QString(part).replace(brackets, QStringLiteral(" ")).split(u' ', Qt::SkipEmptyParts)) {
            const bool isValue = open && !open->valueName.isEmpty();
            open = optionNamed(command.options, word);
            if (!isValue && name.match(word).hasMatch())
                words << word;
        }
        alternatives.push_back(words);
    }
    return alternatives;
}

/// Collects what the word at the cursor can be, and prints it: a word, a tab and its meaning.
/// Lives as long as one command, on the main thread.
class Candidates {
public:
    Candidates(Context* context, TypedLine line)
        : m_context(*context)
        , m_line(std::move(line))
    {
    }

    void find();

private:
    void add(const QString& word, const QString& about = {});
    void addCommands();
    void addOptions(const Command& command, const ReadLine& read);
    void addPositional(const Command& command, const ReadLine& read);
    /// Values of a kind, as usage texts and options name it.
    void addValues(const QString& kind, const ReadLine& read);
    void addFields(const ReadLine& read);

    Context& m_context;
    TypedLine m_line;
    QString m_prefix; ///< printed before each word: “--site=”
    int m_count = 0;
};

void Candidates::add(const QString& word, const QString& about)
{
    if (!word.startsWith(m_line.current))
        return;
    ++m_count;
    m_context.out.raw((m_prefix + word + u'\t' + terminalText(about) + u'\n').toUtf8());
}

void Candidates::addCommands()
{
    for (const Command& command : allCommands())
        add(command.name, command.summary);
    if (m_line.current.startsWith(u'-')) {
        add(QStringLiteral("--help"), tr("list the commands"));
        add(QStringLiteral("--version"), tr("print the version"));
    }
}

void Candidates::addOptions(const Command& command, const ReadLine& read)
{
    for (const OptionSpec& option : command.options) {
        if (option.repeatable || !read.given.contains(option.name))
            add(option.name, option.help);
    }
    add(QStringLiteral("--json"), tr("print one JSON object per line"));
    add(QStringLiteral("--no-share"),
        tr("use a connection of its own, not that of other programs"));
    add(QStringLiteral("--help"), tr("describe this command"));
}

void Candidates::addPositional(const Command& command, const ReadLine& read)
{
    const qsizetype place = read.positional.size();
    if (place >= command.most)
        return;
    QStringList kinds;
    for (const QStringList& words : usageWords(command)) {
        // The last word of “RUN [RUN…]” stands for all that follow.
        const auto wordAt = [&words](
                                qsizetype i) { return words.value(std::min(i, words.size() - 1)); };
        bool fits = !words.isEmpty();
        for (qsizetype i = 0; fits && i < place; ++i)
            fits = wordAt(i).at(0).isUpper() || wordAt(i) == read.positional.at(i);
        if (!fits)
            continue;
        const QString word = wordAt(place);
        if (word.at(0).isUpper())
            kinds << word;
        else if (place < words.size())
            add(word);
    }
    kinds.removeDuplicates();
    for (const QString& kind : kinds)
        addValues(kind, read);
}

void Candidates::addValues(const QString& kind, const ReadLine& read)
{
    if (kind == u"FILE" || kind == u"DIR") {
        ++m_count;
        m_context.out.raw(kind == u"FILE" ? ":files\t\n" : ":folders\t\n");
    } else if (kind == u"S" || kind == u"SITE") {
        for (const Site& site : m_context.engine().catalogue()->sites())
            add(site.id, site.name);
    } else if (kind == u"R" || kind == u"RECIPE") {
        for (const Recipe& recipe : m_context.engine().catalogue()->recipes())
            add(recipe.id, recipe.title);
    } else if (kind == u"RUN") {
        for (const Run& run : m_context.engine().runs()->all())
            add(run.id, run.title + u" · " + phaseName(run.phase));
    } else if (kind == u"VAR") {
        for (const QString& name : m_context.engine().secrets()->names())
            add(name, tr("a secret"));
    } else if (kind == u"K=V") {
        addFields(read);
    }
}

/// The fields that --set takes. The form of a recipe depends on the site as well.
void Candidates::addFields(const ReadLine& read)
{
    Catalogue* catalogue = m_context.engine().catalogue();
    LaunchSpec spec;
    spec.recipeId = read.positional.value(0);
    spec.siteId = read.given.value(QStringLiteral("--site"));
    if (const auto before =
            m_context.engine().runs()->run(read.given.value(QStringLiteral("--relaunch"))))
        spec = before->spec;
    const Recipe* recipe = catalogue->recipe(spec.recipeId);
    const Site* site = catalogue->site(spec.siteId);
    if (!recipe)
        return;
    for (const Parameter& field : site ? formFields(*recipe, *site, {}, spec) : recipe->parameters)
        add(field.key + u'=', field.label);
}

void Candidates::find()
{
    if (m_line.before.isEmpty())
        return addCommands();
    const auto& commands = allCommands();
    const auto command = std::find_if(commands.begin(), commands.end(),
        [this](const Command& one) { return one.name == m_line.before.first(); });
    if (command == commands.end())
        return;
    const ReadLine read = readWords(command->options, m_line.before.mid(1));
    if (read.open)
        return addValues(read.open->valueName, read);
    const qsizetype sign = m_line.current.indexOf(u'=');
    if (m_line.current.startsWith(u"--") && sign > 0) {
        const OptionSpec* option = optionNamed(command->options, m_line.current.left(sign));
        m_prefix = m_line.isSplit ? QString() : m_line.current.left(sign + 1);
        m_line.current.remove(0, sign + 1);
        if (option)
            addValues(option->valueName, read);
        return;
    }
    if (!m_line.current.startsWith(u'-'))
        addPositional(*command, read);
    if (m_line.current.startsWith(u'-') || (m_count == 0 && m_line.current.isEmpty()))
        addOptions(*command, read);
}

ExitCode printCompletion(Context& context, const QString& shell)
{
    const QString name =
        shell == u"zsh" ? QStringLiteral("_slipway-cli") : QStringLiteral("slipway-cli.") + shell;
    QFile file(EnginePaths::standard().resources + u"/completions/" + name);
    if (!file.open(QIODevice::ReadOnly))
        return context.fail(
            {ErrorKind::Io, tr("%1 cannot be read: %2.").arg(file.fileName(), file.errorString())});
    const QByteArray script = file.readAll();
    if (context.out.json)
        context.out.object({{QStringLiteral("shell"), shell},
            {QStringLiteral("script"), QString::fromUtf8(script)}});
    else
        context.out.raw(script);
    return ExitCode::Done;
}

QCoro::Task<ExitCode> completeWords(Context& context)
{
    const QStringList words = context.arguments.positional;
    const QStringList shells{QStringLiteral("bash"), QStringLiteral("zsh"), QStringLiteral("fish")};
    // The scripts ask with “words”, followed by the command line up to the cursor.
    if (words.first() == u"words") {
        Candidates(&context, typedLine(words.mid(1))).find();
        co_return ExitCode::Done;
    }
    if (!shells.contains(words.first()))
        co_return context.misused(tr("There is no completion for “%1”.").arg(words.first()),
            tr("Use bash, zsh or fish."));
    if (words.size() > 1)
        co_return context.misused(tr("Unexpected argument “%1”.").arg(words.last()));
    co_return printCompletion(context, words.first());
}

} // namespace

Command completionCommand()
{
    return {QStringLiteral("completion"), QStringLiteral("bash|zsh|fish"),
        tr("print the completions of a shell"),
        tr("Prints a script that completes commands, options, sites, recipes, fields and runs in a "
           "shell. The Debian package\n"
           "installs all three. To load one without installing it:\n"
           "\n"
           "  bash    source <(slipway-cli completion bash)\n"
           "  zsh     source <(slipway-cli completion zsh)\n"
           "  fish    slipway-cli completion fish | source"),
        {}, 1, 1000, completeWords};
}

} // namespace slipway
