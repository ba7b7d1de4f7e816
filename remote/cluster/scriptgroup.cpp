// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/scriptgroup.h"

#include "remote/base/shellquoting.h"
#include "remote/base/tr.h"
#include "remote/shell/frames.h"
#include "remote/shell/shell.h"

#include <QPointer>

namespace slipway {

namespace {

constexpr qsizetype longestGroupLine = 64 * 1024;

// Lines are sent in pieces (`p`, and `o` or `e` with the last) because a write of up to PIPE_BUF
// bytes to a pipe is never mixed with another one; `cat` makes standard output a pipe also where
// sshd gives a socket. Each script has a pipe as its input, whose other end only the loop has: it
// closes those of the other scripts in each new one. A line that is not ended is lost only if it is
// empty.
constexpr char groupLoop[] = R"SH(LC_ALL=C; export LC_ALL
mark() {
  while IFS= read -r line || [ -n "$line" ]; do
    while [ ${#line} -gt 2000 ]; do
      printf '%s%s p%s %s\n' "$S" "$1" "$2" "${line:0:2000}"
      line=${line:2000}
    done
    printf '%s%s %s %s\n' "$S" "$1" "$2" "$line"
  done
}
run() {
  for other in "${inputs[@]}"; do exec {other}>&-; done
  { { /bin/sh -c "$2" 2>&1 >&3 3>&- 4>&- | mark "$1" e >&4; exit "${PIPESTATUS[0]}"; } 3>&1 | mark "$1" o
    return "${PIPESTATUS[0]}"; } 4>&1
}
inputs=()
printf '\n'
while read -r verb id script; do
  case $verb in
  start)
    script=$(printf %s "$script" | base64 -d; printf x)
    exec {input}> >(run "$id" "${script%x}"; printf '%s%s x %s\n' "$S" "$id" $?)
    inputs[id]=$input
    ;;
  close)
    input=${inputs[id]}
    [ -z "$input" ] || exec {input}>&-
    unset "inputs[id]"
    ;;
  esac
done | cat
)SH";

} // namespace

QByteArray groupScript(const QByteArray& nonce)
{
    const QByteArray loop = "S=$(printf '\\036SLPG')'" + nonce + " '\n" + groupLoop;
    return "exec bash --norc -c " + shellQuoted(loop) + '\n';
}

GroupReader::GroupReader(const QByteArray& nonce)
    : m_mark("\036SLPG" + nonce + ' ')
{
}

std::vector<GroupItem> GroupReader::feed(const QByteArray& bytes)
{
    std::vector<GroupItem> items;
    m_pending += bytes;
    qsizetype from = 0;
    for (qsizetype newline; (newline = m_pending.indexOf('\n', from)) >= 0; from = newline + 1) {
        const auto line = QByteArrayView(m_pending).sliced(from, newline - from);
        if (!line.startsWith(m_mark))
            continue;
        const auto words = line.sliced(m_mark.size());
        const qsizetype first = words.indexOf(' ');
        const qsizetype second = first < 0 ? -1 : words.indexOf(' ', first + 1);
        if (second < 0)
            continue;
        bool isNumber = false;
        GroupItem item{words.first(first).toInt(&isNumber), GroupItem::Kind::Output, {}, 0};
        const QByteArrayView kind = words.sliced(first + 1, second - first - 1);
        const QByteArrayView rest = words.sliced(second + 1);
        if (kind == "x") {
            item.kind = GroupItem::Kind::Ended;
            item.exitCode = rest.toInt();
        } else if (kind.endsWith('o') || kind.endsWith('e')) {
            if (kind.endsWith('e'))
                item.kind = GroupItem::Kind::ErrorOutput;
            item.bytes = rest.toByteArray();
            if (!kind.startsWith('p'))
                item.bytes += '\n';
        } else {
            continue;
        }
        if (isNumber)
            items.push_back(std::move(item));
    }
    m_pending.remove(0, from);
    if (m_pending.size() > longestGroupLine)
        m_pending.clear();
    return items;
}

/// One script of a group. Emits finished() exactly once, from the event loop. GUI thread; its
/// caller owns it.
class GroupedScript : public Process {
public:
    GroupedScript(ScriptGroup* group, int id)
        : m_group(group)
        , m_id(id)
    {
    }
    ~GroupedScript() override
    {
        if (m_group && !m_ended)
            m_group->leave(m_id);
    }

    void write(const QByteArray&) override { }
    qint64 bytesToWrite() const override { return 0; }

    void closeInput() override
    {
        if (m_group && !m_ended)
            m_group->send("close " + QByteArray::number(m_id) + '\n');
    }

    void cancel() override
    {
        if (m_ended)
            return;
        if (m_group)
            m_group->leave(m_id);
        endLater(Error{ErrorKind::Cancelled, slipway::tr("The command was cancelled.")});
    }

    void end(const Result<int>& exitCode)
    {
        m_ended = true;
        emit finished(exitCode); // the last thing: a slot may delete us
    }

    void endLater(const Result<int>& exitCode, const QByteArray& errors = {})
    {
        m_ended = true;
        const auto endNow = [self = QPointer<GroupedScript>(this), exitCode, errors] {
            if (!errors.isEmpty())
                emit self->errorOutput(errors);
            if (self)
                self->end(exitCode);
        };
        QMetaObject::invokeMethod(this, endNow, Qt::QueuedConnection);
    }

private:
    QPointer<ScriptGroup> m_group;
    int m_id;
    bool m_ended = false;
};

ScriptGroup::ScriptGroup(std::shared_ptr<Shell> shell, QObject* parent)
    : QObject(parent)
    , m_shell(std::move(shell))
{
}

ScriptGroup::~ScriptGroup()
{
    endAll(Error{
        ErrorKind::LinkLost, tr("The connection to %1 was closed.").arg(m_shell->displayName())});
}

std::unique_ptr<Process> ScriptGroup::start(const QByteArray& script)
{
    if (!m_process)
        begin();
    const int id = ++m_last;
    auto started = std::make_unique<GroupedScript>(this, id);
    m_scripts.insert(id, started.get());
    send("start " + QByteArray::number(id) + ' ' + script.toBase64() + '\n');
    return started;
}

void ScriptGroup::begin()
{
    const QByteArray nonce = newNonce();
    m_reader = std::make_unique<GroupReader>(nonce);
    m_errors.clear();
    m_process = m_shell->start({groupScript(nonce), Invocation::Place::Argument, true});
    connect(m_process.get(), &Process::output, this, &ScriptGroup::take);
    connect(m_process.get(), &Process::errorOutput, this,
        [this](const QByteArray& bytes) { m_errors = QByteArray(m_errors + bytes).right(2000); });
    connect(m_process.get(), &Process::finished, this, &ScriptGroup::endAll);
}

void ScriptGroup::send(const QByteArray& line)
{
    if (m_process)
        m_process->write(line);
}

/// The script that leaves gets no further signal; its input is closed.
void ScriptGroup::leave(int id)
{
    if (m_scripts.remove(id) == 0)
        return;
    send("close " + QByteArray::number(id) + '\n');
    if (m_scripts.isEmpty())
        dropProcess();
}

void ScriptGroup::take(const QByteArray& bytes)
{
    const QPointer<ScriptGroup> self(this);
    const Process* const source = m_process.get();
    const auto items = m_reader->feed(bytes);
    for (const GroupItem& item : items) {
        // A receiver may delete its script, and with the last one the process ends.
        if (!self || m_process.get() != source)
            return;
        GroupedScript* const script = m_scripts.value(item.script);
        if (!script)
            continue;
        if (item.kind == GroupItem::Kind::Output) {
            emit script->output(item.bytes);
        } else if (item.kind == GroupItem::Kind::ErrorOutput) {
            emit script->errorOutput(item.bytes);
        } else {
            leave(item.script);
            script->end(item.exitCode);
        }
    }
}

/// The loop has ended: so have all its scripts.
void ScriptGroup::endAll(const Result<int>& exitCode)
{
    dropProcess();
    const auto scripts = std::exchange(m_scripts, {});
    for (GroupedScript* const script : scripts)
        script->endLater(exitCode, m_errors);
}

/// Deleted later: this may be called from one of its signals. Its channel closes with it.
void ScriptGroup::dropProcess()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->closeInput();
    m_process.release()->deleteLater();
}

} // namespace slipway

#include "moc_scriptgroup.cpp"
