// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/uploadanswers.h"
#include "remote/cluster/uploadtalk.h"
#include "tests/fuzz/target.h"

#include <algorithm>
#include <cstdlib>

using namespace slipway;

namespace {

constexpr qint64 mostKept = 256 * 1024;

/// SaidProcess is the remote end, which says what the input holds.
class SaidProcess : public Process {
public:
    void write(const QByteArray&) override { }
    void closeInput() override { }
    qint64 bytesToWrite() const override { return 0; }
    void cancel() override { }
};

/// SaidShell starts one, and knows the nonce of its frame.
class SaidShell : public Shell {
public:
    QString displayName() const override { return QStringLiteral("login.example"); }
    LinkState linkState() const override { return LinkState::Up; }
    void close() override { }
    std::unique_ptr<Process> start(Invocation invocation) override
    {
        const auto framed = unframedScript(invocation.script);
        if (!framed)
            std::abort();
        nonce = framed->nonce;
        auto started = std::make_unique<SaidProcess>();
        process = started.get();
        return started;
    }

    QByteArray nonce;
    SaidProcess* process = nullptr;
};

/// A part is never longer than the file, and a whole file never shorter.
void readFirst(const QByteArray& line)
{
    for (const qint64 most : {qint64(0), qint64(123456)}) {
        const auto there = uploadThere(line, most);
        if (there && (there->bytes < 0 || there->bytes > most || there->sum.contains(' ')))
            std::abort();
        if (there && there->isWhole && there->bytes != most)
            std::abort();
    }
}

/// What the lines have together, with their ends.
qint64 takeLines(UploadTalk& talk)
{
    qint64 bytes = 0;
    while (const auto line = talk.takeLine()) {
        if (line->contains('\n'))
            std::abort();
        readFirst(*line);
        bytes += line->size() + 1;
    }
    return bytes;
}

} // namespace

SLIPWAY_FUZZ_TARGET(upload)
{
    const QByteArray input(reinterpret_cast<const char*>(data), qsizetype(size));
    SaidShell shell;
    UploadTalk talk(shell, "true\n");
    emit shell.process->errorOutput(beginMark(shell.nonce) + input);
    emit shell.process->output(beginMark(shell.nonce));
    qint64 taken = 0;
    const qsizetype piece = 1 + input.size() % 37;
    for (qsizetype at = 0; at < input.size(); at += piece) {
        emit shell.process->output(input.mid(at, piece));
        taken += takeLines(talk);
    }
    if (talk.end() || taken > input.size())
        std::abort();
    // A machine that does not stop talking.
    if (input.size() % 4 == 0) {
        const QByteArray more = input + QByteArray(mostKept / 4, 'x') + '\n';
        for (int i = 0; i < 8; ++i)
            emit shell.process->output(more);
        taken += takeLines(talk);
        if (!talk.end() || talk.end()->ok() || taken > mostKept + more.size())
            std::abort();
    }
    emit shell.process->output(endMark(shell.nonce, 76));
    emit shell.process->finished(Result<int>(0));
    if (!talk.end() || (talk.end()->ok() && (*talk.end())->exitCode != 76)
        || (talk.end()->ok() && (*talk.end())->err.size() > input.size()))
        std::abort();
    return 0;
}
