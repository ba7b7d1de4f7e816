// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs/datafolders.h"

#include "app/plan/launchlists.h"
#include "remote/base/tr.h"

#include <QMap>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace slipway {

namespace {

constexpr auto patienceForData = std::chrono::seconds(60); // a file system that is mounted on use
const QByteArray dataMark = "slipway-data ";

/// The path may be a file: a single archive can be bound as well.
constexpr char lookAtData[] = R"SH(
t=; command -v timeout >/dev/null 2>&1 && t='timeout 15'
look() {
  s=missing
  $t test -e "$2"; c=$?
  if [ $c -gt 1 ]; then
    s=unknown
  elif [ $c -eq 0 ]; then
    s=closed
    if [ -d "$2" ]; then
      [ -r "$2" ] && [ -x "$2" ] && s=there
    elif [ -r "$2" ]; then
      s=there
    fi
  fi
  printf '\nslipway-data %s %s\n' "$1" "$s"
}
unset_one() { printf '\nslipway-data %s unset\n' "$1"; }
)SH";

QStringList variablesIn(const QString& path)
{
    static const QRegularExpression variable(
        QStringLiteral(R"(\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*)))"));
    QStringList names;
    for (auto it = variable.globalMatch(path); it.hasNext();) {
        const auto match = it.next();
        names << match.captured(1) + match.captured(2);
    }
    return names;
}

} // namespace

QByteArray dataScript(const std::vector<Bind>& folders)
{
    QByteArray lines = lookAtData;
    for (std::size_t i = 0; i < folders.size(); ++i) {
        if (isNodeLocal(folders[i].source))
            continue;
        const QByteArray number = QByteArray::number(qulonglong(i));
        QByteArray isSet;
        for (const QString& name : variablesIn(folders[i].source))
            isSet += "[ -n \"${" + name.toUtf8() + ":-}\" ] && ";
        // isPathExpression(): in double quotes only its variables are replaced.
        lines += "if " + isSet + "true; then look " + number + " \"" + folders[i].source.toUtf8()
            + "\"; else unset_one " + number + "; fi\n";
    }
    return "bash -l -c " + shellQuoted(lines) + " </dev/null 2>/dev/null\nexit 0\n";
}

std::vector<DataState> readDataStates(const QByteArray& answer, std::size_t folders)
{
    static const QMap<QByteArray, DataState> words{{"there", DataState::There},
        {"missing", DataState::Missing}, {"closed", DataState::Closed},
        {"unset", DataState::Unset}};
    std::vector<DataState> states(folders, DataState::Unknown);
    for (const QByteArray& line : answer.split('\n')) {
        if (!line.startsWith(dataMark))
            continue;
        const QList<QByteArray> parts = line.mid(dataMark.size()).split(' ');
        bool isNumber = false;
        const qulonglong number = parts.value(0).toULongLong(&isNumber);
        if (isNumber && number < folders && parts.size() == 2)
            states[std::size_t(number)] = words.value(parts[1], DataState::Unknown);
    }
    return states;
}

Result<void> dataVerdict(const std::vector<Bind>& folders, const std::vector<DataState>& states)
{
    QStringList missing, closed, unset, unknown;
    for (std::size_t i = 0; i < folders.size() && i < states.size(); ++i) {
        const QString name = folders[i].source.left(200);
        if (states[i] == DataState::There || isNodeLocal(folders[i].source))
            continue;
        QStringList& list = states[i] == DataState::Missing ? missing
            : states[i] == DataState::Closed                ? closed
            : states[i] == DataState::Unset                 ? unset
                                                            : unknown;
        list << name;
    }
    const auto add = [](QStringList* sentences, const QString& sentence, const QStringList& names) {
        if (!names.isEmpty())
            *sentences << sentence.arg(names.join(QStringLiteral(", ")));
    };
    QStringList sentences;
    add(&sentences, tr("This data is not on the cluster: %1."), missing);
    add(&sentences, tr("Your account may not read this data: %1."), closed);
    add(&sentences, tr("A variable in this path has no value on the cluster: %1."), unset);
    add(&sentences, tr("Whether this data is on the cluster could not be found out: %1."), unknown);
    if (sentences.isEmpty())
        return Result<void>();
    return Error{ErrorKind::Invalid, sentences.join(u' '),
        tr("Correct the field “Data”, or bring the data to the cluster first. Nothing was "
           "submitted.")};
}

QCoro::Task<Result<void>> checkDataFolders(std::shared_ptr<Shell> shell, std::vector<Bind> folders)
{
    const bool asks = std::any_of(folders.begin(), folders.end(),
        [](const Bind& folder) { return !isNodeLocal(folder.source); });
    if (!asks)
        co_return Result<void>();
    RunOptions options;
    options.timeout = patienceForData;
    options.outputLimit = 256 * 1024;
    const QByteArray script = dataScript(folders);
    const Result<CommandOutput> answer = co_await shell->run(script, options);
    if (!answer.ok())
        co_return answer.error();
    const auto states = readDataStates(answer->out, folders.size());
    co_return dataVerdict(folders, states);
}

} // namespace slipway
