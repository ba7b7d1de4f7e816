// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/connectionlist.h"

#include "remote/base/runtimefolder.h"
#include "remote/base/tr.h"
#include "remote/broker/brokerlogin.h"
#include "remote/broker/brokersocket.h"
#include "remote/broker/messagefields.h"
#include "remote/shell/gate.h"

#include <QDir>
#include <QTimer>

using namespace std::chrono_literals;

namespace slipway {

namespace {

constexpr auto patience = 3s;

/// Asks a broker one thing; the bytes of its answer, or none: no answer, or its end.
QCoro::Task<std::optional<QByteArray>> asked(QString socket, MessageType what)
{
    auto fd = connectToBroker(socket);
    std::optional<QByteArray> answer;
    if (!fd.ok())
        co_return answer;
    const auto gate = std::make_shared<Gate>();
    MessageStream stream(std::move(*fd));
    QObject::connect(
        &stream, &MessageStream::received, &stream,
        [gate, what, &answer](const Message& message) {
            if (message.type == what || message.type == MessageType::Closed)
                answer = message.bytes;
            if (answer)
                gate->open();
        },
        Qt::QueuedConnection); // the stream ends with the one who waits
    QObject::connect(
        &stream, &MessageStream::ended, &stream, [gate] { gate->open(); }, Qt::QueuedConnection);
    QTimer::singleShot(patience, &stream, [gate] { gate->open(); });
    stream.send(helloMessage());
    stream.send({what});
    co_await gate->wait();
    co_return answer;
}

} // namespace

QCoro::Task<Result<std::vector<SharedConnection>>> sharedConnections()
{
    using Connections = Result<std::vector<SharedConnection>>;
    const auto folder = runtimeFolder();
    if (!folder.ok())
        co_return Connections(folder.error());
    std::vector<SharedConnection> connections;
    const QDir dir(*folder);
    for (const QString& name : dir.entryList({QStringLiteral("*.sock")}, QDir::System)) {
        SharedConnection one;
        one.socket = dir.filePath(name);
        const auto answer = co_await asked(one.socket, MessageType::Info);
        if (!answer)
            continue;
        MessageFields fields(*answer);
        one.name = fields.text();
        const qint64 since = fields.number();
        one.since = since > 0 ? QDateTime::fromSecsSinceEpoch(since) : QDateTime();
        one.programs = fields.texts();
        if (const qint64 left = fields.number(); left >= 0)
            one.endsIn = std::chrono::milliseconds(left);
        if (fields.ok())
            connections.push_back(one);
    }
    co_return Connections(std::move(connections));
}

QCoro::Task<Result<void>> endConnection(SharedConnection connection)
{
    const auto answer = co_await asked(connection.socket, MessageType::End);
    if (!answer && connectToBroker(connection.socket).ok())
        co_return Result<void>(Error{ErrorKind::Timeout,
            tr("The process that shares the connection to %1 does not answer.")
                .arg(connection.name)});
    co_return Result<void>();
}

} // namespace slipway
