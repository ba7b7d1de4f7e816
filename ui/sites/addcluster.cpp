// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ui/sites/addcluster.h"

#include "app/engine/engine.h"
#include "ui/connect/connectdialog.h"
#include "ui/connect/connectflow.h"
#include "ui/connect/dialogprompter.h"
#include "ui/parts/announce.h"
#include "ui/parts/errorview.h"
#include "ui/parts/timeline.h"
#include "ui/sites/foundsitepage.h"
#include "ui/sites/ownhostpage.h"

#include <QFile>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace slipway {

using namespace Qt::StringLiterals;

AddCluster::AddCluster(Engine* engine, QWidget* parent)
    : QDialog(parent)
    , m_engine(engine)
    , m_pages(new QStackedWidget)
    , m_host(new OwnHostPage)
    , m_found(new FoundSitePage(engine))
    , m_close(makeButton(tr("Cancel")))
{
    setObjectName(u"addCluster"_s);
    setWindowTitle(tr("Add your own cluster"));
    resize(640, 560);
    m_stages = makeStagesPage();
    for (QWidget* page :
        {static_cast<QWidget*>(m_host), m_stages, static_cast<QWidget*>(m_found)}) {
        m_pages->addWidget(page);
    }
    m_close->setObjectName(u"closeAdd"_s);
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(8);
    bottom->addStretch();
    bottom->addWidget(m_close);
    bottom->addWidget(m_host->action());
    bottom->addWidget(m_found->action());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    layout->addWidget(m_pages, 1);
    layout->addLayout(bottom);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(this, &QDialog::rejected, this, &AddCluster::giveUp);
    connect(m_host, &OwnHostPage::chosen, this, &AddCluster::start);
    connect(m_found, &FoundSitePage::saveRequested, this, &AddCluster::save);
    turnTo(m_host);
}

QWidget* AddCluster::makeStagesPage()
{
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    m_asking = new TextLabel({}, "title");
    m_timeline = new Timeline;
    m_timeline->setObjectName(u"findStages"_s);
    m_error = new ErrorView;
    m_error->setAction(tr("Try again"));
    m_error->hide();
    layout->addWidget(m_asking);
    layout->addWidget(m_timeline);
    layout->addWidget(m_error);
    layout->addStretch();
    connect(m_error, &ErrorView::actionRequested, this, [this] { turnTo(m_host); });
    return page;
}

void AddCluster::turnTo(QWidget* page)
{
    m_pages->setCurrentWidget(page);
    // Only the button of the visible page may react to Enter.
    m_host->action()->setVisible(page == m_host);
    m_host->action()->setDefault(page == m_host);
    m_found->action()->setVisible(page == m_found);
    m_found->action()->setDefault(page == m_found);
    QWidget* first = page->focusProxy();
    (first ? first : m_close)->setFocus();
}

void AddCluster::start(const QString& host, const QString& user, int port)
{
    giveUp();
    m_user = user;
    m_error->hide();
    m_asking->setText(tr("Querying %1").arg(host));
    turnTo(m_stages);
    ConnectTarget target;
    target.host = host;
    target.user = user;
    target.port = port;
    m_finder = m_engine->sessions()->makeFinder(this);
    connect(m_finder, &SiteFinder::stageBegun, this, &AddCluster::showStage);
    openLogin(host);
    run(target, m_attempt);
}

void AddCluster::lookAgain(const Site& site)
{
    m_again = site;
    setWindowTitle(tr("Look again at %1").arg(site.name));
    const SiteLogin login = site.logins.empty() ? SiteLogin() : site.logins.front();
    if (!login.host.isEmpty()) {
        start(login.host, ConnectFlow::rememberedUser(site.id), login.port);
    }
}

void AddCluster::openLogin(const QString& host)
{
    Site site;
    site.name = host;
    m_login = new ConnectDialog(site, m_user, this);
    m_login->setAttribute(Qt::WA_DeleteOnClose);
    m_login->setModal(true);
    m_login->showProgress(tr("Waiting for the server…"));
    connect(m_login, &ConnectDialog::cancelled, this, [this] {
        m_login.clear(); // it closes by itself
        giveUp();
        turnTo(m_host);
    });
    m_login->open();
}

QCoro::Task<void> AddCluster::run(ConnectTarget target, int attempt)
{
    const QPointer<AddCluster> self(this);
    const auto prompter = std::make_shared<DialogPrompter>(m_login);
    const Result<FoundSite> found = co_await m_finder->find(target, prompter.get());
    if (!self || attempt != m_attempt) {
        co_return;
    }
    if (found.ok()) {
        showFound(*found);
    } else {
        showError(found.error());
    }
}

void AddCluster::showStage(SiteFinder::Stage stage)
{
    if (stage != SiteFinder::Stage::LogIn && m_login) {
        m_login->accept();
    }
    std::vector<TimelinePart> parts;
    for (const SiteFinder::Stage one : SiteFinder::stages()) {
        parts.push_back({SiteFinder::title(one), {},
            one < stage        ? StageState::Done
                : one == stage ? StageState::Running
                               : StageState::Pending,
            {}});
    }
    m_timeline->setParts(std::move(parts));
    announce(m_timeline, SiteFinder::title(stage));
}

void AddCluster::showError(const Error& error)
{
    // A changed host key has its own page, with the command that removes the old one.
    if (error.kind == ErrorKind::HostKey && m_login) {
        m_login->showHardStop(error);
    } else if (m_login) {
        m_login->accept();
    }
    std::vector<TimelinePart> parts = m_timeline->parts();
    for (TimelinePart& part : parts) {
        if (part.state == StageState::Running) {
            part.state = StageState::Failed;
        }
    }
    m_timeline->setParts(std::move(parts));
    m_error->setError(error);
    m_error->show();
    m_error->setFocus();
}

void AddCluster::showFound(const FoundSite& found)
{
    FoundSite named = found;
    if (m_again) {
        named.id = m_again->id;
        named.name = m_again->name;
    }
    m_found->setFound(named);
    turnTo(m_found);
    announce(m_found, tr("The queries on %1 are complete").arg(found.name));
}

void AddCluster::giveUp()
{
    ++m_attempt;
    delete m_finder; // ends the connection; an answer that is still on its way is dropped
    if (m_login) {
        m_login->disconnect(this);
        m_login->close();
    }
}

/// Of a site that was queried again, with what only its file says: notes, and values by hand.
QByteArray AddCluster::fileOf(const FoundSite& found) const
{
    constexpr qint64 most = 1024 * 1024;
    QFile file(m_again && m_again->id == found.id ? m_again->file : QString());
    return !file.fileName().isEmpty() && file.open(QIODevice::ReadOnly)
        ? mergedSiteFile(file.read(most), siteFile(found))
        : siteFile(found);
}

void AddCluster::save()
{
    FoundSite found = m_found->found();
    // The file may be shared, so the user name is stored in the settings of this computer instead.
    found.login.user.clear();
    const bool again = m_again && m_again->id == found.id;
    const Result<QString> path = m_engine->catalogue()->saveSite(found.id, fileOf(found), again);
    if (!path.ok()) {
        m_found->showProblem(path.error().text());
        return;
    }
    ConnectFlow::rememberUser(found.id, m_user);
    accept();
    emit saved(found.id);
}

} // namespace slipway

#include "moc_addcluster.cpp"
