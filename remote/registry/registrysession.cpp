// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "remote/registry/registrysession.h"

#include "remote/base/tr.h"

#include <algorithm>

namespace slipway {

namespace {

constexpr int mostRedirects = 5;
constexpr qint64 mostTokenBytes = 256 * 1024;
constexpr std::chrono::seconds longestSession{60};

bool isRedirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/// Where a redirect leads; nothing where it must not be followed.
std::optional<QUrl> targetOf(const QUrl& from, const QByteArray& location)
{
    QUrl target = from.resolved(QUrl::fromEncoded(location, QUrl::StrictMode));
    const bool isDowngrade = from.scheme() == u"https" && target.scheme() != u"https";
    const bool isWeb = target.scheme() == u"https" || target.scheme() == u"http";
    if (location.isEmpty() || !target.isValid() || target.host().isEmpty() || !isWeb || isDowngrade)
        return {};
    target.setUserInfo({});
    target.setFragment({});
    return target;
}

const AuthChallenge* challengeOf(
    const std::vector<AuthChallenge>& challenges, const QByteArray& scheme)
{
    const auto found = std::find_if(challenges.begin(), challenges.end(),
        [&scheme](const AuthChallenge& one) { return one.scheme == scheme; });
    return found == challenges.end() ? nullptr : &*found;
}

QUrl tokenUrl(QUrl realm, const AuthChallenge& challenge, const QByteArray& scope)
{
    QByteArray query = realm.query(QUrl::FullyEncoded).toLatin1();
    const auto add = [&query](const QByteArray& name, const QByteArray& value) {
        if (!value.isEmpty())
            query += (query.isEmpty() ? "" : "&") + name + '=' + value.toPercentEncoding();
    };
    add("service", challenge.parameters.value("service"));
    add("scope", scope);
    realm.setFragment({});
    realm.setQuery(query.isEmpty() ? QString() : QString::fromLatin1(query), QUrl::StrictMode);
    return realm;
}

Error tooManyRedirects(const RegistryAddress& address, const QUrl& last)
{
    return {ErrorKind::Protocol,
        tr("%1 sent the question from one address to the next without an answer.")
            .arg(address.name),
        tr("Try again later; if it stays so, tell those who run the registry."),
        last.toEncoded(QUrl::RemoveQuery).left(300)};
}

Error badRedirect(const RegistryAddress& address, const QByteArray& location)
{
    return {ErrorKind::Protocol,
        tr("%1 sent the question to an address that Slipway does not follow: it gives up TLS, or "
           "it is no address of the web.")
            .arg(address.name),
        tr("Tell those who run the registry."), location.split('?').front().left(300)};
}

Error tookTooLong(const RegistryAddress& address)
{
    return {ErrorKind::Timeout,
        tr("%1 needed more than %2 seconds for all of its answers together.")
            .arg(address.name)
            .arg(longestSession.count()),
        tr("Try again later."), {}};
}

Error unsafeRealm(const RegistryAddress& address, const QByteArray& realm)
{
    return {ErrorKind::Protocol,
        tr("%1 wants logins to be sent to an address without TLS, so nothing was sent.")
            .arg(address.name),
        tr("Tell those who run the registry."), realm.left(300)};
}

} // namespace

QByteArray tokenScope(const QByteArray& named, const QString& repository)
{
    const bool isOfRepository = named.startsWith("repository:");
    const QByteArray actions = named.mid(named.lastIndexOf(':') + 1);
    if (!named.isEmpty() && (!isOfRepository || actions == "pull")
        && !named.startsWith("registry:"))
        return named;
    if (repository.isEmpty())
        return {};
    return "repository:" + repository.toUtf8() + ":pull";
}

RegistrySession::RegistrySession(std::shared_ptr<RegistryTransport> transport,
    RegistryQuestion about, std::optional<RegistryLogin> login)
    : m_transport(std::move(transport))
    , m_about(std::move(about))
    , m_login(std::move(login))
    , m_end(longestSession)
{
    if (m_login) {
        m_about.user = m_login->user;
        m_about.secrets << m_login->secret.toUtf8();
    }
}

QCoro::Task<Result<RegistryAnswer>> RegistrySession::get(
    QString path, QString repository, QByteArray accept, qint64 mostBytes)
{
    RegistryRequest request;
    request.url = m_about.address.url(path);
    request.headers = {{"User-Agent", "slipway"}, {"Accept", accept}};
    request.mostBytes = mostBytes;
    auto first = co_await follow(request, m_authorization);
    if (!first.ok())
        co_return first.error();
    RegistryAnswer answer = first->answer;
    // A challenge of a redirect's target is not the registry's, and a second one is a refusal.
    if (answer.status == 401 && first->isOfOrigin && m_authorization.isEmpty()) {
        m_wasChallenged = true;
        const auto authorised = co_await authorise(answer, repository);
        if (!authorised.ok())
            co_return authorised.error();
        auto second = co_await follow(request, m_authorization);
        if (!second.ok())
            co_return second.error();
        answer = second->answer;
        if (answer.status == 401 && m_authorization.startsWith("Basic "))
            co_return loginRefused(m_about, answer);
    }
    if (answer.status < 200 || answer.status > 299)
        co_return statusError(m_about, answer);
    if (isForeign(answer))
        co_return foreignAnswer(m_about, answer);
    co_return answer;
}

QCoro::Task<Result<RegistrySession::Followed>> RegistrySession::follow(
    RegistryRequest request, QByteArray authorization)
{
    const QUrl origin = request.url;
    bool isTrusted = !authorization.isEmpty(); // and never again once it has left
    for (int hop = 0; hop <= mostRedirects; ++hop) {
        RegistryRequest asked = request;
        if (isTrusted)
            asked.headers.emplace_back("Authorization", authorization);
        if (m_end.hasExpired())
            co_return tookTooLong(m_about.address);
        const std::chrono::milliseconds left(std::max<qint64>(1, m_end.remainingTime()));
        asked.mostTime = std::min(asked.mostTime, left);
        const QUrl here = request.url;
        auto answer = co_await m_transport->ask(asked);
        if (!answer.ok())
            co_return answer.error();
        if (!isRedirect(answer->status)) {
            Followed followed{*answer, isSameOrigin(here, origin)};
            co_return followed;
        }
        const QByteArray location = answer->headers.value("location");
        const std::optional<QUrl> target = targetOf(here, location);
        if (!target)
            co_return badRedirect(m_about.address, location);
        isTrusted = isTrusted && isSameOrigin(here, *target);
        request.url = *target;
    }
    co_return tooManyRedirects(m_about.address, request.url);
}

QCoro::Task<Result<void>> RegistrySession::authorise(RegistryAnswer challenge, QString repository)
{
    const std::vector<AuthChallenge> challenges =
        parseChallenges(challenge.headers.value("www-authenticate"));
    if (const AuthChallenge* bearer = challengeOf(challenges, "bearer")) {
        const AuthChallenge wanted = *bearer;
        const auto fetched = co_await fetchToken(wanted, repository);
        co_return fetched;
    }
    if (challengeOf(challenges, "basic")) {
        if (!m_login)
            co_return loginNeeded(m_about, challenge);
        const Result<QByteArray> basic = basicLogin();
        if (!basic.ok())
            co_return basic.error();
        m_about.secrets << basic->mid(6);
        m_authorization = *basic;
        co_return Result<void>();
    }
    if (challenges.empty())
        co_return statusError(m_about, challenge);
    co_return Error{ErrorKind::Unsupported,
        tr("%1 wants a kind of login that Slipway does not know (%2).")
            .arg(m_about.address.name, QString::fromLatin1(challenges.front().scheme.left(40))),
        tr("Pull the image by hand, and use its file.")};
}

QCoro::Task<Result<void>> RegistrySession::fetchToken(AuthChallenge challenge, QString repository)
{
    const QByteArray realmText = challenge.parameters.value("realm");
    const QUrl realm = QUrl::fromEncoded(realmText, QUrl::StrictMode);
    if (!mayAuthoriseAt(realm, m_about.address))
        co_return unsafeRealm(m_about.address, realmText);
    RegistryRequest request;
    request.url =
        tokenUrl(realm, challenge, tokenScope(challenge.parameters.value("scope"), repository));
    request.headers = {{"User-Agent", "slipway"}, {"Accept", "application/json"}};
    request.mostBytes = mostTokenBytes;
    QByteArray authorization;
    if (m_login) {
        const Result<QByteArray> basic = basicLogin();
        if (!basic.ok())
            co_return basic.error();
        authorization = *basic;
        m_about.secrets << basic->mid(6);
    }
    auto followed = co_await follow(request, authorization);
    if (!followed.ok())
        co_return followed.error();
    const RegistryAnswer answer = followed->answer;
    if (answer.status == 401 || answer.status == 403)
        co_return m_login ? loginRefused(m_about, answer) : loginNeeded(m_about, answer);
    if (answer.status != 200)
        co_return statusError(m_about, answer);
    if (isForeign(answer))
        co_return foreignAnswer(m_about, answer);
    const Result<QByteArray> token = parseToken(answer.body);
    if (!token.ok())
        co_return token.error();
    m_about.secrets << *token;
    m_authorization = "Bearer " + *token;
    co_return Result<void>();
}

Result<QByteArray> RegistrySession::basicLogin() const
{
    if (m_login->user.isEmpty() || m_login->user.contains(u':'))
        return Error{ErrorKind::Invalid,
            tr("A user name for a registry must not be empty or contain a colon."),
            tr("Check the user name.")};
    const QByteArray both = m_login->user.toUtf8() + ':' + m_login->secret.toUtf8();
    return QByteArray("Basic " + both.toBase64());
}

} // namespace slipway
