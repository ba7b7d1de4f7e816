// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/cluster/uploadpieces.h"

#include "remote/base/tr.h"
#include "remote/cluster/uploadscripts.h"

#include <QCoroFuture>
#include <QElapsedTimer>
#include <QFile>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace slipway {

namespace {

constexpr qint64 pieceSize = 1024 * 1024;
constexpr qint64 mostWaiting = 1024 * 1024; ///< written on a session, and not yet sent
constexpr qint64 mostLoose =
    16; ///< pieces under way, or waiting for one before them: a cut may lose them
constexpr qint64 appendedAtOnce = 4;
constexpr std::chrono::minutes piecePatience{5};
constexpr std::chrono::seconds longestTurn{10}; ///< then whoever waits for a session gets it
constexpr std::chrono::seconds longestWithoutSession{3};

/// PieceRound is what the sessions of one upload share; on the shell's thread.
struct PieceRound {
    PieceUpload upload;
    QFile file;
    qint64 count = 0; ///< of pieces
    qint64 next = 0; ///< that was not yet sent at all
    qint64 appended = 0; ///< ordered from the holder
    std::set<qint64> arrived; ///< and not appended yet
    std::set<qint64> again; ///< to be sent once more: their session has ended
    qint64 sent = 0; ///< bytes that have left, on all sessions
    QElapsedTimer withoutSession; ///< since none was open
    std::optional<Error> failure; ///< the first one; all sessions then end
    std::set<UploadTalk*> talks; ///< of the sessions

    void fail(const Error& error)
    {
        if (!failure)
            failure = error;
        wakeAll();
    }
    bool isOver() const { return failure || appended == count; }
    /// There is room for more pieces, or nothing is left to do.
    void wakeAll() const
    {
        for (UploadTalk* talk : talks)
            talk->wake();
    }
    bool isAlone() const
    {
        return std::chrono::milliseconds(withoutSession.elapsed()) >= longestWithoutSession;
    }
    qint64 beginOf(qint64 piece) const
    {
        return std::min(upload.offset + piece * pieceSize, upload.size);
    }
    qint64 bytesOf(qint64 piece) const { return beginOf(piece + 1) - beginOf(piece); }
    /// The piece that is to be sent now; none: all are on their way.
    std::optional<qint64> take()
    {
        if (!again.empty())
            return again.extract(again.begin()).value();
        if (next == count || next >= appended + mostLoose)
            return std::nullopt;
        return next++;
    }
    void report()
    {
        if (upload.progress && !upload.progress(std::min(upload.offset + sent, upload.size)))
            fail(uploadCancelled());
    }
};

/// PieceSession is one of those sessions, for a turn.
struct PieceSession {
    UploadTalk talk;
    std::set<qint64> underWay;
    qint64 written = 0;
    qint64 counted = 0; ///< of them, in PieceRound::sent
    bool isReady = false;
    QElapsedTimer turn;

    explicit PieceSession(PieceRound& round)
        : talk(*round.upload.shell, pieceScript(round.upload.ends.remotePath),
            UploadTalk::Kind::Stream)
        , m_round(round)
    {
        round.talks.insert(&talk);
    }
    ~PieceSession() { m_round.talks.erase(&talk); }
    PieceSession(const PieceSession&) = delete;
    bool isTurnOver() const
    {
        return isReady && std::chrono::milliseconds(turn.elapsed()) >= longestTurn;
    }

private:
    PieceRound& m_round;
};

/// The holder appends the pieces whose turn it is, several with one order: it starts two programs
/// for each.
void appendArrived(PieceRound& round)
{
    qint64 end = round.appended;
    while (round.arrived.contains(end))
        ++end;
    if (end == round.appended
        || (end - round.appended < appendedAtOnce && round.next < round.count))
        return;
    for (qint64 piece = round.appended; piece < end; ++piece)
        round.arrived.erase(piece);
    const QByteArray range = QByteArray::number(round.appended) + ' ' + QByteArray::number(end - 1)
        + ' ' + QByteArray::number(round.beginOf(end));
    round.appended = end;
    round.upload.holder->write("append " + range + '\n');
    round.wakeAll();
}

void onArrived(PieceRound& round, PieceSession& session, const QByteArray& line)
{
    bool ok = false;
    const qint64 piece = line.toLongLong(&ok);
    if (!ok || session.underWay.erase(piece) == 0)
        return round.fail(uploadUnclear(round.upload.ends, line));
    round.arrived.insert(piece);
    appendArrived(round);
}

void takeLines(PieceRound& round, PieceSession& session)
{
    while (const auto line = session.talk.takeLine()) {
        if (*line == "ready" && !session.isReady) {
            session.isReady = true;
            session.turn.start();
        } else if (!line->isEmpty()) {
            onArrived(round, session, *line);
        }
    }
}

/// A piece with its announcement.
void sendPiece(PieceRound& round, PieceSession& session, qint64 number)
{
    const qint64 bytes = round.bytesOf(number);
    const bool isThere = round.file.seek(round.beginOf(number));
    const QByteArray piece = isThere ? round.file.read(bytes) : QByteArray();
    if (piece.size() != bytes)
        return round.fail(uploadSourceChanged(round.upload.ends));
    session.talk.write(
        QByteArray::number(number) + ' ' + QByteArray::number(bytes) + '\n' + piece + "end\n");
    session.underWay.insert(number);
    session.written += bytes;
    round.upload.sum->reach(round.beginOf(round.next));
}

void sendPieces(PieceRound& round, PieceSession& session)
{
    while (session.isReady && !session.isTurnOver() && !round.failure
        && session.talk.waiting() < mostWaiting) {
        const auto piece = round.take();
        if (!piece)
            break;
        sendPiece(round, session, *piece);
    }
    const qint64 left = std::max<qint64>(0, session.written - session.talk.waiting());
    round.sent += left - std::exchange(session.counted, left);
    round.report();
}

/// What a session did not bring is for the others.
void giveBack(PieceRound& round, PieceSession& session)
{
    for (const qint64 piece : session.underWay)
        round.sent -= round.bytesOf(piece);
    round.sent -= session.counted - session.written; // what waited was not counted
    round.again.merge(session.underWay);
}

/// The session was needed for something else, or the holder has ended, which is no failure of its
/// own.
bool isHarmless(const Result<CommandOutput>& end)
{
    return end.ok() ? end->exitCode == 0 : end.error().kind == ErrorKind::Refused;
}

/// One turn of a session. True: it may have another.
QCoro::Task<bool> serveTurn(std::shared_ptr<PieceRound> round)
{
    PieceSession session(*round);
    for (;;) {
        if (!session.talk.isQueued())
            round->withoutSession.start();
        takeLines(*round, session);
        if (const auto& end = round->upload.holder->end())
            round->fail(uploadEnded(round->upload.ends, *end));
        const auto& end = session.talk.end();
        if (end && !isHarmless(*end))
            round->fail(uploadEnded(round->upload.ends, *end));
        if (!round->isOver() && !end)
            sendPieces(*round, session);
        const bool isDone = session.isTurnOver() && session.underWay.empty();
        if (round->isOver() || round->isAlone() || end || isDone) {
            giveBack(*round, session);
            const bool wasRefused = end && !end->ok() && session.isReady;
            co_return !round->isOver() && (isDone || wasRefused);
        }
        const QFuture<void> news = session.talk.news(piecePatience);
        co_await news;
    }
}

QCoro::Task<void> serve(std::shared_ptr<PieceRound> round)
{
    for (bool goesOn = true; goesOn;)
        goesOn = co_await serveTurn(round);
}

} // namespace

QCoro::Task<Result<qint64>> uploadPieces(PieceUpload upload)
{
    const auto round = std::make_shared<PieceRound>();
    round->count = (upload.size - upload.offset + pieceSize - 1) / pieceSize;
    round->file.setFileName(upload.ends.localPath);
    round->upload = std::move(upload);
    round->withoutSession.start();
    if (!round->file.open(QIODevice::ReadOnly))
        co_return Error{ErrorKind::Io,
            tr("%1 cannot be read: %2.")
                .arg(round->upload.ends.localPath, round->file.errorString())};
    std::vector<QCoro::Task<void>> all;
    for (int i = 0; i < pieceSessions; ++i)
        all.push_back(serve(round));
    for (auto& one : all)
        co_await one;
    if (round->failure)
        co_return *round->failure;
    co_return round->beginOf(round->appended);
}

} // namespace slipway
