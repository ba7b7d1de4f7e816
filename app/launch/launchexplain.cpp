// SPDX-FileCopyrightText: The Slipway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/launch/explain/logexplainer.h"
#include "app/launch/launch.h"
#include "app/launch/logreading.h"

#include <QElapsedTimer>
#include <QFile>
#include <QPointer>

namespace slipway {

using namespace std::chrono_literals;

namespace {

constexpr int mostNodeFaults = 3;

/// What failed on the node is a cause as well, where the run failed: behind what the log itself says.
void addNodeFaults(const NodeReport& report, std::vector<Explanation>* explanations)
{
    int count = 0;
    for (const CheckRow& row : report.rows) {
        if (row.state != CheckState::Fail || row.why.isEmpty() || ++count > mostNodeFaults)
            continue;
        Explanation one;
        one.id = u"node." + row.id;
        one.evidence = QStringList{row.node, row.where, row.value}.join(QStringLiteral(", ")).left(Explainer::longestEvidence);
        one.title = checkTitle(row.id);
        one.cause = row.why;
        one.remedy = row.fix;
        explanations->push_back(std::move(one));
    }
}

} // namespace

void Launch::explainWith(std::shared_ptr<const HintBook> book, ExplainContext context)
{
    m_hints = std::move(book);
    m_explainContext = std::move(context);
}

/// What the whole log and the scheduler's last word are known for. The log is read a slice a turn of
/// the event loop: a long one never holds up the window.
QCoro::Task<std::vector<Explanation>> Launch::explainEnd(RunPhase phase, QString stateText)
{
    std::vector<Explanation> explanations;
    if (!m_hints)
        co_return explanations;
    const QPointer<Launch> self(this);
    const auto cluster = m_cluster;
    ExplainContext context = m_explainContext;
    context.state = stateText;
    context.reason = m_job.reason;
    if (phase == RunPhase::Done || phase == RunPhase::Failed)
        context.endedWell = phase == RunPhase::Done;
    LogExplainer explainer(m_hints);
    QFile log(m_local.logFile());
    log.open(QIODevice::ReadOnly); // a job that printed nothing has none
    std::vector<qint64> restarts = m_local.logRestarts();
    qint64 at = 0;
    QElapsedTimer clock;
    clock.start();
    for (bool atEnd = !log.isOpen(); !atEnd;) {
        if (!restarts.empty() && restarts.front() <= at) {
            restarts.erase(restarts.begin());
            explainer.restart();
            continue;
        }
        const QByteArray bytes = log.read(restarts.empty() ? logSlice : std::min(logSlice, restarts.front() - at));
        atEnd = bytes.isEmpty();
        at += bytes.size();
        explainer.feed(bytes);
        if (clock.elapsed() < readingBudget)
            continue;
        co_await rest(1ms);
        if (!self || m_cluster != cluster)
            co_return explanations;
        clock.restart();
    }
    explainer.finish();
    explanations = explainer.result(context);
    if (phase == RunPhase::Failed)
        addNodeFaults(readNodeReport(m_local.probeRows()), &explanations);
    co_return explanations;
}

/// It never became a job: what was said to that is all there is.
void Launch::explainRefusal(const Error& error)
{
    if (!m_hints)
        return;
    ExplainContext context = m_explainContext;
    context.refusal = QString::fromUtf8(error.detail);
    context.endedWell = false;
    m_run.explanations = Explainer(m_hints).result(context);
}

} // namespace slipway
