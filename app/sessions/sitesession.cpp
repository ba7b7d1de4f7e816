// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/sitesession.h"

#include "remote/base/tr.h"

#include <QCoreApplication>
#include <QPointer>

namespace slipway {

namespace {

Error given()
{
    return Error{ErrorKind::Cancelled, tr("The connection was cancelled.")};
}

} // namespace

SiteSession::SiteSession(QString siteId, Connector* connector, QObject* parent)
    : QObject(parent)
    , m_siteId(std::move(siteId))
    , m_connector(connector)
{
}

SiteSession::~SiteSession()
{
    if (m_cluster)
        m_cluster->shell()->close();
}

ConnectionState SiteSession::state() const
{
    ConnectionState state = m_state;
    if (m_cluster) {
        state.lastAsked = m_cluster->watcher()->lastAsked();
        state.nextIn = m_cluster->watcher()->nextIn();
        state.callsLastMinute = m_cluster->callsLastMinute();
        state.callsAllowed = m_cluster->callsAllowed();
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
    m_target = target;
    m_state = {
        ConnectionState::Phase::Connecting, tr("connecting to %1").arg(target.host), {}, {}, 0};
    emit stateChanged();
    const auto done = co_await logIn(target, site, prompter);
    if (!self || attempt != m_attempt)
        co_return given();
    if (!done.ok()) {
        end(ConnectionState::Phase::Disconnected, done.error().summary, done.error());
        co_return done;
    }
    m_state = {
        ConnectionState::Phase::Connected, tr("connected as %1").arg(m_info->userName), {}, {}, 0};
    emit stateChanged();
    emit infoChanged();
    emit connected();
    if (self)
        m_settled.open();
    co_return Result<void>();
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

QCoro::Task<Result<void>> SiteSession::logIn(ConnectTarget target, Site site, Prompter* prompter)
{
    const QPointer<SiteSession> self(this);
    const int attempt = m_attempt;
    const auto shell = co_await m_connector->connectTo(target, prompter);
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
    m_info = *info;
    m_cluster = cluster;
    onShellOpened(*shell);
    if (!site.providedBy.isEmpty())
        cluster->watcher()->setPace(WatchPace::demo());
    cluster->watcher()->setAccounting(info->accounting);
    cluster->watcher()->start();
    co_return Result<void>();
}

void SiteSession::onShellOpened(const std::shared_ptr<Shell>& shell)
{
    connect(shell.get(), &Shell::linkStateChanged, this, &SiteSession::onLinkState);
    connect(shell.get(), &Shell::closed, this, [this](const Error& error) {
        end(ConnectionState::Phase::Lost, tr("connection lost: %1").arg(error.summary), error);
    });
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

void SiteSession::close()
{
    ++m_attempt;
    const auto cluster = m_cluster;
    end(ConnectionState::Phase::Disconnected, tr("not connected"), std::nullopt);
    if (cluster)
        cluster->shell()->close();
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
