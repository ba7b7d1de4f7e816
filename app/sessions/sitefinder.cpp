// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/sessions/sitefinder.h"

#include "remote/cluster/cluster.h"

#include <QPointer>

namespace slipway {

namespace {

Error givenUp()
{
    return Error{ErrorKind::Cancelled, SiteFinder::tr("The search was cancelled.")};
}

} // namespace

const std::vector<SiteFinder::Stage>& SiteFinder::stages()
{
    static const std::vector<Stage> all{
        Stage::LogIn, Stage::Scheduler, Stage::Limits, Stage::Containers, Stage::Storage};
    return all;
}

QString SiteFinder::title(Stage stage)
{
    switch (stage) {
    case Stage::LogIn:
        return tr("Log in");
    case Stage::Scheduler:
        return tr("Partitions and accounts");
    case Stage::Limits:
        return tr("Limits and GPUs");
    case Stage::Containers:
        return tr("Containers and modules");
    case Stage::Storage:
        return tr("Scratch and quota");
    }
    return {};
}

SiteFinder::SiteFinder(Connector* connector, QObject* parent)
    : QObject(parent)
    , m_connector(connector)
{
}

SiteFinder::~SiteFinder()
{
    if (m_shell)
        m_shell->close();
}

QCoro::Task<Result<FoundSite>> SiteFinder::find(ConnectTarget target, Prompter* prompter)
{
    const QPointer<SiteFinder> self(this);
    emit stageBegun(Stage::LogIn);
    const auto shell = co_await m_connector->connectTo(target, prompter);
    if (!shell.ok())
        co_return shell.error();
    if (!self) {
        (*shell)->close();
        co_return givenUp();
    }
    m_shell = *shell;
    const auto cluster = std::make_shared<Cluster>(*shell);
    emit stageBegun(Stage::Scheduler);
    const auto info = co_await cluster->discover(QString());
    if (!self || !info.ok()) {
        (*shell)->close();
        co_return self ? info.error() : givenUp();
    }
    FoundSite found;
    found.info = *info;
    found.login.host = target.host;
    found.login.port = target.port;
    found.login.user = target.user;
    found.asked = info->asked.date();
    const std::pair<Stage, SurveyPart> parts[] = {{Stage::Limits, SurveyPart::Limits},
        {Stage::Containers, SurveyPart::Containers}, {Stage::Storage, SurveyPart::Storage}};
    for (const auto& [stage, part] : parts) {
        emit stageBegun(stage);
        const auto survey = co_await cluster->survey(part, found.survey);
        if (!self) {
            (*shell)->close();
            co_return givenUp();
        }
        if (survey.ok())
            found.survey = *survey;
        else if (survey.error().kind == ErrorKind::LinkLost)
            co_return survey.error();
    }
    (*shell)->close();
    m_shell.reset();
    nameFoundSite(&found);
    co_return found;
}

} // namespace slipway

#include "moc_sitefinder.cpp"
