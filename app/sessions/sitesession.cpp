// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/sitesession.h"

#include "app/secrets/keepingprompter.h"
#include "app/sessions/noticingprompter.h"
#include "remote/base/tr.h"

#include <QCoreApplication>
#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>

namespace slipway {

namespace {

Error given()
{
    return Error{ErrorKind::Cancelled, tr("The connection was cancelled.")};
}

constexpr int mostOpenings = 3;
constexpr auto sharesStay = std::chrono::minutes(5);

/// In [-1, 1]: that not every program of a site comes back at the same moment.
double jitter()
{
    return QRandomGenerator::global()->generateDouble() * 2 - 1;
}

} // namespace

SiteSession::SiteSession(
    QString siteId, Connector* connector, SecretStore* secrets, QObject* parent)
    : QObject(parent)
    , m_siteId(std::move(siteId))
    , m_connector(connector)
    , m_secrets(secrets)
    , m_path(connector)
{
    m_clock.start();
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, [this] { reconnect(); });
    connect(&m_wake, &WakeWatch::ticked, this, &SiteSession::stateChanged);
    connect(&m_wake, &WakeWatch::woken, this, &SiteSession::bringForward);
    connect(&m_path, &PathWatch::opened, this, [this] {
        ++m_openings;
        bringForward();
    });
}

SiteSession::~SiteSession()
{
    if (m_cluster)
        m_cluster->shell()->close();
}

ConnectionState SiteSession::state() const
{
    ConnectionState state = m_state;
    if (state.phase == ConnectionState::Phase::Reconnecting && m_next.isActive()) {
        const int seconds = int((m_next.remainingTimeAsDuration().count() + 999) / 1000);
        state.sentence = tr("reconnecting in %1 s").arg(std::max(1, seconds));
    }
    if (m_cluster) {
        state.lastAsked = m_cluster->watcher()->lastAsked();
        state.nextIn = m_cluster->watcher()->nextIn();
        state.callsLastMinute = m_cluster->callsLastMinute();
        state.callsAllowed = m_cluster->callsAllowed();
        state.notices = m_notices;
    }
    return state;
}

QCoro::Task<Result<void>> SiteSession::open(ConnectTarget target, Site site, Prompter* prompter)
{
    if (isConnected())
        co_return Result<void>();
    const QPointer<SiteSession> self(this);
    if (m_state.phase == ConnectionState::Phase::Connecting) {
        const auto other = co_await waitForOther();
        co_return other;
    }
    const int attempt = ++m_attempt;
    m_next.stop();
    m_wake.stop();
    m_path.stop();
    m_target = target;
    m_site = site;
    m_state = {
        ConnectionState::Phase::Connecting, tr("connecting to %1").arg(target.host), {}, {}, 0};
    emit stateChanged();
    NoticingPrompter noticing(prompter);
    const auto done = co_await logIn(&noticing);
    if (!self || attempt != m_attempt)
        co_return given();
    if (!done.ok()) {
        end(ConnectionState::Phase::Disconnected, done.error().summary, done.error());
        co_return done;
    }
    m_reconnecting.loggedIn(noticing.asked());
    m_notices = noticing.notices();
    settleConnected();
    co_return Result<void>();
}

void SiteSession::settleConnected()
{
    const QPointer<SiteSession> self(this);
    m_state = {
        ConnectionState::Phase::Connected, tr("connected as %1").arg(m_info->userName), {}, {}, 0};
    emit stateChanged();
    emit infoChanged();
    emit connected();
    if (self)
        m_settled.open();
}

std::chrono::milliseconds SiteSession::now() const
{
    return std::chrono::milliseconds(m_clock.elapsed());
}

/// Nobody is asked: a login that wants an answer ends, and waits for the user.
QCoro::Task<void> SiteSession::reconnect()
{
    const QPointer<SiteSession> self(this);
    const int attempt = ++m_attempt;
    const auto began = now();
    m_path.stop();
    m_state.sentence = tr("reconnecting to %1").arg(m_target.host);
    emit stateChanged();
    if (!self)
        co_return;
    NoticingPrompter nobody(nullptr);
    const auto done = co_await logIn(&nobody);
    if (!self || attempt != m_attempt)
        co_return;
    if (done.ok()) {
        m_wake.stop();
        m_reconnecting.loggedIn(nobody.asked());
        settleConnected();
        co_return;
    }
    Error error = done.error();
    if (!nobody.declined().isEmpty())
        error =
            Error{ErrorKind::Authentication, nobody.declined(), tr("Connect again."), error.detail};
    waitForNext(m_reconnecting.failed(error, began, now(), jitter()), error);
}

/// The next attempt may be earlier than it was to be.
void SiteSession::bringForward()
{
    if (const auto due = m_reconnecting.woken(now(), jitter()); due && m_next.isActive())
        m_next.start(std::max(*due - now(), std::chrono::milliseconds(0)));
}

void SiteSession::onLost(const Error& error)
{
    m_openings = 0;
    const QPointer<SiteSession> self(this);
    end(ConnectionState::Phase::Reconnecting, tr("connection lost: %1").arg(error.summary), error);
    // A receiver may have connected again, or closed this.
    if (self && m_state.phase == ConnectionState::Phase::Reconnecting && !m_next.isActive())
        waitForNext(m_reconnecting.lost(now(), jitter()), error);
}

void SiteSession::waitForNext(std::optional<std::chrono::milliseconds> due, const Error& why)
{
    using Phase = ConnectionState::Phase;
    m_state = {due ? Phase::Reconnecting : Phase::NeedsUser,
        due ? tr("reconnecting") : tr("connection lost: %1").arg(why.summary), why, {}, 0};
    if (due) {
        m_next.start(std::max(*due - now(), std::chrono::milliseconds(0)));
        m_wake.start();
    } else {
        m_wake.stop();
    }
    // A host that accepts connections, and at which a login fails, is tried less and less often.
    if (due && m_openings < mostOpenings)
        m_path.start(m_target);
    else
        m_path.stop();
    emit stateChanged();
}

QCoro::Task<Result<void>> SiteSession::waitForOther()
{
    const QPointer<SiteSession> self(this);
    while (self && m_state.phase == ConnectionState::Phase::Connecting)
        co_await m_settled.wait();
    if (!self)
        co_return given();
    if (isConnected())
        co_return Result<void>();
    co_return m_state.error.value_or(given());
}

QCoro::Task<Result<void>> SiteSession::logIn(Prompter* prompter)
{
    const QPointer<SiteSession> self(this);
    const int attempt = m_attempt;
    const Site site = m_site;
    KeepingPrompter keeping(prompter, m_secrets);
    const auto shell = co_await m_connector->connectTo(m_target, &keeping);
    if (!shell.ok())
        co_return shell.error();
    if (!self || attempt != m_attempt) {
        (*shell)->close();
        co_return given();
    }
    const auto cluster = std::make_shared<Cluster>(*shell);
    const auto info = co_await cluster->discover(site.scratch);
    if (!self || attempt != m_attempt || !info.ok()) {
        (*shell)->close();
        co_return info.ok() ? given() : info.error();
    }
    keepAnswers(keeping.takeAnswers());
    m_info = *info;
    m_sharesAsked = now();
    m_cluster = cluster;
    onShellOpened(*shell);
    if (!site.providedBy.isEmpty())
        cluster->watcher()->setPace(WatchPace::demo());
    cluster->watcher()->setAccounting(info->accounting);
    cluster->watcher()->start();
    co_return Result<void>();
}

QCoro::Task<void> SiteSession::refreshShares()
{
    if (!m_cluster || !m_info->accounting || now() - m_sharesAsked < sharesStay)
        co_return;
    const QPointer<SiteSession> self(this);
    const auto cluster = m_cluster;
    m_sharesAsked = now();
    const auto shares = co_await cluster->accountShares(*m_info);
    if (!self || cluster != m_cluster || !shares.ok())
        co_return; // what was known is shown; a visit after sharesStay asks again
    m_info->shares = *shares;
    emit infoChanged();
}

/// Beside the connection: the keychain may ask for its own password first.
QCoro::Task<void> SiteSession::keepAnswers(QMap<QString, QString> answers)
{
    const QPointer<SiteSession> self(this);
    const auto kept = co_await KeepingPrompter::keep(m_secrets, std::move(answers));
    if (!self || kept.ok())
        co_return;
    m_notices << tr("The password was not kept: %1").arg(kept.error().summary);
    emit stateChanged();
}

void SiteSession::onShellOpened(const std::shared_ptr<Shell>& shell)
{
    connect(shell.get(), &Shell::linkStateChanged, this, &SiteSession::onLinkState);
    connect(shell.get(), &Shell::closed, this, &SiteSession::onLost);
    connect(m_cluster->watcher(), &JobWatcher::asked, this, &SiteSession::stateChanged);
    connect(m_cluster->watcher(), &JobWatcher::unreachable, this, [this](const Error& error) {
        m_state.sentence = tr("connected; the scheduler does not respond");
        m_state.error = error;
        emit stateChanged();
    });
    connect(m_cluster->watcher(), &JobWatcher::asked, this, [this] {
        if (m_state.phase == ConnectionState::Phase::Connected && m_state.error) {
            m_state.error.reset();
            m_state.sentence = tr("connected as %1").arg(m_info->userName);
        }
    });
}

void SiteSession::onLinkState(LinkState state)
{
    if (!m_cluster || state == LinkState::Down)
        return;
    const bool stalled = state == LinkState::Stalled;
    m_state.phase = stalled ? ConnectionState::Phase::Stalled : ConnectionState::Phase::Connected;
    m_state.sentence = stalled ? tr("no answer from %1 for some seconds").arg(m_target.host)
                               : tr("connected as %1").arg(m_info->userName);
    emit stateChanged();
}

void SiteSession::tryNow()
{
    if (m_next.isActive())
        m_next.start(0);
}

void SiteSession::close()
{
    ++m_attempt;
    m_next.stop();
    m_wake.stop();
    m_path.stop();
    const auto cluster = m_cluster;
    end(ConnectionState::Phase::Disconnected, tr("not connected"), std::nullopt);
    if (cluster)
        cluster->shell()->hangUp();
}

void SiteSession::end(
    ConnectionState::Phase phase, const QString& sentence, std::optional<Error> error)
{
    const auto cluster = std::exchange(m_cluster, nullptr);
    m_state = {phase, sentence, error, {}, 0};
    if (cluster) {
        // This may run inside a signal of the shell, which must outlive the signal.
        QMetaObject::invokeMethod(
            QCoreApplication::instance(), [cluster] { Q_UNUSED(cluster) }, Qt::QueuedConnection);
        cluster->shell()->disconnect(this);
        cluster->watcher()->disconnect(this);
        cluster->watcher()->stop();
        emit disconnected(
            error.value_or(Error{ErrorKind::LinkLost, tr("The connection was closed.")}));
    }
    const QPointer<SiteSession> self(this);
    emit stateChanged();
    if (self)
        m_settled.open();
}

} // namespace slipway

#include "moc_sitesession.cpp"
