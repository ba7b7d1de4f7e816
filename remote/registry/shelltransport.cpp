// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/shelltransport.h"

#include "remote/base/tr.h"
#include "remote/shell/framedrun.h"
#include "remote/shell/shell.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr qint64 mostHeaderBytes = 64 * 1024;
constexpr qint64 mostMessageBytes = 64 * 1024;
constexpr int noCurl = 127;
constexpr int mostInterimAnswers = 5;
constexpr std::chrono::seconds graceOfShell{15};
constexpr QByteArrayView exitMark("slipway: curl ");

/// Everything in it may be seen by other users of the machine. head is the bound for a body that
/// does not announce its length; curl then fails to write, which is noticed by the length.
QByteArray curlScript(const RegistryRequest& request)
{
    const auto seconds = std::max<qint64>(1, (request.mostTime.count() + 999) / 1000);
    QByteArray curl = "curl -q --silent --show-error --globoff --proto =http,https --max-time "
        + QByteArray::number(seconds);
    if (request.headOnly)
        curl += " --head";
    else
        curl += " --include --max-filesize " + QByteArray::number(request.mostBytes);
    return "command -v curl >/dev/null 2>&1 || exit " + QByteArray::number(noCurl) + "\n{ " + curl
        + " --config -; echo \"" + exitMark + "$?\" >&3; } 3>&2 | head -c "
        + QByteArray::number(mostHeaderBytes + request.mostBytes + 1) + '\n';
}

/// How curl ended: the number behind the last mark; nothing where it said nothing.
std::optional<int> curlExit(const QByteArray& err)
{
    const auto at = err.lastIndexOf(exitMark);
    bool ok = false;
    const int code = at < 0 ? 0 : err.mid(at + exitMark.size()).trimmed().toInt(&ok);
    return ok ? std::optional(code) : std::nullopt;
}

Error curlError(int code, const RegistryRequest& request, const QString& place, QByteArray said)
{
    const QString host = request.url.host();
    if (const auto mark = said.lastIndexOf(exitMark); mark >= 0)
        said.truncate(mark);
    said = said.trimmed();
    switch (code) {
    case 28:
        return lateAnswer(request, place);
    case 63:
        return tooLongAnswer(request);
    case 6:
        return {ErrorKind::Network, tr("No machine called %2 was found from %1.").arg(place, host),
            tr("Check the name of the registry."), said};
    case 7:
        return {ErrorKind::Network, tr("%1 refused the connection from %2.").arg(host, place),
            tr("Check the name and the port of the registry."), said};
    case 35:
    case 51:
    case 58:
    case 60:
        return {ErrorKind::Network,
            tr("The certificate of %1 was not accepted, or it does not speak TLS.").arg(host),
            tr("Ask those who run the registry for a valid certificate, or name it among the "
               "registries without TLS if it is one."),
            said};
    default:
        return {ErrorKind::Network,
            tr("The connection from %1 to %2 failed before its answer was complete (curl ended "
               "with exit code %3).")
                .arg(place, host)
                .arg(code),
            tr("Try again in a moment."), said};
    }
}

/// One value in double quotes, as curl(1) describes them under --config.
QByteArray settingLine(const QByteArray& name, QByteArray value)
{
    value.replace('\\', "\\\\").replace('"', "\\\"");
    value.replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t").replace('\v', "\\v");
    return name + " = \"" + value + "\"\n";
}

} // namespace

QByteArray curlSettings(const RegistryRequest& request)
{
    QByteArray settings = settingLine("url", request.url.toEncoded());
    for (const auto& [name, value] : request.headers)
        settings += settingLine("header", name + ": " + value);
    return settings;
}

Result<RegistryAnswer> parseCurlOutput(const QByteArray& output)
{
    const Error noAnswer{ErrorKind::Protocol, tr("What came back is not an HTTP response."),
        tr("Check the name and the port of the registry."), output.left(300)};
    RegistryAnswer answer;
    qsizetype at = 0;
    for (int i = 0; i <= mostInterimAnswers; ++i) {
        const auto end = output.indexOf("\r\n\r\n", at);
        if (!QByteArrayView(output).sliced(at).startsWith("HTTP/") || end < 0)
            return noAnswer;
        answer = {};
        const QList<QByteArray> lines = output.mid(at, end - at).replace("\r\n", "\n").split('\n');
        answer.status = lines.front().mid(lines.front().indexOf(' ') + 1).left(3).toInt();
        for (const QByteArray& line : lines.mid(1)) {
            const auto colon = line.indexOf(':');
            const QByteArray name = line.left(colon).trimmed().toLower();
            if (colon <= 0 || name.isEmpty())
                continue;
            QByteArray& value = answer.headers[name];
            value += (value.isEmpty() ? "" : ", ") + line.mid(colon + 1).trimmed();
        }
        at = end + 4;
        // An interim answer, or that of a proxy to CONNECT, is followed by the next one.
        if (!QByteArrayView(output).sliced(at).startsWith("HTTP/"))
            break;
    }
    if (answer.status < 100 || answer.status > 599)
        return noAnswer;
    answer.body = output.mid(at);
    return answer;
}

ShellTransport::ShellTransport(std::shared_ptr<Shell> shell, QString place)
    : m_shell(std::move(shell))
    , m_place(std::move(place))
{
}

QCoro::Task<Result<RegistryAnswer>> ShellTransport::ask(RegistryRequest request)
{
    if (const auto problem = requestProblem(request))
        co_return *problem;
    const auto shell = m_shell;
    const QString from = m_place;
    FramedRequest framed;
    framed.where = from;
    framed.script = curlScript(request);
    framed.input = curlSettings(request);
    framed.timeout = request.mostTime + graceOfShell;
    framed.outputLimit = mostHeaderBytes + request.mostBytes + mostMessageBytes;
    FramedRun run(*shell, std::move(framed));
    const auto done = co_await run.result();
    if (!done.ok())
        co_return done.error();
    if (done->exitCode == noCurl)
        co_return Error{ErrorKind::Unsupported,
            tr("There is no curl on %1, with which the registry is asked from there.").arg(from),
            tr("Ask the administrators for curl, or use a registry that this computer reaches.")};
    const std::optional<int> code = curlExit(done->err);
    auto answer = parseCurlOutput(done->out);
    if (answer.ok() && answer->body.size() > request.mostBytes)
        co_return tooLongAnswer(request);
    if (done->out.size() > mostHeaderBytes + request.mostBytes)
        co_return tooLongAnswer(request);
    if (!code || *code != 0)
        co_return curlError(code.value_or(-1), request, from, done->err);
    co_return answer;
}

} // namespace slipway
