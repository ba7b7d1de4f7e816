// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/networktransport.h"

#include "remote/base/tr.h"

#include <QAbstractEventDispatcher>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QPointer>
#include <QTimer>

#include <coroutine>
#include <optional>

namespace slipway {

namespace {

constexpr qint64 readAhead = 256 * 1024;
constexpr qint64 mostReplyHeaders = 64 * 1024;

QNetworkRequest networkRequest(const RegistryRequest& request)
{
    QNetworkRequest result(request.url);
    result.setAttribute(
        QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    result.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    result.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    result.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    // Said by us, so Qt unpacks nothing: some kilobytes could become gigabytes.
    result.setRawHeader("Accept-Encoding", "identity");
    for (const auto& [name, value] : request.headers)
        result.setRawHeader(name, value);
    return result;
}

Error unreachable(const QNetworkReply& reply, const QString& place)
{
    const QString host = reply.url().host();
    const QByteArray detail = reply.errorString().toUtf8();
    switch (reply.error()) {
    case QNetworkReply::HostNotFoundError:
        return {ErrorKind::Network, tr("No machine called %2 was found from %1.").arg(place, host),
            tr("Check the name of the registry and the network connection."), detail};
    case QNetworkReply::ConnectionRefusedError:
        return {ErrorKind::Network, tr("%1 refused the connection from %2.").arg(host, place),
            tr("Check the name and the port of the registry; it may be reachable from the cluster "
               "only."),
            detail};
    case QNetworkReply::SslHandshakeFailedError:
        return {ErrorKind::Network,
            tr("The certificate of %1 was not accepted, or it does not speak TLS.").arg(host),
            tr("Ask those who run the registry for a valid certificate, or name it among the "
               "registries without TLS if it is one."),
            detail};
    default:
        return {ErrorKind::Network,
            tr("The connection from %1 to %2 failed before its answer was complete.")
                .arg(place, host),
            tr("Try again in a moment."), detail};
    }
}

/// Whether Qt's error is only its name for a status of HTTP that is not a success.
bool isStatusOnly(QNetworkReply::NetworkError error)
{
    return (error > 200 && error < 300 && error != QNetworkReply::ContentReSendError)
        || (error > 400 && error < 500)
        || error == QNetworkReply::ProtocolInvalidOperationError; // 400 and 418
}

/// Exchange is one question on its way; its result is awaited once and comes from the event loop,
/// never from inside a signal of the reply. Lives in the coroutine that awaits it.
class Exchange : public QObject {
public:
    Exchange(QNetworkAccessManager& manager, RegistryRequest request, QString place)
        : m_request(std::move(request))
        , m_place(std::move(place))
    {
        m_timer.setSingleShot(true);
        connect(&m_timer, &QTimer::timeout, this, [this] { end(lateAnswer(m_request, m_place)); });
        m_timer.start(m_request.mostTime);
        const QNetworkRequest asked = networkRequest(m_request);
        m_reply = m_request.headOnly ? manager.head(asked) : manager.get(asked);
        m_reply->setReadBufferSize(readAhead);
        connect(m_reply, &QNetworkReply::metaDataChanged, this, &Exchange::onHeaders);
        connect(m_reply, &QNetworkReply::readyRead, this, &Exchange::onBody);
        connect(m_reply, &QNetworkReply::finished, this, &Exchange::onFinished);
    }
    ~Exchange() override { dropReply(); }

    struct Awaiter {
        Exchange* exchange;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> waiting) { exchange->m_waiting = waiting; }
        Result<RegistryAnswer> await_resume() { return std::move(*exchange->m_result); }
    };
    Awaiter result() { return {this}; }

private:
    void onHeaders()
    {
        if (m_result)
            return;
        qint64 bytes = 0;
        for (const auto& [name, value] : m_reply->rawHeaderPairs())
            bytes += name.size() + value.size();
        const qint64 announced = m_reply->header(QNetworkRequest::ContentLengthHeader).toLongLong();
        if (bytes > mostReplyHeaders || (!m_request.headOnly && announced > m_request.mostBytes))
            end(tooLongAnswer(m_request));
    }
    void onBody()
    {
        if (m_result)
            return;
        m_answer.body += m_reply->read(m_request.mostBytes + 1 - m_answer.body.size());
        if (m_answer.body.size() > m_request.mostBytes)
            end(tooLongAnswer(m_request));
    }
    void onFinished()
    {
        onBody();
        if (m_result)
            return;
        const QVariant status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute);
        const auto error = m_reply->error();
        if (!status.isValid() || (error != QNetworkReply::NoError && !isStatusOnly(error)))
            return end(unreachable(*m_reply, m_place));
        m_answer.status = status.toInt();
        for (const auto& [name, value] : m_reply->rawHeaderPairs())
            m_answer.headers.insert(name.toLower(), value);
        end(std::move(m_answer));
    }
    void end(Result<RegistryAnswer> result)
    {
        if (m_result)
            return;
        m_result = std::move(result);
        m_timer.stop();
        QMetaObject::invokeMethod(
            QAbstractEventDispatcher::instance(),
            [exchange = QPointer<Exchange>(this)] {
                if (!exchange)
                    return;
                exchange->dropReply();
                exchange->m_waiting.resume();
            },
            Qt::QueuedConnection);
    }
    void dropReply()
    {
        if (!m_reply)
            return;
        m_reply->disconnect(this);
        m_reply->abort();
        m_reply->deleteLater();
        m_reply.clear();
    }

    RegistryRequest m_request;
    QString m_place;
    QTimer m_timer;
    QPointer<QNetworkReply> m_reply;
    RegistryAnswer m_answer;
    std::optional<Result<RegistryAnswer>> m_result;
    std::coroutine_handle<> m_waiting;
};

} // namespace

NetworkTransport::NetworkTransport()
    : m_manager(std::make_shared<QNetworkAccessManager>())
{
}

NetworkTransport::~NetworkTransport() = default;

QString NetworkTransport::place() const
{
    return tr("this computer");
}

QCoro::Task<Result<RegistryAnswer>> NetworkTransport::ask(RegistryRequest request)
{
    if (const auto problem = requestProblem(request))
        co_return *problem;
    const auto manager = m_manager; // outlives the question
    Exchange exchange(*manager, std::move(request), place());
    auto answer = co_await exchange.result();
    co_return answer;
}

} // namespace slipway
