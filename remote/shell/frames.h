// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QByteArray>

#include <optional>

namespace slipway {

/// The standard input of the framed script: empty, or the bytes of Process::write().
enum class ScriptInput { Nothing, Data };

/// 128 random bits in hexadecimal, which make a frame impossible to forge from inside the output.
QByteArray newNonce();

/// `script` between two marks with `nonce`, after a preamble that removes the variables which
/// change what Slurm prints (SQUEUE_*, SBATCH_*, …), sets LC_ALL=C and umask 077. The script may
/// exit, fail or be invalid shell text: the end mark with its exit code follows in any case.
QByteArray framedScript(
    const QByteArray& nonce, const QByteArray& script, ScriptInput input = ScriptInput::Nothing);

/// For a shell that stays open (PersistentShell): its start, with the same preamble and an empty
/// frame that reports readiness; then one script per call. Both streams have an end mark there,
/// because neither of them ends.
QByteArray keptOpening(const QByteArray& nonce);
QByteArray keptScript(const QByteArray& nonce, const QByteArray& script);

/// The script inside a frame of framedScript(); nullopt when `text` is not such a frame.
struct FramedScript {
    QByteArray nonce;
    QByteArray script;
};
std::optional<FramedScript> unframedScript(const QByteArray& text);

/// The two marks, as printed by the remote shell.
QByteArray beginMark(const QByteArray& nonce);
QByteArray endMark(const QByteArray& nonce, int exitCode);

/// FrameReader reads a stream of bytes in pieces of any size and keeps what is between the begin
/// mark and the end mark of one nonce. Everything before the begin mark is noise of start-up files;
/// marks with another nonce are ordinary bytes. Holds back only what may be the beginning of the
/// end mark: the end of a line, for example. Pure; any thread.
class FrameReader {
public:
    enum class State { BeforeBegin, Inside, Ended };

    explicit FrameReader(const QByteArray& nonce);

    void feed(const QByteArray& bytes);

    State state() const { return m_state; }
    /// The exit code of the end mark; only when Ended.
    int exitCode() const { return m_exitCode; }
    /// The framed bytes known so far that were not taken yet.
    QByteArray takePayload();
    /// The stream ended without an end mark: the bytes held back belong to the payload too.
    void flush();
    /// The last bytes before the begin mark (at most 4 KiB): to be shown if the mark never arrived.
    const QByteArray& noise() const { return m_noise; }

private:
    void readNoise();
    void readInside();
    void release(qsizetype count);

    QByteArray m_begin;
    QByteArray m_end; ///< up to and with the space before the exit code
    QByteArray m_pending;
    QByteArray m_payload;
    QByteArray m_noise;
    State m_state = State::BeforeBegin;
    int m_exitCode = -1;
};

} // namespace slipway
