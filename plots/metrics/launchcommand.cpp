// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/metrics/launchcommand.h"

#include "plots/metrics/scan.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr size_t longestCommand = 400, mostNumbers = 8, longestOption = 32;

/// "me@host:~/work", "[me@host work]", "(base) me@host:~": and not "Acc@1 71.2".
bool isPrompt(std::string_view text)
{
    constexpr std::ptrdiff_t mostSpaces = 2;
    const size_t at = text.find('@');
    return at != std::string_view::npos && at > 0 && at + 1 < text.size()
        && isWordCharacter(text[at - 1]) && isLetter(text[at + 1]) && !isDigit(text.back())
        && std::count(text.begin(), text.end(), ' ') <= mostSpaces;
}

/// Takes what the shell prints before a command. True: any command may follow.
bool skipPrompt(std::string_view& line)
{
    constexpr size_t longest = 80;
    if (skip(line, "$ "))
        return true;
    if (skip(line, "+ ")) // of "set -x", and of a list
        return false;
    for (const std::string_view sign : {"> ./", "# ./", "% ./"}) { // these are other things as well
        if (line.starts_with(sign)) {
            line.remove_prefix(2);
            return true;
        }
    }
    for (const std::string_view sign : {"$ ", "# ", "% "}) {
        const size_t end = line.substr(0, longest).find(sign);
        if (end != std::string_view::npos && isPrompt(line.substr(0, end))) {
            line.remove_prefix(end + sign.size());
            return true;
        }
    }
    return false;
}

bool isProgramFile(std::string_view word)
{
    return (word.starts_with("./") || word.starts_with("../")) && word.size() > 2
        && isLetter(word[word.rfind('/') + 1]);
}

/// "python run.py", "python3 -m bench", "torchrun --nproc_per_node=2 train.py": what runs a script.
/// "Python 3.11" and "node 3: done" are none.
bool runsScript(std::string_view program, std::string_view arguments)
{
    static constexpr std::string_view interpreters[] = {
        "python", "python3", "julia", "Rscript", "java", "torchrun", "accelerate"};
    static constexpr std::string_view ends[] = {".py", ".jl", ".R", ".jar"};
    if (std::find(std::begin(interpreters), std::end(interpreters), program)
        == std::end(interpreters))
        return false;
    for (std::string_view word = takeWord(arguments); !word.empty(); word = takeWord(arguments)) {
        const bool isScript = word == "-m"
            || std::any_of(std::begin(ends), std::end(ends),
                [word](std::string_view end) { return word.ends_with(end); });
        if (isScript)
            return true;
    }
    return false;
}

/// "OMP_NUM_THREADS=8"
bool isVariable(std::string_view word)
{
    const size_t equals = word.find('=');
    return equals != std::string_view::npos && equals > 0
        && std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
            [](char c) { return (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_'; });
}

/// Leaves what starts the program, if this is a command. `isPrompted`: a shell shows it.
bool skipToProgram(std::string_view& command, bool isPrompted)
{
    std::string_view rest = command;
    std::string_view word = takeWord(rest);
    while (isVariable(word) || word == "time" || word == "export") {
        const bool isSetting = isVariable(word);
        skipSpaces(rest);
        if (!isSetting)
            command = rest;
        word = takeWord(rest);
    }
    constexpr size_t shortest = 2;
    return isProgramFile(word) || runsScript(word, rest) || launchCount(command)
        || (isPrompted && word.size() >= shortest && isLetter(word[0])
            && word.find_first_of(":=,()") == std::string_view::npos);
}

/// CommandReader finds the numbers among the words of one command. A value; made for the command.
class CommandReader {
public:
    std::vector<CommandNumber> read(std::string_view command)
    {
        if (const auto launch = launchCount(command))
            add(launch->of, *wholeCount(launch->count));
        std::string_view option;
        while (!command.empty() && m_numbers.size() < mostNumbers) {
            const std::string_view word = takeWord(command);
            skipSpaces(command);
            if (isEnd(word))
                break;
            readWord(word, option);
            option = word.starts_with('-') && word.find('=') == word.npos ? word : "";
        }
        return std::move(m_numbers);
    }

private:
    /// Of what the program is given.
    static bool isEnd(std::string_view word)
    {
        return word.starts_with('>') || word.starts_with('|') || word.starts_with("2>")
            || word == "&" || word == "&&" || word == ";";
    }

    void readWord(std::string_view word, std::string_view option)
    {
        while (word.ends_with(';') || word.ends_with(','))
            word.remove_suffix(1);
        if (const auto value = wholeNumber(word)) {
            if (option.empty())
                add("argument " + std::to_string(++m_arguments), *value);
            else
                add(option, *value);
            return;
        }
        const size_t equals = word.find('=');
        if (equals != word.npos) {
            if (const auto value = wholeNumber(word.substr(equals + 1)))
                add(word.substr(0, equals), *value);
            return;
        }
        readJoined(word);
    }

    /// "N512" of "./matmul_N512.exe", "-n4"
    void readJoined(std::string_view word)
    {
        const bool isOption = word.starts_with('-') && !word.starts_with("--");
        const bool isProgram = isProgramFile(word);
        if (!isOption && !isProgram)
            return;
        word.remove_prefix(word.rfind('/') + 1);
        word = word.substr(0, word.rfind('.'));
        const size_t last = word.find_last_not_of("0123456789");
        const std::string_view digits = word.substr(last + 1);
        const auto value = wholeCount(digits);
        if (!value || last == word.npos)
            return;
        word = word.substr(0, last + 1);
        while (!word.empty() && !isLetter(word.back()))
            word.remove_suffix(1);
        size_t begin = word.size();
        while (begin > 0 && isLetter(word[begin - 1]))
            --begin;
        add(word.substr(begin), *value);
    }

    void add(std::string_view name, double value)
    {
        name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
        std::string known(name.substr(0, longestOption));
        std::replace(known.begin(), known.end(), '-', '_');
        if (equalsIgnoringCase(known, "omp_num_threads"))
            known = "threads";
        const bool isNamed = !known.empty()
            && std::none_of(m_numbers.begin(), m_numbers.end(),
                [&known](const CommandNumber& number) { return number.name == known; })
            && !(isNumberOfProcesses(known) && hasProcesses());
        if (isNamed)
            m_numbers.push_back({std::move(known), value});
    }

    static bool isNumberOfProcesses(std::string_view name)
    {
        return isOneOf(name, {"n", "np", "ntasks"});
    }
    bool hasProcesses() const
    {
        return !m_numbers.empty() && m_numbers.front().name == "processes";
    }

    std::vector<CommandNumber> m_numbers;
    int m_arguments = 0;
};

std::optional<LaunchCount> counted(std::string_view count, std::string_view of)
{
    constexpr size_t mostDigits = 7;
    if (count.size() > mostDigits || !wholeCount(count))
        return {};
    return LaunchCount{count, of};
}

constexpr std::string_view setThreads = "OMP_NUM_THREADS=";

/// "srun", "/usr/bin/mpirun"
bool isLauncher(std::string_view program)
{
    static constexpr std::string_view launchers[] = {
        "srun", "mpirun", "mpiexec", "orterun", "ibrun", "aprun"};
    return isOneOf(program.substr(program.rfind('/') + 1), launchers);
}

} // namespace

std::optional<LaunchCount> launchCount(std::string_view command)
{
    static constexpr std::string_view options[] = {"-n", "-np", "--ntasks", "--np"};
    skip(command, "export ");
    const std::string_view program = takeWord(command);
    if (std::string_view threads = program; skip(threads, setThreads))
        return counted(threads, "threads");
    if (!isLauncher(program))
        return {};
    for (std::string_view word = takeWord(command); !word.empty(); word = takeWord(command)) {
        const size_t equals = std::min(word.find('='), word.size());
        if (isOneOf(word.substr(0, equals), options)) {
            const bool isJoined = equals < word.size();
            return counted(isJoined ? word.substr(equals + 1) : takeWord(command), "processes");
        }
        // "-n4"
        if (std::string_view joined = word; skip(joined, "-n") && wholeCount(joined))
            return counted(joined, "processes");
    }
    return {};
}

std::vector<CommandNumber> commandNumbers(std::string_view line)
{
    line = trimmed(line);
    if (line.size() > longestCommand || std::none_of(line.begin(), line.end(), isDigit))
        return {};
    const bool isPrompted = skipPrompt(line);
    line = trimmed(line);
    if (!skipToProgram(line, isPrompted))
        return {};
    return CommandReader().read(line);
}

} // namespace slipway
