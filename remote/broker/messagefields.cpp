// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/broker/messagefields.h"

#include <QCborValue>
#include <QtEndian>

#include <algorithm>

namespace slipway {

namespace {

constexpr qsizetype longestText = 64 * 1024;
constexpr qsizetype mostPrompts = 64;

enum class Question { Round, Key, Command };

QString cut(const QString& text)
{
    return text.left(longestText / 4);
}

void appendNumber(QByteArray& bytes, quint32 number)
{
    char four[4];
    qToBigEndian(number, four);
    bytes.append(four, 4);
}

} // namespace

MessageFields::MessageFields(const QByteArray& bytes)
{
    QCborParserError error;
    const QCborValue value = QCborValue::fromCbor(bytes, &error);
    m_ok = error.error == QCborError::NoError && value.isArray();
    m_fields = value.toArray();
}

QCborValue MessageFields::next()
{
    return m_at < m_fields.size() ? m_fields.at(m_at++) : QCborValue(QCborValue::Undefined);
}

QString MessageFields::text()
{
    const QCborValue value = next();
    m_ok &= value.isString();
    return value.toString().left(longestText);
}

QByteArray MessageFields::bytes()
{
    const QCborValue value = next();
    m_ok &= value.isByteArray();
    return value.toByteArray();
}

QStringList MessageFields::texts()
{
    const QCborValue value = next();
    m_ok &= value.isArray();
    QStringList texts;
    for (const QCborValue& one : value.toArray())
        texts << one.toString().left(longestText);
    return texts;
}

qint64 MessageFields::number()
{
    const QCborValue value = next();
    m_ok &= value.isInteger();
    return value.toInteger();
}

bool MessageFields::flag()
{
    const QCborValue value = next();
    m_ok &= value.isBool();
    return value.toBool();
}

Error MessageFields::error()
{
    const qint64 kind = number();
    Error error;
    if (kind >= 0 && kind <= qint64(ErrorKind::Unknown))
        error.kind = ErrorKind(kind);
    error.summary = text();
    error.remedy = text();
    error.detail = bytes();
    return error;
}

QByteArray fieldsOf(const QCborArray& fields)
{
    return fields.toCborValue().toCbor();
}

void appendError(QCborArray& fields, const Error& error)
{
    fields.append(qint64(error.kind));
    fields.append(cut(error.summary));
    fields.append(cut(error.remedy));
    fields.append(error.detail.left(longestText));
}

QByteArray bytesOf(const ConnectTarget& target)
{
    return fieldsOf({target.host, target.port, target.user, target.identityFile,
        target.knownHostsFile, target.useSshConfig, target.jump});
}

ConnectTarget targetIn(MessageFields& fields)
{
    ConnectTarget target;
    target.host = fields.text();
    target.port = int(std::clamp<qint64>(fields.number(), 0, 65535));
    target.user = fields.text();
    target.identityFile = fields.text();
    target.knownHostsFile = fields.text();
    target.useSshConfig = fields.flag();
    target.jump = fields.text();
    return target;
}

QByteArray bytesOf(const LoginQuestion& question)
{
    if (question.key)
        return fieldsOf({int(Question::Key), question.key->host, question.key->port,
            question.key->keyType, question.key->sha256});
    if (question.command)
        return fieldsOf({int(Question::Command), question.command->host, question.command->option,
            question.command->command});
    const PromptRound& round = *question.round;
    QCborArray texts, echoes;
    for (const Prompt& prompt : round.prompts) {
        texts.append(cut(prompt.text));
        echoes.append(prompt.echo ? QStringLiteral("1") : QString());
    }
    return fieldsOf({int(Question::Round), int(round.kind), cut(round.host), cut(round.user),
        cut(round.keyFile), cut(round.title), cut(round.instruction), round.attempt, texts,
        echoes});
}

LoginQuestion questionIn(const QByteArray& bytes)
{
    MessageFields fields(bytes);
    LoginQuestion question;
    const auto which = fields.number();
    if (which == int(Question::Key)) {
        HostKeyQuestion key;
        key.host = fields.text();
        key.port = int(fields.number());
        key.keyType = fields.text();
        key.sha256 = fields.text();
        question.key = key;
    } else if (which == int(Question::Command)) {
        CommandQuestion command;
        command.host = fields.text();
        command.option = fields.text();
        command.command = fields.text();
        question.command = command;
    } else if (which == int(Question::Round)) {
        PromptRound round;
        round.kind = PromptRound::Kind(
            std::clamp<qint64>(fields.number(), 0, qint64(PromptRound::Kind::KeyboardInteractive)));
        round.host = fields.text();
        round.user = fields.text();
        round.keyFile = fields.text();
        round.title = fields.text();
        round.instruction = fields.text();
        round.attempt = int(fields.number());
        const QStringList texts = fields.texts(), echoes = fields.texts();
        for (qsizetype i = 0; i < std::min(texts.size(), mostPrompts); ++i)
            round.prompts.push_back({texts[i], !echoes.value(i).isEmpty()});
        question.round = round;
    }
    return fields.ok() ? question : LoginQuestion{};
}

QByteArray bytesOf(const std::optional<QStringList>& answers)
{
    QByteArray bytes;
    if (!answers)
        return bytes;
    qsizetype size = 4;
    for (const QString& answer : *answers)
        size += 4 + answer.toUtf8().size();
    bytes.reserve(size); // in one piece: a reallocation would leave a copy behind
    appendNumber(bytes, quint32(answers->size()));
    for (const QString& answer : *answers) {
        const QByteArray text = answer.toUtf8();
        appendNumber(bytes, quint32(text.size()));
        bytes += text;
    }
    return bytes;
}

std::optional<QStringList> answersIn(const QByteArray& bytes)
{
    if (bytes.size() < 4)
        return {};
    QStringList answers;
    const auto count = qFromBigEndian<quint32>(bytes.constData());
    qsizetype at = 4;
    for (quint32 i = 0; i < count; ++i) {
        if (bytes.size() - at < 4)
            return {};
        const auto size = qsizetype(qFromBigEndian<quint32>(bytes.constData() + at));
        at += 4;
        if (size > bytes.size() - at)
            return {};
        answers << QString::fromUtf8(bytes.constData() + at, size);
        at += size;
    }
    return answers;
}

} // namespace slipway
