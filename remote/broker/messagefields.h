// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "remote/base/result.h"
#include "remote/shell/connector.h"

#include <QCborArray>

#include <optional>

namespace slipway {

/// MessageFields reads the fields of a message in order. A field that is missing or of another type
/// is empty, and `ok()` says so. Text is cut at a bound. Pure.
class MessageFields {
public:
    explicit MessageFields(const QByteArray& bytes);

    QString text();
    QByteArray bytes();
    QStringList texts();
    qint64 number();
    bool flag();
    Error error();
    bool ok() const { return m_ok; }

private:
    QCborValue next();

    QCborArray m_fields;
    qsizetype m_at = 0;
    bool m_ok = true;
};

/// The bytes of a message with these fields.
QByteArray fieldsOf(const QCborArray& fields);
/// An error in its fields, its texts cut so that it fits a message.
void appendError(QCborArray& fields, const Error& error);

QByteArray bytesOf(const ConnectTarget& target);
ConnectTarget targetIn(MessageFields& fields);

/// A question of a login; exactly one of them.
struct LoginQuestion {
    std::optional<PromptRound> round = {};
    std::optional<HostKeyQuestion> key = {};
    std::optional<CommandQuestion> command = {};
};
QByteArray bytesOf(const LoginQuestion& question);
/// Empty when the message is not a question.
LoginQuestion questionIn(const QByteArray& bytes);

/// Answers travel in a form of their own, which leaves no copies behind: the caller wipes the
/// bytes. No answers: the person gave up. A yes is one empty answer.
QByteArray bytesOf(const std::optional<QStringList>& answers);
std::optional<QStringList> answersIn(const QByteArray& bytes);

} // namespace slipway
