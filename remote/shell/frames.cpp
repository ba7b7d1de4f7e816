// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/shell/frames.h"

#include "remote/shell/shell.h"

#include <QRandomGenerator>

#include <array>

namespace slipway {

namespace {

/// How many of the last bytes of a text may be the beginning of a mark that is not complete yet.
qsizetype beginningAtEnd(const QByteArray& text, const QByteArray& mark)
{
    qsizetype count = qMin(text.size(), mark.size() - 1);
    while (count > 0 && !text.endsWith(QByteArrayView(mark).first(count)))
        --count;
    return count;
}

constexpr qsizetype noiseKept = 4096;

// The user's environment silently changes what Slurm prints and where it submits. Only built-ins
// are used: one fork, no program, so that an empty script stays fast. A value with several lines
// can at worst name one more of these variables; an invalid name is skipped, because dash exits on
// one.
constexpr const char preamble[] = R"(set -f
for v in $(export -p); do
case $v in
SQUEUE_*=*|SINFO_*=*|SACCT_*=*|SBATCH_*=*|SALLOC_*=*|SCANCEL_*=*|SRUN_*=*|SPRIO_*=*|SSHARE_*=*|SACCTMGR_*=*)
v=${v%%=*}
case $v in *[!A-Za-z0-9_]*) ;; *) unset "$v";; esac;;
esac
done
set +f
unset v SLURM_CLUSTERS SLURM_TIME_FORMAT
LC_ALL=C
export LC_ALL
umask 077
)";

constexpr const char evalOpening[] = "(eval ";
constexpr const char evalClosingData[] = ")\n";
constexpr const char evalClosingNothing[] = ") </dev/null\n";

} // namespace

QByteArray newNonce()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::system()->fillRange(words.data(), words.size());
    return QByteArray(reinterpret_cast<const char*>(words.data()), sizeof(words)).toHex();
}

QByteArray framedScript(const QByteArray& nonce, const QByteArray& script, ScriptInput input)
{
    // eval in a subshell: the script's exit ends the subshell, its syntax error too, and nothing in
    // it can swallow the line that prints the end mark. The nonce is in no variable of the script.
    return QByteArray(preamble) + "printf '\\036SLPB %s\\n' " + nonce
        + " >&2\nprintf '\\036SLPB %s\\n' " + nonce + '\n' + evalOpening + shellQuoted(script)
        + (input == ScriptInput::Data ? evalClosingData : evalClosingNothing)
        + "printf '\\n\\036SLPE %s %d\\n' " + nonce + " $?\n";
}

QByteArray keptOpening(const QByteArray& nonce)
{
    return QByteArray(preamble) + "printf '\\036SLPB %s\\n' " + nonce
        + "\nprintf '\\n\\036SLPE %s %d\\n' " + nonce + " 0\n";
}

QByteArray keptScript(const QByteArray& nonce, const QByteArray& script)
{
    return "printf '\\036SLPB %s\\n' " + nonce + " >&2\nprintf '\\036SLPB %s\\n' " + nonce + '\n'
        + evalOpening + shellQuoted(script) + evalClosingNothing
        + "slipway=$?\nprintf '\\n\\036SLPE %s %d\\n' " + nonce
        + " $slipway >&2\nprintf '\\n\\036SLPE %s %d\\n' " + nonce + " $slipway\n";
}

std::optional<FramedScript> unframedScript(const QByteArray& text)
{
    const QByteArray marker("\nprintf '\\036SLPB %s\\n' ");
    if (!text.startsWith(preamble))
        return std::nullopt;
    const auto nonceAt = text.indexOf(marker) + marker.size();
    const auto openingAt = text.indexOf(evalOpening, nonceAt);
    const auto closingAt = text.lastIndexOf(")", text.lastIndexOf("printf"));
    if (nonceAt < marker.size() || openingAt < 0 || closingAt < openingAt)
        return std::nullopt;
    const auto scriptAt = openingAt + qsizetype(sizeof(evalOpening)) - 1;
    const auto quoted = text.mid(scriptAt, closingAt - scriptAt);
    if (quoted.size() < 2 || !quoted.startsWith('\'') || !quoted.endsWith('\''))
        return std::nullopt;
    auto script = quoted.mid(1, quoted.size() - 2);
    script.replace("'\\''", "'");
    return FramedScript{text.mid(nonceAt, 32), script};
}

QByteArray beginMark(const QByteArray& nonce)
{
    return "\036SLPB " + nonce + '\n';
}

QByteArray endMark(const QByteArray& nonce, int exitCode)
{
    return "\n\036SLPE " + nonce + ' ' + QByteArray::number(exitCode) + '\n';
}

FrameReader::FrameReader(const QByteArray& nonce)
    : m_begin(beginMark(nonce))
    , m_end("\n\036SLPE " + nonce + ' ')
{
}

void FrameReader::feed(const QByteArray& bytes)
{
    if (m_state == State::Ended)
        return; // output after the end mark is noise (logout files)
    m_pending += bytes;
    if (m_state == State::BeforeBegin)
        readNoise();
    if (m_state == State::Inside)
        readInside();
}

void FrameReader::readNoise()
{
    const auto at = m_pending.indexOf(m_begin);
    // A mark may be split anywhere, so its length minus one is held back.
    const auto noise = at >= 0 ? at : qMax<qsizetype>(0, m_pending.size() - m_begin.size() + 1);
    m_noise += QByteArrayView(m_pending).first(noise);
    m_noise.remove(0, qMax<qsizetype>(0, m_noise.size() - noiseKept));
    m_pending.remove(0, at >= 0 ? at + m_begin.size() : noise);
    if (at >= 0)
        m_state = State::Inside;
}

void FrameReader::readInside()
{
    while (true) {
        const auto at = m_pending.indexOf(m_end);
        if (at < 0) {
            release(m_pending.size() - beginningAtEnd(m_pending, m_end));
            return;
        }
        auto digit = at + m_end.size();
        const auto firstDigit = digit;
        while (digit < m_pending.size() && digit < firstDigit + 4 && m_pending[digit] >= '0'
            && m_pending[digit] <= '9')
            ++digit;
        if (digit == m_pending.size()) {
            release(at); // the exit code is still on its way
            return;
        }
        if (m_pending[digit] == '\n' && digit > firstDigit) {
            m_exitCode = m_pending.mid(firstDigit, digit - firstDigit).toInt();
            release(at);
            m_pending.clear();
            m_state = State::Ended;
            return;
        }
        release(at + 1); // it only looked like an end mark
    }
}

void FrameReader::release(qsizetype count)
{
    m_payload += QByteArrayView(m_pending).first(count);
    m_pending.remove(0, count);
}

QByteArray FrameReader::takePayload()
{
    return std::exchange(m_payload, {});
}

void FrameReader::flush()
{
    if (m_state == State::BeforeBegin) {
        m_noise += m_pending;
        m_pending.clear();
    } else {
        release(m_pending.size());
    }
}

} // namespace slipway
